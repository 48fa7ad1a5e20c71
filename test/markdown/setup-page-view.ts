import { markdownCss } from '../../src/markdown/styles.js';
import type { MarkdownOptions } from '../../src/markdown/markdown-view.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { setupView, type ViewSetup } from './setup-view.js';

const sheet = new CSSStyleSheet();
sheet.replaceSync(markdownCss);

/** Creates a view in a shadow tree of the document, 400 pixels wide, so that focus, selection, scrolling and sizes are real. */
export function setupViewInPage(
  text = '',
  options: Partial<MarkdownOptions> = {},
): ViewSetup & { readonly root: ShadowRoot; remove(): void } {
  const setup = setupView({ urlPolicy: createUrlPolicy(), ...options });
  const host = document.createElement('div');
  host.style.width = '400px';
  document.body.append(host);
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets.push(sheet);
  root.append(setup.box);
  setup.add(text);
  return { ...setup, root, remove: () => host.remove() };
}

/** The first element that matches a selector. Throws without one. */
export function find(root: ParentNode, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`No element matches ${selector}.`);
  return found;
}

/** Resolves after the browser has painted. */
export const nextFrame = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** Replaces the clipboard and records what is written to it. */
export function mockClipboard(isPermitted = true): {
  readonly written: string[];
  restore(): void;
} {
  const written: string[] = [];
  const writeText = (text: string): Promise<void> =>
    isPermitted
      ? Promise.resolve(void written.push(text))
      : Promise.reject(new DOMException('Not permitted.', 'NotAllowedError'));
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  return { written, restore: () => Reflect.deleteProperty(navigator, 'clipboard') };
}
