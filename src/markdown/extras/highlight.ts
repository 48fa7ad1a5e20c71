import {
  createCodeTokenizer,
  sliceCode,
  type CodeTokenizer,
  type TokenRun,
} from './code-tokenizer.js';
import { createStyleInserter } from './insert-styles.js';

/** What the highlighter needs of the page. */
export interface HighlightContext {
  readonly document: Document;
  /** Does a small piece of work when the page has nothing better to do. */
  whenIdle(work: () => void): void;
}

/** So much of a block is coloured. */
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

/** Colours one part of a block of code; its text stays what it is. Resolves when it is done, with false when it stays as it is. */
export type Highlighter = (part: Element) => Promise<boolean>;

/**
 * Makes what colours a block of code by its parts, which are given in their order, each once and when it takes no more text: in moments in
 * which the page has time, a slice at a time. From the part on that goes beyond the longest, all stay as they are.
 */
export function createHighlighter(language: string, kit: HighlightContext): Highlighter {
  let left = MAX_LENGTH;
  let reader: Promise<CodeTokenizer | null> = createCodeTokenizer(language);
  return async (part) => {
    left -= part.textContent.length;
    if (left < 0) return false;
    // One after the other: each begins with what is open behind the one before.
    reader = reader.then(async (read) => {
      if (read) await highlightPart(part, read, kit);
      return read;
    });
    return (await reader) !== null;
  };
}

async function highlightPart(
  part: Element,
  read: CodeTokenizer,
  kit: HighlightContext,
): Promise<void> {
  const runs: TokenRun[] = [];
  for (const slice of sliceCode(part.textContent)) {
    await new Promise<void>((resolve) => {
      kit.whenIdle(() => {
        runs.push(...read(slice));
        resolve();
      });
    });
  }
  await whenUnselected(part, kit, () => replaceWithTokens(part, runs, kit.document));
}

/**
 * Works in an idle moment in which nobody has selected anything in the part: parting its text would lose the selection. In the
 * moment itself, so that whoever grants it sees what it costs.
 */
function whenUnselected(part: Element, kit: HighlightContext, work: () => void): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (isSelected(part)) {
        kit.document.addEventListener('selectionchange', () => kit.whenIdle(look), { once: true });
        return;
      }
      work();
      resolve();
    };
    kit.whenIdle(look);
  });
}

function isSelected(part: Element): boolean {
  // Only Chromium tells of a selection in a shadow tree there; elsewhere the document tells.
  const root = part.getRootNode() as Node & Partial<Pick<Document, 'getSelection'>>;
  const selection = root.getSelection?.() ?? part.ownerDocument.getSelection();
  return selection?.type === 'Range' && selection.containsNode(part, true);
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
