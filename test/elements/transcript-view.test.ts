import { expect } from '@open-wc/testing';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import { TranscriptView } from '../../src/elements/transcript/transcript-view.js';
import { UbikError } from '../../src/errors.js';
import type { Change } from '../../src/model/change.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { setupMessageView } from '../message/message-fixture.js';
import { setupController } from './chat-fixture.js';
import { openLongThread } from './long-thread.js';

const LONG = 'Paragraph.\n\n'.repeat(60);

/** A controller that has opened a thread with these texts; questions and answers alternate. */
async function openThread(...texts: readonly string[]) {
  const conversation = setupController();
  const { backend, controller } = conversation;
  const messages = texts.map((text, at) =>
    stored(`m${at}`, at % 2 === 0 ? 'user' : 'assistant', text),
  );
  backend.threads.set('t', contentOf('t', messages));
  await controller.openThread('t');
  const keys = [...(controller.thread?.messages.keys() ?? [])];
  return { ...conversation, keys };
}

/** A transcript in a box of 300 px. The test runs its frames and passes changes to it. */
function setupTranscript({ pinQuestion = false } = {}) {
  const { context, errors, frames, host, root, view } = setupMessageView();
  view.dispose();
  let updates = 0;
  const transcript = new TranscriptView(
    {
      assistive: false,
      pinQuestion,
      addController: () => undefined,
      removeController: () => undefined,
      requestUpdate: () => (updates += 1),
      updateComplete: Promise.resolve(true),
    },
    context,
  );
  const { node, scroller } = transcript;
  scroller.style.cssText = 'height: 300px; overflow: auto';
  root.replaceChildren(node);
  transcript.hostConnected();
  transcript.hostUpdate();
  const nodes = (): HTMLElement[] => [...node.querySelectorAll<HTMLElement>('.message')];
  const query = (selector: string): HTMLElement => {
    const found = node.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`Nothing matches ${selector}.`);
    return found;
  };
  return {
    errors,
    frames,
    nodes,
    query,
    root,
    scroller,
    transcript,
    button: query('.scroll-to-end'),
    texts: () => nodes().map(({ textContent }) => textContent.trim()),
    updates: () => updates,
    fromEnd: () => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop,
    /** Scrolls up like a user. */
    scrollUp: (top = 0) => {
      scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
      scroller.scrollTop = top;
    },
    remove: () => {
      transcript.hostDisconnected();
      transcript.dispose();
      host.remove();
    },
  };
}

describe('view of a transcript', () => {
  it('shows the thread of another controller at once, also with the same keys', async () => {
    const { remove, texts, transcript, fromEnd, scrollUp } = setupTranscript();
    const [first, second] = [await openThread('A', LONG), await openThread('B', LONG)];
    expect(first.keys).to.deep.equal(second.keys);
    transcript.show(first.controller);
    expect(texts().length).to.equal(2);
    scrollUp();
    transcript.show(second.controller);
    expect(texts()[0]).to.equal('B');
    expect(fromEnd()).to.be.at.most(1);
    remove();
  });

  it('is updated in the next frame, only for changes of what it shows', async () => {
    const { frames, remove, transcript, texts } = setupTranscript();
    const { controller, keys } = await openThread('One', 'Two', 'Three', 'Four');
    const [first = '', second = ''] = keys;
    transcript.head = second;
    transcript.show(controller);
    frames.flush();
    expect(texts()).to.deep.equal(['One', 'Two']);
    const scheduledBy = (change: object): number => {
      transcript.apply(change as Change);
      const { scheduledCount } = frames;
      frames.flush();
      return scheduledCount;
    };
    const text = { type: 'text', part: 'text', at: 0, text: '' };
    expect(scheduledBy({ type: 'thread', set: { run: { state: 'idle' } } })).to.equal(0);
    expect(scheduledBy({ type: 'thread', set: { title: 'Title' } })).to.equal(0);
    expect(scheduledBy({ type: 'thread', set: { head: first } })).to.equal(1);
    expect(scheduledBy({ type: 'item', list: 'queue', key: 'x' })).to.equal(0);
    expect(scheduledBy({ ...text, message: keys[3] }), 'not shown').to.equal(0);
    expect(scheduledBy({ ...text, message: 'unknown' }), 'removed').to.equal(1);
    expect(scheduledBy({ type: 'message', message: keys[3] }), 'new').to.equal(1);
    expect(texts()).to.deep.equal(['One', 'Two']);
    transcript.head = null;
    expect(frames.scheduledCount).to.equal(1);
    frames.flush();
    expect(texts()).to.deep.equal(['One', 'Two', 'Three', 'Four']);
    remove();
  });

  for (const replaces of [false, true]) {
    it(`updates its messages at the end of a run that was active before they were rendered${replaces ? ', in place of those of an idle controller' : ''}`, async () => {
      const { backend, controller, environment } = await openThread('One', 'Two');
      void controller.send({ text: 'Three', attachments: [] });
      await environment.settle();
      backend.stream.begin();
      await environment.settle();
      const { frames, remove, transcript } = setupTranscript();
      if (replaces) transcript.show((await openThread('One')).controller);
      frames.flush();
      transcript.show(controller);
      frames.flush();
      const [key = ''] = controller.thread?.messages.keys() ?? [];
      const view = transcript.viewOf(key);
      let updated = 0;
      if (view) view.updateRun = () => void (updated += 1);
      backend.stream.finish('complete');
      await environment.settle();
      transcript.apply({ type: 'thread', set: { run: { state: 'complete' } } });
      frames.flush();
      expect(updated).to.equal(1);
      remove();
    });
  }

  it('updates its element when messages were added, but not when none were', async () => {
    const { frames, remove, transcript, updates } = setupTranscript();
    const { controller } = await openThread('One', 'Two');
    transcript.show(controller);
    expect(updates()).to.equal(1);
    transcript.reveal('m0');
    frames.flush();
    expect(updates()).to.equal(1);
    remove();
  });

  it('prints the rest of a text that is still being rendered', async () => {
    const { frames, remove, transcript } = setupTranscript();
    const { controller } = await openThread('One', `${LONG.repeat(5)}The last sentence.`);
    transcript.show(controller);
    expect(transcript.node.textContent).to.not.include('The last sentence.');
    window.dispatchEvent(new Event('beforeprint'));
    expect(transcript.node.textContent).to.include('The last sentence.');
    window.dispatchEvent(new Event('afterprint'));
    frames.flush();
    remove();
  });

  it('prints all messages as rendered while it is connected', async () => {
    const { frames, query, remove, transcript } = setupTranscript();
    const conversation = setupController();
    await openLongThread(conversation, 140);
    transcript.show(conversation.controller);
    while (transcript.node.querySelectorAll('.message').length < 140) {
      await new Promise(requestAnimationFrame);
      frames.flush();
    }
    const placeholders = (): number => transcript.node.querySelectorAll('.placeholder').length;
    const count = placeholders();
    expect(count).to.be.above(0);
    expect(query('.placeholder').isConnected).to.equal(true);
    transcript.hostDisconnected();
    window.dispatchEvent(new Event('beforeprint'));
    expect(placeholders(), 'disconnected').to.equal(count);
    window.dispatchEvent(new Event('afterprint'));
    transcript.hostConnected();
    window.dispatchEvent(new Event('beforeprint'));
    expect(placeholders()).to.equal(0);
    window.dispatchEvent(new Event('afterprint'));
    remove();
  });
});

describe('scroll position of a transcript', () => {
  it('no longer follows the end after something in the middle was shown', async () => {
    const { button, nodes, remove, scroller, transcript } = setupTranscript();
    const { controller } = await openThread('One', LONG, 'Three', LONG);
    transcript.show(controller);
    expect(button.hidden).to.equal(true);
    const node = nodes()[2];
    if (node) transcript.revealNode(node);
    expect(button.hidden).to.equal(false);
    const { top, height } = scroller.getBoundingClientRect();
    const box = node?.getBoundingClientRect() ?? new DOMRect();
    expect(box.top + box.height / 2).to.be.closeTo(top + height / 2, 2);
    remove();
  });

  it('has a button that does not count messages that were added at the followed end', async () => {
    const { backend, controller, environment } = await openThread('One', LONG);
    const { button, frames, remove, scrollUp, transcript } = setupTranscript();
    transcript.show(controller);
    frames.flush();
    const label = button.textContent;
    void controller.send({ text: 'Two', attachments: [] });
    await environment.settle();
    backend.stream.begin();
    await environment.settle();
    transcript.apply({ type: 'thread', set: { head: '' } });
    frames.flush();
    expect(transcript.path.length).to.equal(4);
    scrollUp();
    expect([button.hidden, button.textContent]).to.deep.equal([false, label]);
    remove();
  });

  it('follows the end further after the focused message was replaced', async () => {
    const { button, frames, nodes, remove, root, transcript } = setupTranscript();
    const { controller, keys } = await openThread('One', LONG, LONG, LONG);
    transcript.show(controller);
    frames.flush();
    const last = nodes().at(-1);
    if (last) last.tabIndex = -1;
    last?.focus({ preventScroll: true });
    transcript.scrollToEnd();
    transcript.head = keys[1] ?? null;
    frames.flush();
    const focused = (root.getRootNode() as ShadowRoot).activeElement;
    expect([nodes().length, nodes().at(-1) === focused]).to.deep.equal([2, true]);
    expect(button.hidden).to.equal(true);
    remove();
  });

  it('leaves the focus elsewhere when messages are added or removed', async () => {
    const { frames, remove, root, transcript } = setupTranscript();
    const { controller, keys } = await openThread('One', 'Two', 'Three');
    const field = root.appendChild(document.createElement('input'));
    const focused = (): Element | null => (root.getRootNode() as ShadowRoot).activeElement;
    transcript.show(controller);
    expect(focused()).to.equal(null);
    field.focus();
    transcript.head = keys[0] ?? null;
    frames.flush();
    transcript.head = null;
    frames.flush();
    expect(focused()).to.equal(field);
    remove();
  });

  it('is at the end, not at the pinned question, in a thread with more than one exchange whose run is active', async () => {
    const { backend, controller, environment } = await openThread('One', LONG);
    void controller.send({ text: 'Three', attachments: [] });
    await environment.settle();
    backend.stream.begin();
    backend.stream.append(0, LONG);
    await environment.settle();
    const { fromEnd, remove, transcript } = setupTranscript({ pinQuestion: true });
    transcript.show(controller);
    expect(fromEnd()).to.be.at.most(1);
    remove();
  });
});

describe('a message to reveal', () => {
  it('is reported once when it is missing, and when that is no longer relevant', async () => {
    const { button, frames, nodes, remove, scroller, transcript } = setupTranscript();
    const { controller } = await openThread('One', LONG, 'Three', LONG);
    const reports: (string | null)[] = [];
    transcript.pendingReveal.onMissing = (id) => void reports.push(id);
    transcript.show(controller);
    const reveal = (id: string): void => {
      transcript.reveal(id);
      frames.flush();
    };
    reveal('');
    reveal('m2');
    expect(nodes()[2]?.getBoundingClientRect().top).to.be.closeTo(
      scroller.getBoundingClientRect().top,
      2,
    );
    expect(button.hidden).to.equal(false);
    expect(reports).to.deep.equal([]);
    reveal('gone');
    transcript.head = null;
    frames.flush();
    expect(reports).to.deep.equal(['gone']);
    reveal('lost');
    expect(reports).to.deep.equal(['gone', null, 'lost']);
    transcript.prepareForSend();
    reveal('');
    expect(reports).to.deep.equal(['gone', null, 'lost', null]);
    reveal('gone');
    transcript.scrollToEnd();
    expect(reports.slice(4)).to.deep.equal(['gone', null]);
    remove();
  });

  it('is scrolled to once, so that the user can scroll away', async () => {
    const { frames, remove, scroller, scrollUp, transcript } = setupTranscript();
    const { controller } = await openThread('One', LONG, 'Three', LONG);
    transcript.show(controller);
    transcript.reveal('m2');
    frames.flush();
    scrollUp(10);
    transcript.head = null;
    frames.flush();
    expect(scroller.scrollTop).to.equal(10);
    remove();
  });

  it('cannot be focused when it is not shown', async () => {
    const { nodes, remove, root, transcript } = setupTranscript();
    const { controller, keys } = await openThread('One', LONG);
    transcript.show(controller);
    transcript.focusMessage('unknown');
    const focused = (): Element | null => (root.getRootNode() as ShadowRoot).activeElement;
    expect(focused()).to.equal(null);
    transcript.focusMessage(keys[0] ?? '');
    expect(focused()).to.equal(nodes()[0]);
    remove();
  });
});

describe('code that renders a transcript', () => {
  let value: typeof lazyViews.value;
  beforeEach(async () => {
    value = await lazyViews.load();
    lazyViews.value = undefined;
  });
  afterEach(() => {
    Reflect.deleteProperty(lazyViews, 'load');
    Reflect.deleteProperty(lazyViews, 'prefetch');
    lazyViews.value = value;
  });

  it('is loaded after that of the service', async () => {
    const { remove, transcript } = setupTranscript();
    const { backend, controller } = await openThread('One', 'Two');
    const loaded: string[] = [];
    Object.assign(backend, {
      prepare: async () => {
        await new Promise(requestAnimationFrame);
        loaded.push('service');
      },
    });
    lazyViews.load = () => {
      loaded.push('views');
      return new Promise(() => undefined);
    };
    lazyViews.prefetch = () => void loaded.push('prefetched views');
    transcript.show(controller);
    while (loaded.length < 2) await new Promise(requestAnimationFrame);
    await transcript.prefetchViews();
    expect(loaded).to.deep.equal(['service', 'views', 'service', 'prefetched views']);
    remove();
  });

  it('leaves the beginning of a long question visible while it is loading', async () => {
    const { remove, transcript, query } = setupTranscript();
    lazyViews.load = () => new Promise(() => undefined);
    transcript.show((await openThread('a'.repeat(100_000))).controller);
    expect(query('.question-placeholder').textContent).to.equal('a'.repeat(8192));
    remove();
  });

  it('is reported once when it cannot be loaded, and each attempt updates the element', async () => {
    const { errors, frames, remove, texts, transcript, updates, query } = setupTranscript();
    const { controller } = await openThread('One', 'Two');
    const failure = new UbikError('load-failed');
    lazyViews.load = () => Promise.reject(failure);
    transcript.show(controller);
    expect(query('.question-placeholder').textContent).to.equal('One');
    // While the first attempt is pending.
    await transcript.loadViews();
    const before = updates();
    expect(before).to.be.above(0);
    expect([transcript.loadFailed, errors]).to.deep.equal([true, [failure]]);
    await transcript.loadViews();
    expect([transcript.loadFailed, errors, updates()]).to.deep.equal([true, [failure], before + 1]);
    lazyViews.load = () => {
      lazyViews.value = value;
      return Promise.resolve(value as NonNullable<typeof value>);
    };
    await transcript.loadViews();
    expect([transcript.loadFailed, updates()]).to.deep.equal([false, before + 2]);
    frames.flush();
    expect(texts()).to.deep.equal(['One', 'Two']);
    remove();
  });

  it('is not reported when the error does not come from this library', async () => {
    const { errors, remove, transcript } = setupTranscript();
    lazyViews.load = () => Promise.reject(new TypeError('Broken'));
    await transcript.loadViews();
    expect([transcript.loadFailed, errors]).to.deep.equal([true, []]);
    remove();
  });
});
