/** The language of an element: its own, else that of what is around it, else the browser's. */
export function languageOf(element: HTMLElement): string {
  return (
    element.lang || findAround(element, '[lang]:not([lang=""])')?.lang || navigator.language || 'en'
  );
}

/** Whether somebody around an element, or its own tag, has said a direction. */
export function hasDirection(element: Element): boolean {
  return findAround(element, '[dir]') !== null;
}

/** The nearest one that fits, the element itself or one around it, also outside the shadow trees in which it stands. */
function findAround(element: Element, selector: string): HTMLElement | null {
  const found = element.closest<HTMLElement>(selector);
  const root = element.getRootNode();
  return found ?? (root instanceof ShadowRoot ? findAround(root.host, selector) : null);
}
