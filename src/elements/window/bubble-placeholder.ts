import { UbikChatCloseEvent, UbikChatOpenEvent } from '../../events/index.js';
import { findBubbleStrings, hasBubbleStrings } from '../../locales/bubble-strings.js';
import { isRightToLeft } from '../../locales/tag.js';
import { hasDirection, findLanguage, findContentLanguage } from '../../dom/language.js';
import { registerSizeUnit, sizeUnit } from '../styles/size-unit.js';
import { Launcher } from './launcher.js';
import { frameCss, launcherCss } from './window-css.js';
import { addSheets } from '../../dom/sheets.js';
import { warnOnce } from '../../dom/warn-once.js';

/** Selector of bubbles that are not upgraded yet. */
const UNDEFINED_BUBBLES = 'ubik-chat[layout="bubble"]:not(:defined)';

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

/** Renders a placeholder into each bubble of the page, including later ones, until `load` has defined the element. */
export function showBubblePlaceholders(load: () => Promise<unknown>): void {
  const shown = new WeakSet<Element>();
  const showAll = (): void => {
    for (const chat of document.querySelectorAll<HTMLElement>(UNDEFINED_BUBBLES)) {
      if (shown.has(chat)) continue;
      shown.add(chat);
      showPlaceholder(chat, load);
    }
  };
  const observer = new MutationObserver(showAll);
  observer.observe(document, { childList: true, subtree: true });
  showAll();
  void customElements.whenDefined('ubik-chat').then((element) => {
    observer.disconnect();
    if (!('ubikVersion' in element))
      warnOnce('<ubik-chat> is already defined by other code, so no chat can be shown.');
  });
}

/** A launcher and an empty window (`frame`) in place of a chat. `host` is the element with the shadow root `root` that contains them. */
interface Placeholder {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  readonly launcher: Launcher;
  readonly frame: HTMLElement;
}

/** Adds a launcher and an empty window to the shadow root of a chat. */
function createPlaceholder(chat: HTMLElement): Placeholder {
  registerSizeUnit(chat.ownerDocument);
  // The placeholder is in the shadow root of the chat, so that the content in the element itself is not displayed.
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
  // A style sheet cannot read the `accent-color` of the host page.
  const style = getComputedStyle(chat);
  const accent = style.getPropertyValue('--ubik-accent') || style.accentColor;
  if (accent && accent !== 'auto') box.style.setProperty('--_accent', accent);
  box.append(frame, launcher.node);
  root.append(box);
  outer.append(host);
  return { host, root, launcher, frame };
}

/** Shows the launcher of a chat, and after a click an empty window, until the chat has rendered its own. */
function showPlaceholder(chat: HTMLElement, load: () => Promise<unknown>): void {
  const { host, root, launcher, frame } = createPlaceholder(chat);
  const language = findLanguage(chat);
  const strings = findBubbleStrings(language);
  const uiLang = hasBubbleStrings(language) ? language : 'en';
  if (uiLang !== findContentLanguage(chat)) host.lang = uiLang;
  if (isRightToLeft(language) && !hasDirection(chat)) host.dir = 'rtl';
  let hasFailed = false;
  let isLoading = false;
  const update = (): void => {
    const open = chat.hasAttribute('open');
    launcher.update(chat.ariaLabel ?? strings.open, open);
    frame.hidden = !open;
    frame.textContent = hasFailed ? strings.failed : strings.loading;
  };
  /** Loads the chat. After a failure, the next intent of the user tries again. */
  const loadChat = (): void => {
    if (isLoading) return;
    isLoading = true;
    hasFailed = false;
    update();
    void load()
      // Where the policy of the page refuses the templates, `load` succeeds, but the script does not define the element.
      .then(
        () => customElements.get('ubik-chat'),
        () => undefined,
      )
      .then((element) => {
        if (element) return;
        isLoading = false;
        hasFailed = true;
        update();
        launcher.onIntent(loadChat);
      });
  };
  launcher.onIntent(loadChat);
  launcher.node.addEventListener('click', () => {
    const open = !chat.hasAttribute('open');
    if (!chat.dispatchEvent(open ? new UbikChatOpenEvent() : new UbikChatCloseEvent())) return;
    chat.toggleAttribute('open', open);
    update();
  });
  if ('open' in chat && chat.open) chat.toggleAttribute('open', true);
  // The host page may open the chat before its class is loaded, which then takes over the value.
  Object.defineProperty(chat, 'open', {
    configurable: true,
    get: () => chat.hasAttribute('open'),
    set: (open) => void chat.toggleAttribute('open', Boolean(open)),
  });
  const handleOpenChange = (): void => {
    if (chat.hasAttribute('open')) loadChat();
    update();
  };
  const observer = new MutationObserver(handleOpenChange);
  observer.observe(chat, { attributeFilter: ['open'] });
  handleOpenChange();
  void customElements.whenDefined('ubik-chat').then(() => {
    observer.disconnect();
    replacePlaceholder(chat, host, root);
  });
}

/**
 * Removes the placeholder once the chat has rendered its own launcher. If the placeholder had the focus, the focus moves to the new launcher,
 * or into the window when the window is open.
 */
function replacePlaceholder(chat: HTMLElement, host: HTMLElement, root: ShadowRoot): void {
  const outer = chat.shadowRoot as ShadowRoot;
  const replace = (): void => {
    const launcher = outer.querySelector<HTMLElement>('.launcher');
    if (!launcher) return;
    observer.disconnect();
    const hadFocus = root.activeElement !== null;
    host.remove();
    if (!hadFocus) return;
    // Focusing the field would open the virtual keyboard, which covers the messages.
    const isTouch = matchMedia('(pointer: coarse)').matches;
    const target = isTouch ? outer.querySelector<HTMLElement>('.window') : chat;
    if (chat.hasAttribute('open')) target?.focus({ preventScroll: true });
    else launcher.focus();
  };
  const observer = new MutationObserver(replace);
  observer.observe(outer, { childList: true });
  replace();
}
