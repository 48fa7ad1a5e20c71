import { warnOnce } from './warn-once.js';

/** A style sheet as Lit makes it, or its text alone. */
export interface Sheet {
  readonly cssText: string;
  /** Missing where the browser cannot share style sheets. */
  readonly styleSheet?: CSSStyleSheet | undefined;
}

/** A shadow tree in a browser that may not know `adoptedStyleSheets`. */
type Root = ShadowRoot & Partial<Pick<ShadowRoot, 'adoptedStyleSheets'>>;

/** Constructed sheets by their text, for those that come without one. */
const constructed = new Map<string, CSSStyleSheet>();
/** What a sheet was copied from for another document. */
const originals = new WeakMap<CSSStyleSheet, CSSStyleSheet>();
/** Copies of a sheet, by the document that they were made for. */
const copies = new WeakMap<CSSStyleSheet, WeakMap<Document, CSSStyleSheet>>();

/** The sheets of a shadow tree when they were last looked at. */
const recorded = new WeakMap<ShadowRoot, readonly CSSStyleSheet[]>();

/**
 * Remembers which sheets a shadow tree has, for {@link restoreSheets}: when an element hears that it was moved, the browser has taken
 * them away.
 */
export function recordSheets(root: ShadowRoot): void {
  const { adoptedStyleSheets } = root as Root;
  if (adoptedStyleSheets && root.ownerDocument.defaultView)
    recorded.set(root, [...adoptedStyleSheets]);
}

/**
 * Gives a shadow tree style sheets, each once: behind all others, or in front of one of them, which counts for more then. Where the
 * browser cannot share sheets they are `<style>` elements with the page's `litNonce`.
 */
export function addSheets(root: ShadowRoot, sheets: readonly Sheet[], before?: Sheet): void {
  if (!(root as Root).adoptedStyleSheets) {
    addStyleElements(root, sheets, before);
    return;
  }
  const all = [...readSheets(root)];
  const known = new Set(all.map(originalOf));
  const more = sheets.map(constructSheet).filter((sheet) => !known.has(sheet));
  const next = before && constructSheet(before);
  const at = all.findIndex((sheet) => originalOf(sheet) === next);
  all.splice(at < 0 ? all.length : at, 0, ...more);
  writeSheets(root, all);
}

/** Takes a style sheet away from a shadow tree. */
export function removeSheet(root: ShadowRoot, sheet: Sheet): void {
  if (!(root as Root).adoptedStyleSheets) {
    findStyleElement(root, sheet)?.remove();
    return;
  }
  const own = constructSheet(sheet);
  writeSheets(
    root,
    readSheets(root).filter((one) => originalOf(one) !== own),
  );
}

/**
 * Gives a shadow tree that was moved to another document (a frame, a picture-in-picture window) the sheets that it had: a document
 * takes only sheets of its own. One without a window takes none; they come back with the next move.
 */
export function restoreSheets(root: ShadowRoot): void {
  const sheets = recorded.get(root);
  if (sheets) writeSheets(root, sheets);
}

function readSheets(root: ShadowRoot): readonly CSSStyleSheet[] {
  return root.ownerDocument.defaultView ? root.adoptedStyleSheets : (recorded.get(root) ?? []);
}

function writeSheets(root: ShadowRoot, sheets: readonly CSSStyleSheet[]): void {
  const view = root.ownerDocument.defaultView;
  if (!view) {
    recorded.set(root, sheets);
    return;
  }
  root.adoptedStyleSheets = sheets.map((sheet) => sheetFor(root.ownerDocument, view, sheet));
  recordSheets(root);
}

function constructSheet({ cssText, styleSheet }: Sheet): CSSStyleSheet {
  if (styleSheet) return styleSheet;
  const known = constructed.get(cssText) ?? new CSSStyleSheet();
  if (!constructed.has(cssText)) known.replaceSync(cssText);
  constructed.set(cssText, known);
  return known;
}

/** What a sheet was copied from, or the sheet itself. */
function originalOf(sheet: CSSStyleSheet): CSSStyleSheet {
  return originals.get(sheet) ?? sheet;
}

/** The sheet itself, or its copy for another document; the sheet that a copy was made from when it comes back. */
function sheetFor(
  page: Document,
  view: Window & typeof globalThis,
  sheet: CSSStyleSheet,
): CSSStyleSheet {
  const original = originalOf(sheet);
  const fitting = [sheet, original].find((one) => one instanceof view.CSSStyleSheet);
  if (fitting) return fitting;
  const known = copies.get(original) ?? new WeakMap<Document, CSSStyleSheet>();
  copies.set(original, known);
  const copy = known.get(page) ?? new view.CSSStyleSheet();
  if (!known.has(page)) {
    copy.replaceSync(Array.from(original.cssRules, ({ cssText }) => cssText).join('\n'));
    known.set(page, copy);
    originals.set(copy, original);
  }
  return copy;
}

function findStyleElement(root: ShadowRoot, { cssText }: Sheet): HTMLStyleElement | undefined {
  return [...root.querySelectorAll('style')].find(({ textContent }) => textContent === cssText);
}

function addStyleElements(root: ShadowRoot, sheets: readonly Sheet[], before?: Sheet): void {
  const { litNonce } = globalThis as { litNonce?: string };
  const next = before && findStyleElement(root, before);
  for (const sheet of sheets) {
    if (findStyleElement(root, sheet)) continue;
    const node = document.createElement('style');
    if (litNonce) node.nonce = litNonce;
    node.textContent = sheet.cssText;
    root.insertBefore(node, next ?? null);
    if (!root.isConnected || node.sheet) continue;
    warnOnce(
      'This browser has no adoptedStyleSheets, and the Content-Security-Policy of the page refuses style elements: allow a nonce in the directive "style-src" and set it as window.litNonce.',
    );
  }
}
