import { expect } from '@open-wc/testing';
import '../../src/elements/threads/threads-panel.js';
import '../../src/elements/sides/side-panels.js';
import type { Json } from '../../src/model/json.js';
import { contentOf, stored, type ScriptedBackend } from '../controller/scripted-backend.js';
import { setupChat } from './chat-stage.js';
import { threadsOf } from './thread-stage.js';

/** A chat of some width with a list of conversations at its side. */
async function setupSides(width: number, sides: readonly string[] = ['start'], kept?: unknown) {
  const stage = await setupChat((chat) => {
    chat.style.width = `${width}px`;
    if (kept !== undefined) chat.controller?.storage.set('sides', kept as Json);
    const { capabilities, answers, threads } = chat.controller?.backend as ScriptedBackend;
    capabilities.add('threads' as never);
    answers.set('listThreads', () => ({ items: threadsOf(2), hasMore: false, total: 2 }));
    threads.set('t1', contentOf('t1', [stored('m1', 'user', 'One')]));
    for (const side of sides) {
      const content = document.createElement(side === 'start' ? 'ubik-thread-list' : 'div');
      content.slot = side;
      if (side === 'end') content.ariaLabel = 'Documents';
      chat.append(content);
    }
  });
  await stage.settle();
  const list = stage.chat.querySelector('ubik-thread-list');
  return {
    ...stage,
    list: list?.shadowRoot ?? null,
    isSeen: (selector: string) => stage.query(selector).checkVisibility(),
    escape: () => {
      const focused = stage.root.activeElement ?? stage.query('.start');
      focused.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
      );
    },
  };
}

describe('what stands beside the messages', () => {
  it('is a column where there is room', async () => {
    const { isSeen, query } = await setupSides(1000);
    expect(isSeen('.start')).to.equal(true);
    expect(isSeen('.sides-bar')).to.equal(false);
    const { right } = query('.start').getBoundingClientRect();
    expect(query('.main').getBoundingClientRect().left).to.equal(right);
  });

  it('keeps room for the messages when there is something on both sides', async () => {
    const { isSeen, query, chat, settle } = await setupSides(1000, ['start', 'end']);
    const seen = ['.start', '.to-start', '.end', '.to-end'].map(isSeen);
    expect(seen).to.deep.equal([true, false, false, true]);
    expect(query('.to-end').textContent.trim()).to.equal('Documents');
    chat.style.width = '1200px';
    await settle();
    expect([isSeen('.end'), isSeen('.sides-bar')]).to.deep.equal([true, false]);
  });

  it('takes nothing where nothing stands there', async () => {
    const { query, root } = await setupSides(1000, []);
    expect(query('.main').offsetWidth).to.equal(query('.ubik').offsetWidth);
    expect(root.querySelector('.sides-bar')).to.equal(null);
  });

  it('is a drawer in a narrow chat: opened by its button, left by Escape, with the focus back', async () => {
    const { isSeen, query, root, escape } = await setupSides(320);
    expect(isSeen('.start')).to.equal(false);
    query('.to-start').focus();
    query('.to-start').click();
    expect(isSeen('.start')).to.equal(true);
    expect(query('.start').role).to.equal('dialog');
    expect(root.activeElement).to.equal(query('.start'));
    expect(query('.main').inert).to.equal(true);
    escape();
    expect(isSeen('.start')).to.equal(false);
    expect(root.activeElement).to.equal(query('.to-start'));
    expect(query('.main').inert).to.equal(false);
  });

  for (const way of ['.side-close', '.shade']) {
    it(`is left by ${way}`, async () => {
      const { isSeen, query } = await setupSides(320);
      query('.to-start').click();
      query(way).click();
      expect(isSeen('.start')).to.equal(false);
    });
  }

  it('goes when a conversation was opened in it', async () => {
    const { isSeen, query, list, settle, controller } = await setupSides(320);
    query('.to-start').click();
    list?.querySelectorAll<HTMLElement>('.thread-open')[1]?.click();
    await settle();
    expect(controller.thread?.id).to.equal('t1');
    expect(isSeen('.start')).to.equal(false);
  });

  it('covers nothing any more when the chat gets room', async () => {
    const { chat, query, settle, isSeen } = await setupSides(320);
    query('.to-start').click();
    chat.style.width = '1000px';
    await settle();
    expect(query('.main').inert).to.equal(false);
    expect(query('.start').role).to.equal(null);
    expect(isSeen('.start')).to.equal(true);
  });

  it('goes with its button when the page takes it away', async () => {
    const { chat, query, settle } = await setupSides(320);
    query('.to-start').click();
    chat.querySelector('ubik-thread-list')?.remove();
    await settle();
    expect(query('.main').inert).to.equal(false);
    expect(query('.sides-bar').checkVisibility()).to.equal(false);
  });
});

describe('a column beside the messages', () => {
  const edgeKey = async (
    { query, settle }: Awaited<ReturnType<typeof setupSides>>,
    side: string,
    key: string,
  ): Promise<void> => {
    const edge = query(`.${side} > .side-edge`);
    edge.focus();
    edge.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await settle();
  };

  it('is as wide as the person wants it, also the next time', async () => {
    const stage = await setupSides(1300, ['start', 'end']);
    const width = (side: string): number => stage.query(`.${side}`).offsetWidth;
    expect([width('start'), width('end')]).to.deep.equal([256, 320]);
    await edgeKey(stage, 'start', 'ArrowRight');
    await edgeKey(stage, 'end', 'ArrowRight');
    expect([width('start'), width('end')]).to.deep.equal([272, 304]);
    for (let press = 0; press < 60; press += 1) await edgeKey(stage, 'end', 'ArrowLeft');
    expect(width('end')).to.equal(650);
    const kept = await stage.controller.storage.get('sides');
    const next = await setupSides(1300, ['start', 'end'], kept);
    expect([next.query('.start').offsetWidth, next.query('.end').offsetWidth]).to.deep.equal([
      272, 650,
    ]);
  });

  it('gets wider the way the key points, from right to left too', async () => {
    const stage = await setupSides(1300, ['start', 'end']);
    stage.chat.dir = 'rtl';
    await stage.settle();
    await edgeKey(stage, 'start', 'ArrowRight');
    await edgeKey(stage, 'end', 'ArrowRight');
    expect([stage.query('.start').offsetWidth, stage.query('.end').offsetWidth]).to.deep.equal([
      240, 336,
    ]);
  });

  it('can be folded away and brought back, and the focus goes along', async () => {
    const stage = await setupSides(1300, ['start', 'end']);
    await edgeKey(stage, 'start', 'Enter');
    expect([
      stage.isSeen('.start'),
      stage.isSeen('.to-start'),
      stage.isSeen('.to-end'),
    ]).to.deep.equal([false, true, false]);
    expect(stage.root.activeElement === stage.query('.to-start')).to.equal(true);
    stage.query('.to-start').click();
    await stage.settle();
    expect([stage.isSeen('.start'), stage.isSeen('.sides-bar')]).to.deep.equal([true, false]);
    expect(stage.root.activeElement === stage.query('.start > .side-edge')).to.equal(true);
  });

  it('is a drawer where there is no room, though it was folded where there was', async () => {
    const stage = await setupSides(1300);
    stage.query('.start .side-fold').click();
    stage.chat.style.width = '500px';
    await stage.settle();
    stage.query('.to-start').click();
    await stage.settle();
    expect(stage.query('.start').role).to.equal('dialog');
    expect(stage.isSeen('.start')).to.equal(true);
    expect(stage.isSeen('.start > .side-edge')).to.equal(false);
  });
});
