import { css, unsafeCSS, type CSSResult } from 'lit';
import { addSheets } from '../../dom/sheets.js';
import { baseStyles, textStyles } from './base.js';
import { frameStyles, shortViewportStyles, emptyStateStyles } from './chat.js';
import { tokenStyles } from './tokens.js';

/** Assigns the design tokens to the public custom properties that the Markdown style sheet reads, and restores the list markers of Markdown. */
const markdownTokenStyles = css`
  .text,
  .greeting,
  .thinking > .content {
    --ubik-accent: var(--_accent);
    --ubik-muted: var(--_muted);
    --ubik-line: var(--_line);
    --ubik-surface: var(--_surface);
    --ubik-radius-card: var(--_radius);
    --ubik-radius-control: var(--_control-radius);
  }
  .ubik-markdown ul {
    list-style: disc;
  }
  .ubik-markdown ol {
    list-style: decimal;
  }
`;

/** Style sheets shared by all elements, which the browser parses once. Those of messages and Markdown are added with their code. */
export const styles = [
  tokenStyles,
  baseStyles,
  textStyles,
  emptyStateStyles,
  frameStyles,
  shortViewportStyles,
  markdownTokenStyles,
];

/** The shared sheet before which sheets of each kind are inserted later, so that the shared sheet takes precedence. */
const INSERT_BEFORE = { views: frameStyles, markdown: markdownTokenStyles };

/** Returns the shared style sheets and those of the kinds, in the order in which {@link adoptSheets} inserts them. */
export function listSheets(
  kinds: Readonly<Record<keyof typeof INSERT_BEFORE, readonly CSSResult[]>>,
): readonly CSSResult[] {
  return styles.flatMap((sheet) => [
    ...(sheet === INSERT_BEFORE.views ? kinds.views : []),
    ...(sheet === INSERT_BEFORE.markdown ? kinds.markdown : []),
    sheet,
  ]);
}

/** Adds style sheets to an element, each once: at the end, or with `kind` where sheets of that kind belong. */
export function adoptSheets(
  root: Node,
  sheets: readonly CSSResult[],
  kind?: keyof typeof INSERT_BEFORE,
): void {
  if (isShadowRoot(root)) addSheets(root, sheets, kind && INSERT_BEFORE[kind]);
}

/** `instanceof ShadowRoot` fails for a root in another window. */
function isShadowRoot(root: Node): root is ShadowRoot {
  return 'host' in root;
}

let constructedMarkdownSheet: CSSResult | undefined;

/** Returns the Markdown style sheet, created once. The text comes from `src/markdown`, never from the network. */
export function markdownSheet(text: string): CSSResult {
  return (constructedMarkdownSheet ??= unsafeCSS(text));
}
