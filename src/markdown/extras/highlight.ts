import {
  createCodeTokenizer,
  sliceCode,
  type CodeTokenizer,
  type TokenRun,
} from './code-tokenizer.js';
import { createStyleInserter } from './insert-styles.js';

/** Context of the highlighter. */
export interface HighlightContext {
  readonly document: Document;
  /** Calls `work` in a frame whose time budget is not used up. */
  whenFrameHasTime(work: () => void): void;
  /** Whether the user has selected something in a part. */
  isSelected(part: Element): boolean;
}

/** Maximum number of UTF-16 units of a code block that are highlighted. */
const MAX_LENGTH = 65_536;

const CSS = `
.ubik-hl-comment { color: var(--ubik-code-comment, light-dark(#5c6773, #9aa5b1)); font-style: italic; }
.ubik-hl-keyword { color: var(--ubik-code-keyword, light-dark(#9a2162, #f28fc6)); }
.ubik-hl-string, .ubik-hl-addition { color: var(--ubik-code-string, light-dark(#1a6b33, #8fd6a0)); }
.ubik-hl-number, .ubik-hl-meta { color: var(--ubik-code-number, light-dark(#8a4600, #f0b37a)); }
.ubik-hl-title { color: var(--ubik-code-title, light-dark(#1f4fae, #9dc0ff)); }
.ubik-hl-attr { color: var(--ubik-code-attr, light-dark(#5b3aa8, #c9b3ff)); }
.ubik-hl-deletion { color: var(--ubik-code-deletion, light-dark(#a8201a, #ff9c94)); }
`;

const insertStyles = createStyleInserter(CSS);

/** Highlights a part of a code block without changing its text. Resolves to false if the part is not highlighted. */
export type Highlighter = (part: Element) => Promise<boolean>;

/**
 * Creates a highlighter for a code block. Call it once for each part, in order, when the part is complete. It works in slices, in
 * frames with time left. Parts beyond `MAX_LENGTH` are not highlighted.
 */
export function createHighlighter(language: string, context: HighlightContext): Highlighter {
  let remaining = MAX_LENGTH;
  let tokenizer: Promise<CodeTokenizer | null> = createCodeTokenizer(language);
  return async (part) => {
    remaining -= part.textContent.length;
    if (remaining < 0) return false;
    // In sequence, since each part starts in the state at the end of the previous one.
    tokenizer = tokenizer.then(async (tokenize) => {
      if (tokenize) await highlightPart(part, tokenize, context);
      return tokenize;
    });
    return (await tokenizer) !== null;
  };
}

async function highlightPart(
  part: Element,
  tokenize: CodeTokenizer,
  context: HighlightContext,
): Promise<void> {
  const runs: TokenRun[] = [];
  for (const slice of sliceCode(part.textContent)) {
    await new Promise<void>((resolve) => {
      context.whenFrameHasTime(() => {
        runs.push(...tokenize(slice));
        resolve();
      });
    });
  }
  await whenUnselected(part, context, () => replaceWithTokens(part, runs, context.document));
}

/**
 * Calls `work` in a frame with time left, once nothing in the part is selected, because replacing text nodes would lose the selection.
 * Calls it synchronously in the frame, so that its time counts towards the budget.
 */
function whenUnselected(part: Element, context: HighlightContext, work: () => void): Promise<void> {
  return new Promise((resolve) => {
    const attempt = (): void => {
      if (context.isSelected(part)) {
        context.document.addEventListener(
          'selectionchange',
          () => context.whenFrameHasTime(attempt),
          {
            once: true,
          },
        );
        return;
      }
      work();
      resolve();
    };
    context.whenFrameHasTime(attempt);
  });
}

function replaceWithTokens(part: Element, runs: readonly TokenRun[], document: Document): void {
  insertStyles(part);
  part.replaceChildren(...runs.map(({ kind, text }) => createTokenNode(kind, text, document)));
}

function createTokenNode(kind: string, text: string, document: Document): Node {
  const node = document.createTextNode(text);
  if (kind === '') return node;
  const span = document.createElement('span');
  span.setAttribute('class', `ubik-hl-${kind}`);
  span.append(node);
  return span;
}
