import { expect } from '@open-wc/testing';
import { emulateMedia, resetMouse, sendMouse, setViewport } from '@web/test-runner-commands';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import '../../src/elements/window/chat-window.js';
import { chatWindowModule } from '../../src/elements/window/lazy-chat-window.js';
import { UbikError } from '../../src/errors.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { Deferred } from '../helpers/deferred.js';
import { waitFor } from '../helpers/wait-for.js';
import { nextFrame, pressKey, setupChat, setupController } from './chat-fixture.js';
import { recordObservations } from './observations.js';
import { PASSAGE, setupCitation } from './passage-fixture.js';

const NAMES = ['ubik-chat-open', 'ubik-chat-opened', 'ubik-chat-close', 'ubik-chat-closed'];

/** The edges of a screen that its camera, corners and bars cover. */
const INSETS: Readonly<Record<string, string>> = {
  top: '59px',
  right: '11px',
  bottom: '34px',
  left: '13px',
};

// The window closes at once only without motion.
before(() => emulateMedia({ reducedMotion: 'reduce' }));
after(() => emulateMedia({ reducedMotion: 'no-preference' }));

/** A chat with the given layout, closed. */
async function setupWindow(
  layout: UbikChat['layout'],
  prepare: (chat: UbikChat) => void = () => undefined,
) {
  const dispatched: string[] = [];
  const fixture = await setupChat((chat) => {
    chat.style.height = '';
    chat.layout = layout;
    for (const name of NAMES) chat.addEventListener(name, ({ type }) => dispatched.push(type));
    prepare(chat);
  });
  await fixture.settle();
  const { root, chat } = fixture;
  /** Waits until the window has opened or closed: it is visible until the end of its animation. */
  const settle = async (): Promise<void> => {
    await fixture.settle();
    const animations = root.querySelector('.window')?.getAnimations() ?? [];
    await Promise.all(animations.map(({ finished }) => finished.catch(() => undefined)));
  };
  const keyIn = async (key: string, target = root.activeElement ?? chat): Promise<void> => {
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await settle();
  };
  return {
    ...fixture,
    settle,
    dispatched,
    keyIn,
    launcher: () => fixture.query<HTMLButtonElement>('.launcher'),
    pressLauncher: async (): Promise<void> => {
      fixture.query('.launcher').focus();
      fixture.query('.launcher').click();
      await settle();
    },
    isOpen: () => fixture.query('.window').checkVisibility(),
    /** Drags the handle of the window with the mouse. */
    drag: async (right: number, below: number): Promise<void> => {
      const { left, top, width, height } = fixture.query('.window-size').getBoundingClientRect();
      const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
      await sendMouse({ type: 'move', position: [x, y] });
      await sendMouse({ type: 'down' });
      await sendMouse({ type: 'move', position: [x + right, y + below] });
      await sendMouse({ type: 'up' });
      await settle();
    },
    size: () => {
      const { width, height } = fixture.query('.window').getBoundingClientRect();
      return [width, height];
    },
  };
}

/** Opens a modal dialog in a slot of the chat, inside this number of shadow roots. */
async function showSlottedDialog(
  { chat, settle }: Awaited<ReturnType<typeof setupWindow>>,
  depth: number,
): Promise<HTMLElement> {
  const slotted = chat.appendChild(document.createElement('div'));
  slotted.slot = 'footer';
  let parent: Element | ShadowRoot = slotted;
  for (let roots = 0; roots < depth; roots += 1) {
    parent = parent.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
  }
  const dialog = parent.appendChild(document.createElement('dialog'));
  dialog.append(document.createElement('button'));
  await settle();
  dialog.showModal();
  return dialog;
}

describe('a chat with the layout bubble', () => {
  beforeEach(() => setViewport({ width: 1000, height: 900 }));

  it('requests its code once while that cannot be loaded, and again when it is opened', async () => {
    const { load } = chatWindowModule;
    let requests = 0;
    chatWindowModule.load = () => {
      requests += 1;
      return Promise.reject(new UbikError('load-failed'));
    };
    try {
      const { chat, root, names, settle } = await setupWindow('bubble');
      for (let times = 0; times < 2; times += 1) {
        chat.requestUpdate();
        await settle();
      }
      expect([requests, names()]).to.deep.equal([1, ['ubik-error']]);
      expect(root.querySelector('.launcher')).to.equal(null);
      chatWindowModule.load = load;
      chat.toggle(true);
      await settle();
      expect(root.querySelector('.launcher')?.checkVisibility()).to.equal(true);
    } finally {
      chatWindowModule.load = load;
    }
  });

  it('shows a launcher, and connects to nothing until it is opened', async () => {
    let observations: ReturnType<typeof recordObservations> | undefined;
    const { chat, isOpen, launcher, pressLauncher } = await setupWindow('bubble', (each) => {
      observations = recordObservations({}, each.controller ? [each.controller] : []);
    });
    expect([isOpen(), launcher().ariaLabel, launcher().ariaExpanded]).to.deep.equal([
      false,
      'Open chat',
      'false',
    ]);
    expect(observations?.list()).to.deep.equal([]);
    const { right, bottom } = launcher().getBoundingClientRect();
    expect([right, bottom]).to.deep.equal([984, 884]);
    await pressLauncher();
    expect([isOpen(), chat.open, launcher().ariaExpanded]).to.deep.equal([true, true, 'true']);
    expect(observations?.list()).to.include('retained');
  });

  it('dispatches the open and close events, and moves the focus in and back to the launcher', async () => {
    const { dispatched, root, field, pressLauncher, keyIn, launcher, isOpen } =
      await setupWindow('bubble');
    await pressLauncher();
    expect(dispatched).to.deep.equal(NAMES.slice(0, 2));
    expect(root.activeElement === field).to.equal(true);
    await keyIn('Escape');
    expect(dispatched).to.deep.equal(NAMES);
    expect(isOpen()).to.equal(false);
    expect(root.activeElement === launcher()).to.equal(true);
  });

  it('stays closed when the host page cancels, and open when Escape was handled inside', async () => {
    const fixture = await setupWindow('bubble', (chat) => {
      chat.addEventListener('ubik-chat-open', (event) => event.preventDefault(), { once: true });
    });
    await fixture.pressLauncher();
    expect(fixture.isOpen()).to.equal(false);
    await fixture.pressLauncher();
    expect(fixture.isOpen()).to.equal(true);
    fixture.field.addEventListener('keydown', (event) => event.preventDefault(), { once: true });
    await fixture.keyIn('Escape', fixture.field);
    expect(fixture.isOpen()).to.equal(true);
  });

  it('stays open when Escape closes a dialog in it', async () => {
    const { chat, root, settle, isOpen } = await setupWindow('bubble');
    chat.open = true;
    await settle();
    const dialog = root.querySelector('.ubik')?.appendChild(document.createElement('dialog'));
    dialog?.showModal();
    expect(dialog && pressKey(dialog, 'Escape').defaultPrevented).to.equal(false);
    await settle();
    expect(isOpen()).to.equal(true);
    dialog?.remove();
  });

  for (const [name, prepare] of [
    [
      'of the chat',
      async ({ query, settle }) => {
        query('.scroller').focus();
        await settle();
        pressKey(query('.scroller'), '?');
        return query('dialog');
      },
    ],
    ['of the page in a slot', (fixture) => showSlottedDialog(fixture, 0)],
    ['of an element in a slot', (fixture) => showSlottedDialog(fixture, 1)],
    ['of an element in an element in a slot', (fixture) => showSlottedDialog(fixture, 2)],
  ] satisfies [
    string,
    (fixture: Awaited<ReturnType<typeof setupWindow>>) => Promise<HTMLElement>,
  ][]) {
    it(`closes the dialog ${name} with the window that the page closes, because a hidden dialog would stay modal`, async () => {
      const fixture = await setupWindow('bubble');
      const { chat, root, settle, launcher } = fixture;
      chat.open = true;
      await settle();
      const dialog = await prepare(fixture);
      expect(dialog.matches(':modal:focus-within')).to.equal(true);
      chat.open = false;
      await settle();
      await settle();
      expect(dialog.matches(':modal')).to.equal(false);
      expect(root.activeElement).to.equal(launcher());
    });
  }

  it('counts the answers that arrived while it was closed', async () => {
    const { chat, start, backend, launcher, settle, pressLauncher, root } =
      await setupWindow('bubble');
    chat.open = true;
    await settle();
    await start();
    chat.open = false;
    await settle();
    backend.stream.finish('complete');
    await settle();
    expect(root.querySelector('.badge')?.textContent).to.equal('1');
    expect(launcher().ariaLabel).to.equal('Open chat: 1 new answer');
    await pressLauncher();
    expect(root.querySelector('.badge')?.textContent).to.equal('');
  });

  it('counts an answer once that has paused or was interrupted, and goes on later', async () => {
    const { chat, controller, start, backend, settle, root } = await setupWindow('bubble');
    chat.open = true;
    await settle();
    await start();
    chat.open = false;
    await settle();
    const badge = (): string | undefined => root.querySelector('.badge')?.textContent;
    controller.detach();
    await settle();
    expect([controller.thread?.run.state, badge()]).to.deep.equal(['interrupted', '1']);
    void controller.rejoin();
    await settle();
    backend.stream.finish('waiting');
    await settle();
    expect([controller.thread?.run.state, badge()]).to.deep.equal(['waiting', '1']);
  });

  it('counts the answers of the connected controller, also those with the same keys as answers of another one', async () => {
    const { chat, controller, start, backend, settle, root } = await setupWindow('bubble');
    chat.open = true;
    await settle();
    await start();
    chat.open = false;
    await settle();
    const badge = (): string | undefined => root.querySelector('.badge')?.textContent;
    backend.stream.finish('complete');
    await settle();
    const counts = [badge()];
    const other = setupController();
    chat.controller = other.controller;
    await settle();
    counts.push(badge());
    void other.controller.send({ text: 'Question', attachments: [] });
    await other.environment.settle();
    other.backend.stream.begin();
    other.backend.stream.finish('complete');
    await other.environment.settle();
    await settle();
    counts.push(badge());
    expect(other.controller.thread?.head).to.equal(controller.thread?.head);
    expect(counts).to.deep.equal(['1', '', '1']);
    chat.open = true;
    await settle();
    chat.controller = controller;
    await settle();
    chat.open = false;
    await settle();
    expect(badge(), 'seen while the window was open').to.equal('');
  });

  it('counts up to nine answers, also failed ones, but none that the user has stopped', async () => {
    const { chat, controller, backend, launcher, settle, root } = await setupWindow('bubble');
    chat.open = true;
    await settle();
    const answer = async (end: 'complete' | 'failed' | 'stopped'): Promise<string> => {
      void controller.send({ text: 'Question', attachments: [] });
      await settle();
      backend.stream.begin();
      backend.stream.finish(end);
      await settle();
      return root.querySelector('.badge')?.textContent ?? '';
    };
    expect(await answer('complete'), 'open').to.equal('');
    chat.open = false;
    await settle();
    expect(await answer('stopped')).to.equal('');
    expect(await answer('failed')).to.equal('1');
    for (let count = 2; count < 10; count += 1) await answer('complete');
    expect(launcher().querySelector('.badge')?.textContent).to.equal('9');
    expect(await answer('complete')).to.equal('9+');
    expect(launcher().ariaLabel).to.equal('Open chat: 10 new answers');
  });

  it('is a dialog with a name, which is that of the chat if it has one', async () => {
    const { chat, query, settle, launcher } = await setupWindow('bubble');
    chat.open = true;
    await settle();
    const frame = query('.window');
    expect([frame.role, frame.ariaLabel, frame.tabIndex]).to.deep.equal([
      'dialog',
      'Conversation',
      -1,
    ]);
    expect(launcher().ariaLabel).to.equal('Close chat');
    expect(query('.window-close').title).to.equal('Close chat');
    chat.ariaLabel = 'Rivers';
    chat.requestUpdate();
    await settle();
    expect(frame.ariaLabel).to.equal('Rivers');
  });

  it('closes with Escape only while it is open, and keeps a focus outside', async () => {
    const { chat, launcher, settle, box, field, root, isOpen } = await setupWindow('bubble');
    expect(pressKey(launcher(), 'Escape').defaultPrevented, 'closed').to.equal(false);
    chat.open = true;
    await settle();
    expect(pressKey(field, 'a').defaultPrevented, 'another key').to.equal(false);
    const outside = box.appendChild(document.createElement('button'));
    outside.focus();
    chat.open = false;
    await settle();
    expect(document.activeElement).to.equal(outside);
    chat.open = true;
    await settle();
    expect(document.activeElement, 'opened by the page').to.equal(outside);
    field.focus();
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
      expect(pressKey(field, 'Escape', init).defaultPrevented, 'an input method').to.equal(false);
    }
    expect(pressKey(field, 'Escape').defaultPrevented).to.equal(true);
    await settle();
    expect([isOpen(), root.activeElement === launcher()]).to.deep.equal([false, true]);
  });

  it('stays open when Escape closes the drawer in it', async () => {
    const { chat, settle, isOpen, query, root } = await setupWindow('bubble', (element) => {
      const list = document.createElement('ubik-thread-list');
      list.slot = 'start';
      element.append(list);
      element.open = true;
    });
    await waitFor(() => root.querySelector('.side-toggle-start')?.checkVisibility());
    query('.side-toggle-start').click();
    expect(query('.side.start').classList.contains('open')).to.equal(true);
    pressKey(query('.side.start'), 'Escape');
    await settle();
    expect(query('.side.start').classList.contains('open')).to.equal(false);
    expect([chat.open, isOpen()]).to.deep.equal([true, true]);
    pressKey(query('.window'), 'Escape');
    await settle();
    expect(isOpen()).to.equal(false);
  });

  it('prefetches what renders an answer before it is opened, once', async () => {
    const own = lazyViews.prefetch.bind(lazyViews);
    let prefetched = 0;
    lazyViews.prefetch = () => {
      prefetched += 1;
      own();
    };
    try {
      const { launcher } = await setupWindow('bubble');
      expect(prefetched).to.equal(0);
      launcher().dispatchEvent(new PointerEvent('pointerenter'));
      expect(prefetched).to.equal(1);
      launcher().dispatchEvent(new PointerEvent('pointerenter'));
      launcher().focus();
      expect(prefetched).to.equal(1);
    } finally {
      Reflect.deleteProperty(lazyViews, 'prefetch');
    }
  });

  it('leaves nothing of the window when the layout is removed', async () => {
    const { chat, query, settle, field, root, launcher } = await setupWindow('');
    const sheets = [...root.adoptedStyleSheets];
    chat.open = true;
    chat.layout = 'bubble';
    await settle();
    expect(root.adoptedStyleSheets.length).to.be.above(sheets.length);
    pressKey(query('.window-size'), 'ArrowLeft');
    expect(query('.ubik').style.getPropertyValue('--_inline-size')).to.equal('416px');
    chat.layout = '';
    await settle();
    const names = ['role', 'aria-label', 'tabindex'];
    expect(names.map((name) => query('.ubik').hasAttribute(name))).to.deep.equal(
      names.map(() => false),
    );
    expect(pressKey(field, 'Escape').defaultPrevented).to.equal(false);
    expect(chat.open).to.equal(true);
    expect(query('.ubik').style.getPropertyValue('--_inline-size')).to.equal('');
    expect(root.adoptedStyleSheets).to.deep.equal(sheets);
    chat.layout = 'bubble';
    await settle();
    expect(launcher().isConnected, 'set again').to.equal(true);
  });

  it('moves the focus to its launcher when it becomes a closed window', async () => {
    const { chat, field, launcher, root, settle } = await setupWindow('');
    field.focus();
    chat.layout = 'bubble';
    await settle();
    expect(root.activeElement).to.equal(launcher());
  });

  it('keeps the focus on its launcher while it is open', async () => {
    const { chat, launcher, root, settle } = await setupWindow('bubble', (each) => {
      each.open = true;
    });
    launcher().focus();
    chat.requestUpdate();
    await settle();
    expect(root.activeElement).to.equal(launcher());
  });

  it('focuses itself instead of the field on a touch screen, whose keyboard would cover it', async () => {
    const own = window.matchMedia;
    window.matchMedia = (query) =>
      query === '(pointer: coarse)' ? ({ matches: true } as MediaQueryList) : own(query);
    try {
      const { pressLauncher, query, root } = await setupWindow('bubble');
      const frame = query('.window');
      const options: unknown[] = [];
      frame.focus = (given) => {
        options.push(given);
        HTMLElement.prototype.focus.call(frame, given);
      };
      await pressLauncher();
      expect(root.activeElement).to.equal(frame);
      expect(options).to.deep.equal([{ preventScroll: true }]);
    } finally {
      window.matchMedia = own;
    }
  });

  it('gives its launcher the accent, direction and language of the chat', async () => {
    const page = document.documentElement;
    const before = page.lang;
    page.lang = 'en';
    const { box, chat, launcher, settle } = await setupWindow('bubble');
    const outer = (): HTMLElement => launcher().parentElement as HTMLElement;
    expect([outer().hasAttribute('dir'), outer().hasAttribute('lang')]).to.deep.equal([
      false,
      false,
    ]);
    // A language that is written from right to left, for which the library has no strings.
    page.lang = 'he';
    (box as HTMLElement).style.accentColor = 'red';
    try {
      // A new theme makes the chat read the accent again, in the next frame. The launcher gets it with the update after that.
      chat.theme = 'light';
      await settle();
      chat.requestUpdate();
      await settle();
      expect([outer().dir, outer().lang]).to.deep.equal(['rtl', 'en']);
      expect(outer().style.getPropertyValue('--_page-accent')).to.equal('rgb(255, 0, 0)');
      (box as HTMLElement).style.accentColor = '';
      chat.theme = 'dark';
      await settle();
      chat.requestUpdate();
      await settle();
      expect(outer().style.getPropertyValue('--_page-accent')).to.equal('');
    } finally {
      page.lang = before;
    }
  });

  it('opens and closes within 150 ms, without an animation for users who prefer none', async () => {
    const durations = (node: Element): number[] =>
      node.getAnimations().map((animation) => Number(animation.effect?.getTiming().duration));
    const { chat, query, settle } = await setupWindow('bubble');
    for (const motion of ['reduce', 'no-preference'] as const) {
      await emulateMedia({ reducedMotion: motion });
      for (const open of [true, false]) {
        chat.open = open;
        await chat.updateComplete;
        const found = durations(query('.window'));
        expect(found.length > 0, `${motion} ${String(open)}`).to.equal(motion !== 'reduce');
        expect(found.every((duration) => duration <= 150)).to.equal(true);
      }
    }
    await emulateMedia({ reducedMotion: 'reduce' });
    await settle();
  });

  it('is printed while it is open, without its title bar', async () => {
    const { chat, query, settle, start } = await setupWindow('bubble');
    chat.open = true;
    await settle();
    await start();
    const isShown = (name: string): boolean => query(name).checkVisibility();
    await emulateMedia({ media: 'print', reducedMotion: 'reduce' });
    try {
      expect(['.message', '.window-head', '.launcher'].map(isShown)).to.deep.equal([
        true,
        false,
        false,
      ]);
      chat.open = false;
      await settle();
      expect(isShown('.message')).to.equal(false);
    } finally {
      await emulateMedia({ media: 'screen', reducedMotion: 'reduce' });
    }
  });

  it('has a logo, its name and the status of the agent in its title bar', async () => {
    const { chat, query, settle, start, text } = await setupWindow('bubble', (chat) => {
      const logo = document.createElement('img');
      logo.slot = 'logo';
      chat.append(logo);
      chat.ariaLabel = 'River analyst';
    });
    chat.open = true;
    await settle();
    const slot = query<HTMLSlotElement>('.window-head slot[name=logo]');
    expect(slot.assignedElements()).to.deep.equal([...chat.querySelectorAll('img')]);
    expect(text('.window-head')).to.equal('River analyst');
    await start();
    await settle();
    expect(text('.window-head')).to.equal('River analyst Working…');
  });

  it('is resized by keyboard, and stores the size', async () => {
    const { chat, query, keyIn, size, settle, controller } = await setupWindow('bubble');
    chat.open = true;
    await settle();
    expect(size()).to.deep.equal([400, 640]);
    expect(query('.window-size').ariaValueNow).to.equal('400');
    const back = pressKey(query('.window-size'), 'ArrowLeft', { altKey: true });
    expect([back.defaultPrevented, ...size()], 'a key of the browser').to.deep.equal([
      false,
      400,
      640,
    ]);
    await keyIn('ArrowLeft', query('.window-size'));
    await keyIn('ArrowDown', query('.window-size'));
    expect(size()).to.deep.equal([416, 624]);
    expect(await controller.storage.get('window-bubble')).to.deep.equal({
      inline: 416,
      block: 624,
    });
    chat.dir = 'rtl';
    await keyIn('ArrowRight', query('.window-size'));
    expect(size()).to.deep.equal([432, 624]);
  });

  it('is resized by its handle, down to a minimum size, and stores the size at the end', async () => {
    const { chat, query, size, settle, controller, drag } = await setupWindow('bubble');
    chat.open = true;
    await settle();
    const handle = query('.window-size');
    await drag(-30, 50);
    expect(size()).to.deep.equal([430, 590]);
    expect([handle.ariaValueMin, handle.ariaValueMax, handle.ariaValueNow]).to.deep.equal([
      '280',
      '1000',
      '430',
    ]);
    expect(await controller.storage.get('window-bubble')).to.deep.equal({
      inline: 430,
      block: 590,
    });
    await drag(300, 500);
    expect(size()).to.deep.equal([280, 320]);
    await resetMouse();
    expect([handle.role, handle.tabIndex, handle.ariaOrientation]).to.deep.equal([
      'separator',
      0,
      'vertical',
    ]);
    expect([handle.ariaLabel, handle.title].every(Boolean)).to.equal(true);
  });

  it('is resized in the other direction in a right-to-left chat, by its handle and by the keys', async () => {
    const { drag, keyIn, query, size, settle } = await setupWindow('bubble', (each) => {
      each.dir = 'rtl';
      each.open = true;
    });
    await settle();
    await drag(30, -10);
    await resetMouse();
    expect(size()).to.deep.equal([430, 650]);
    await keyIn('ArrowLeft', query('.window-size'));
    await keyIn('ArrowUp', query('.window-size'));
    expect(size()).to.deep.equal([414, 666]);
  });

  it('has the current width and range as values of its handle when that gets the focus, without a controller, too', async () => {
    const { chat, query, settle } = await setupWindow('bubble', (each) => {
      each.controller = null;
      each.open = true;
    });
    const handle = query('.window-size');
    const valuesOnFocus = (): (string | null)[] => {
      handle.blur();
      handle.focus();
      return [handle.ariaValueMin, handle.ariaValueMax, handle.ariaValueNow];
    };
    expect(valuesOnFocus()).to.deep.equal(['280', '1000', '400']);
    for (let presses = 0; presses < 20; presses += 1) pressKey(handle, 'ArrowLeft');
    expect(handle.ariaValueNow).to.equal('720');
    await setViewport({ width: 600, height: 900 });
    await settle();
    expect(valuesOnFocus(), 'the viewport is narrower').to.deep.equal(['280', '600', '568']);
    const { offsetWidth } = Object.getOwnPropertyDescriptors(HTMLElement.prototype);
    let reads = 0;
    Object.defineProperty(query('.window'), 'offsetWidth', {
      configurable: true,
      get() {
        reads += 1;
        return offsetWidth.get?.call(this) as number;
      },
    });
    chat.requestUpdate();
    await settle();
    expect(reads, 'with an update').to.equal(0);
  });

  it('ignores other keys on its handle', async () => {
    const { chat, query, size, settle } = await setupWindow('bubble');
    chat.open = true;
    await settle();
    expect(pressKey(query('.window-size'), 'ArrowUp').defaultPrevented).to.equal(true);
    expect(pressKey(query('.window-size'), 'a').defaultPrevented).to.equal(false);
    expect(size()).to.deep.equal([400, 656]);
  });

  it('has a launcher with an icon', async () => {
    const { launcher } = await setupWindow('bubble');
    const icon = launcher().querySelector('svg');
    expect(icon?.getAttribute('viewBox')).to.equal('0 0 24 24');
    expect(icon?.getAttribute('aria-hidden')).to.equal('true');
    expect(icon?.querySelector('path')?.getAttribute('d')).to.match(/^M/);
    expect(launcher().querySelector('.badge')?.ariaHidden).to.equal('true');
    expect([launcher().type, launcher().ariaHasPopup]).to.deep.equal(['button', 'dialog']);
    expect(launcher().part.contains('launcher')).to.equal(true);
  });

  it('restores the stored size, and uses the default for an invalid one', async () => {
    for (const [stored, width] of [
      [{ inline: 500, block: 'tall' }, 500],
      [{ inline: 280 }, 280],
      [{ inline: 279 }, 400],
      [{ inline: 10_000 }, 400],
      ['large', 400],
    ] as const) {
      const { size, settle } = await setupWindow('bubble', (chat) => {
        chat.controller?.storage.set('window-bubble', stored);
        chat.open = true;
      });
      await settle();
      expect(size()).to.deep.equal([width, 640]);
    }
  });

  it('fills the viewport of a phone', async () => {
    await setViewport({ width: 390, height: 800 });
    const { chat, size, settle, launcher, root } = await setupWindow('bubble');
    chat.open = true;
    await settle();
    expect(size()).to.deep.equal([390, 800]);
    expect(launcher().checkVisibility()).to.equal(false);
    root.querySelector<HTMLElement>('.window-close')?.click();
    await settle();
    expect(launcher().checkVisibility()).to.equal(true);
  });

  it('keeps what covers it out of the safe areas of a phone', async () => {
    await setViewport({ width: 390, height: 800 });
    const { chat, panel, query, root } = await setupCitation(
      () => PASSAGE,
      'It is long.',
      (each) => {
        each.layout = 'bubble';
        each.open = true;
        each.appendChild(document.createElement('div')).slot = 'end';
      },
    );
    // The window of a test has no safe areas.
    root.adoptedStyleSheets = root.adoptedStyleSheets.map((sheet) => {
      const text = [...sheet.cssRules].map(({ cssText }) => cssText).join('');
      const copy = new CSSStyleSheet();
      copy.replaceSync(
        text.replace(/env\(safe-area-inset-(\w+)\)/g, (_, edge: string) => INSETS[edge] ?? ''),
      );
      return copy;
    });
    const isInside = (node: Element | null): boolean => {
      const { left, top, right, bottom } = node?.getBoundingClientRect() ?? new DOMRect();
      return left >= 13 && top >= 59 && right <= 390 - 11 && bottom <= 800 - 34;
    };
    expect(isInside(panel().querySelector('.details')), 'passage').to.equal(true);
    panel().querySelector<HTMLElement>('.head button')?.click();
    query('.side-toggle-end').click();
    expect([isInside(query('.side-close')), query('.side.end').clientHeight]).to.deep.equal([
      true,
      800,
    ]);
    expect(isInside(chat.querySelector('[slot=end]'))).to.equal(true);
  });

  it('reads the stored size once after each change of the layout', async () => {
    const reads: string[] = [];
    const { chat, query, size, settle } = await setupWindow('bubble', (each) => {
      const { storage } = each.controller ?? {};
      if (!storage) throw new Error('There is no controller.');
      storage.set('window-bubble', { inline: 440, block: 700 });
      storage.set('window-panel', { inline: 520 });
      const get = storage.get.bind(storage);
      storage.get = (name) => {
        if (name.startsWith('window-')) reads.push(name);
        return get(name);
      };
      each.open = true;
    });
    await settle();
    expect(size()).to.deep.equal([440, 700]);
    chat.requestUpdate();
    await settle();
    expect(reads).to.deep.equal(['window-bubble']);
    chat.layout = 'panel';
    await settle();
    await settle();
    expect([size()[0], reads.length]).to.deep.equal([520, 2]);
    chat.open = false;
    await settle();
    chat.layout = 'bubble';
    await settle();
    await settle();
    expect(query('.window').style.getPropertyValue('--_inline-size'), 'closed').to.equal('440px');
    expect(reads).to.deep.equal(['window-bubble', 'window-panel', 'window-bubble']);
  });

  for (const layout of ['', 'panel'] as const) {
    it(`does not restore its size when the layout is ${layout ? 'changed' : 'removed'} while the size is being read`, async () => {
      const held = new Deferred<undefined>();
      const { chat, root, settle } = await setupWindow('bubble', (each) => {
        const { storage } = each.controller ?? {};
        if (!storage) throw new Error('There is no controller.');
        storage.set('window-bubble', { inline: 440, block: 700 });
        const get = storage.get.bind(storage);
        storage.get = async (name) => {
          if (name === 'window-bubble') await held.promise;
          return get(name);
        };
        each.open = true;
      });
      chat.layout = layout;
      await settle();
      held.resolve(undefined);
      await settle();
      const { style } = root.querySelector<HTMLElement>('.ubik') ?? chat;
      expect(style.getPropertyValue('--_inline-size')).to.equal('');
    });
  }

  it('is not created for a layout that is removed at once', async () => {
    const { chat, root, settle } = await setupWindow('');
    chat.layout = 'bubble';
    await chat.updateComplete;
    chat.layout = '';
    await settle();
    await settle();
    expect(root.querySelector('.launcher')).to.equal(null);
  });

  it('reports that its window was opened or closed only while it has this layout', async () => {
    const { chat, dispatched, settle } = await setupWindow('');
    chat.toggle(true);
    await settle();
    expect([chat.open, dispatched]).to.deep.equal([true, []]);
    chat.layout = 'bubble';
    await settle();
    expect(dispatched).to.deep.equal(['ubik-chat-opened']);
    chat.layout = '';
    await settle();
    chat.toggle(false);
    await settle();
    expect(dispatched).to.deep.equal(['ubik-chat-opened', 'ubik-chat-closed']);
  });

  it('becomes inline when the layout is removed', async () => {
    const { chat, root, settle } = await setupWindow('bubble');
    chat.layout = '';
    await settle();
    expect(root.querySelector('.launcher, .window, .window-head, .window-size')).to.equal(null);
    expect(chat.getBoundingClientRect().height).to.equal(640);
    expect(chat.shadowRoot?.querySelector('.ubik')?.getAttribute('role')).to.equal(null);
  });
});

describe('a chat with the layout panel', () => {
  const margin = (): string => document.documentElement.style.marginInlineEnd;

  it('covers the page, or moves it aside when push is set and the page is wide', async () => {
    await setViewport({ width: 1200, height: 900 });
    const { chat, keyIn, query, settle, size } = await setupWindow('panel');
    chat.open = true;
    await settle();
    expect(size()).to.deep.equal([416, 900]);
    expect(margin()).to.equal('');
    chat.push = true;
    await settle();
    expect(margin()).to.equal('416px');
    await keyIn('ArrowLeft', query('.window-size'));
    await nextFrame();
    expect(size()[0]).to.equal(432);
    expect(margin()).to.equal('432px');
    await setViewport({ width: 800, height: 900 });
    await settle();
    expect(margin()).to.equal('');
    await setViewport({ width: 1200, height: 900 });
    await settle();
    const parent = chat.parentElement;
    chat.remove();
    expect(margin()).to.equal('');
    chat.requestUpdate();
    await settle();
    expect(margin(), 'rendered while it is removed').to.equal('');
    parent?.append(chat);
    await settle();
    expect(margin(), 'added again').to.equal('432px');
    chat.remove();
  });

  it('is resized by its handle in width only', async () => {
    await setViewport({ width: 1200, height: 900 });
    const { controller, drag, settle, size } = await setupWindow('panel', (each) => {
      each.open = true;
    });
    await settle();
    await drag(-24, 50);
    await resetMouse();
    expect(size()).to.deep.equal([440, 900]);
    expect(await controller.storage.get('window-panel')).to.deep.equal({ inline: 440 });
  });

  it('does not change the margin of the page while it does not move the page aside', async () => {
    await setViewport({ width: 1200, height: 900 });
    const { style } = document.documentElement;
    style.marginInlineEnd = '7px';
    try {
      const { chat, drag, settle } = await setupWindow('panel', (each) => (each.open = true));
      await settle();
      chat.requestUpdate();
      await settle();
      expect(margin()).to.equal('7px');
      chat.push = true;
      await settle();
      expect(margin()).to.equal('416px');
      chat.push = false;
      await settle();
      expect(margin()).to.equal('7px');
      await drag(-20, 0);
      await resetMouse();
      await nextFrame();
      await nextFrame();
      expect(margin(), 'resized').to.equal('7px');
    } finally {
      style.marginInlineEnd = '';
    }
  });

  it('keeps the page moved aside by the wider panel of two until both are closed', async () => {
    await setViewport({ width: 1200, height: 900 });
    const { style } = document.documentElement;
    style.marginInlineEnd = '7px';
    try {
      const prepare = (each: UbikChat): void => {
        each.open = true;
        each.push = true;
      };
      const first = await setupWindow('panel', prepare);
      const second = await setupWindow('panel', prepare);
      await second.keyIn('ArrowLeft', second.query('.window-size'));
      await nextFrame();
      expect(margin()).to.equal('432px');
      second.chat.open = false;
      await second.settle();
      expect(margin(), 'the wider one is closed').to.equal('416px');
      first.chat.remove();
      expect(margin(), 'the other one is removed').to.equal('7px');
    } finally {
      style.marginInlineEnd = '';
    }
  });

  it('moves the page aside only while the panel is open, and observes the width of the page only then', async () => {
    await setViewport({ width: 1200, height: 900 });
    const queries = new Set<unknown>();
    const { prototype } = MediaQueryList;
    const own = {
      addEventListener: prototype.addEventListener,
      removeEventListener: prototype.removeEventListener,
    };
    prototype.addEventListener = function (...args: [string, never]) {
      queries.add(args[1]);
      own.addEventListener.apply(this, args);
    };
    prototype.removeEventListener = function (...args: [string, never]) {
      queries.delete(args[1]);
      own.removeEventListener.apply(this, args);
    };
    try {
      const { chat, settle, query } = await setupWindow('panel', (each) => {
        each.open = true;
        each.push = true;
      });
      await settle();
      expect(margin(), 'open from the start').to.equal('416px');
      expect(pressKey(query('.window-size'), 'ArrowUp').defaultPrevented).to.equal(false);
      const { size } = queries;
      chat.open = false;
      await settle();
      expect(margin(), 'closed').to.equal('');
      expect(queries.size).to.be.below(size);
      chat.layout = 'bubble';
      chat.open = true;
      await settle();
      expect(margin(), 'a bubble').to.equal('');
      chat.layout = 'panel';
      await settle();
      expect(margin()).to.match(/^\d+px$/);
      chat.layout = '';
      await settle();
      expect(margin(), 'inline').to.equal('');
      chat.remove();
      expect(queries.size, 'removed').to.equal(0);
    } finally {
      Object.assign(prototype, own);
    }
  });
});
