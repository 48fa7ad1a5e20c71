import { CHAT_STYLE, openChat } from './chat.js';
import { ManualService } from './manual-service.js';
import { whenShown } from './subject.js';

/**
 * Creates the empty container of a text as it is in a `<ubik-chat>`, for renderers without an element: a copy of the DOM of a chat, with
 * its style sheets but without its code. The copy scrolls to its end when the text grows.
 */
export async function makeStage(box: Element): Promise<HTMLElement> {
  const backend = new ManualService().backend(['text']);
  const chat = await openChat(box, { backend, threadId: 'bench' });
  const original = chat.renderRoot as ShadowRoot;
  await whenShown({ root: original });
  const host = document.createElement('div');
  host.style.cssText = CHAT_STYLE;
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = original.adoptedStyleSheets;
  for (const node of original.childNodes) root.append(node.cloneNode(true));
  chat.replaceWith(host);
  const stage = find(root, '[part~=text]');
  stage.replaceChildren();
  followEnd(find(root, '.scroller'), find(root, '.column'));
  return stage;
}

function find(root: ShadowRoot, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`The chat has no ${selector}.`);
  return found;
}

/** Scrolls to the end after the layout of the page, so that reading the height forces no layout. */
function followEnd(scroller: HTMLElement, content: HTMLElement): void {
  new ResizeObserver(() => {
    scroller.scrollTop = scroller.scrollHeight;
  }).observe(content);
}
