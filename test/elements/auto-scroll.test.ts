import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { registerLocale } from '../../src/locales/locale.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { setupBranches, version } from './branch-fixture.js';
import { nextFrame, setupChat, setupController } from './chat-fixture.js';
import { setupLongAnswer } from './long-answer.js';

type Chat = Awaited<ReturnType<typeof setupChat>>;
type Long = Awaited<ReturnType<typeof setupLongAnswer>>;

/** A completed step. */
const STEP = { kind: 'step', title: 'One', single: false, state: 'completed' } as const;

/** A long answer in which the user has scrolled up from the end. */
async function setupScrolledUp() {
  const fixture = await setupLongAnswer();
  const { scroller, scrolled } = fixture;
  scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -4 }));
  scroller.scrollTop -= 600;
  await scrolled();
  const place = observePlace(fixture);
  return { ...fixture, place, before: place() };
}

/** Scrolls up as a user does. Returns a function that measures the vertical position of the text. */
async function scrollUp(fixture: Chat): Promise<() => number> {
  const scroller = fixture.query('.scroller');
  scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -4 }));
  scroller.scrollTop = 400;
  await fixture.settle();
  return observePlace(fixture);
}

/** Returns a function that measures the vertical position of the paragraph that is now the first in view. */
function observePlace({ query, root }: Pick<Chat, 'query' | 'root'>): () => number {
  const { top } = query('.scroller').getBoundingClientRect();
  const paragraph = [...root.querySelectorAll('.text p')].find(
    (node) => node.getBoundingClientRect().top > top,
  );
  return () => paragraph?.getBoundingClientRect().top ?? NaN;
}

describe('scroll position while an answer streams', () => {
  const changes: [string, (fixture: Long) => Promise<void> | void][] = [
    ['the answer ends', ({ backend }) => backend.stream.finish('complete')],
    ['the answer fails', ({ backend }) => backend.stream.finish('failed')],
    ['the chat gets shorter', ({ chat }) => void (chat.style.height = '300px')],
    ['the chat gets taller', ({ chat }) => void (chat.style.height = '600px')],
    [
      'content above grows, such as an image or a formula',
      ({ query }) => {
        const above = query('.text p');
        above.style.minHeight = '220px';
      },
    ],
  ];
  for (const [name, act] of changes) {
    it(`does not jump when ${name}`, async () => {
      const fixture = await setupScrolledUp();
      await act(fixture);
      await fixture.settle();
      await nextFrame();
      expect(fixture.place()).to.be.closeTo(fixture.before, 2);
      expect(fixture.query('.scroll-to-end').hidden).to.equal(false);
    });
  }

  it('does not jump when a step above collapses', async () => {
    const fixture = await setupChat();
    const { backend, query, settle, start } = fixture;
    await start();
    const message = backend.stream.keys.answer;
    const put = async (state: 'running' | 'completed'): Promise<void> => {
      const value = { kind: 'step', number: 1, title: 'One', single: false, state } as const;
      const before = '/0:text';
      backend.stream.push({ type: 'part', message, part: 'step:1', parent: null, before, value });
      await settle();
    };
    await put('running');
    query('.step .content').style.minHeight = '250px';
    backend.stream.append(0, 'Paragraph.\n\n'.repeat(60));
    await settle();
    const place = await scrollUp(fixture);
    const before = place();
    await put('completed');
    await nextFrame();
    expect(query<HTMLDetailsElement>('.step').open).to.equal(false);
    expect(place()).to.be.closeTo(before, 2);
  });

  it('does not jump when the steps above are collapsed at the end of the run', async () => {
    const fixture = await setupChat();
    const { backend, query, settle, start } = fixture;
    await start();
    const message = backend.stream.keys.answer;
    for (const number of [1, 2]) {
      const value = { ...STEP, number } as const;
      const change = { type: 'part', message, part: `step:${number}`, parent: null } as const;
      backend.stream.push({ ...change, before: '/0:text', value });
    }
    backend.stream.append(0, 'Paragraph.\n\n'.repeat(60));
    await settle();
    const place = await scrollUp(fixture);
    const before = place();
    backend.stream.finish('complete');
    await settle();
    await nextFrame();
    expect(query('.run').isConnected).to.equal(true);
    expect(place()).to.be.closeTo(before, 2);
  });

  it('does not change while the user searches the page', async () => {
    const { scroller, appendText, query } = await setupLongAnswer();
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true }));
    const top = scroller.scrollTop;
    await appendText('More.\n\n'.repeat(20));
    expect(scroller.scrollTop).to.equal(top);
    expect(query('.scroll-to-end').hidden).to.equal(false);
  });

  it('has a button that does not count the messages of another branch', async () => {
    const { backend, settle, text, query, controller } = await setupChat();
    backend.capabilities.add('regenerate');
    // The button is also shown without the answer that is replaced.
    const messages = [
      stored('q', 'user', 'How long?\n'.repeat(60)),
      stored('a', 'assistant', 'Paragraph.\n\n'.repeat(60)),
    ];
    backend.threads.set('t', contentOf('t', messages));
    await controller.openThread('t');
    await settle();
    await settle();
    query('.scroller').dispatchEvent(new WheelEvent('wheel', { deltaY: -4 }));
    query('.scroller').scrollTop = 0;
    await settle();
    expect(query('.scroll-to-end').hidden).to.equal(false);
    void controller.regenerate(controller.thread?.head ?? '', {});
    await settle();
    expect(backend.stream.method).to.equal('regenerate');
    backend.stream.begin();
    await settle();
    expect(query('.scroll-to-end').hidden).to.equal(false);
    expect(text('.scroll-to-end')).to.equal('Jump to latest');
  });

  it('has a button that does not count the messages of a version that the user opens', async () => {
    const ids = ['q1', 'q2'];
    const make = (id: string, text: string) => [
      version(id, 'user', `Question ${id}`, ids, Number(id.slice(1)) * 10),
      version(`a${id}`, 'assistant', text),
    ];
    const fixture = await setupBranches(make('q2', 'Paragraph.\n\n'.repeat(60)));
    const { backend, settle, text, query, controller, shown } = fixture;
    backend.responses.set('switchBranch', () =>
      contentOf('t', make('q1', 'Another paragraph.\n\n'.repeat(60))),
    );
    query('.scroller').dispatchEvent(new WheelEvent('wheel', { deltaY: -4 }));
    await controller.switchBranch('q1');
    await settle();
    expect(shown()[0]).to.equal('Question q1');
    expect(text('.scroll-to-end')).to.equal('Jump to latest');
  });

  it('has a button that counts new messages below until it is pressed', async () => {
    const { backend, chat, settle, query, text, controller, scroller } = await setupScrolledUp();
    expect(text('.scroll-to-end')).to.equal('Jump to latest');
    backend.stream.finish('complete');
    await settle();
    void controller.send({ text: 'From elsewhere', attachments: [] });
    await settle();
    expect(text('.scroll-to-end')).to.equal('2 new messages');
    backend.stream.begin();
    backend.stream.finish('complete');
    // Shows the same messages again.
    chat.showMessage('');
    await settle();
    expect(text('.scroll-to-end')).to.equal('2 new messages');
    void controller.send({ text: 'And again', attachments: [] });
    await settle();
    expect(text('.scroll-to-end')).to.equal('4 new messages');
    query('.scroll-to-end').click();
    expect(query('.scroll-to-end').hidden).to.equal(true);
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -4 }));
    expect(text('.scroll-to-end')).to.equal('Jump to latest');
  });
});

describe('scroll position of a chat', () => {
  it('is at the end of what another controller shows, and follows it', async () => {
    const { chat, scroller, settle } = await setupScrolledUp();
    const { backend, controller } = setupController();
    const text = 'Paragraph.\n\n'.repeat(60);
    const messages = [stored('q', 'user', 'Else?'), stored('a', 'assistant', text)];
    backend.threads.set('t', contentOf('t', messages));
    await controller.openThread('t');
    chat.controller = controller;
    for (let turn = 0; turn < 3; turn += 1) await settle();
    expect(scroller.scrollHeight - scroller.clientHeight).to.be.above(500);
    expect(scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop).to.be.at.most(1);
  });

  it('follows the end again when the user sends a message, unless questions are pinned', async () => {
    for (const pinQuestion of [false, true]) {
      const { chat, backend, scroller, settle, write, press } = await setupScrolledUp();
      backend.stream.finish('complete');
      chat.pinQuestion = pinQuestion;
      await settle();
      const { scrollTop } = scroller;
      expect(scroller.scrollHeight - scroller.clientHeight - scrollTop).to.be.above(100);
      const { scrollHeight, clientHeight } = scroller;
      let place = NaN;
      chat.addEventListener('ubik-message-send', () => (place = scroller.scrollTop));
      write('Next');
      press('Enter');
      await settle();
      // Before the message is shown.
      expect(place).to.equal(pinQuestion ? scrollTop : scrollHeight - clientHeight);
    }
  });

  it('is at the message that the page shows, which gets the focus', async () => {
    const { backend, chat, controller, query, root, settle } = await setupChat();
    const talk = Array.from({ length: 40 }, (_, at) =>
      stored(`m${at}`, at % 2 ? 'assistant' : 'user', `Message ${at}`),
    );
    backend.threads.set('t', contentOf('t', talk));
    expect(chat.currentMessageId).to.equal(null);
    await controller.openThread('t');
    await settle();
    chat.showMessage('m10');
    await settle();
    expect(chat.currentMessageId).to.equal('m10');
    const focused = root.activeElement as HTMLElement;
    expect([focused.textContent.trim(), focused.tabIndex]).to.deep.equal(['Message 10', -1]);
    const { top } = query('.scroller').getBoundingClientRect();
    expect(focused.getBoundingClientRect().top).to.be.closeTo(top, 2);
    expect(query('.scroll-to-end').hidden).to.equal(false);
  });

  it('is known as `currentMessageId` also when the upper edge of the chat is above the window', async () => {
    const { backend, chat, controller, query, settle } = await setupChat();
    const talk = Array.from({ length: 40 }, (_, at) =>
      stored(`m${at}`, at % 2 ? 'assistant' : 'user', `Message ${at}`),
    );
    backend.threads.set('t', contentOf('t', talk));
    await controller.openThread('t');
    await settle();
    const before = chat.currentMessageId;
    Object.assign(chat.style, { position: 'absolute', top: '-200px' });
    expect(query('.scroller').getBoundingClientRect().top).to.be.below(-1);
    expect(chat.currentMessageId).to.equal(before);
    expect(before).to.match(/^m\d/);
  });

  it('does not move the page when the focus moves to the messages', async () => {
    const { backend, box, chat, controller, query, root, scroller, settle } =
      await setupScrolledUp();
    backend.stream.finish('complete');
    await settle();
    const space = document.createElement('div');
    space.style.height = '2000px';
    box.prepend(space);
    box.append(space.cloneNode());
    try {
      window.scrollTo(0, 0);
      // The lower part of the chat is outside the viewport.
      const { bottom } = chat.getBoundingClientRect();
      window.scrollTo(0, bottom - window.innerHeight - 200);
      const { scrollY } = window;
      expect(scrollY).to.be.above(0);
      query('.scroll-to-end').click();
      const newest = [...root.querySelectorAll('.message')].at(-1);
      expect([root.activeElement, window.scrollY]).to.deep.equal([newest, scrollY]);
      const [question] = controller.thread?.messages.values() ?? [];
      const node = query('.message.user');
      node.tabIndex = -1;
      node.focus({ preventScroll: true });
      expect(question?.role).to.equal('user');
      controller.switchToNewThread();
      await settle();
      // The focused message was removed.
      expect([root.activeElement, window.scrollY]).to.deep.equal([scroller, scrollY]);
    } finally {
      window.scrollTo(0, 0);
    }
  });
});

describe('scroll position when the interface language changes', () => {
  // A longer thread has placeholders.
  for (const count of [40, 140]) {
    it(`stays at what is read in a thread with ${count} messages`, async () => {
      registerLocale('xx', { error_forbidden: 'This is not allowed here. '.repeat(20) });
      const fixture = await setupChat((chat) => (chat.lang = 'en'));
      const { backend, chat, controller, query, root, settle } = fixture;
      const messages = Array.from({ length: count }, (_, at) => {
        const message = stored(`m${at}`, 'assistant', `Paragraph ${at}.\n\n`.repeat(4));
        // Only messages above those that are read grow.
        if (at >= count - 17) return message;
        const failure = { code: 'forbidden', message: '' } as const;
        return { ...message, fields: { ...message.fields, status: 'failed', failure } as const };
      });
      backend.threads.set('t', contentOf('t', messages));
      await controller.openThread('t');
      for (let turn = 0; turn < 10; turn += 1) await settle();
      const scroller = query('.scroller');
      scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -4 }));
      scroller.scrollTop -= 2500;
      for (let turn = 0; turn < 5; turn += 1) await settle();
      const { left, top, width } = scroller.getBoundingClientRect();
      // Two points, because one may be between two messages.
      const [read] = [60, 90].flatMap(
        (below) => root.elementFromPoint(left + width / 2, top + below)?.closest('.message') ?? [],
      );
      const place = (): number => read?.getBoundingClientRect().top ?? NaN;
      const settleFully = async (): Promise<void> => {
        let shown = '';
        do {
          shown = `${place().toFixed(1)} ${scroller.scrollHeight}`;
          for (let turn = 0; turn < 5; turn += 1) await settle();
        } while (`${place().toFixed(1)} ${scroller.scrollHeight}` !== shown);
      };
      await settleFully();
      const [before, height] = [place(), scroller.scrollHeight];
      chat.lang = 'xx';
      await settleFully();
      expect(scroller.scrollHeight, 'the texts have grown').to.be.greaterThan(height + 100);
      expect(place()).to.be.closeTo(before, 2);
    });
  }
});

describe('pinned question', () => {
  /** A thread with a question just sent below an earlier message. */
  async function setupPinned() {
    const fixture = await setupChat((chat) => (chat.pinQuestion = true));
    const { start, backend, settle, query, root } = fixture;
    await start('First');
    backend.stream.append(0, 'Paragraph.\n\n'.repeat(60));
    backend.stream.finish('complete');
    await settle();
    await start('Second');
    await nextFrame();
    const scroller = query('.scroller');
    const question = [...root.querySelectorAll('.message.user')].at(-1);
    const fromTop = (): number =>
      (question?.getBoundingClientRect().top ?? NaN) - scroller.getBoundingClientRect().top;
    let length = 0;
    const appendText = async (words: string): Promise<void> => {
      backend.stream.append(length, words);
      length += words.length;
      await settle();
      await nextFrame();
    };
    return { ...fixture, scroller, fromTop, appendText };
  }

  it('stays at the upper edge while its answer grows below', async () => {
    const { fromTop, appendText, query, backend, settle } = await setupPinned();
    expect(fromTop()).to.be.closeTo(0, 2);
    await appendText('A short answer.');
    expect(fromTop()).to.be.closeTo(0, 2);
    expect(query('.scroll-to-end').hidden).to.equal(true);
    await appendText('More.\n\n'.repeat(40));
    expect(fromTop()).to.be.closeTo(0, 2);
    expect(query('.scroll-to-end').hidden).to.equal(false);
    backend.stream.finish('complete');
    await settle();
    expect(fromTop()).to.be.closeTo(0, 2);
  });

  it('stays at the upper edge when the chat is moved, or hidden and shown again', async () => {
    const { fromTop, appendText, box, chat } = await setupPinned();
    await appendText('A short answer.');
    const other = document.createElement('div');
    box.after(other);
    other.append(chat);
    for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    expect(fromTop(), 'moved').to.be.closeTo(0, 2);
    chat.hidden = true;
    for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    chat.hidden = false;
    for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    expect(fromTop(), 'shown again').to.be.closeTo(0, 2);
    other.remove();
  });

  it('leaves no space below the last message when the question is removed because it was not sent', async () => {
    const { backend, chat, press, query, root, settle, start, write } = await setupChat(
      ({ style }) => (style.width = '600px'),
    );
    chat.pinQuestion = true;
    const scroller = query('.scroller');
    await start('First');
    backend.stream.append(0, 'Paragraph.\n\n'.repeat(60));
    backend.stream.finish('complete');
    await settle();
    // The upper edge of the content is above the window.
    Object.assign(chat.style, { position: 'absolute', top: '-200px' });
    write('Second');
    press('Enter');
    await settle();
    const { style } = query('.column');
    expect(style.minBlockSize, 'pinned').not.to.equal('');
    backend.stream.fail(new UbikError('too-large'));
    await settle();
    expect(root.querySelectorAll('.message.user').length).to.equal(1);
    expect(style.minBlockSize).to.equal('');
    expect(scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop).to.be.at.most(1);
    const { scrollHeight } = scroller;
    for (let frame = 0; frame < 10; frame += 1) await nextFrame();
    expect(scroller.scrollHeight).to.equal(scrollHeight);
  });

  it('stays at the upper edge when the chat is resized', async () => {
    const { fromTop, appendText, chat } = await setupPinned();
    await appendText('A short answer.');
    chat.style.height = '640px';
    await nextFrame();
    await nextFrame();
    expect(fromTop()).to.be.closeTo(0, 2);
  });

  it('stays at the upper edge when the resized chat is laid out before the next frame', async () => {
    const { fromTop, appendText, chat, scroller, query } = await setupPinned();
    await appendText('A short answer.');
    const before = scroller.scrollTop;
    chat.style.height = '640px';
    // Reading the position lays out the page. The scroll event then precedes the resize observer; not every engine sends it.
    expect(scroller.scrollTop).to.be.lessThan(before);
    scroller.dispatchEvent(new Event('scroll'));
    await nextFrame();
    await nextFrame();
    expect(fromTop()).to.be.closeTo(0, 2);
    await appendText('More.\n\n'.repeat(60));
    expect(fromTop()).to.be.closeTo(0, 2);
    expect(query('.scroll-to-end').hidden).to.equal(false);
  });

  it('is only one that was just sent, not one of a thread that is opened', async () => {
    const { backend, chat, controller, scroller, settle } = await setupPinned();
    backend.stream.finish('complete');
    await settle();
    const messages = [
      stored('q', 'user', 'Question'),
      stored('a', 'assistant', 'Paragraph.\n\n'.repeat(60)),
    ];
    backend.threads.set('stored', contentOf('stored', messages));
    await chat.openThread('stored');
    for (let turn = 0; turn < 3; turn += 1) await settle();
    expect(controller.thread?.id).to.equal('stored');
    expect(scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop).to.be.at.most(1);
  });

  it('is released when the user scrolls to the end, which is followed then', async () => {
    const { appendText, query, scroller, settle } = await setupPinned();
    await appendText('More.\n\n'.repeat(40));
    query('.scroll-to-end').click();
    await settle();
    await appendText('More.\n\n'.repeat(40));
    expect(scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop).to.be.at.most(1);
  });
});
