import { expect } from '@open-wc/testing';
import type { StreamController } from '../../src/controller/controller-types.js';
import type { ConnectedHost } from '../../src/elements/base/connected-host.js';
import { openMessageMenu } from '../../src/elements/menu/message-menu.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { findLocale } from '../../src/locales/locale.js';
import type { StoredMessage } from '../../src/backends/backend.js';
import type { RendererRule } from '../../src/message/parts/renderer-types.js';
import type { PartTree } from '../../src/model/part.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { loadDataView, stepActivity } from '../message/message-fixture.js';
import { waitFor } from '../helpers/wait-for.js';
import { setupCheckpointChat } from './checkpoints-fixture.js';
import { pressKey, swapController } from './chat-fixture.js';
import { ANSWER, setupMenu } from './menu-fixture.js';
import { recordObservations } from './observations.js';

/** Replaces the clipboard: records what is written, or rejects. */
function setupClipboard(allowed = true) {
  const written: Record<string, string>[] = [];
  const own = Object.getOwnPropertyDescriptor(navigator, 'clipboard');
  const record = async (content: Record<string, string>): Promise<void> => {
    await Promise.resolve();
    if (!allowed) throw new DOMException('No', 'NotAllowedError');
    written.push(content);
  };
  const clipboard = {
    writeText: (text: string) => record({ 'text/plain': text }),
    write: async ([item]: ClipboardItem[]) => {
      const read = async (type: string): Promise<string> =>
        (await item?.getType(type))?.text() ?? '';
      await record({
        'text/plain': await read('text/plain'),
        'text/html': await read('text/html'),
      });
    },
  };
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
  return {
    written,
    restore: () => {
      Reflect.deleteProperty(navigator, 'clipboard');
      if (own) Object.defineProperty(navigator, 'clipboard', own);
    },
  };
}

/** Returns the first two arguments of `openMessageMenu` for the answer. */
function connectionOf(chat: UbikChat, controller: StreamController) {
  const connection = {
    element: chat,
    context: (chat as unknown as { viewContext: ConnectedHost['context'] }).viewContext,
    controller,
  } as unknown as ConnectedHost;
  return { connection, key: controller.thread?.head ?? '' };
}

describe('message menu', () => {
  it('opens at its button, has the keyboard navigation of a menu, and returns the focus', async () => {
    const { open, menu, more, labels, press, focused, query } = await setupMenu();
    expect(more().getAttribute('aria-haspopup')).to.equal('menu');
    const { top, left } = query('.assistant .more').getBoundingClientRect();
    await open();
    expect(query('.assistant .more').getBoundingClientRect().top, 'nothing moves').to.equal(top);
    expect(menu()?.matches(':popover-open')).to.equal(true);
    expect(menu()?.getBoundingClientRect().left, 'is at its button').to.equal(left);
    expect(more().ariaExpanded).to.equal('true');
    expect(labels()).to.deep.equal([
      'Copy as Markdown',
      'Copy with formatting',
      'Copy as plain text',
      'Markdown',
      'Web page (HTML)',
      'JSON',
      'Keyboard shortcuts',
    ]);
    const walk = ['ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home', 'w'].map((key) => {
      expect(press(key).defaultPrevented, key).to.equal(true);
      return focused();
    });
    expect(walk).to.deep.equal([
      'Copy with formatting',
      'Keyboard shortcuts',
      'Copy as Markdown',
      'Keyboard shortcuts',
      'Copy as Markdown',
      'Web page (HTML)',
    ]);
    expect(press('Escape').defaultPrevented).to.equal(true);
    expect(menu() === null).to.equal(true);
    expect([more().matches(':focus'), more().ariaExpanded]).to.deep.equal([true, 'false']);
    await open();
    window.dispatchEvent(new PointerEvent('pointerdown'));
    expect(menu() === null, 'pressed elsewhere').to.equal(true);
    await open();
    await open();
    expect(menu() === null, 'its button pressed again').to.equal(true);
  });

  it('stays open when its button is pressed again while its code is loading', async () => {
    const { menu, more, settle } = await setupMenu();
    more().click();
    more().click();
    await settle();
    await settle();
    expect(menu()?.matches(':popover-open')).to.equal(true);
  });

  it('opens one list of shortcuts when its item is pressed twice while the code of the list is loading', async () => {
    const { open, choose, root, settle } = await setupMenu();
    await open();
    await Promise.all([choose('Keyboard shortcuts'), choose('Keyboard shortcuts')]);
    await settle();
    expect(root.querySelectorAll('.shortcuts').length).to.equal(1);
  });

  it('shows the exact time of a message, and only the applicable items for a question', async () => {
    const { open, query, labels } = await setupMenu();
    await open('user');
    expect(labels()).to.deep.equal(['Copy as plain text', 'Keyboard shortcuts']);
    const time = query<HTMLTimeElement>('.message-menu time');
    expect(time.dateTime).to.equal('1970-01-01T00:00:00.001Z');
    expect(time.textContent).to.contain('1970');
  });

  it('shows the time to the first token of an answer when the service sends it', async () => {
    const { open, text, backend, controller, settle } = await setupMenu();
    const answer = stored('b', 'assistant', 'Yes.');
    const usage = { seconds: 3.42, tokens: 918, firstTokenMs: 640 };
    const fields = { ...answer.fields, usage };
    const question = stored('q2', 'user', 'Why?');
    backend.threads.set('u', contentOf('u', [question, { ...answer, fields }]));
    await controller.openThread('u');
    await settle();
    await open();
    expect(text('.message-menu > .meta')).to.contain('First token after 0.6s');
  });

  it('shows the duration of the work of an answer when the service stores times', async () => {
    const { open, text, backend, controller, settle, press } = await setupMenu();
    const fields = stepActivity(1, { state: 'completed', startedAt: 1000, endedAt: 13_000 });
    const activity = [{ key: '@step:1', fields }] as StoredMessage['activity'] & object;
    const answer = { ...stored('b', 'assistant', 'Yes.'), activity };
    backend.threads.set('u', contentOf('u', [stored('q2', 'user', 'Why?'), answer]));
    await controller.openThread('u');
    await settle();
    await open();
    expect(text('.message-menu > .meta')).to.not.contain('Worked');
    press('Escape');
    backend.capabilities.add('times');
    await open();
    expect(text('.message-menu > .meta')).to.contain('Worked for 12s');
  });

  it('copies an answer as Markdown, as safe HTML, and as plain text', async () => {
    const clipboard = setupClipboard();
    const { open, choose, readStatus } = await setupMenu();
    await open();
    const items = ['Copy as Markdown', 'Copy with formatting', 'Copy as plain text'];
    for (const [at, name] of items.entries()) {
      await choose(name);
      await waitFor(() => clipboard.written.length > at && readStatus());
      expect(readStatus()).to.equal('Copied');
    }
    clipboard.restore();
    const [markdown, rich, plain] = clipboard.written;
    expect(markdown).to.deep.equal({ 'text/plain': ANSWER });
    expect(rich?.['text/html']).to.contain('<strong>Thirty</strong> days.');
    expect(rich?.['text/html'])
      .to.match(/<li[^>]*>.*one/)
      .and.not.match(/href="javascript|<b>x/);
    expect(plain?.['text/plain']).to.match(/^Thirty days\.\n\n• one\n+• two\n\n.*<b>x<\/b>$/);
    expect(rich?.['text/plain']).to.equal(plain?.['text/plain']);
  });

  /** An answer with a table, and with code in a tool call. */
  const DATA_PARTS: readonly PartTree[] = [
    { kind: 'text', key: '/0:text', text: '**See** below.' },
    {
      ...{ kind: 'tool', key: 'tool:1', name: 'run', toolId: '1', state: 'done' },
      ...{ input: '{}', result: 'Found' },
      parts: [
        { kind: 'code', key: 'tool:1/0', language: 'js', code: 'hidden()', output: '', error: '' },
      ],
    },
    {
      ...{ kind: 'table', key: 'table', title: 'Stock', description: '', total: null, source: '' },
      columns: [{ name: 'depot', type: 'text' }],
      rows: [['North'], ['South']],
    },
  ];

  for (const [where, renderers] of [
    ['', []],
    [
      ', also of an answer that a renderer of the page shows',
      [{ kind: 'text', renderer: { mount: (box, { standard }) => box.append(standard()) } }],
    ],
  ] as const satisfies readonly (readonly [string, readonly RendererRule[]])[]) {
    it(`copies the data of an answer, without the content of tool calls${where}`, async () => {
      await loadDataView('table');
      await loadDataView('code');
      const clipboard = setupClipboard();
      const { open, choose, backend, chat, controller, settle } = await setupMenu();
      chat.renderers = renderers;
      const answer = { ...stored('b', 'assistant', ''), parts: DATA_PARTS };
      backend.threads.set('u', contentOf('u', [stored('q2', 'user', 'Stock?'), answer]));
      await controller.openThread('u');
      await settle();
      await open();
      await choose('Copy with formatting');
      await waitFor(() => clipboard.written.length);
      clipboard.restore();
      const [copied] = clipboard.written;
      expect(copied?.['text/plain']).to.equal('See below.\n\nStock\n\ndepot\n\nNorth\nSouth');
      const html = copied?.['text/html'];
      expect(html).to.match(/<strong>See<\/strong> below\.[^]*<td[^>]*>South<\/td>/);
      expect(html).not.to.contain('hidden');
    });
  }

  it('reports that the browser does not allow copying', async () => {
    const clipboard = setupClipboard(false);
    const { open, choose, readStatus } = await setupMenu();
    await open();
    await choose('Copy with formatting');
    await waitFor(readStatus);
    clipboard.restore();
    expect(readStatus()).to.equal(findLocale('en').text('copyFailed'));
    const pending = { writeText: () => new Promise(() => undefined) };
    Object.defineProperty(navigator, 'clipboard', { value: pending, configurable: true });
    await choose('Copy as Markdown');
    clipboard.restore();
    expect(readStatus(), 'while it is copied again').to.equal('');
  });

  it('copies the link made by the host page, and has no such item without one', async () => {
    const clipboard = setupClipboard();
    const { chat, open, choose, labels, press, events } = await setupMenu();
    chat.messageLink = ({ id }) => `https://example.org/#${id ?? ''}`;
    await open();
    await choose('Copy link');
    clipboard.restore();
    expect(clipboard.written).to.deep.equal([{ 'text/plain': 'https://example.org/#a' }]);
    press('Escape');
    chat.messageLink = () => {
      throw new Error('Broken');
    };
    await open();
    expect(labels()).to.not.include('Copy link');
    expect(events.map(({ type }) => type)).to.deep.equal(['ubik-error']);
  });
});

describe('keyboard of a message menu', () => {
  it('cycles through the items that start with a letter, in either case', async () => {
    const { open, press, focused } = await setupMenu();
    await open();
    const seen = ['c', 'C', 'c', 'k', 'c', 'z'].map((key) => {
      press(key);
      return focused();
    });
    expect(seen).to.deep.equal([
      'Copy with formatting',
      'Copy as plain text',
      'Copy as Markdown',
      'Keyboard shortcuts',
      'Copy as Markdown',
      'Copy as Markdown',
    ]);
  });

  it('ignores keys with a modifier and keys without a function, and no key reaches the chat', async () => {
    const { open, focused, root, items, chat } = await setupMenu();
    await open();
    const passed: string[] = [];
    chat.addEventListener('keydown', ({ key }) => passed.push(key));
    for (const modifier of ['ctrlKey', 'altKey', 'metaKey']) {
      for (const key of ['ArrowDown', 'End', 'k'])
        expect(
          pressKey(root.activeElement, key, { [modifier]: true }).defaultPrevented,
          modifier + key,
        ).to.equal(false);
    }
    for (const key of ['F8', 'PageDown', ' '])
      expect(pressKey(root.activeElement, key).defaultPrevented, key).to.equal(false);
    expect(focused()).to.equal('Copy as Markdown');
    expect(passed).to.deep.equal([]);
    expect(items().map(({ tabIndex }) => tabIndex)).to.deep.equal(items().map(() => -1));
  });

  it('closes the menu with Tab, which continues from the button', async () => {
    const { open, press, menu, more } = await setupMenu();
    await open();
    expect(press('Tab').defaultPrevented).to.equal(false);
    expect(menu() === null).to.equal(true);
    expect(more().matches(':focus')).to.equal(true);
  });
});

describe('popover of a message menu', () => {
  it('closes when the focus or the pointer goes elsewhere, and leaves the focus there', async () => {
    const { open, menu, more, field } = await setupMenu();
    await open();
    field.focus();
    expect(menu() === null).to.equal(true);
    expect(field.matches(':focus')).to.equal(true);
    await open();
    // A control may stop the propagation of its pointer events.
    field.addEventListener('pointerdown', (event) => event.stopPropagation());
    field.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
    expect(menu() === null).to.equal(true);
    await open();
    menu()?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
    more().dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
    expect(menu()?.isConnected, 'inside and on its button').to.equal(true);
    more().focus();
    expect(menu()?.isConnected, 'the focus on its button').to.equal(true);
  });

  it('closes when the menu of another message is opened', async () => {
    const { open, root, more } = await setupMenu();
    await open('user');
    await open('assistant');
    expect(root.querySelectorAll('.message-menu').length).to.equal(1);
    expect([more('user').ariaExpanded, more('assistant').ariaExpanded]).to.deep.equal([
      'false',
      'true',
    ]);
  });

  it('is named, and describes its message', async () => {
    const { open, query, root } = await setupMenu();
    await open();
    const list = query('.message-menu [role=menu]');
    expect(list.getAttribute('aria-label')).to.equal('More actions');
    expect(list.getAttribute('aria-orientation')).to.equal('vertical');
    const info = root.getElementById(list.getAttribute('aria-describedby') ?? '');
    expect(info?.querySelector('time') !== null).to.equal(true);
    expect(info?.querySelectorAll('span').length, 'no durations').to.equal(0);
    const groups = [...list.querySelectorAll('[role=group]')];
    expect(groups.map((group) => group.getAttribute('aria-label'))).to.deep.equal([
      null,
      'Export conversation',
      null,
    ]);
    const headings = groups.map((group) => group.querySelector('.meta')?.textContent);
    expect(headings).to.deep.equal([undefined, 'Export conversation', undefined]);
    expect(list.parentElement?.part.contains('menu')).to.equal(true);
    const { overscrollBehavior } = getComputedStyle(list.parentElement as Element);
    expect(overscrollBehavior, 'the page does not scroll with it').to.equal('contain');
  });

  it('is below its button, or above where there is more space, aligned with its leading edge in either direction of text', async () => {
    const { open, menu, more, chat } = await setupMenu();
    await open();
    const place = (top: number, dir = 'ltr', left = 100) => {
      chat.dir = dir;
      chat.style.cssText = `position: fixed; top: ${top}px; left: ${left}px; width: 500px; height: 400px`;
      window.dispatchEvent(new Event('resize'));
      return [menu(), more()].map((node) => node?.getBoundingClientRect() ?? new DOMRect());
    };
    const [below = new DOMRect(), anchor = new DOMRect()] = place(-150);
    expect(below.top, 'below').to.be.closeTo(anchor.bottom + 4, 0.5);
    expect(below.left).to.be.closeTo(anchor.left, 0.5);
    const [above = new DOMRect(), lower = new DOMRect()] = place(
      document.documentElement.clientHeight - 300,
    );
    expect(lower.top, 'there is space above').to.be.above(above.height + 12);
    expect(above.bottom, 'above').to.be.closeTo(lower.top - 4, 0.5);
    const [rtl = new DOMRect(), right = new DOMRect()] = place(-150, 'rtl');
    expect(rtl.right).to.be.closeTo(right.right, 0.5);
    expect(place(-150, 'ltr', -600)[0]?.left, 'left edge').to.equal(8);
    const { clientWidth } = document.documentElement;
    expect(place(-150, 'ltr', clientWidth - 20)[0]?.right).to.be.closeTo(clientWidth - 8, 0.5);
  });

  it('is below its button while it fits there, and within the viewport where it fits nowhere', async () => {
    const { open, menu, more, chat } = await setupMenu();
    await open();
    const { clientHeight } = document.documentElement;
    const node = menu() as HTMLElement;
    node.style.minHeight = '0';
    /** Moves the chat so that its button ends at `bottom`; returns the boxes of the menu and of the button. */
    const place = (bottom: number, height: number): readonly [DOMRect, DOMRect] => {
      node.style.height = `${height}px`;
      chat.style.cssText = 'position: fixed; top: 0; left: 100px; width: 500px; height: 400px';
      chat.style.top = `${bottom - more().getBoundingClientRect().bottom}px`;
      window.dispatchEvent(new Event('resize'));
      return [node.getBoundingClientRect(), more().getBoundingClientRect()];
    };
    const [fits, under] = place(clientHeight - 162, 150);
    expect([fits.top - under.bottom, fits.height]).to.deep.equal([4, 150]);
    const [above, over] = place(clientHeight - 161, 150);
    expect(above.bottom - over.top).to.equal(-4);
    expect(place(-900, 150)[0].top, 'beyond the upper edge').to.equal(8);
    expect(place(clientHeight + 900, 150)[0].bottom, 'beyond the lower edge').to.equal(
      clientHeight - 8,
    );
    const height = clientHeight - 40;
    const button = over.height;
    const [middle] = place((clientHeight + button) / 2, height);
    expect(middle.bottom, 'as much space above as below').to.equal(clientHeight - 8);
    const [lower] = place((clientHeight + button) / 2 + 1, height);
    expect(lower.top, 'more space above').to.equal(8);
  });

  it('stays open when the focus leaves the page', async () => {
    const { open, menu } = await setupMenu();
    await open();
    menu()?.dispatchEvent(new FocusEvent('focusout', { relatedTarget: null }));
    expect(menu()?.isConnected).to.equal(true);
  });

  it('stays open while its chat is updated; menu and feedback form close when another conversation is shown', async () => {
    const ends: readonly ((setup: Awaited<ReturnType<typeof setupMenu>>) => unknown)[] = [
      ({ controller }) => controller.openThread('other'),
      ({ controller }) => controller.switchToNewThread(),
      swapController,
    ];
    for (const end of ends) {
      for (const name of ['menu', 'form']) {
        const setup = await setupMenu();
        const { backend, chat, open, rate, menu, settle } = setup;
        backend.threads.set('other', contentOf('other', [stored('q', 'user', 'Other?')]));
        await (name === 'menu' ? open() : rate('bad'));
        chat.requestUpdate();
        await settle();
        expect(menu()?.isConnected, name).to.equal(true);
        await end(setup);
        await settle();
        expect(menu() === null, name).to.equal(true);
      }
    }
  });

  it('returns the focus without scrolling', async () => {
    const { open, press, more } = await setupMenu();
    await open();
    const options: unknown[] = [];
    Object.assign(more(), { focus: (given: unknown) => void options.push(given) });
    press('Escape');
    expect(options).to.deep.equal([{ preventScroll: true }]);
  });

  it('does not open when its message, its button or the chat is gone', async () => {
    const { chat, box, controller, more, settle, menu } = await setupMenu();
    const { connection, key } = connectionOf(chat, controller);
    const button = more();
    openMessageMenu(connection, 'gone', button);
    expect(menu(), 'an unknown message').to.equal(null);
    openMessageMenu(connection, key, document.createElement('button'));
    expect(menu(), 'a removed button').to.equal(null);
    button.click();
    chat.remove();
    await settle();
    await settle();
    expect(menu(), 'a removed chat').to.equal(null);
    box.append(chat);
    await settle();
    expect(menu()).to.equal(null);
  });

  it('closes with the next scroll or resize when its button is gone', async () => {
    for (const event of ['scroll', 'resize']) {
      const { open, menu, more, query } = await setupMenu();
      await open();
      more().remove();
      expect(menu()?.isConnected, event).to.equal(true);
      const target = event === 'scroll' ? query('.scroller') : window;
      target.dispatchEvent(new Event(event));
      expect(menu() === null, event).to.equal(true);
    }
  });
});

describe('menu item to export a thread', () => {
  it('saves a file and then closes the menu', async () => {
    const { open, choose, settle, menu } = await setupMenu();
    const own = HTMLAnchorElement.prototype.click;
    const saved: string[] = [];
    const written = new Promise<void>((resolve) => {
      HTMLAnchorElement.prototype.click = function () {
        this.addEventListener('click', (event) => {
          event.preventDefault();
          saved.push(this.download);
          resolve();
        });
        own.call(this);
      };
    });
    await open();
    await choose('JSON');
    await written;
    await settle();
    HTMLAnchorElement.prototype.click = own;
    expect(saved).to.have.length(1);
    expect(saved[0]).to.match(/\.json$/);
    expect(menu() === null, 'closes when it is written').to.equal(true);
  });

  it('reports that the file cannot be saved, and keeps the menu open', async () => {
    const { open, choose, readStatus, menu } = await setupMenu();
    const { createObjectURL } = URL;
    URL.createObjectURL = () => {
      throw new Error('No space.');
    };
    try {
      await open();
      await choose('JSON');
      await waitFor(readStatus);
      expect(readStatus()).to.equal(findLocale('en').text('menuExportFailed'));
      expect(menu()?.isConnected).to.equal(true);
    } finally {
      URL.createObjectURL = createObjectURL;
    }
  });

  it('does not close the menu of another message that is opened before the file is saved', async () => {
    const { open, more, root, choose, settle } = await setupMenu();
    await open();
    const own = HTMLAnchorElement.prototype.click;
    const saved = new Promise<void>((resolve) => {
      HTMLAnchorElement.prototype.click = () => void resolve();
    });
    try {
      const chosen = choose('JSON');
      more('user').focus();
      more('user').click();
      await chosen;
      await saved;
      await settle();
      await settle();
      expect(more('user').ariaExpanded).to.equal('true');
      await open('user');
      expect(root.querySelector('.message-menu'), 'closed by its own button').to.equal(null);
    } finally {
      HTMLAnchorElement.prototype.click = own;
    }
  });
});

describe('items of a message menu', () => {
  it('open the list of shortcuts', async () => {
    const { open, choose, settle, root, menu } = await setupMenu();
    await open();
    await choose('Keyboard shortcuts');
    await settle();
    expect(root.querySelectorAll('dialog.shortcuts').length).to.equal(1);
    expect(menu() === null).to.equal(true);
  });

  it('include the checkpoints of the message, and open the dialog before a restore', async () => {
    const { root, query, settle, dialog } = await setupCheckpointChat();
    const open = async (): Promise<void> => {
      query('.message.assistant .more').click();
      await settle();
      await settle();
    };
    await waitFor(() => root.querySelector('.divider button'));
    await open();
    const group = query('.message-menu [aria-label="Restore a checkpoint"]');
    expect(group.querySelector(':scope > .meta')?.textContent).to.equal('Restore a checkpoint');
    const items = [...group.querySelectorAll<HTMLElement>('[role=menuitem]')];
    const buttons = [
      ...query('.message.assistant').querySelectorAll<HTMLElement>('.divider button'),
    ];
    expect(items.map((item) => item.textContent.trim())).to.deep.equal(
      buttons.map(({ title }) => title),
    );
    expect(items.length).to.equal(2);
    expect(
      root.querySelector('[aria-label="Export conversation"]'),
      'only the last message offers it',
    ).to.equal(null);
    items[1]?.click();
    await settle();
    expect(root.querySelector('.message-menu')).to.equal(null);
    await waitFor(() => root.querySelector('dialog h2'));
    expect(dialog().textContent).to.contain('After step 2');
  });

  it('are those that apply to the message, the element and the device', async () => {
    const { box, chat, controller, backend, open, labels, press, settle, root } = await setupMenu();
    for (const link of [7, '', null]) {
      chat.messageLink = () => link as never;
      await open();
      expect(labels()).to.include('Copy as Markdown').and.not.to.include('Copy link');
      press('Escape');
    }
    const { matchMedia } = window;
    window.matchMedia = (query) => ({ ...matchMedia(query), matches: query.includes('coarse') });
    try {
      await open();
      expect(labels(), 'a touch screen').not.to.include('Keyboard shortcuts');
      press('Escape');
    } finally {
      window.matchMedia = matchMedia;
    }
    backend.threads.set(
      'e',
      contentOf('e', [stored('q', 'user', 'Q'), stored('b', 'assistant', '')]),
    );
    await controller.openThread('e');
    const transcript = document.createElement('ubik-transcript');
    transcript.controller = controller;
    box.append(transcript);
    await settle();
    await settle();
    const inner = transcript.shadowRoot as ShadowRoot;
    inner.querySelector<HTMLElement>('.assistant .more')?.click();
    await settle();
    const items = [...inner.querySelectorAll('[role=menuitem]')].map((each) =>
      each.textContent.trim(),
    );
    expect(items).to.deep.equal(['Markdown', 'Web page (HTML)', 'JSON']);
    expect(root.querySelector('.message-menu')).to.equal(null);
  });

  it('are shown without a time when it is not known', async () => {
    const { open, query, backend, controller, settle } = await setupMenu();
    const question = stored('q2', 'user', 'Why?');
    const fields = { ...question.fields, createdAt: null };
    backend.threads.set('u', contentOf('u', [{ ...question, fields }]));
    await controller.openThread('u');
    await settle();
    await open('user');
    expect(query('.message-menu > .meta').textContent.trim()).to.equal('');
    expect(query('.message-menu [role=status]').textContent).to.equal('');
  });

  it('leave no listener when the menu is closed', async () => {
    const { open, press, root } = await setupMenu();
    await open();
    press('Escape');
    const observations = recordObservations({ window, document, root });
    try {
      await open();
      const opened = observations.list();
      expect(opened).to.include('window pointerdown').and.to.include('window resize');
      expect(opened).to.include('window scroll').and.to.include('root scroll');
      press('Escape');
      expect(observations.list()).to.deep.equal([]);
    } finally {
      observations.restore();
    }
  });
});

describe('feedback on an answer', () => {
  it('has a form that stays open without the focus, keeps its text, and closes with Escape or Cancel', async () => {
    const { rate, query, menu, press, field, settle, names } = await setupMenu();
    await rate('bad');
    const area = query<HTMLTextAreaElement>('.feedback textarea');
    area.value = 'Half a rea';
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    field.focus();
    expect(menu()?.isConnected, 'without the focus').to.equal(true);
    area.focus();
    expect(press('ArrowDown').defaultPrevented, 'a key of the text').to.equal(false);
    expect(press('Tab').defaultPrevented).to.equal(false);
    expect(menu()?.isConnected).to.equal(true);
    press('Escape');
    expect(menu() === null).to.equal(true);
    expect(query('.bad-button').matches(':focus')).to.equal(true);
    await rate('bad');
    expect(query<HTMLTextAreaElement>('.feedback textarea').value).to.equal('Half a rea');
    query('.feedback .quiet').click();
    await settle();
    expect(menu() === null).to.equal(true);
    expect(names()).to.deep.equal([]);
  });

  it('is dispatched with its reason, shown at its button, and withdrawn without a form', async () => {
    const { rate, query, settle, events, root } = await setupMenu();
    await rate('bad');
    const field = query<HTMLTextAreaElement>('.feedback textarea');
    expect(field.matches(':focus')).to.equal(true);
    field.value = ' Too short ';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    query('.feedback .primary').click();
    await settle();
    expect(query('.bad-button').matches(':focus')).to.equal(true);
    expect(query('.bad-button').ariaPressed).to.equal('true');
    await rate('bad');
    expect(root.querySelector('.feedback') === null, 'withdrawn without a form').to.equal(true);
    const base = { threadId: 't', messageId: 'a' };
    expect(events.map(({ type, detail }) => [type, detail as unknown])).to.deep.equal(
      [
        { ...base, rating: 'down', reason: 'Too short' },
        { ...base, rating: null, reason: '' },
      ].flatMap((detail) => [
        ['ubik-message-feedback', detail],
        ['ubik-message-feedback-given', detail],
      ]),
    );
    expect(query('.bad-button').ariaPressed).to.equal('false');
  });

  it('is not given when the host page cancels, and the form stays open', async () => {
    const { chat, rate, query, settle, names } = await setupMenu();
    chat.addEventListener('ubik-message-feedback', (event) => {
      event.preventDefault();
    });
    await rate('good');
    query('.feedback .primary').click();
    await settle();
    expect(query('.feedback').isConnected).to.equal(true);
    expect(names()).to.deep.equal(['ubik-message-feedback']);
  });

  it('has a labelled form for the reason, and stays when the host page cancels its withdrawal', async () => {
    const { chat, rate, query, settle, menu, root, field } = await setupMenu();
    for (const [name, title] of [
      ['good', 'Good answer'],
      ['bad', 'Bad answer'],
    ] as const) {
      await rate(name);
      expect(query('.feedback strong').textContent).to.equal(title);
      expect(query('.feedback label').textContent.trim()).to.equal('Why? (optional)');
      const buttons = [...root.querySelectorAll('.feedback button')].map((each) =>
        each.textContent.trim(),
      );
      expect(buttons).to.deep.equal(['Send feedback', 'Cancel']);
      expect(menu()?.querySelector('[role=menu]')).to.equal(null);
    }
    const submit = new SubmitEvent('submit', { cancelable: true });
    query('.feedback').dispatchEvent(submit);
    expect(submit.defaultPrevented).to.equal(true);
    await settle();
    expect(query('.bad-button').ariaPressed).to.equal('true');
    const cancel = (event: Event): void => event.preventDefault();
    chat.addEventListener('ubik-message-feedback', cancel);
    await rate('bad');
    expect(menu()).to.equal(null);
    expect(query('.bad-button').ariaPressed).to.equal('true');
    chat.removeEventListener('ubik-message-feedback', cancel);
    await rate('good');
    field.focus();
    query('.feedback').dispatchEvent(new SubmitEvent('submit', { cancelable: true }));
    await settle();
    expect([query('.good-button').ariaPressed, query('.bad-button').ariaPressed]).to.deep.equal([
      'true',
      'false',
    ]);
    expect(menu()).to.equal(null);
  });
});
