/**
 * The language of an element: its own, else that of what is around it, else the browser's. What another element of ours around it says
 * is the language of its words (`.ubik`), and not what the page asks for.
 */
export function findLanguage(element: HTMLElement): string {
  return (
    element.lang ||
    findOutside(element, '[lang]:not([lang=""], .ubik)')?.lang ||
    navigator.language ||
    'en'
  );
}

/** What the page says of the language of an element; empty when it says nothing, or that nobody knows. */
export function findContentLanguage(element: HTMLElement): string {
  if (element.lang || element.getAttribute('lang') === '') return element.lang;
  return findOutside(element, '[lang]:not(.ubik)')?.lang ?? '';
}

/** Whether somebody around an element, or its own tag, has said a direction. */
export function hasDirection(element: Element): boolean {
  return element.hasAttribute('dir') || findOutside(element, '[dir]') !== null;
}

/** The nearest one around an element that fits, also outside the shadow trees in which it stands. */
function findOutside(element: Element, selector: string): HTMLElement | null {
  const { parentNode } = element;
  const outer = parentNode instanceof ShadowRoot ? parentNode.host : element.parentElement;
  if (!outer) return null;
  return outer.matches(selector) ? (outer as HTMLElement) : findOutside(outer, selector);
}

const listeners = new Set<() => void>();
let observer: MutationObserver | undefined;

/** Calls back when a part of the page is given another language or direction, until the returned function is called. */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  observer ??= observeLanguage();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    observer?.disconnect();
    observer = undefined;
  };
}

/** One for all elements: a page may have hundreds. */
function observeLanguage(): MutationObserver {
  const made = new MutationObserver(() => {
    for (const listener of listeners) listener();
  });
  made.observe(document, { subtree: true, attributeFilter: ['lang', 'dir'] });
  return made;
}
