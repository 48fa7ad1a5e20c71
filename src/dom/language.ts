/**
 * Returns the language of an element's UI: its `lang`, else that of an ancestor, else the browser's. Skips ancestors with
 * the class `ubik`, because this library sets their `lang`, not the host page.
 */
export function findLanguage(element: HTMLElement): string {
  return (
    element.lang ||
    findAncestor(element, '[lang]:not([lang=""], .ubik)')?.lang ||
    navigator.language ||
    'en'
  );
}

/** Returns the language of content as declared by the host page; empty if undeclared or declared as unknown (`lang=""`). */
export function findContentLanguage(element: HTMLElement): string {
  if (element.lang || element.getAttribute('lang') === '') return element.lang;
  return findAncestor(element, '[lang]:not(.ubik)')?.lang ?? '';
}

/** Whether the element or an ancestor has a `dir` attribute. */
export function hasDirection(element: Element): boolean {
  return element.hasAttribute('dir') || findAncestor(element, '[dir]') !== null;
}

/** Returns the nearest ancestor that matches a selector, across shadow trees. */
function findAncestor(element: Element, selector: string): HTMLElement | null {
  const { parentNode } = element;
  const ancestor = parentNode instanceof ShadowRoot ? parentNode.host : element.parentElement;
  if (!ancestor) return null;
  return ancestor.matches(selector) ? (ancestor as HTMLElement) : findAncestor(ancestor, selector);
}

const listeners = new Set<() => void>();
let observer: MutationObserver | undefined;

/**
 * Calls the listener when a `lang` or `dir` attribute changes in the document or in a shadow tree that contains the element. Returns the
 * unsubscribe function.
 */
export function onLanguageChange(element: Element, listener: () => void): () => void {
  listeners.add(listener);
  // One observer for all elements, because a page may have hundreds. Observing a root again has no effect.
  observer ??= new MutationObserver(() => {
    for (const notify of listeners) notify();
  });
  let root: Node = element;
  do {
    root = (root instanceof ShadowRoot ? root.host : root).getRootNode();
    observer.observe(root, { subtree: true, attributeFilter: ['lang', 'dir'] });
  } while (root instanceof ShadowRoot);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    observer?.disconnect();
    observer = undefined;
  };
}
