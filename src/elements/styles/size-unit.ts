/**
 * The length that all sizes are multiples of: 1/0.9375 of the size of a message's text. Registered, so that it is computed once, on the
 * element; an unregistered property would hand its `em` down and mean another length in each descendant.
 */
const UNIT = '--_ubik-rem';

/**
 * What the unit is on an element: from `--ubik-font-size`, from the element around it, else from the font size of the place where it
 * stands. Never so small that text falls below 12 px, whatever a page does to its root. A browser that cannot register properties (Firefox
 * before 128) follows the root's font size.
 */
export const sizeUnit =
  typeof CSS !== 'undefined' && 'registerProperty' in CSS
    ? 'max(12.8px, var(--ubik-font-size, var(--_ubik-text, 0.9375em)) / 0.9375)'
    : 'max(12.8px, 1rem)';

const registered = new WeakSet<Window>();

/** Registers the unit in the window of a document: once in each, because a registration does not go with an element that is moved. */
export function registerSizeUnit({ defaultView: view }: Document): void {
  if (!view || registered.has(view)) return;
  registered.add(view);
  try {
    view.CSS.registerProperty({
      name: UNIT,
      syntax: '<length>',
      inherits: true,
      initialValue: '16px',
    });
  } catch {
    // Another copy of the package has registered it, or the browser cannot: see above.
  }
}
