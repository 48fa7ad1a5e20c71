import { warnOnce } from './warn-once.js';

/** A style sheet as created by Lit, or its text. */
export interface Sheet {
  readonly cssText: string;
  /** Missing for a text, and if the browser has no constructable style sheets. */
  readonly styleSheet?: CSSStyleSheet | undefined;
}

/** A shadow root in a browser that may lack `adoptedStyleSheets`. */
type Root = ShadowRoot & Partial<Pick<ShadowRoot, 'adoptedStyleSheets'>>;

/** Constructed sheets by text, for sheets without a `styleSheet`. */
const constructed = new Map<string, CSSStyleSheet>();
/** The original of each copy. */
const originals = new WeakMap<CSSStyleSheet, CSSStyleSheet>();
/** Copies of a sheet, by document. */
const copies = new WeakMap<CSSStyleSheet, WeakMap<Document, CSSStyleSheet>>();

/** The sheets of each shadow root as last recorded. */
const recorded = new WeakMap<ShadowRoot, readonly CSSStyleSheet[]>();

/**
 * Records the sheets of a shadow root for {@link restoreSheets}. Call it at each update, because the browser has removed
 * the sheets before `adoptedCallback` runs.
 */
export function recordSheets(root: ShadowRoot): void {
  const { adoptedStyleSheets } = root as Root;
  if (adoptedStyleSheets && root.ownerDocument.defaultView)
    recorded.set(root, [...adoptedStyleSheets]);
}

/**
 * Adds style sheets to a shadow root, each once: at the end, or before another sheet, which then takes precedence.
 * Without `adoptedStyleSheets`, adds `<style>` elements with the nonce `window.litNonce`.
 */
export function addSheets(root: ShadowRoot, sheets: readonly Sheet[], before?: Sheet): void {
  if (!(root as Root).adoptedStyleSheets) {
    addStyleElements(root, sheets, before);
    return;
  }
  const all = [...readSheets(root)];
  const existing = new Set(all.map(originalOf));
  const added = sheets.map(constructSheet).filter((sheet) => !existing.has(sheet));
  const next = before && constructSheet(before);
  const at = all.findIndex((sheet) => originalOf(sheet) === next);
  all.splice(at < 0 ? all.length : at, 0, ...added);
  writeSheets(root, all);
}

/** Removes a style sheet from a shadow root. */
export function removeSheet(root: ShadowRoot, sheet: Sheet): void {
  if (!(root as Root).adoptedStyleSheets) {
    findStyleElement(root, sheet)?.remove();
    return;
  }
  const removed = constructSheet(sheet);
  writeSheets(
    root,
    readSheets(root).filter((one) => originalOf(one) !== removed),
  );
}

/**
 * Restores the sheets of a shadow root that was moved to another document (a frame, a picture-in-picture window), which
 * accepts only sheets constructed in that document. A document without a window accepts none; then the next move restores
 * them.
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
  const existing = constructed.get(cssText) ?? new CSSStyleSheet();
  if (!constructed.has(cssText)) existing.replaceSync(cssText);
  constructed.set(cssText, existing);
  return existing;
}

/** Returns the original of a copy, or the sheet itself. */
function originalOf(sheet: CSSStyleSheet): CSSStyleSheet {
  return originals.get(sheet) ?? sheet;
}

/** Returns the sheet that a document accepts: the given one, its original, or a copy for that document. */
function sheetFor(
  page: Document,
  view: Window & typeof globalThis,
  sheet: CSSStyleSheet,
): CSSStyleSheet {
  const original = originalOf(sheet);
  const usable = [sheet, original].find((one) => one instanceof view.CSSStyleSheet);
  if (usable) return usable;
  const existing = copies.get(original) ?? new WeakMap<Document, CSSStyleSheet>();
  copies.set(original, existing);
  const copy = existing.get(page) ?? new view.CSSStyleSheet();
  if (!existing.has(page)) {
    copy.replaceSync(Array.from(original.cssRules, ({ cssText }) => cssText).join('\n'));
    existing.set(page, copy);
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
