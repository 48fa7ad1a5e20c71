import type { MarkdownOptions } from '../options.js';
import { createUrlPolicy } from '../url-policy.js';
import { defaultStrings } from '../strings.js';
import { imageElement } from './inline-nodes.js';

type ActOptions = Pick<
  MarkdownOptions,
  'document' | 'urlPolicy' | 'strings' | 'onLink' | 'onImage'
>;

/**
 * Does what a person asked for by a click inside Markdown: follows a link, loads an image, copies a code block. Returns whether
 * the event was one of these. Works on any Markdown in the page, also on one that no view belongs to any more.
 */
export function actInMarkdown(event: Event, options: ActOptions): boolean {
  const target = event.composedPath()[0];
  const element = isElement(target) ? target.closest('[data-ubik-act]') : null;
  switch (element?.getAttribute('data-ubik-act')) {
    case 'link':
      followLink(element, event, options);
      return true;
    case 'image':
      loadImage(element, options);
      return true;
    case 'copy-code':
      copyCode(element, options);
      return true;
    default:
      return false;
  }
}

function isElement(target: EventTarget | undefined): target is Element {
  return target !== undefined && 'closest' in target;
}

function followLink(element: Element, event: Event, options: ActOptions): void {
  const policy = options.urlPolicy ?? createUrlPolicy();
  const link = policy.link(element.getAttribute('href') ?? '', element.textContent);
  if (link === null || options.onLink?.(link, event) === false) event.preventDefault();
}

function loadImage(button: Element, options: ActOptions): void {
  const policy = options.urlPolicy ?? createUrlPolicy();
  const image = policy.image(button.getAttribute('data-source') ?? '');
  if (image === null || options.onImage?.(image) === false) return;
  const alt = button.getAttribute('data-alt') ?? '';
  const title = button.getAttribute('data-title') ?? '';
  button.replaceWith(imageElement(options.document, image.src, alt, title));
}

function copyCode(button: Element, options: ActOptions): void {
  const code = button.closest('.ubik-code')?.querySelector('pre > code');
  const clipboard = options.document.defaultView?.navigator.clipboard;
  if (!code || clipboard === undefined) return;
  const { copied, copy } = options.strings ?? defaultStrings;
  clipboard.writeText(code.textContent).then(
    () => {
      button.textContent = copied;
      button.addEventListener('pointerleave', () => (button.textContent = copy), { once: true });
      button.addEventListener('blur', () => (button.textContent = copy), { once: true });
    },
    // The page has no right to write to the clipboard: the button stays as it is.
    () => undefined,
  );
}
