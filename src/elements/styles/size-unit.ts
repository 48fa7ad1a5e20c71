/**
 * Unit of all sizes: 1/0.9375 of the font size of a message. It is registered, so that its `em` is computed once, on the element; an
 * unregistered property would be computed again in each descendant.
 */
const UNIT = '--_ubik-rem';

/**
 * Value of the unit: from `--ubik-font-size`, else from an outer element of this library, else from the inherited font size. Text is at
 * least 12 px, whatever the font size of the page's root. Browsers without registered properties (Firefox before 128) use the root's font
 * size.
 */
export const sizeUnit =
  typeof CSS !== 'undefined' && 'registerProperty' in CSS
    ? 'max(12.8px, var(--ubik-font-size, var(--_ubik-text, 0.9375em)) / 0.9375)'
    : 'max(12.8px, 1rem)';

const registered = new WeakSet<Window>();

/** Registers the unit in the window of a document. Required once for each window, because a registration does not move with an element. */
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
    // Another copy of the package has registered it, or the browser does not support it (see above).
  }
}
