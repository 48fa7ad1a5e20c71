import { expect, fixture, html } from '@open-wc/testing';
import { css, nothing } from 'lit';
import type { StreamController } from '../../src/controller/controller-types.js';
import { LazyModule } from '../../src/dom/lazy-module.js';
import '../../src/define.js';
import { renderAskButton } from '../../src/elements/base/ask-button.js';
import { BaseElement } from '../../src/elements/base/base-element.js';
import { ConnectedElements } from '../../src/elements/base/connected-elements.js';
import type { ConnectedHost } from '../../src/elements/base/connected-host.js';
import type { ControllerCallback } from '../../src/elements/base/context-protocol.js';
import {
  ControllerConnection,
  type ConnectionHooks,
} from '../../src/elements/base/controller-connection.js';
import {
  PanelController,
  type Panel,
  type PanelModule,
} from '../../src/elements/base/panel-controller.js';
import { UbikError } from '../../src/errors.js';
import type { UbikInputRequiredEvent } from '../../src/events/index.js';
import type { Change } from '../../src/model/change.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { Deferred } from '../helpers/deferred.js';
import { nextFrame, setupController } from './chat-fixture.js';
import { recordObservations } from './observations.js';

/** An element that is connected to a controller, without content of its own. */
class TestElement extends BaseElement {
  controller: StreamController | null = null;
  content: () => unknown = () => nothing;

  get context() {
    return this.viewContext;
  }

  protected override renderContent(): unknown {
    return this.content();
  }
}
customElements.define('test-connected', TestElement);

/** An element whose connection has these hooks. `connect` adds it to the page, and `connected` lists what `onConnect` was called with. */
async function setup(hooks: Partial<ConnectionHooks> = {}) {
  const conversation = setupController();
  const element = new TestElement();
  const connected: (StreamController | null)[] = [];
  const connection = new ControllerConnection(element, element.context, {
    onConnect: (controller) => void connected.push(controller),
    ...hooks,
  });
  const codes: string[] = [];
  element.addEventListener('ubik-error', ({ detail }) => codes.push(detail.code));
  element.controller = conversation.controller;
  const box = await fixture(html`<div></div>`);
  const connect = async (): Promise<void> => {
    box.append(element);
    await nextFrame();
    await nextFrame();
  };
  return { ...conversation, element, connection, connected, codes, box, connect };
}

/** Returns how a promise ends. */
const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => (error instanceof Error ? error.message : error));

const FAILURES = [
  ['a failure of the service', new UbikError('server', 'Broken'), ['server']],
  ['an action that the user has aborted', new UbikError('aborted', 'Ended'), []],
  ['an error of the program', new TypeError('Wrong'), []],
] as const;

describe('an action of a connected element', () => {
  it('dispatches its events around the action, which runs when none is cancelled', async () => {
    const { element, connection } = await setup();
    const order: string[] = [];
    for (const name of ['one', 'two', 'after'])
      element.addEventListener(name, () => order.push(name));
    const create = (name: string): Event => new Event(name, { cancelable: true });
    const run = (): Promise<void> => Promise.resolve(void order.push('run'));
    const perform = (): Promise<boolean> =>
      connection.performAction([create('one'), create('two')], run, () => create('after'));
    expect(await perform()).to.equal(true);
    expect(order.splice(0)).to.deep.equal(['one', 'two', 'run', 'after']);
    expect(await connection.performAction([], run), 'without events').to.equal(true);
    expect(order.splice(0)).to.deep.equal(['run']);
    element.addEventListener('two', (event) => event.preventDefault());
    expect(await perform()).to.equal(false);
    expect(order.splice(0)).to.deep.equal(['one', 'two']);
    element.addEventListener('one', (event) => event.preventDefault());
    expect(await perform()).to.equal(false);
    expect(order).to.deep.equal(['one']);
  });

  for (const [name, error, expected] of FAILURES) {
    it(`rejects with ${name}, and reports ${expected.join() || 'nothing'}`, async () => {
      const { connection, codes } = await setup();
      let isReported = false;
      const after = (): Event => {
        isReported = true;
        return new Event('after');
      };
      const action = connection.performAction([], () => Promise.reject(error), after);
      expect(await outcomeOf(action)).to.equal(error.message);
      expect([codes, isReported]).to.deep.equal([expected, false]);
    });

    it(`that is attempted shows ${expected.join() || 'nothing'} for ${name}`, async () => {
      const shown: string[] = [];
      const onError = ({ code }: UbikError): void => void shown.push(code);
      const { connection } = await setup({ onError });
      const attempt = connection.attempt(Promise.reject(error));
      const isProgramError = error instanceof TypeError;
      expect(await outcomeOf(attempt)).to.equal(isProgramError ? 'Wrong' : false);
      expect(shown).to.deep.equal(expected);
      if (isProgramError) return;
      const own: string[] = [];
      await connection.attempt(Promise.reject(error), ({ code }) => void own.push(code));
      expect([own, shown]).to.deep.equal([expected, expected]);
      const { connection: silent } = await setup();
      expect(await silent.attempt(Promise.reject(error))).to.equal(false);
    });
  }

  it('that is attempted succeeds unless it was cancelled', async () => {
    const { connection } = await setup();
    const results = [undefined, Promise.resolve(), Promise.resolve(true), Promise.resolve(false)];
    const outcomes = await Promise.all(results.map((action) => connection.attempt(action)));
    expect(outcomes).to.deep.equal([true, true, true, false]);
  });

  it('answers a request with its events, within the hook of the element', async () => {
    const order: string[] = [];
    const { connection, element, connect, controller } = await setup({
      wrapInput: async (provide) => {
        order.push('before');
        const isProvided = await provide();
        order.push('after');
        return isProvided;
      },
    });
    const provideInput = (...args: readonly unknown[]): Promise<void> =>
      Promise.resolve(void order.push(JSON.stringify(args)));
    Object.defineProperty(controller, 'provideInput', { value: provideInput });
    for (const name of ['ubik-input-provide', 'ubik-input-provided'] as const)
      element.addEventListener(name, () => order.push(name));
    await connect();
    const answer = { type: 'text', text: '2025' } as const;
    expect(await connection.provideInput('m', 'r', answer)).to.equal(true);
    expect(order).to.deep.equal([
      'before',
      'ubik-input-provide',
      JSON.stringify(['m', 'r', answer]),
      'ubik-input-provided',
      'after',
    ]);
  });
});

describe('the connection of an element', () => {
  it('accepts each message, and focuses none, while the element has no hooks for that', async () => {
    const { connection } = await setup();
    expect(connection.validateMessage('x')).to.equal('');
    expect(() => connection.focusMessage('m')).to.not.throw();
    const focused: string[] = [];
    const { connection: own } = await setup({
      validateMessage: (text) => `Not ${text}`,
      focusMessage: (key) => void focused.push(key),
    });
    own.focusMessage('m');
    expect([own.validateMessage('x'), focused]).to.deep.equal(['Not x', ['m']]);
  });

  it('accepts no message that a composer of the same controller does not accept', async () => {
    const { connection, controller, connect, box } = await setup();
    await connect();
    const composer = document.createElement('ubik-composer');
    composer.controller = controller;
    composer.maxLength = 5;
    box.append(composer);
    for (let turn = 0; turn < 3; turn += 1) await nextFrame();
    expect(connection.validateMessage('12345')).to.equal('');
    expect(connection.validateMessage('123456')).to.contain('5');
    composer.remove();
    expect(connection.validateMessage('123456')).to.equal('');
  });

  it('knows which requests of its controller the host page answers', async () => {
    const { connection, connect, controller } = await setup();
    expect(connection.isHandledByPage('m', 'r'), 'without a controller').to.equal(false);
    await connect();
    expect(connection.isHandledByPage('m', 'r')).to.equal(false);
    ConnectedElements.of(controller).setAnsweredByTool('m', 'r', true);
    expect(connection.isHandledByPage('m', 'r')).to.equal(true);
  });

  it('retains its controller while the element is in the document', async () => {
    const { connection, controller, element, connect } = await setup();
    const states = [[connection.isRetained, connection.controller]];
    await connect();
    states.push([connection.isRetained, connection.controller]);
    element.remove();
    states.push([connection.isRetained, connection.controller]);
    expect(states).to.deep.equal([
      [false, null],
      [true, controller],
      [false, controller],
    ]);
  });

  it('renders everything for another controller, and after changes while the element was removed', async () => {
    const { backend, controller, element, connect, connected, environment } = await setup();
    await connect();
    expect(connected).to.deep.equal([controller]);
    element.requestUpdate();
    await nextFrame();
    element.remove();
    await connect();
    expect(connected.length, 'nothing missed').to.equal(1);
    element.remove();
    backend.threads.set('t', contentOf('t', [stored('q', 'user', 'Q')]));
    await controller.openThread('t');
    await environment.settle();
    await connect();
    expect(connected.length, 'a thread was opened').to.equal(2);
    const other = setupController().controller;
    element.controller = other;
    element.requestUpdate();
    await nextFrame();
    expect(connected.at(-1)).to.equal(other);
    expect(connected.length).to.equal(3);
  });

  it('ends when the controller is set to null', async () => {
    const { connection, controller, element, connect, connected } = await setup();
    await connect();
    element.controller = null;
    const { warn } = console;
    const warnings: unknown[] = [];
    console.warn = (text: unknown) => void warnings.push(text);
    for (let time = 0; time < 2; time += 1) {
      element.requestUpdate();
      await nextFrame();
      expect([connection.controller, connection.isRetained]).to.deep.equal([null, false]);
    }
    console.warn = warn;
    expect([connected, warnings]).to.deep.equal([[controller, null], []]);
  });

  it('uses the controller that the element finds itself', async () => {
    const { controller } = setupController();
    let found: StreamController | null = null;
    const { connection, element, connect, connected } = await setup({ find: () => found });
    await connect();
    expect([connection.controller, connected]).to.deep.equal([null, []]);
    found = controller;
    element.requestUpdate();
    await nextFrame();
    expect([connection.controller, connected]).to.deep.equal([controller, [controller]]);
    found = null;
    element.requestUpdate();
    await nextFrame();
    expect([connection.controller, connected], 'kept').to.deep.equal([controller, [controller]]);
  });

  it('passes on notices, after their event, and changes of the thread', async () => {
    const order: string[] = [];
    const { backend, controller, element, connect, environment } = await setup({
      onNotice: ({ type }) => void order.push(type),
      onChange: ({ type }) => void order.push(`change ${type}`),
    });
    element.addEventListener('ubik-thread-opened', () => order.push('event'));
    await connect();
    backend.threads.set('t', contentOf('t', [stored('q', 'user', 'Q')]));
    await controller.openThread('t');
    await environment.settle();
    const at = order.indexOf('thread-opened');
    expect(order[at - 1]).to.equal('event');
    expect(order.some((each) => each.startsWith('change'))).to.equal(true);
  });

  it('updates the element for notices and changes by default, but not for appended text', async () => {
    const { connection, element, connect, backend, controller, environment } = await setup();
    await connect();
    let updates = 0;
    element.addController({ hostUpdated: () => void (updates += 1) });
    connection.scheduleUpdate({ type: 'text' } as Change);
    await nextFrame();
    await nextFrame();
    expect(updates).to.equal(0);
    connection.scheduleUpdate({ type: 'thread', set: {} });
    connection.scheduleUpdate({ type: 'thread', set: {} });
    expect(updates, 'in the next frame').to.equal(0);
    await nextFrame();
    await nextFrame();
    expect(updates).to.equal(1);
    backend.threads.set('t', contentOf('t', [stored('q', 'user', 'Q')]));
    await controller.openThread('t');
    await environment.settle();
    await nextFrame();
    await nextFrame();
    expect(updates).to.be.above(1);
  });

  it('offers the host page a request that came while no element was in the page', async () => {
    const { backend, controller, element, connection, connect, environment, box } = await setup();
    await connect();
    element.remove();
    void controller.send({ text: 'Q', attachments: [] });
    await environment.settle();
    backend.stream.begin();
    backend.stream.request('@request:c');
    await environment.settle();
    const asked: string[] = [];
    const ask = (event: UbikInputRequiredEvent): void => {
      asked.push(event.detail.request);
      event.preventDefault();
    };
    element.addEventListener('ubik-input-required', ask);
    await connect();
    const isHandled = (): boolean =>
      connection.isHandledByPage(backend.stream.keys.answer, '@request:c');
    expect([asked, isHandled()]).to.deep.equal([['@request:c'], true]);
    box.append(document.createElement('div'));
    box.lastElementChild?.append(element);
    await environment.advance(0);
    await nextFrame();
    expect([asked.length, isHandled()], 'moved in the page').to.deep.equal([1, true]);
    element.remove();
    element.removeEventListener('ubik-input-required', ask);
    element.addEventListener('ubik-input-required', ({ detail }) => asked.push(detail.request));
    backend.stream.finish('waiting');
    await environment.advance(0);
    await connect();
    expect([asked.length, isHandled()], 'shown again').to.deep.equal([2, false]);
  });

  it('offers a request of another conversation once, also when the element is added while the conversation is being opened', async () => {
    const { backend, controller, element, connect, environment } = await setup();
    void controller.send({ text: 'Q', attachments: [] });
    await environment.settle();
    backend.stream.begin();
    await environment.settle();
    controller.switchToNewThread();
    backend.stream.request('@request:c');
    backend.stream.finish('waiting');
    await environment.settle();
    const loading = new Deferred<unknown>();
    backend.responses.set('loadThread', () => loading.promise);
    void controller.openThread('thread-id-1');
    const events: string[] = [];
    for (const name of ['ubik-input-required', 'ubik-thread-opened'])
      element.addEventListener(name, () => events.push(name));
    await connect();
    expect(controller.thread?.id).to.equal('thread-id-1');
    loading.resolve(backend.threads.get('thread-id-1'));
    await environment.settle();
    await nextFrame();
    expect(events).to.deep.equal(['ubik-thread-opened', 'ubik-input-required']);
  });

  it('offers a request a second time only if the answer that the host page is sending is rejected', async () => {
    const { backend, controller, element, connection, connect, environment } = await setup();
    await connect();
    let asked = 0;
    element.addEventListener('ubik-input-required', (event) => {
      asked += 1;
      event.preventDefault();
    });
    void controller.send({ text: 'Q', attachments: [] });
    await environment.settle();
    const message = backend.stream.keys.answer;
    backend.stream.begin();
    backend.stream.request('@request:c', 'tool');
    backend.stream.finish('waiting');
    await environment.settle();
    element.remove();
    await environment.advance(0);
    const answer = { type: 'text', text: '1' } as const;
    const outcome = outcomeOf(controller.provideInput(message, '@request:c', answer));
    await environment.settle();
    await connect();
    const state = () => [asked, connection.isHandledByPage(message, '@request:c')];
    expect(state(), 'being sent').to.deep.equal([1, true]);
    backend.stream.fail(new UbikError('bad-request', 'Rejected'));
    expect(await outcome).to.equal('Rejected');
    expect(state(), 'rejected').to.deep.equal([2, true]);
  });

  it('ends the subscription of a provider that responds after the element was removed', async () => {
    const { controller } = setupController();
    const { element, connection, connect, box } = await setup();
    element.controller = null;
    const callbacks: ControllerCallback[] = [];
    box.addEventListener('context-request', (event) => {
      const { callback } = event as Event & { callback?: ControllerCallback };
      event.preventDefault();
      if (callback) callbacks.push(callback);
    });
    await connect();
    element.remove();
    let ended = 0;
    const end = (): void => void (ended += 1);
    callbacks.at(-1)?.(controller, end);
    expect([ended, connection.controller]).to.deep.equal([1, null]);
    callbacks.at(-1)?.(controller);
    await connect();
    callbacks.at(-1)?.(controller, end);
    await nextFrame();
    expect([ended, connection.controller]).to.deep.equal([1, controller]);
    const asked = callbacks.length;
    element.requestUpdate();
    await nextFrame();
    expect(callbacks.length, 'asks once').to.equal(asked);
    element.remove();
    expect(ended, 'removed').to.equal(2);
    await connect();
    expect(callbacks.length, 'asks again in another place').to.equal(asked + 1);
  });

  it('ignores the response of a provider to a request that the element made before it was moved', async () => {
    const { controller } = setupController();
    const { element, connection, connect, box, controller: own } = await setup();
    element.controller = null;
    const callbacks: ControllerCallback[] = [];
    box.addEventListener('context-request', (event) => {
      const { callback } = event as Event & { callback?: ControllerCallback };
      event.preventDefault();
      if (callback) callbacks.push(callback);
    });
    await connect();
    const [first] = callbacks;
    element.remove();
    await connect();
    let ended = 0;
    first?.(controller, () => void (ended += 1));
    await nextFrame();
    expect([ended, connection.controller]).to.deep.equal([1, null]);
    callbacks.at(-1)?.(own);
    await nextFrame();
    expect(connection.controller).to.equal(own);
  });

  it('observes its controller once', async () => {
    const { controller, element, connect } = await setup();
    const observations = recordObservations({}, [controller]);
    await connect();
    const before = observations.list();
    element.requestUpdate();
    await nextFrame();
    expect(observations.list()).to.deep.equal(before);
    element.remove();
    expect(observations.list()).to.deep.equal([]);
  });
});

describe('the button that leads to the message field', () => {
  it('exists while an element of the same controller has a message field', async () => {
    const { connection, controller, element, connect, box } = await setup();
    element.content = () => renderAskButton(connection);
    await connect();
    const find = () => element.renderRoot.querySelector<HTMLElement>('button.ask');
    const update = async (): Promise<void> => {
      element.requestUpdate();
      await nextFrame();
      await nextFrame();
    };
    expect(find(), 'no field').to.equal(null);
    const [composer, other] = [
      document.createElement('ubik-composer'),
      document.createElement('ubik-composer'),
    ];
    other.controller = setupController().controller;
    box.append(other);
    await update();
    expect(find(), 'the field of another controller').to.equal(null);
    composer.controller = controller;
    box.append(composer);
    await update();
    expect(find()?.textContent.trim()).to.equal('Ask a question');
    find()?.click();
    expect(document.activeElement).to.equal(composer);
    const { connection: alone } = await setup();
    expect(renderAskButton(alone), 'without a controller').to.equal(nothing);
  });
});

describe('the panel of an element', () => {
  /** An element with a panel, whose code the test loads. */
  async function setupPanel() {
    const { controller } = setupController();
    const element = new TestElement();
    const calls: unknown[] = [];
    const attempts: { resolve: () => void; reject: (error: Error) => void }[] = [];
    const node = document.createElement('p');
    node.className = 'panel';
    const panel: Panel = {
      node,
      styles: css`
        .panel {
          letter-spacing: 3px;
        }
      `,
      handleConnect: (connected) => void calls.push(connected),
      handleChange: ({ type }) => void calls.push(type),
      update: () => void calls.push('update'),
      dispose: () => void calls.push('dispose'),
    };
    const createPanel = (host: ConnectedHost): Panel => {
      calls.push(host.element);
      return panel;
    };
    const module = new LazyModule<PanelModule<TestElement, Panel>>(
      () =>
        new Promise((resolve, reject) => {
          attempts.push({ resolve: () => resolve({ createPanel }), reject });
        }),
    );
    const panels = new PanelController(element, element.context, module);
    element.content = () => panels.render();
    const codes: string[] = [];
    element.addEventListener('ubik-error', ({ detail }) => codes.push(detail.code));
    element.controller = controller;
    const box = await fixture(html`<div></div>`);
    box.append(element);
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn += 1) await nextFrame();
    };
    await settle();
    const find = (selector: string) => element.renderRoot.querySelector<HTMLElement>(selector);
    return { controller, element, box, calls, codes, attempts, node, panels, settle, find };
  }

  it('is created once its code is loaded, and gets each controller and change', async () => {
    const { controller, element, calls, attempts, node, panels, settle, find } = await setupPanel();
    const other = setupController();
    element.controller = other.controller;
    element.requestUpdate();
    await settle();
    element.controller = controller;
    element.requestUpdate();
    await settle();
    expect([panels.panel, find('.ubik')?.childElementCount]).to.deep.equal([undefined, 0]);
    attempts[0]?.resolve();
    await settle();
    expect(calls.filter((each) => each === element)).to.deep.equal([element]);
    expect(calls.slice(0, 2)).to.deep.equal([element, controller]);
    expect(calls.at(-1)).to.equal('update');
    expect(find('.panel')).to.equal(node);
    expect(getComputedStyle(node).letterSpacing).to.equal('3px');
    calls.length = 0;
    element.controller = other.controller;
    element.requestUpdate();
    await settle();
    expect(calls.filter((each) => each !== 'update')).to.deep.equal([other.controller]);
    other.backend.threads.set('t', contentOf('t', [stored('q', 'user', 'Q')]));
    calls.length = 0;
    await other.controller.openThread('t');
    await other.environment.settle();
    await settle();
    expect(calls).to.include('thread');
    expect(calls.at(-1)).to.equal('update');
    element.remove();
    expect(calls.at(-1)).to.equal('dispose');
    expect(attempts.length).to.equal(1);
  });

  it('is released and not rendered while the element has no controller', async () => {
    const { controller, element, calls, attempts, settle, find } = await setupPanel();
    attempts[0]?.resolve();
    await settle();
    const set = async (value: StreamController | null): Promise<void> => {
      calls.length = 0;
      element.controller = value;
      element.requestUpdate();
      await settle();
    };
    await set(null);
    expect([calls, find('.panel')]).to.deep.equal([['update', 'dispose'], null]);
    await set(controller);
    expect([calls[0], find('.panel') !== null]).to.deep.equal([controller, true]);
    expect(attempts.length).to.equal(1);
  });

  it('is not connected when the element was removed while the code of the panel was loading', async () => {
    const { controller, element, attempts, calls, settle, codes } = await setupPanel();
    element.remove();
    attempts[0]?.resolve();
    await settle();
    expect(calls).to.not.include('dispose').and.not.include(controller);
    expect(codes).to.deep.equal([]);
  });

  it('is replaced by an error that offers to load it again', async () => {
    const { attempts, codes, settle, find } = await setupPanel();
    attempts[0]?.reject(new UbikError('load-failed'));
    await settle();
    expect(find('.line .words')?.textContent.trim() ?? '').to.not.equal('');
    expect([find('.line .words')?.dir, codes]).to.deep.equal(['auto', ['load-failed']]);
    const retry = find('.line button');
    expect(retry?.textContent).to.equal('Retry');
    retry?.click();
    await settle();
    expect(attempts.length).to.equal(2);
    attempts[1]?.resolve();
    await settle();
    expect([find('.line'), find('.panel') !== null]).to.deep.equal([null, true]);
  });
});
