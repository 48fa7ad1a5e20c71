import { css, unsafeCSS, type CSSResult } from 'lit';
import { addSheets } from '../../dom/sheets.js';
import { baseStyles, textStyles } from './base.js';
import { frameStyles, shortViewportStyles, emptyStateStyles } from './chat.js';
import { tokenStyles } from './tokens.js';

/** Our colours, handed on to the style sheet of Markdown. */
const markdownTokenStyles = css`
  .text,
  .thinking > .content {
    --ubik-accent: var(--_accent);
    --ubik-muted: var(--_muted);
    --ubik-line: var(--_line);
    --ubik-surface: var(--_surface);
    --ubik-radius-card: var(--_radius);
    --ubik-radius-control: var(--_control);
  }
  .ubik-markdown ul {
    list-style: disc;
  }
  .ubik-markdown ol {
    list-style: decimal;
  }
`;

/** All elements share the same sheets, which a browser reads once. Those of messages and of Markdown come with what draws them. */
export const styles = [
  tokenStyles,
  baseStyles,
  textStyles,
  emptyStateStyles,
  frameStyles,
  shortViewportStyles,
  markdownTokenStyles,
];

/** In front of which of ours a sheet that comes later stands, so that it counts for less. */
const INSERT_BEFORE = { views: frameStyles, markdown: markdownTokenStyles };

/**
 * Adds sheets to those of an element, each once: behind all others, else, with a `kind`, where those of this kind stand. They are
 * given as Lit makes them.
 */
export function adoptSheets(
  root: Node,
  sheets: readonly CSSResult[],
  kind?: keyof typeof INSERT_BEFORE,
): void {
  if (isShadowRoot(root)) addSheets(root, sheets, kind && INSERT_BEFORE[kind]);
}

/** A root in another document is one of that window's. */
function isShadowRoot(root: Node): root is ShadowRoot {
  return 'host' in root;
}

let constructedMarkdownSheet: CSSResult | undefined;

/** The sheet of Markdown, made once. The text is our own, from the room beside; nothing of the network is in it. */
export function markdownSheet(text: string): CSSResult {
  return (constructedMarkdownSheet ??= unsafeCSS(text));
}
