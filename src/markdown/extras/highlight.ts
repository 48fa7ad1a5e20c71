import type { Emitter, HLJSApi } from 'highlight.js';
import core from 'highlight.js/lib/core';
import { createDresser } from './dress.js';
import { findLanguage } from './languages.js';

/** What the highlighter needs of the page. */
export interface HighlightKit {
  readonly document: Document;
  /** Does a small piece of work when the page has nothing better to do. */
  idle(work: () => void): void;
}

/** Longer code stays as it is. */
const MAX_LENGTH = 65_536;
/** About so much is read in one piece of work, so that none is long. */
const SLICE = 4096;

/** A stretch of code of one kind; an empty kind for what has none. */
interface Run {
  readonly kind: string;
  readonly text: string;
}

/** Takes what the library finds as a list, where its own would write HTML. */
class RunList implements Emitter {
  readonly runs: Run[] = [];
  readonly #open: string[] = [];

  addText(text: string): void {
    if (text !== '') this.runs.push({ kind: this.#open.at(-1) ?? '', text });
  }

  startScope(scope: string): void {
    this.#open.push(KINDS.get(scope.split('.', 1)[0] ?? '') ?? this.#open.at(-1) ?? '');
  }

  endScope(): void {
    this.#open.pop();
  }

  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: RunList): void {
    this.runs.push(...emitter.runs);
  }

  finalize(): void {
    this.#open.length = 0;
  }

  toHTML(): string {
    return '';
  }
}

/** The library's many scopes as the few kinds that a reader tells apart. */
const KINDS = new Map(
  Object.entries({
    comment: 'comment quote doctag',
    keyword: 'keyword built_in literal type selector-tag operator meta-keyword',
    string: 'string regexp char subst link meta-string',
    number: 'number symbol bullet variable template-variable',
    title: 'title section name class function',
    attr: 'attr attribute property params selector-class selector-id selector-attr tag',
    meta: 'meta',
    addition: 'addition',
    deletion: 'deletion',
  }).flatMap(([kind, scopes]) => scopes.split(' ').map((scope) => [scope, kind] as const)),
);

const CSS = `
.ubik-hl-comment { color: var(--ubik-code-comment, light-dark(#5c6773, #9aa5b1)); font-style: italic; }
.ubik-hl-keyword { color: var(--ubik-code-keyword, light-dark(#9a2162, #f28fc6)); }
.ubik-hl-string, .ubik-hl-addition { color: var(--ubik-code-string, light-dark(#1a6b33, #8fd6a0)); }
.ubik-hl-number, .ubik-hl-meta { color: var(--ubik-code-number, light-dark(#8a4600, #f0b37a)); }
.ubik-hl-title { color: var(--ubik-code-title, light-dark(#1f4fae, #9dc0ff)); }
.ubik-hl-attr { color: var(--ubik-code-attr, light-dark(#5b3aa8, #c9b3ff)); }
.ubik-hl-deletion { color: var(--ubik-code-deletion, light-dark(#a8201a, #ff9c94)); }
`;

let library: HLJSApi | null = null;
const loading = new Map<string, Promise<string | null>>();
const dress = createDresser(CSS);

/**
 * Colours a closed block of code: its text nodes are parted by kind, in slices while the page is idle. The text stays what it is.
 * Resolves when it is done, with false when the language is not known or the code is too long.
 */
export async function highlight(
  code: Element,
  language: string,
  kit: HighlightKit,
): Promise<boolean> {
  if (code.textContent.length > MAX_LENGTH) return false;
  const name = await loadLanguage(language);
  if (name === null) return false;
  dress(code, kit.document);
  for (const slice of sliceText(listTexts(code, kit.document))) {
    await inTurn(code, kit, () => {
      colour(slice, name, kit.document);
    });
  }
  return true;
}

/** Resolves with the name under which the language is known. */
function loadLanguage(language: string): Promise<string | null> {
  const load = findLanguage(language);
  if (!load) return Promise.resolve(null);
  const known = loading.get(language);
  if (known) return known;
  const name = load().then(({ default: define }) => {
    library ??= core.newInstance();
    library.configure({ __emitter: RunList });
    library.registerLanguage(language, define);
    return language;
  });
  loading.set(language, name);
  // A file that was not to be had is asked for again with the next block.
  name.catch(() => loading.delete(language));
  return name;
}

function listTexts(code: Element, document: Document): Text[] {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
}

/** Neighbours that are read together: what is open at the end of a slice is not known in the next. */
function sliceText(texts: readonly Text[]): Text[][] {
  const slices: Text[][] = [];
  let length = Infinity;
  for (const text of texts) {
    if (length + text.length > SLICE) {
      slices.push([]);
      length = 0;
    }
    slices.at(-1)?.push(text);
    length += text.length;
  }
  return slices;
}

/**
 * Works in an idle moment in which nobody has selected anything in the code: parting its texts would lose the selection. In the
 * moment itself, so that whoever grants it sees what it costs.
 */
function inTurn(code: Element, kit: HighlightKit, work: () => void): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (isSelected(code)) {
        kit.document.addEventListener('selectionchange', () => kit.idle(look), { once: true });
        return;
      }
      work();
      resolve();
    };
    kit.idle(look);
  });
}

function isSelected(code: Element): boolean {
  // Only Chromium tells of a selection in a shadow tree there; elsewhere the document tells.
  const root = code.getRootNode() as Node & Partial<Pick<Document, 'getSelection'>>;
  const selection = root.getSelection?.() ?? code.ownerDocument.getSelection();
  return selection?.type === 'Range' && selection.containsNode(code, true);
}

function colour(texts: readonly Text[], language: string, document: Document): void {
  const whole = texts.map(({ data }) => data).join('');
  const result = library?.highlight(whole, { language, ignoreIllegals: true });
  const runs = [...((result?._emitter as RunList | undefined)?.runs ?? [])];
  for (const text of texts) {
    if (!text.isConnected) continue;
    const nodes: Node[] = [];
    for (let left = text.length; left > 0;) {
      const run = runs.shift();
      if (!run) return;
      if (run.text.length > left) runs.unshift({ ...run, text: run.text.slice(left) });
      const piece = run.text.slice(0, left);
      left -= piece.length;
      nodes.push(makePiece(run.kind, piece, document));
    }
    text.replaceWith(...nodes);
  }
}

function makePiece(kind: string, text: string, document: Document): Node {
  const node = document.createTextNode(text);
  if (kind === '') return node;
  const span = document.createElement('span');
  span.setAttribute('class', `ubik-hl-${kind}`);
  span.append(node);
  return span;
}
