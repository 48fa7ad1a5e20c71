/**
 * Unit of all sizes: 1/0.9375 of the font size of a message in the default density. It is registered, so that its `em` is computed once, on the
 * element; an unregistered property would be computed again in each descendant.
 */
const UNIT = '--_ubik-rem';

/**
 * The inherited font size; 16 px where it is below 11 px or above 32 px. Pages set such sizes for other reasons than text: as the base of
 * their `em` lengths (`62.5%`), or as `font-size: 0` to remove the gaps between inline blocks. The factor 1000 turns each comparison into a
 * step function.
 */
const INHERITED_SIZE =
  'min(max(1em, clamp(0px, (11px - 1em) * 1000, 16px)), max(16px, (32px - 1em) * 1000 + 32px))';

/** The rule that registers the unit in the style sheet of a document, without a script. It has no effect in a shadow root. */
export const sizeUnitRule = `@property ${UNIT}{syntax:"<length>";inherits:true;initial-value:16px}`;

/**
 * Value of the unit: from `--ubik-font-size`, else from an outer element of this library, else from the inherited font size. Text is at
 * least 12 px (0.9375 * 12.8 px), whatever the font size of the page's root. Browsers without registered properties (Firefox before 128)
 * use the root's font size. On a server, where the browser is unknown, support is assumed.
 */
export const sizeUnit =
  typeof CSS === 'undefined' || 'registerProperty' in CSS
    ? `max(12.8px, var(--ubik-font-size, var(--_ubik-text, 0.9375 * ${INHERITED_SIZE})) / 0.9375)`
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
    // Another copy of the package has registered it, or the browser does not support registered properties (see `sizeUnit`).
  }
}
