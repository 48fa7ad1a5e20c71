import { expect } from '@open-wc/testing';
import { contentOf, stored, type ScriptedBackend } from '../controller/scripted-backend.js';
import { nextFrame, setupChat } from './chat-stage.js';
import { setupLong } from './long-answer.js';

/** A task of its own, as one in which news of the service come: what is done in it is drawn with the next frame. */
function betweenFrames(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const came = new Promise<void>((resolve) => {
    port1.onmessage = () => {
      resolve();
    };
  });
  port2.postMessage(null);
  return came;
}

describe('the transcript', () => {
  it('follows its end', async () => {
    const { say, fromEnd } = await setupLong();
    expect(fromEnd()).to.be.at.most(1);
    await say('More.\n\n'.repeat(20));
    expect(fromEnd()).to.be.at.most(1);
  });

  it('changes nothing but the text while it follows', async () => {
    const { say, query } = await setupLong();
    const changed: Node[] = [];
    const observer = new MutationObserver((records) => {
      changed.push(...records.map(({ target }) => target));
    });
    observer.observe(query('.transcript'), { subtree: true, childList: true, attributes: true });
    const text = query('.text');
    const answer = query('.message.assistant');
    for (let piece = 0; piece < 3; piece += 1) await say('More.\n\n'.repeat(20));
    observer.disconnect();
    expect(changed).to.not.be.empty;
    // Of the answer itself it is told once a second whether it is being written.
    expect(changed.filter((node) => node !== answer && !text.contains(node))).to.deep.equal([]);
    expect(getComputedStyle(query('.working .glyph')).animationName).to.equal('none');
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
    it(`is released by ${name}, and stays where the person reads`, async () => {
      const { say, scroller, query } = await setupLong();
      act(scroller, query('.column'));
      await nextFrame();
      await nextFrame();
      const top = scroller.scrollTop;
      await say('More.\n\n'.repeat(20));
      expect(scroller.scrollTop).to.equal(top);
      expect(query('.latest').hidden).to.equal(false);
      document.getSelection()?.removeAllRanges();
    });
  }

  it('is released by a focus that goes up in the very frame in which the text grows', async () => {
    const { scroller, query } = await setupLong();
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
    expect(query('.latest').hidden).to.equal(false);
    const { top, bottom } = scroller.getBoundingClientRect();
    expect(first.getBoundingClientRect().top).to.be.within(top - 1, bottom);
  });

  it('follows again only at the true end', async () => {
    const { say, scroller, scrolled, fromEnd, query } = await setupLong();
    scroller.scrollTop -= 100;
    await scrolled();
    scroller.scrollTop += 80;
    await scrolled();
    await say('More.\n\n');
    expect(fromEnd()).to.be.greaterThan(10);
    scroller.scrollTop = scroller.scrollHeight;
    await scrolled();
    expect(query('.latest').hidden).to.equal(true);
    await say('More.\n\n'.repeat(20));
    expect(fromEnd()).to.be.at.most(1);
  });

  it('stays released when it hears afterwards of its own way to the end', async () => {
    const { say, scroller, scrolled, fromEnd, query } = await setupLong();
    scroller.scrollTop = 0;
    await scrolled();
    query('.latest').click();
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -4 }));
    await scrolled();
    await say('More.\n\n'.repeat(20));
    expect(fromEnd()).to.be.greaterThan(10);
    expect(query('.latest').hidden).to.equal(false);
  });

  it('has a button to the end, which takes up the following', async () => {
    const { say, scroller, scrolled, fromEnd, query, chat } = await setupLong();
    scroller.scrollTop = 0;
    await scrolled();
    query('.latest').click();
    expect(fromEnd()).to.be.at.most(1);
    expect(query('.latest').hidden).to.equal(true);
    expect(chat.shadowRoot?.activeElement).to.equal(scroller);
    await say('More.\n\n'.repeat(20));
    expect(fromEnd()).to.be.at.most(1);
  });

  it('does not mistake content that shrinks for a wish to read', async () => {
    const { fromEnd, backend, settle } = await setupLong();
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

  it('does not mistake it either when it is looked at, and grows again before the next frame', async () => {
    const { fromEnd, query, scroller } = await setupLong();
    const text = query('.text');
    const more = document.createElement('div');
    more.style.height = '400px';
    text.append(more);
    await nextFrame();
    await nextFrame();
    await betweenFrames();
    more.style.height = '0';
    // The browser scrolls up when somebody asks, and tells it with the next frame.
    expect(scroller.scrollTop).to.be.greaterThan(0);
    more.style.height = '600px';
    await nextFrame();
    await nextFrame();
    expect(query('.latest').hidden).to.equal(true);
    expect(fromEnd()).to.be.at.most(1);
  });

  it('never spills over its width, whatever is in it', async () => {
    const stage = await setupChat();
    // A grid whose item may not get smaller than its content: what a page easily has.
    const item = document.createElement('div');
    stage.box.replaceChildren(item);
    Object.assign((stage.box as HTMLElement).style, { display: 'grid', width: '320px' });
    item.append(stage.chat);
    await stage.settle();
    const { start, backend, settle, root, query } = stage;
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
    backend.stream.say(
      0,
      `${wide}\n\n|${'a|'.repeat(30)}\n|${'-|'.repeat(30)}\n|${`${wide}|`.repeat(30)}\n\n\`\`\`\n${wide.repeat(9)}\n\`\`\``,
    );
    backend.stream.ask('@request:c');
    await settle();
    const opened = new Promise((resolve) =>
      query('.tool').addEventListener('toggle', resolve, { once: true }),
    );
    query('.tool > summary').click();
    await opened;
    await settle();
    expect(stage.chat.clientWidth).to.equal(320);
    const { right } = query('.scroller').getBoundingClientRect();
    const scrolls = '.rows *, .ubik-table *, pre, pre *, .line *, .hidden';
    const spilled = [...root.querySelectorAll('.column *')].filter(
      (node) => !node.matches(scrolls) && node.getBoundingClientRect().right > right + 1,
    );
    expect(spilled.map(({ className }) => String(className))).to.deep.equal([]);
  });

  it('follows when the box changes its size', async () => {
    const { chat, fromEnd } = await setupLong();
    chat.style.height = '300px';
    await nextFrame();
    await nextFrame();
    expect(fromEnd()).to.be.at.most(1);
  });

  it('tells one listener of a chunk and draws no chrome for it', async () => {
    const { controller, backend, settle, start } = await setupChat();
    let told = 0;
    await start();
    controller.subscribe({ thread: true }, () => (told += 1));
    backend.stream.say(0, 'x');
    await settle();
    expect(told).to.equal(1);
  });

  it('leaves full groups of messages behind closed, and never the last one', async () => {
    const { controller, settle, root, backend } = await setupChat();
    setupMany(backend, 60);
    await controller.openThread('many');
    await settle();
    const groups = [...root.querySelectorAll('.group')];
    expect(groups.map(({ childElementCount }) => childElementCount)).to.deep.equal([25, 25, 10]);
    expect(groups.map((group) => group.classList.contains('closed'))).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect(getComputedStyle(groups[0] as Element).contentVisibility).to.equal('auto');
  });

  it('keeps the nodes of what stays when the way changes', async () => {
    const { controller, settle, root, backend } = await setupChat();
    setupMany(backend, 4);
    await controller.openThread('many');
    await settle();
    const before = [...root.querySelectorAll('.message')];
    await controller.openThread('many');
    await settle();
    expect([...root.querySelectorAll('.message')]).to.deep.equal(before);
  });
});

/** Gives the scripted service a thread of so many messages. */
function setupMany(backend: ScriptedBackend, count: number): void {
  const messages = Array.from({ length: count }, (_, index) =>
    stored(`m${index}`, index % 2 === 0 ? 'user' : 'assistant', `Text ${index}`),
  );
  backend.threads.set('many', contentOf('many', messages));
}
