import { expect } from '@open-wc/testing';
import '../../src/elements/threads/threads-panel.js';
import '../../src/elements/branches/branch-map-panel.js';
import '../../src/elements/checkpoints/checkpoints-panel.js';
import '../../src/elements/sides/side-panels.js';
import type { Json } from '../../src/model/json.js';
import { contentOf, stored, type ScriptedBackend } from '../controller/scripted-backend.js';
import { pressKey, setupChat, setupController } from './chat-fixture.js';
import { threadsOf } from './thread-fixture.js';

/** A chat of this width, with a thread list or another element in each of the given slots. */
async function setupSides(width: number, sides: readonly string[] = ['start'], state?: unknown) {
  const fixture = await setupChat((chat) => {
    chat.style.width = `${width}px`;
    if (state !== undefined) chat.controller?.storage.set('sides', state as Json);
    const {
      capabilities,
      responses: answers,
      threads,
    } = chat.controller?.backend as ScriptedBackend;
    capabilities.add('threads');
    answers.set('listThreads', () => ({ items: threadsOf(2), hasMore: false, total: 2 }));
    threads.set('t1', contentOf('t1', [stored('m1', 'user', 'One')]));
    for (const side of sides) {
      const content = document.createElement(side === 'start' ? 'ubik-thread-list' : 'div');
      content.slot = side;
      if (side === 'end') content.ariaLabel = 'Documents';
      chat.append(content);
    }
  });
  await fixture.settle();
  const list = fixture.chat.querySelector('ubik-thread-list');
  return {
    ...fixture,
    list: list?.shadowRoot ?? null,
    isVisible: (selector: string) => fixture.query(selector).checkVisibility(),
    escape: () => {
      const focused = fixture.root.activeElement ?? fixture.query('.start');
      focused.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
      );
    },
  };
}

describe('a side panel', () => {
  it('is a column in a wide chat', async () => {
    const { isVisible, query } = await setupSides(1000);
    expect(isVisible('.start')).to.equal(true);
    expect(isVisible('.side-toggles')).to.equal(false);
    const { right } = query('.start').getBoundingClientRect();
    expect(query('.main').getBoundingClientRect().left).to.equal(right);
  });

  it('leaves the messages enough width when both sides are filled', async () => {
    const { isVisible, query, chat, settle } = await setupSides(1000, ['start', 'end']);
    const visible = ['.start', '.side-toggle-start', '.end', '.side-toggle-end'].map(isVisible);
    expect(visible).to.deep.equal([true, false, false, true]);
    expect(query('.side-toggle-end').textContent.trim()).to.equal('Documents');
    chat.style.width = '1200px';
    await settle();
    expect([isVisible('.end'), isVisible('.side-toggles')]).to.deep.equal([true, false]);
  });

  it('has its button beside the header of the host page in a narrow chat, in the order of the Tab key', async () => {
    const { chat, query, settle } = await setupSides(360, ['start', 'end']);
    expect(query('.side-toggle-end').offsetWidth, 'alone').to.be.greaterThan(60);
    const header = document.createElement('h2');
    header.slot = 'header';
    header.textContent = 'Rivers';
    chat.append(header);
    await settle();
    const boxes = [query('.side-toggle-start'), header, query('.side-toggle-end')].map((node) =>
      node.getBoundingClientRect(),
    );
    const [start, middle, end] = boxes;
    expect(start?.right).to.be.at.most(middle?.left ?? 0);
    expect(middle?.right).to.be.at.most(end?.left ?? 0);
    expect(middle?.top).to.be.lessThan(start?.bottom ?? 0);
    const order = [...query('.side-toggles').children].map((node) => node.localName);
    expect(order).to.deep.equal(['button', 'slot', 'button']);
    // The names are hidden, but still name the buttons.
    expect(query('.side-toggle-end').textContent.trim()).to.equal('Documents');
    expect(query('.side-toggle-end').offsetWidth).to.be.lessThan(60);
    chat.style.width = '1300px';
    await settle();
    expect(query('.side-toggles').checkVisibility()).to.equal(false);
    expect(header.getBoundingClientRect().bottom).to.be.at.most(
      query('.transcript').getBoundingClientRect().top,
    );
  });

  it('takes no space when the slots are empty', async () => {
    const { query, root } = await setupSides(1000, []);
    expect(query('.main').offsetWidth).to.equal(query('.ubik').offsetWidth);
    expect(root.querySelector('.side-toggles')?.checkVisibility()).to.equal(false);
    expect(query('.ubik').getAttribute('data-sides')).to.equal(null);
    expect(root.querySelector('.backdrop'), 'it is not created').to.equal(null);
  });

  it('leaves the live regions to assistive technology while it is open as a drawer', async () => {
    const { query, root } = await setupSides(320);
    query('.side-toggle-start').click();
    expect(query('.main').inert).to.equal(true);
    const regions = [...root.querySelectorAll('[aria-live]')];
    expect(regions.map((region) => region.closest('[inert]'))).to.deep.equal([null, null]);
  });

  it('is a modal drawer in a narrow chat, opened by its button and closed by Escape, which returns the focus', async () => {
    const { isVisible, query, root, escape } = await setupSides(320);
    expect(isVisible('.start')).to.equal(false);
    query('.side-toggle-start').focus();
    query('.side-toggle-start').click();
    expect(isVisible('.start')).to.equal(true);
    expect(query('.start').role).to.equal('dialog');
    expect(root.activeElement).to.equal(query('.start'));
    expect(query('.main').inert).to.equal(true);
    escape();
    expect(isVisible('.start')).to.equal(false);
    expect(root.activeElement).to.equal(query('.side-toggle-start'));
    expect(query('.main').inert).to.equal(false);
  });

  for (const selector of ['.side-close', '.backdrop']) {
    it(`is closed by a click on ${selector}, which returns the focus, wherever the press has moved it`, async () => {
      const { isVisible, query, root } = await setupSides(320);
      query('.side-toggle-start').click();
      // A press beside the drawer focuses the window of a chat that has one.
      query('.ubik').tabIndex = -1;
      query('.ubik').focus();
      query(selector).click();
      expect(isVisible('.start')).to.equal(false);
      expect(root.activeElement?.className).to.contain('side-toggle-start');
    });
  }

  it('is named as a drawer, and has no name or role when it is closed', async () => {
    const { query, root } = await setupSides(320, ['end']);
    query('.side-toggle-end').click();
    const panel = query('.end');
    expect([panel.role, panel.ariaModal, panel.ariaLabel, panel.tabIndex]).to.deep.equal([
      'dialog',
      'true',
      'Documents',
      -1,
    ]);
    const close = query<HTMLButtonElement>('.side-close');
    expect([close.type, close.textContent]).to.deep.equal(['button', 'Close']);
    expect(panel.firstElementChild).to.equal(close);
    expect(query('.backdrop').classList.contains('open')).to.equal(true);
    close.click();
    const names = ['role', 'aria-modal', 'aria-label', 'tabindex'];
    expect(names.filter((name) => panel.hasAttribute(name))).to.deep.equal([]);
    expect(root.querySelector('.side-close')).to.equal(null);
    expect(query('.backdrop').classList.contains('open')).to.equal(false);
    expect(root.activeElement).to.equal(query('.side-toggle-end'));
  });

  it('stays open on an Escape in a dialog inside, which closes itself', async () => {
    const { query, isVisible } = await setupSides(320, ['end']);
    query('.side-toggle-end').click();
    const slotted = document.createElement('div');
    const dialog = document.createElement('dialog');
    slotted.attachShadow({ mode: 'open' }).append(dialog);
    query('.end').append(slotted);
    dialog.showModal();
    expect(pressKey(dialog, 'Escape').defaultPrevented).to.equal(false);
    expect(isVisible('.end')).to.equal(true);
    dialog.close();
  });

  it('closes a dialog inside when it closes as a drawer, because a hidden one would stay modal', async () => {
    const { chat, query, isVisible } = await setupSides(320, ['end']);
    query('.side-toggle-end').click();
    const dialog = document.createElement('dialog');
    const inside = chat.querySelector('[slot=end]')?.appendChild(document.createElement('div'));
    inside?.attachShadow({ mode: 'open' }).append(dialog);
    dialog.showModal();
    // Closes the drawer, which covers the message field.
    chat.focus();
    expect([isVisible('.end'), dialog.open]).to.deep.equal([false, false]);
  });

  for (const [change, from, to, isOpen] of [
    ['leaves a dialog inside open when it becomes a column', 320, 1000, true],
    [
      'closes a dialog inside when it becomes a closed drawer, because a hidden one would stay modal',
      1000,
      320,
      false,
    ],
  ] as const) {
    it(change, async () => {
      const { chat, query, isVisible, settle } = await setupSides(from, ['end']);
      if (isOpen) query('.side-toggle-end').click();
      const dialog = document.createElement('dialog');
      const inside = chat.querySelector('[slot=end]')?.appendChild(document.createElement('div'));
      inside?.attachShadow({ mode: 'open' }).append(dialog);
      dialog.showModal();
      chat.style.width = `${to}px`;
      await settle();
      expect([query('.end').role, isVisible('.end')]).to.deep.equal([null, isOpen]);
      expect(dialog.open).to.equal(isOpen);
      dialog.remove();
    });
  }

  it('makes the column of the other side inert while it is open as a drawer', async () => {
    const { query } = await setupSides(1000, ['start', 'end']);
    query('.side-toggle-end').click();
    expect([query('.start').inert, query('.end').inert]).to.deep.equal([true, false]);
    query('.side-close').click();
    expect(query('.start').inert).to.equal(false);
  });

  it('stays open on other keys, and on an Escape that was handled inside', async () => {
    const { query, isVisible } = await setupSides(320, ['end']);
    expect(pressKey(query('.side-toggle-end'), 'Escape').defaultPrevented).to.equal(false);
    query('.side-toggle-end').click();
    expect(pressKey(query('.end'), 'Enter').defaultPrevented).to.equal(false);
    query('.end').addEventListener('keydown', (event) => event.preventDefault(), { once: true });
    pressKey(query('.end'), 'Escape');
    expect(isVisible('.end')).to.equal(true);
    expect(pressKey(query('.end'), 'Escape').defaultPrevented).to.equal(true);
    expect(isVisible('.end')).to.equal(false);
  });

  for (const name of [
    'ubik-thread-opened',
    'ubik-branch-switched',
    'ubik-checkpoint-restored',
  ] as const) {
    it(`closes on ${name}`, async () => {
      const { query, isVisible, chat } = await setupSides(320, ['end']);
      query('.side-toggle-end').click();
      chat.dispatchEvent(new Event(name));
      expect(isVisible('.end')).to.equal(false);
    });
  }

  for (const [name, sentence] of [
    ['ubik-checkpoints', 'The assistant sets checkpoints as it works.'],
    ['ubik-branch-map', 'Editing a message creates another branch.'],
  ] as const) {
    it(`closes when the button of an empty panel leads to the message field (${name})`, async () => {
      const { chat, query, root, settle, isVisible, backend } = await setupSides(320, []);
      backend.capabilities.add('branches');
      const panel = document.createElement(name);
      panel.slot = 'end';
      chat.append(panel);
      await settle();
      await settle();
      query('.side-toggle-end').click();
      const texts = [...(panel.shadowRoot?.querySelectorAll('p, button') ?? [])];
      expect(texts.map(({ textContent }) => textContent?.trim())).to.deep.equal([
        sentence,
        'Ask a question',
      ]);
      panel.shadowRoot?.querySelector('button')?.click();
      expect(isVisible('.end')).to.equal(false);
      expect(root.activeElement).to.equal(query('textarea'));
    });
  }

  it('closes when a thread is opened in it', async () => {
    const { isVisible, query, list, settle, controller } = await setupSides(320);
    query('.side-toggle-start').click();
    list?.querySelectorAll<HTMLElement>('.thread-open')[1]?.click();
    await settle();
    expect(controller.thread?.id).to.equal('t1');
    expect(isVisible('.start')).to.equal(false);
  });

  it('stays open when the header of the host page changes, and while the chat stays narrow', async () => {
    const { chat, query, settle, isVisible, root } = await setupSides(320, ['start', 'end']);
    query('.side-toggle-end').click();
    const header = document.createElement('h2');
    header.slot = 'header';
    chat.append(header);
    await settle();
    chat.style.width = '330px';
    await settle();
    expect([isVisible('.end'), isVisible('.start')]).to.deep.equal([true, false]);
    expect(query('.end').role).to.equal('dialog');
    expect(root.activeElement).to.equal(query('.end'));
  });

  it('becomes a column when the chat gets wide', async () => {
    const { chat, query, settle, isVisible } = await setupSides(320);
    query('.side-toggle-start').click();
    chat.style.width = '1000px';
    await settle();
    expect(query('.main').inert).to.equal(false);
    expect(query('.start').role).to.equal(null);
    expect(isVisible('.start')).to.equal(true);
  });

  it('closes and loses its button when the host page removes its element', async () => {
    const { chat, query, settle } = await setupSides(320);
    query('.side-toggle-start').click();
    chat.querySelector('ubik-thread-list')?.remove();
    await settle();
    expect(query('.main').inert).to.equal(false);
    expect(query('.side-toggles').checkVisibility()).to.equal(false);
  });
});

describe('a side column', () => {
  /** Presses a key on the splitter of a column. */
  const pressOnSplitter = async (
    { query, settle }: Awaited<ReturnType<typeof setupSides>>,
    side: string,
    key: string,
  ): Promise<void> => {
    const splitter = query(`.${side} > .side-edge`);
    splitter.focus();
    splitter.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await settle();
  };

  it('is resized by the arrow keys on its splitter, and restores its width', async () => {
    const fixture = await setupSides(1300, ['start', 'end']);
    const width = (side: string): number => fixture.query(`.${side}`).offsetWidth;
    expect([width('start'), width('end')]).to.deep.equal([256, 320]);
    await pressOnSplitter(fixture, 'start', 'ArrowRight');
    await pressOnSplitter(fixture, 'end', 'ArrowRight');
    expect([width('start'), width('end')]).to.deep.equal([272, 304]);
    for (let press = 0; press < 60; press += 1) await pressOnSplitter(fixture, 'end', 'ArrowLeft');
    expect(width('end')).to.equal(650);
    const state = await fixture.controller.storage.get('sides');
    const next = await setupSides(1300, ['start', 'end'], state);
    expect([next.query('.start').offsetWidth, next.query('.end').offsetWidth]).to.deep.equal([
      272, 650,
    ]);
  });

  it('is resized in the direction of the key in a right-to-left page, too', async () => {
    const fixture = await setupSides(1300, ['start', 'end']);
    fixture.chat.dir = 'rtl';
    await fixture.settle();
    await pressOnSplitter(fixture, 'start', 'ArrowRight');
    await pressOnSplitter(fixture, 'end', 'ArrowRight');
    expect([fixture.query('.start').offsetWidth, fixture.query('.end').offsetWidth]).to.deep.equal([
      240, 336,
    ]);
  });

  it('is collapsed by Enter on its splitter and expanded by its button, and the focus follows', async () => {
    const fixture = await setupSides(1300, ['start', 'end']);
    await pressOnSplitter(fixture, 'start', 'Enter');
    expect([
      fixture.isVisible('.start'),
      fixture.isVisible('.side-toggle-start'),
      fixture.isVisible('.side-toggle-end'),
    ]).to.deep.equal([false, true, false]);
    expect(fixture.root.activeElement === fixture.query('.side-toggle-start')).to.equal(true);
    fixture.query('.side-toggle-start').click();
    await fixture.settle();
    expect([fixture.isVisible('.start'), fixture.isVisible('.side-toggles')]).to.deep.equal([
      true,
      false,
    ]);
    expect(fixture.root.activeElement === fixture.query('.start > .side-edge')).to.equal(true);
  });

  it('gives its name to its splitter and to its collapse button', async () => {
    const { query } = await setupSides(1300, ['start', 'end']);
    const names = ['start', 'end'].map((side) => [
      query(`.${side} > .side-edge`).ariaLabel,
      query(`.${side} > .side-collapse`).title,
    ]);
    expect(names).to.deep.equal([
      ['Width of Conversations', 'Collapse Conversations'],
      ['Width of Documents', 'Collapse Documents'],
    ]);
  });

  it('stores its state together with that of the other column, and takes the state of a controller that is connected later', async () => {
    const fixture = await setupSides(1300, ['start', 'end']);
    const { chat, controller, query, settle, isVisible, field, root } = fixture;
    field.focus();
    query('.start .side-collapse').click();
    await settle();
    expect(root.activeElement, 'the focus was elsewhere').to.equal(field);
    const state = await controller.storage.get('sides');
    expect(state).to.deep.equal({ start: { isCollapsed: true }, end: { isCollapsed: false } });
    const shown = () => ['.start', '.side-toggle-start', '.end', '.side-toggle-end'].map(isVisible);
    expect(shown()).to.deep.equal([false, true, true, false]);
    chat.controller = setupController().controller;
    await settle();
    await settle();
    expect(shown()).to.deep.equal([true, false, true, false]);
    const other = setupController().controller;
    other.storage.set('sides', { end: { isCollapsed: true } });
    chat.controller = other;
    await settle();
    await settle();
    expect(shown()).to.deep.equal([true, false, false, true]);
  });

  it('opens as a drawer without a splitter in a narrow chat, and is still collapsed when the chat is wide again', async () => {
    const fixture = await setupSides(1300);
    fixture.query('.start .side-collapse').click();
    fixture.chat.style.width = '500px';
    await fixture.settle();
    fixture.query('.side-toggle-start').click();
    await fixture.settle();
    expect(fixture.query('.start').role).to.equal('dialog');
    expect(fixture.isVisible('.start')).to.equal(true);
    expect(fixture.isVisible('.start > .side-edge')).to.equal(false);
    fixture.escape();
    fixture.chat.style.width = '1300px';
    await fixture.settle();
    expect(fixture.isVisible('.start'), 'still collapsed').to.equal(false);
  });
});
