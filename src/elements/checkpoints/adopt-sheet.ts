import type { CSSResult } from 'lit';

/** Adds a style sheet to the root of an element, once. */
export function adoptSheet(root: Node, { styleSheet: sheet }: CSSResult): void {
  if (!(root instanceof ShadowRoot) || !sheet || root.adoptedStyleSheets.includes(sheet)) return;
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
