import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ControllerNotice, StreamController } from '../../src/controller/controller-types.js';
import { notifiedRequests, requestId } from '../../src/controller/requests/notified-requests.js';
import { ConnectedElements } from '../../src/elements/base/connected-elements.js';
import { createTestEnvironment } from '../helpers/test-environment.js';

/** A controller whose thread has two pending requests, `a` and `b`, in the message `m`. The notices of both were emitted. */
function setup() {
  const keys = ['a', 'b'];
  const request = { kind: 'request-activity', level: 'tool', prompt: 'Which year?' };
  const map = new Map(keys.map((key) => [key, { ...request, key, state: 'pending' }]));
  const parts = Object.assign(map, { children: () => keys });
  const run = { state: 'waiting' };
  const messages = new Map([['m', { id: 'm', key: 'm', parts }]]);
  const thread = { id: 't', key: 't', messages, run };
  const environment = createTestEnvironment();
  const fields = { environment, thread, getThread: () => thread };
  const controller = fields as unknown as StreamController;
  const notified = new Set(keys.map((key) => requestId('t', 'm', key)));
  notifiedRequests.set(controller, notified);
  const elements = ConnectedElements.of(controller);
  const events: string[] = [];
  const create = (name: string, isCancelled = false): HTMLElement => {
    const element = new EventTarget();
    element.addEventListener('ubik-thread-opened', () => void events.push(`${name} opened`));
    element.addEventListener('ubik-input-required', (event) => {
      events.push(`${name} asks`);
      if (isCancelled) event.preventDefault();
    });
    return element as HTMLElement;
  };
  const notify = (element: HTMLElement, notice: object): void =>
    elements.handleNotice(element, notice as ControllerNotice, () => 'No');
  const ask = (element: HTMLElement, of = 'a'): void =>
    notify(element, { type: 'input-required', message: 'm', request: of });
  const offer = (element: HTMLElement): void => elements.offerRequests(element, () => 'No');
  return { controller, environment, run, notified, elements, events, create, notify, ask, offer };
}

describe('elements of one controller', () => {
  it('are in the ConnectedElements of their controller only', () => {
    const { controller, elements, create } = setup();
    const [first, second] = [create('first'), create('second')];
    const remove = elements.add(first);
    elements.add(second);
    assert.equal(ConnectedElements.of(controller), elements);
    assert.deepEqual([...elements.elements], [first, second]);
    assert.notEqual(setup().elements, elements);
    remove();
    assert.deepEqual([...elements.elements], [second]);
  });

  it('dispatch each event once: the first element does, and after its removal the second', () => {
    const { elements, events, create, notify } = setup();
    const [first, second] = [create('first'), create('second')];
    const remove = elements.add(first);
    elements.add(second);
    const notifyBoth = (): void => {
      const opened = { type: 'thread-opened', thread: 't' };
      for (const element of [first, second]) notify(element, opened);
    };
    notifyBoth();
    assert.deepEqual(events, ['first opened']);
    remove();
    notifyBoth();
    assert.deepEqual(events, ['first opened', 'second opened']);
  });

  it('dispatch an event once, although its listener removes the element that dispatches it', () => {
    const { elements, events, create, notify } = setup();
    const [first, second] = [create('first'), create('second')];
    const remove = elements.add(first);
    elements.add(second);
    first.addEventListener('ubik-thread-opened', () => {
      remove();
      for (const element of [first, second])
        notify(element, { type: 'thread-changed', thread: 't' });
    });
    const opened = { type: 'thread-opened', thread: 't' };
    for (const element of [first, second]) notify(element, opened);
    assert.deepEqual(events, ['first opened']);
  });

  it('know which requests the host page answers', () => {
    const { elements, events, create, ask } = setup();
    const handled = (): boolean[] => ['a', 'b'].map((key) => elements.isHandledByPage('m', key));
    const remove = elements.add(create('first'));
    const [first] = elements.elements;
    ask(first as HTMLElement);
    assert.deepEqual(handled(), [false, false]);
    remove();
    const page = create('page', true);
    elements.add(page);
    ask(page);
    assert.deepEqual(handled(), [true, false]);
    assert.equal(elements.isHandledByPage('n', 'a'), false);
    elements.setAnsweredByTool('m', 'b', true);
    assert.deepEqual(handled(), [true, true]);
    elements.setAnsweredByTool('m', 'b', false);
    assert.deepEqual(handled(), [true, false]);
    assert.deepEqual(events, ['first asks', 'page asks']);
  });

  it('offer each pending request once, through the first element that offers it, until all elements are removed', async () => {
    const { environment, elements, events, create, ask, offer } = setup();
    const [page, second] = [create('page', true), create('second')];
    const remove = elements.add(page);
    const removeSecond = elements.add(second);
    ask(page, 'b');
    for (const element of [page, second, page]) offer(element);
    assert.deepEqual(events.splice(0), ['page asks', 'page asks'], 'b, then a');
    remove();
    await environment.advance(0);
    offer(second);
    assert.deepEqual(events, [], 'one is left');
    removeSecond();
    elements.add(second);
    await environment.advance(0);
    offer(second);
    assert.deepEqual([events, elements.isHandledByPage('m', 'a')], [[], true], 'it was moved');
  });

  it('offer requests again after all elements were removed, and know that the host page no longer answers', async () => {
    const { environment, elements, events, create, offer } = setup();
    const page = create('page', true);
    const remove = elements.add(page);
    offer(page);
    remove();
    await environment.advance(0);
    events.length = 0;
    const other = create('other');
    elements.add(other);
    offer(other);
    assert.deepEqual(events, ['other asks', 'other asks']);
    assert.equal(elements.isHandledByPage('m', 'a'), false);
  });

  it('ask once for a request that is pending when they are connected and whose notice is still to come', () => {
    const { elements, events, create, notified, ask, offer } = setup();
    const page = create('page');
    elements.add(page);
    notified.clear();
    offer(page);
    assert.deepEqual(events, []);
    ask(page, 'a');
    notified.add(requestId('t', 'm', 'a'));
    offer(page);
    assert.deepEqual(events, ['page asks']);
  });

  for (const state of ['sending', 'broken', 'stalled', 'rejoining', 'stopping']) {
    it(`know that the host page answers while the run is ${state}, and offer the request again afterwards`, async () => {
      const { environment, elements, events, create, offer, run } = setup();
      const page = create('page', true);
      const remove = elements.add(page);
      offer(page);
      remove();
      await environment.advance(0);
      events.length = 0;
      run.state = state;
      const other = create('other');
      elements.add(other);
      offer(other);
      assert.deepEqual([events, elements.isHandledByPage('m', 'a')], [[], true]);
      run.state = 'waiting';
      offer(other);
      assert.deepEqual(events, ['other asks', 'other asks']);
      assert.equal(elements.isHandledByPage('m', 'a'), false);
    });
  }

  it('offer a request again only after the stream of a rejoined run has shown that it still waits for the answer', async () => {
    const { environment, elements, events, create, ask, offer, run } = setup();
    const page = create('page', true);
    const remove = elements.add(page);
    ask(page);
    remove();
    await environment.advance(0);
    events.length = 0;
    const other = create('other');
    elements.add(other);
    for (const state of ['rejoining', 'streaming']) {
      run.state = state;
      offer(other);
    }
    assert.deepEqual(events, ['other asks'], 'only b, which was not offered before');
    assert.equal(elements.isHandledByPage('m', 'a'), true);
    run.state = 'waiting';
    offer(other);
    assert.deepEqual(events, ['other asks', 'other asks']);
  });

  it('do not offer a request that a tool or an answer in progress may answer', () => {
    const { elements, events, create, offer, run } = setup();
    const page = create('page');
    elements.add(page);
    run.state = 'sending';
    offer(page);
    assert.deepEqual(events, []);
    run.state = 'waiting';
    elements.setAnsweredByTool('m', 'b', true);
    offer(page);
    assert.deepEqual(events, ['page asks'], 'only a');
  });

  it('know that the host page no longer answers a request that is pending again', () => {
    const { elements, create, ask } = setup();
    const page = create('page');
    elements.add(page);
    page.addEventListener('ubik-input-required', (event) => event.preventDefault(), { once: true });
    ask(page);
    assert.equal(elements.isHandledByPage('m', 'a'), true);
    ask(page);
    assert.equal(elements.isHandledByPage('m', 'a'), false);
    elements.setAnsweredByTool('m', 'a', true);
    ask(page);
    assert.equal(elements.isHandledByPage('m', 'a'), true, 'a tool is answering it');
  });
});
