import { expect } from '@open-wc/testing';
import { TranscriptView } from '../../src/elements/transcript/transcript-view.js';
import { contentOf, stored, type ScriptedBackend } from '../controller/scripted-backend.js';
import { setupMessageView } from '../message/message-fixture.js';
import { nextFrame, setupChat, setupController } from './chat-fixture.js';
import { setupLongAnswer } from './long-answer.js';
import { openLongThread } from './long-thread.js';

/** Resolves in a new task, like arriving data. Changes in that task are rendered in the next frame. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const received = new Promise<void>((resolve) => {
    port1.onmessage = () => {
      resolve();
    };
  });
  port2.postMessage(null);
  return received;
}

describe('transcript', () => {
  it('stays scrolled to its end', async () => {
    const { appendText, fromEnd } = await setupLongAnswer();
    expect(fromEnd()).to.be.at.most(1);
    await appendText('More.\n\n'.repeat(20));
    expect(fromEnd()).to.be.at.most(1);
  });

  it('changes only the text while following', async () => {
    const { appendText, query } = await setupLongAnswer();
    const changed: Node[] = [];
    const observer = new MutationObserver((records) => {
      changed.push(...records.map(({ target }) => target));
    });
    observer.observe(query('.transcript'), { subtree: true, childList: true, attributes: true });
    const text = query('.text');
    const answer = query('.message.assistant');
    for (let piece = 0; piece < 3; piece += 1) await appendText('More.\n\n'.repeat(20));
    observer.disconnect();
    expect(changed).to.not.be.empty;
    // The answer itself gets the class `writing`, which it loses after a second without new text.
    expect(changed.filter((node) => node !== answer && !text.contains(node))).to.deep.equal([]);
    const { animationName } = getComputedStyle(query('.working .glyph'));
    expect(animationName, 'no animation beside a growing text').to.equal('none');
  });

  const upward: [string, (scroller: HTMLElement, content: HTMLElement) => void][] = [
    ['the wheel', (scroller) => scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -4 }))],
    [
      'a key',
      (scroller) => scroller.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp' })),
    ],
    ['a small move of the scroll bar', (scroller) => (scroller.scrollTop -= 6)],
    [
      'a finger',
      (scroller) => {
        for (const [type, clientY] of [
          ['touchstart', 100],
          ['touchmove', 108],
        ] as const) {
          const touch = new Touch({ identifier: 1, target: scroller, clientY });
          scroller.dispatchEvent(new TouchEvent(type, { touches: [touch] }));
        }
      },
    ],
    [
      'a selection',
      (_, content) => {
        const range = document.createRange();
        range.selectNodeContents(content.querySelector('.text p') ?? content);
        const selection = document.getSelection();
        selection?.setBaseAndExtent(range.startContainer, 0, range.endContainer, range.endOffset);
      },
    ],
  ];
  for (const [name, act] of upward) {
    it(`stops following on ${name}, and keeps the scroll position`, async () => {
      const { appendText, scroller, query } = await setupLongAnswer();
      act(scroller, query('.column'));
      await nextFrame();
      await nextFrame();
      const top = scroller.scrollTop;
      await appendText('More.\n\n'.repeat(20));
      expect(scroller.scrollTop).to.equal(top);
      expect(query('.scroll-to-end').hidden).to.equal(false);
      document.getSelection()?.removeAllRanges();
    });
  }

  it('stops following when focus scrolls up in the same frame in which the text grows', async () => {
    const { scroller, query } = await setupLongAnswer();
    const text = query('.text');
    const first = text.querySelector('p') ?? text;
    first.tabIndex = -1;
    await nextFrame();
    first.focus();
    const more = document.createElement('div');
    more.style.height = '500px';
    text.append(more);
    await nextFrame();
    await nextFrame();
    expect(query('.scroll-to-end').hidden).to.equal(false);
    const { top, bottom } = scroller.getBoundingClientRect();
    expect(first.getBoundingClientRect().top).to.be.within(top - 1, bottom);
  });

  it('follows again only at the actual end', async () => {
    const { appendText, scroller, scrolled, fromEnd, query } = await setupLongAnswer();
    scroller.scrollTop -= 100;
    await scrolled();
    scroller.scrollTop += 80;
    await scrolled();
    await appendText('More.\n\n');
    expect(fromEnd()).to.be.greaterThan(10);
    scroller.scrollTop = scroller.scrollHeight;
    await scrolled();
    expect(query('.scroll-to-end').hidden).to.equal(true);
    await appendText('More.\n\n'.repeat(20));
    expect(fromEnd()).to.be.at.most(1);
  });

  it('does not follow again on the late event of a scroll that it has caused', async () => {
    const { appendText, scroller, scrolled, fromEnd, query } = await setupLongAnswer();
    scroller.scrollTop = 0;
    await scrolled();
    query('.scroll-to-end').click();
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -4 }));
    await scrolled();
    await appendText('More.\n\n'.repeat(20));
    expect(fromEnd()).to.be.greaterThan(10);
    expect(query('.scroll-to-end').hidden).to.equal(false);
  });

  it('has a button that scrolls to the end and follows it', async () => {
    const { appendText, scroller, scrolled, fromEnd, query, root } = await setupLongAnswer();
    scroller.scrollTop = 0;
    await scrolled();
    query('.scroll-to-end').click();
    expect(fromEnd()).to.be.at.most(1);
    expect(query('.scroll-to-end').hidden).to.equal(true);
    expect(root.activeElement === [...root.querySelectorAll('.message')].at(-1)).to.equal(true);
    await appendText('More.\n\n'.repeat(20));
    expect(fromEnd()).to.be.at.most(1);
  });

  it('keeps following when the content shrinks', async () => {
    const { fromEnd, backend, settle } = await setupLongAnswer();
    backend.stream.push({
      type: 'text',
      message: backend.stream.keys.answer,
      part: '/0:text',
      at: 60,
      text: '',
    });
    await settle();
    backend.stream.push({
      type: 'text',
      message: backend.stream.keys.answer,
      part: '/0:text',
      at: 60,
      text: 'Again.\n\n'.repeat(100),
    });
    await settle();
    await nextFrame();
    expect(fromEnd()).to.be.at.most(1);
  });

  it('keeps following when the content shrinks and grows again within a frame', async () => {
    const { fromEnd, query, scroller } = await setupLongAnswer();
    const text = query('.text');
    const more = document.createElement('div');
    more.style.height = '400px';
    text.append(more);
    await nextFrame();
    await nextFrame();
    await nextTask();
    more.style.height = '0';
    // The browser scrolls up synchronously, and fires the event in the next frame.
    expect(scroller.scrollTop).to.be.greaterThan(0);
    more.style.height = '600px';
    await nextFrame();
    await nextFrame();
    expect(query('.scroll-to-end').hidden).to.equal(true);
    expect(fromEnd()).to.be.at.most(1);
  });

  it('never overflows its width, whatever it contains', async () => {
    const fixture = await setupChat();
    // A grid item that cannot become narrower than its content, as in many pages.
    const item = document.createElement('div');
    fixture.box.replaceChildren(item);
    Object.assign((fixture.box as HTMLElement).style, { display: 'grid', width: '320px' });
    item.append(fixture.chat);
    await fixture.settle();
    const { start, backend, settle, root, query } = fixture;
    await start();
    const message = backend.stream.keys.answer;
    const wide = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
    const row = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`column_${at}`, wide]));
    const fields = {
      kind: 'tool',
      name: wide,
      toolId: '1',
      state: 'done',
      input: `{"q":"${wide}"}`,
    } as const;
    backend.stream.push({
      type: 'part',
      message,
      part: 'tool:1',
      parent: null,
      before: null,
      value: { ...fields, result: JSON.stringify({ rows: [row, row], text: wide.repeat(20) }) },
    });
    backend.stream.append(
      0,
      `${wide}\n\n|${'a|'.repeat(30)}\n|${'-|'.repeat(30)}\n|${`${wide}|`.repeat(30)}\n\n\`\`\`\n${wide.repeat(9)}\n\`\`\``,
    );
    backend.stream.request('@request:c');
    await settle();
    const opened = new Promise((resolve) =>
      query('.tool').addEventListener('toggle', resolve, { once: true }),
    );
    query('.tool > summary').click();
    await opened;
    await settle();
    expect(fixture.chat.clientWidth).to.equal(320);
    const { right } = query('.scroller').getBoundingClientRect();
    // Content of scroll containers, truncated lines and visually hidden text may extend beyond the box.
    const scrolls = '.rows *, .ubik-table *, pre, pre *, .line *, .hidden';
    const spilled = [...root.querySelectorAll('.column *')].filter(
      (node) => !node.matches(scrolls) && node.getBoundingClientRect().right > right + 1,
    );
    expect(spilled.map(({ className }) => String(className))).to.deep.equal([]);
  });

  it('follows the end when it is resized', async () => {
    const { chat, fromEnd } = await setupLongAnswer();
    chat.style.height = '300px';
    await nextFrame();
    await nextFrame();
    expect(fromEnd()).to.be.at.most(1);
  });

  it('gets one notification of a chunk, which does not update the element', async () => {
    const { chat, controller, backend, settle, start } = await setupChat();
    let notifications = 0;
    let updates = 0;
    await start();
    controller.subscribe({ thread: true }, () => (notifications += 1));
    chat.addController({ hostUpdated: () => (updates += 1) });
    backend.stream.append(0, 'x');
    await settle();
    expect([notifications, updates]).to.deep.equal([1, 0]);
  });

  it('reads no other message when a chunk arrives', async () => {
    const { controller, backend, settle, write, press } = await setupChat();
    setStoredMessages(backend, 60);
    await controller.openThread('many');
    await settle();
    write('Question');
    press('Enter');
    await settle();
    backend.stream.begin();
    await settle();
    const { messages } = controller.thread as unknown as { messages: Map<string, unknown> };
    const read = new Set<string>();
    const { get } = messages;
    messages.get = (key) => {
      read.add(key);
      return get.call(messages, key);
    };
    backend.stream.append(0, 'x');
    await settle();
    expect([...read]).to.deep.equal([backend.stream.keys.answer]);
  });

  it('lets the browser skip all groups of messages but the last', async () => {
    const { controller, settle, root, backend } = await setupChat();
    setStoredMessages(backend, 60);
    await controller.openThread('many');
    await settle();
    const groups = [...root.querySelectorAll('.group')];
    expect(groups.map(({ childElementCount }) => childElementCount)).to.deep.equal([25, 25, 10]);
    expect(groups.map((group) => group.classList.contains('skippable'))).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect(getComputedStyle(groups[0] as Element).contentVisibility).to.equal('auto');
  });

  it('keeps the nodes of messages when their thread is opened again', async () => {
    const { controller, settle, root, backend } = await setupChat();
    setStoredMessages(backend, 4);
    await controller.openThread('many');
    await settle();
    const before = [...root.querySelectorAll('.message')];
    await controller.openThread('many');
    await settle();
    expect([...root.querySelectorAll('.message')]).to.deep.equal(before);
  });

  it('shows the latest question alone until the code for a long thread is loaded', async () => {
    const conversation = setupController();
    await openLongThread(conversation, 102);
    const { context, frames, root, view } = setupMessageView();
    view.dispose();
    const transcript = new TranscriptView(
      {
        assistive: false,
        pinQuestion: false,
        addController: () => undefined,
        removeController: () => undefined,
        requestUpdate: () => undefined,
        updateComplete: Promise.resolve(true),
      },
      context,
    );
    root.replaceChildren(transcript.node);
    transcript.show(conversation.controller);
    const question = transcript.node.querySelector<HTMLElement>('.question-placeholder');
    expect(question?.textContent).to.equal('Question 100: how long may I take?');
    expect(question?.hidden).to.equal(false);
    while (question?.isConnected) {
      await nextFrame();
      frames.flush();
    }
    expect(transcript.node.querySelectorAll('.message').length).to.equal(102);
    transcript.dispose();
  });
});

/** Gives the scripted service a thread with a number of messages. */
function setStoredMessages(backend: ScriptedBackend, count: number): void {
  const messages = Array.from({ length: count }, (_, index) =>
    stored(`m${index}`, index % 2 === 0 ? 'user' : 'assistant', `Text ${index}`),
  );
  backend.threads.set('many', contentOf('many', messages));
}
