import { expect, fixture, html } from '@open-wc/testing';
import { waitFor } from '../helpers/wait-for.js';
import { defineElement } from '../../src/elements/define-element.js';
import { UbikChat } from '../../src/elements/ubik-chat.js';
import { showBubblePlaceholders } from '../../src/elements/window/bubble-placeholder.js';
import { ScriptedBackend } from '../controller/scripted-backend.js';

/** Returns the launcher and the empty window of a placeholder. */
function findPlaceholder(chat: Element | null): {
  readonly button: HTMLButtonElement;
  readonly frame: HTMLElement;
} {
  const root = chat?.shadowRoot?.querySelector('div')?.shadowRoot;
  const button = root?.querySelector('button');
  const frame = root?.querySelector<HTMLElement>('.window');
  if (!button || !frame) throw new Error('The chat has no placeholder.');
  return { button, frame };
}

/** Returns the label of the placeholder's launcher, with the direction and language of its host. */
function readPlaceholder(chat: Element | null): {
  readonly name: string;
  readonly dir: string;
  readonly lang: string;
} {
  const host = chat?.shadowRoot?.querySelector<HTMLElement>('div');
  const button = host?.shadowRoot?.querySelector('button');
  if (!host || !button) throw new Error('The chat has no placeholder.');
  return { name: button.ariaLabel ?? '', dir: host.dir, lang: host.lang };
}

/** Renders the placeholder of a chat inside an element with this language and direction. */
async function renderPlaceholder(box: {
  lang: string;
  dir?: string;
}): Promise<ReturnType<typeof readPlaceholder>> {
  const page = await fixture(html`<div></div>`);
  Object.assign(page, box);
  page.innerHTML = '<ubik-chat layout="bubble"></ubik-chat>';
  showBubblePlaceholders(() => new Promise(() => undefined));
  return readPlaceholder(page.firstElementChild);
}

describe('the placeholder of a bubble', () => {
  it('uses the language of the enclosing element', async () => {
    expect(await renderPlaceholder({ lang: 'de-AT' })).to.deep.equal({
      name: 'Chat öffnen',
      dir: '',
      lang: '',
    });
  });

  it('falls back to English for Traditional Chinese instead of Simplified Chinese', async () => {
    expect((await renderPlaceholder({ lang: 'zh-CN' })).name).to.equal('打开聊天');
    expect((await renderPlaceholder({ lang: 'zh-TW' })).name).to.equal('Open chat');
  });

  it('has the direction of a right-to-left language, also of one without strings', async () => {
    expect((await renderPlaceholder({ lang: 'ar' })).dir).to.equal('rtl');
    expect(await renderPlaceholder({ lang: 'he' })).to.deep.equal({
      name: 'Open chat',
      dir: 'rtl',
      lang: 'en',
    });
  });

  it('shows that the chat is loading, then the error; the next click or hover retries', async () => {
    const page = await fixture(html`<div></div>`);
    page.innerHTML = '<ubik-chat layout="bubble"></ubik-chat>';
    let attempts = 0;
    let fail = (): void => undefined;
    showBubblePlaceholders(() => {
      attempts += 1;
      return new Promise((_resolve, reject) => {
        fail = () => reject(new Error('down'));
      });
    });
    const root = page.firstElementChild?.shadowRoot?.firstElementChild?.shadowRoot;
    const button = root?.querySelector('button');
    const status = (): string =>
      root?.querySelector('[role=status]:not([hidden])')?.textContent ?? '';
    button?.click();
    expect(status()).to.equal('Loading…');
    fail();
    await new Promise((resolve) => setTimeout(resolve));
    expect(status()).to.contain('could not be loaded');
    expect(attempts).to.equal(1);
    button?.click();
    button?.click();
    expect(attempts).to.equal(2);
    expect(status()).to.equal('Loading…');
    fail();
    await new Promise((resolve) => setTimeout(resolve));
    expect(status()).to.contain('could not be loaded');
    button?.dispatchEvent(new PointerEvent('pointerenter'));
    expect(attempts, 'hovered').to.equal(3);
    expect(status()).to.equal('Loading…');
  });

  it('loads an open chat at once, and is opened and closed by its button', async () => {
    const page = await fixture(html`<div></div>`);
    page.innerHTML = '<ubik-chat layout="bubble" open aria-label="Ask Ann"></ubik-chat>';
    let attempts = 0;
    showBubblePlaceholders(() => {
      attempts += 1;
      return new Promise(() => undefined);
    });
    expect(attempts).to.equal(1);
    const chat = page.firstElementChild as HTMLElement;
    const { button, frame } = findPlaceholder(chat);
    const state = () => [chat.hasAttribute('open'), button.ariaExpanded, !frame.hidden];
    expect(state()).to.deep.equal([true, 'true', true]);
    expect([frame.textContent, button.ariaLabel, frame.role]).to.deep.equal([
      'Loading…',
      'Ask Ann',
      'status',
    ]);
    button.click();
    expect(state()).to.deep.equal([false, 'false', false]);
    button.click();
    expect(state()).to.deep.equal([true, 'true', true]);
    // WebKit applies the style sheet in a later task.
    await waitFor(() => getComputedStyle(button).position === 'fixed');
    expect(button.offsetWidth).to.be.within(40, 80);
  });

  const openings: readonly (readonly [string, (chat: HTMLElement) => void])[] = [
    ['attribute', (chat) => chat.setAttribute('open', '')],
    ['property', (chat) => Object.assign(chat, { open: true })],
  ];
  for (const [name, open] of openings) {
    for (const isEarly of [true, false]) {
      it(`is opened and loads the chat when the page sets the ${name} ${isEarly ? 'before' : 'after'} the script`, async () => {
        const page = await fixture(html`<div></div>`);
        page.innerHTML = '<ubik-chat layout="bubble"></ubik-chat>';
        const chat = page.firstElementChild as HTMLElement;
        let attempts = 0;
        if (isEarly) open(chat);
        showBubblePlaceholders(() => {
          attempts += 1;
          return new Promise(() => undefined);
        });
        if (!isEarly) open(chat);
        await Promise.resolve();
        const { button, frame } = findPlaceholder(chat);
        const state = (): unknown[] => [
          chat.hasAttribute('open'),
          Reflect.get(chat, 'open'),
          !frame.hidden,
        ];
        expect([...state(), button.ariaExpanded, attempts]).to.deep.equal([
          ...[true, true, true],
          ...['true', 1],
        ]);
        button.click();
        expect(state()).to.deep.equal([false, false, false]);
        expect(attempts).to.equal(1);
      });
    }
  }

  it('shows the error when the loaded script has not defined the element', async () => {
    const page = await fixture(html`<div></div>`);
    page.innerHTML = '<ubik-chat layout="bubble" open></ubik-chat>';
    showBubblePlaceholders(() => Promise.resolve());
    await new Promise((resolve) => setTimeout(resolve));
    const { frame } = findPlaceholder(page.firstElementChild);
    expect(frame.textContent).to.contain('could not be loaded');
  });

  it('is not opened or closed when the host page cancels the event', async () => {
    const page = await fixture(html`<div></div>`);
    page.innerHTML = '<ubik-chat layout="bubble"></ubik-chat>';
    showBubblePlaceholders(() => new Promise(() => undefined));
    const chat = page.firstElementChild as UbikChat;
    const { button } = findPlaceholder(chat);
    const asked: string[] = [];
    let isCancelled = true;
    for (const name of ['ubik-chat-open', 'ubik-chat-close'] as const)
      page.addEventListener(name, (event) => {
        asked.push(name);
        if (isCancelled) event.preventDefault();
      });
    button.click();
    expect(chat.hasAttribute('open')).to.equal(false);
    isCancelled = false;
    button.click();
    expect(chat.hasAttribute('open')).to.equal(true);
    isCancelled = true;
    button.click();
    expect(chat.hasAttribute('open')).to.equal(true);
    expect(asked).to.deep.equal(['ubik-chat-open', 'ubik-chat-open', 'ubik-chat-close']);
  });

  it('is shown once in each bubble, also in later ones, and in no other element', async () => {
    const page = await fixture(html`<div></div>`);
    let attempts = 0;
    showBubblePlaceholders(() => {
      attempts += 1;
      return new Promise(() => undefined);
    });
    page.innerHTML = `<section><ubik-chat layout="bubble"></ubik-chat></section>
      <ubik-chat layout="panel"></ubik-chat><ubik-chat></ubik-chat>`;
    const changed = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
    await changed();
    const [bubble, ...others] = [...page.querySelectorAll('ubik-chat')];
    expect(others.map(({ shadowRoot }) => shadowRoot)).to.deep.equal([null, null]);
    const count = bubble?.shadowRoot?.childElementCount;
    expect(count).to.be.above(0);
    page.append(document.createElement('p'));
    await changed();
    expect(bubble?.shadowRoot?.childElementCount).to.equal(count);
    expect(attempts, 'before hover, focus or touch').to.equal(0);
  });

  it('has the accent colour of the chat', async () => {
    const accents: string[] = [];
    for (const style of [
      '--ubik-accent: green; accent-color: red',
      'accent-color: red',
      'accent-color: auto',
      '',
    ]) {
      const page = await fixture(html`<div></div>`);
      page.innerHTML = `<ubik-chat layout="bubble" style="${style}"></ubik-chat>`;
      showBubblePlaceholders(() => new Promise(() => undefined));
      const { button } = findPlaceholder(page.firstElementChild);
      accents.push(button.parentElement?.style.getPropertyValue('--_accent') ?? '');
    }
    expect(accents).to.deep.equal(['green', 'rgb(255, 0, 0)', '', '']);
  });

  it('sets no direction when the host page declares one', async () => {
    expect((await renderPlaceholder({ lang: 'ar', dir: 'ltr' })).dir).to.equal('');
  });
});

describe('a bubble that has loaded', () => {
  it('replaces its placeholder, whose focus moves to the launcher, or into the window when it is open', async () => {
    const page = await fixture(html`<div></div>`);
    showBubblePlaceholders(() => new Promise(() => undefined));
    const make = (): UbikChat => {
      const chat = document.createElement('ubik-chat');
      chat.setAttribute('layout', 'bubble');
      Object.assign(chat, { backend: new ScriptedBackend(() => 0) });
      return chat;
    };
    const [closed, opened, onTouchScreen, unfocused] = [make(), make(), make(), make()];
    page.append(closed, opened, onTouchScreen, unfocused);
    opened.setAttribute('open', '');
    onTouchScreen.setAttribute('open', '');
    await new Promise((resolve) => setTimeout(resolve));
    // Removed chats are upgraded when they are connected again.
    opened.remove();
    onTouchScreen.remove();
    findPlaceholder(closed).button.focus();
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => void warnings.push(text);
    const rootOf = (chat: UbikChat): ShadowRoot => chat.shadowRoot as ShadowRoot;
    /** Waits until a chat has rendered its own launcher, and checks that it has removed its placeholder. */
    const whenReplaced = async (chat: UbikChat): Promise<void> => {
      while (!rootOf(chat).querySelector('.launcher')) {
        await new Promise(requestAnimationFrame);
      }
      await new Promise((resolve) => setTimeout(resolve));
      const hosts = [...rootOf(chat).children].filter(({ shadowRoot }) => shadowRoot);
      expect(hosts).to.deep.equal([]);
    };
    try {
      defineElement('ubik-chat', UbikChat);
      await whenReplaced(closed);
      expect(rootOf(closed).activeElement).to.equal(rootOf(closed).querySelector('.launcher'));
      await whenReplaced(unfocused);
      expect(rootOf(unfocused).activeElement).to.equal(null);
      page.append(opened);
      findPlaceholder(opened).button.focus();
      await whenReplaced(opened);
      expect(rootOf(opened).activeElement?.localName).to.equal('textarea');
      const { matchMedia } = window;
      window.matchMedia = (query) =>
        query === '(pointer: coarse)' ? ({ matches: true } as MediaQueryList) : matchMedia(query);
      try {
        page.append(onTouchScreen);
        findPlaceholder(onTouchScreen).button.focus();
        await whenReplaced(onTouchScreen);
        expect(rootOf(onTouchScreen).activeElement?.classList.contains('window')).to.equal(true);
      } finally {
        window.matchMedia = matchMedia;
      }
      expect(warnings.filter((text) => text.includes('other code'))).to.deep.equal([]);
    } finally {
      console.warn = warn;
    }
  });
});
