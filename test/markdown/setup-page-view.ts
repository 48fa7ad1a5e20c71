import { markdownCss } from '../../src/markdown/styles.js';
import type { MarkdownOptions } from '../../src/markdown/markdown-view.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { setupView, type ViewSetup } from './setup-view.js';

const sheet = new CSSStyleSheet();
sheet.replaceSync(markdownCss);

/** A view in a shadow tree of the page, 400 pixels wide, so that focus, selection, scrolling and sizes are real. */
export function setupViewInPage(
  text = '',
  options: Partial<MarkdownOptions> = {},
): ViewSetup & { readonly root: ShadowRoot; remove(): void } {
  const setUp = setupView({ urlPolicy: createUrlPolicy(), ...options });
  const host = document.createElement('div');
  host.style.width = '400px';
  document.body.append(host);
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets.push(sheet);
  root.append(setUp.box);
  setUp.add(text);
  return { ...setUp, root, remove: () => host.remove() };
}

/** The first element that a selector finds; fails without one. */
export function find(root: ParentNode, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`Nothing is ${selector}.`);
  return found;
}

/** The browser has laid out and shown what is there. */
export const nextFrame = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** Takes the place of the page's clipboard; gives what was written to it. */
export function mockClipboard(): { readonly written: string[]; giveBack(): void } {
  const written: string[] = [];
  const writeText = (text: string): Promise<void> => Promise.resolve(void written.push(text));
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  return { written, giveBack: () => Reflect.deleteProperty(navigator, 'clipboard') };
}
