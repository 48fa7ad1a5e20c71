import { findPlaceholderStrings, hasPlaceholderStrings } from '../../locales/placeholder.js';
import { isRightToLeft } from '../../locales/tag.js';
import { hasDirection, findLanguage, findContentLanguage } from '../../dom/language.js';
import { registerSizeUnit, sizeUnit } from '../styles/size-unit.js';
import { Launcher } from './launcher.js';
import { frameCss, launcherCss } from './window-css.js';
import { addSheets } from '../../dom/sheets.js';
import { warnOnce } from '../../dom/warn-once.js';

/** Chats that have nothing but their tag yet. */
const WAITING = 'ubik-chat[layout="bubble"]:not(:defined)';

const CSS = `
${frameCss}
${launcherCss}
.box { all: initial; -webkit-locale: revert-layer; display: contents; color-scheme: inherit; font-family: inherit; font-size: inherit; --_ubik-rem: ${sizeUnit}; }
.launcher, .window { z-index: var(--ubik-z-index, 2147483000); direction: inherit; }
.window {
  display: grid;
  place-items: center;
  background: var(--ubik-background, Canvas);
  color: var(--ubik-text, CanvasText);
  color-scheme: inherit;
  font: calc(0.9375 * var(--_ubik-rem)) system-ui, sans-serif;
}
.window[hidden] { display: none; }
`;

/** Stands in for the chats of a page until what they are made of has been fetched, also for those that are put in later. */
export function watchBubbles(load: () => Promise<unknown>): void {
  const known = new WeakSet<Element>();
  const look = (): void => {
    for (const chat of document.querySelectorAll<HTMLElement>(WAITING)) {
      if (known.has(chat)) continue;
      known.add(chat);
      showPlaceholder(chat, load);
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
  look();
  void customElements.whenDefined('ubik-chat').then((element) => {
    observer.disconnect();
    if (!('ubikVersion' in element))
      warnOnce('<ubik-chat> was defined already, by somebody else: no chat can be shown.');
  });
}

/** What is drawn in place of a chat. */
interface Placeholder {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  readonly launcher: Launcher;
  readonly frame: HTMLElement;
}

/** Puts a button and an empty window into a chat. */
function createPlaceholder(chat: HTMLElement): Placeholder {
  registerSizeUnit(chat.ownerDocument);
  // In a shadow tree of the chat, so that what the page wrote into it for the case of a failure stays out of sight.
  const outer = chat.shadowRoot ?? chat.attachShadow({ mode: 'open' });
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  addSheets(root, [{ cssText: CSS }]);
  const launcher = new Launcher();
  const frame = document.createElement('div');
  frame.className = 'window';
  frame.role = 'status';
  const box = document.createElement('div');
  box.className = 'box';
  // The page's accent is no value that a style sheet could read.
  const style = getComputedStyle(chat);
  const accent = style.getPropertyValue('--ubik-accent') || style.accentColor;
  if (accent && accent !== 'auto') box.style.setProperty('--_accent', accent);
  box.append(frame, launcher.node);
  root.append(box);
  outer.append(host);
  return { host, root, launcher, frame };
}

/** Draws the button of a chat, and an empty window when it was pressed; goes when the chat draws its own. */
function showPlaceholder(chat: HTMLElement, load: () => Promise<unknown>): void {
  const { host, root, launcher, frame } = createPlaceholder(chat);
  const language = findLanguage(chat);
  const words = findPlaceholderStrings(language);
  const spoken = hasPlaceholderStrings(language) ? language : 'en';
  if (spoken !== findContentLanguage(chat)) host.lang = spoken;
  if (isRightToLeft(language) && !hasDirection(chat)) host.dir = 'rtl';
  let hasFailed = false;
  const draw = (): void => {
    const open = chat.hasAttribute('open');
    launcher.update(chat.ariaLabel ?? words.open, open);
    frame.hidden = !open;
    frame.textContent = hasFailed ? words.failed : words.loading;
  };
  /** A press after a failure tries again. */
  const fetchChat = (): void => {
    hasFailed = false;
    load().catch(() => {
      hasFailed = true;
      draw();
      launcher.onIntent(fetchChat);
    });
  };
  launcher.onIntent(fetchChat);
  launcher.node.addEventListener('click', () => {
    chat.toggleAttribute('open');
    draw();
  });
  if (chat.hasAttribute('open')) fetchChat();
  draw();
  void customElements.whenDefined('ubik-chat').then(() => {
    handOver(chat, host, root);
  });
}

/** Once the chat has its own button at the same place: the keyboard stays where it was. */
function handOver(chat: HTMLElement, host: HTMLElement, root: ShadowRoot): void {
  const outer = chat.shadowRoot as ShadowRoot;
  const look = (): void => {
    const own = outer.querySelector<HTMLElement>('.launcher');
    if (!own) return;
    observer.disconnect();
    const hadFocus = root.activeElement !== null;
    host.remove();
    if (!hadFocus) return;
    // A keyboard on the screen would cover what the person wants to read first.
    const isTouched = matchMedia('(pointer: coarse)').matches;
    const box = isTouched ? outer.querySelector<HTMLElement>('.window') : chat;
    if (chat.hasAttribute('open')) box?.focus({ preventScroll: true });
    else own.focus();
  };
  const observer = new MutationObserver(look);
  observer.observe(outer, { childList: true });
  look();
}
