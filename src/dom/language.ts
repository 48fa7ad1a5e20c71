/**
 * Language of an element's UI: its own `lang`, else that of an ancestor, else the browser's. Skips ancestors with the
 * class `ubik`: their `lang` is the UI language that this library has chosen, not one the host page asks for.
 */
export function findLanguage(element: HTMLElement): string {
  return (
    element.lang ||
    findAncestor(element, '[lang]:not([lang=""], .ubik)')?.lang ||
    navigator.language ||
    'en'
  );
}

/** Language of content as declared by the host page; empty if undeclared or declared unknown (`lang=""`). */
export function findContentLanguage(element: HTMLElement): string {
  if (element.lang || element.getAttribute('lang') === '') return element.lang;
  return findAncestor(element, '[lang]:not(.ubik)')?.lang ?? '';
}

/** Whether the element or an ancestor has a `dir` attribute. */
export function hasDirection(element: Element): boolean {
  return element.hasAttribute('dir') || findAncestor(element, '[dir]') !== null;
}

/** The nearest ancestor that matches a selector, across shadow trees. */
function findAncestor(element: Element, selector: string): HTMLElement | null {
  const { parentNode } = element;
  const ancestor = parentNode instanceof ShadowRoot ? parentNode.host : element.parentElement;
  if (!ancestor) return null;
  return ancestor.matches(selector) ? (ancestor as HTMLElement) : findAncestor(ancestor, selector);
}

const listeners = new Set<() => void>();
let observer: MutationObserver | undefined;

/** Calls the listener when a `lang` or `dir` attribute of the page changes, until the returned function is called. */
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

/** One observer for all elements, because a page may have hundreds. */
function observeLanguage(): MutationObserver {
  const languageObserver = new MutationObserver(() => {
    for (const listener of listeners) listener();
  });
  languageObserver.observe(document, { subtree: true, attributeFilter: ['lang', 'dir'] });
  return languageObserver;
}
