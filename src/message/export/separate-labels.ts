import type { Block } from '../../markdown/parser/block.js';
import { BlockParser } from '../../markdown/parser/block-parser.js';
import { normalizeLabel } from '../../markdown/parser/links.js';

/**
 * Matches inline code and addresses, in which brackets are text: a code span, an escaped character, the destination of a link, a web address.
 * Else matches a label in brackets, and the empty brackets after it.
 */
const TOKEN =
  /(?<!`)(`+)(?!`)(?:[^\n]|\n(?![ \t]*\n))*?(?<!`)\1(?!`)|\\.|(?<=\]\()[^\s()]+|https?:\/\/[^\s<>()、。，；：！？（）《》「」『』【】“”‘’]+|\[((?:[^[\]\\\n]|\\.)+)\](\[\])?/g;

/**
 * Matches at the beginning of a line, after the markers of quotes and items. A lookbehind, because copying the line for each label would be
 * slow.
 */
const LINE_START = /(?<=^(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))*)/my;

/** Blocks in which brackets are text. */
const RAW_BLOCKS: ReadonlySet<string> = new Set(['code', 'fence', 'html']);

/** A label in brackets at a position of a text. */
interface Label {
  readonly name: string;
  readonly isDefinition: boolean;
  /** Whether the text of a link is in brackets before it, as in `[text][name]`; false for `[name]` and `[name][]`. */
  readonly hasText: boolean;
  /** Whether it is the text of a link, as in `[name][label]` and `[name](address)`. */
  readonly isText: boolean;
}

/** Replaces each label in a text without code blocks, outside of code spans and addresses, by what `replace` returns for it; undefined keeps it. */
function replaceLabels(text: string, replace: (label: Label) => string | undefined): string {
  return text.replace(TOKEN, (match: string, ...args: (string | number | undefined)[]) => {
    const [, name, collapsed = '', at = 0] = args as [string, string?, string?, number?];
    if (name === undefined) return match;
    LINE_START.lastIndex = at;
    const next = text[at + match.length] ?? '';
    const isDefinition = next === ':' && LINE_START.test(text);
    const hasText = text[at - 1] === ']';
    const isText = !collapsed && (next === '(' || next === '[');
    const label = { name, isDefinition, hasText, isText };
    return replace(label) ?? match;
  });
}

/** A Markdown text and its labels. */
interface LabelledText {
  /** Pieces of the text: with labels, without labels (code and HTML blocks), and so on. */
  readonly pieces: readonly string[];
  readonly used: ReadonlySet<string>;
  readonly defined: ReadonlySet<string>;
}

function findLabels(text: string): LabelledText {
  const rawBlocks: Block[] = [];
  const [used, defined] = [new Set<string>(), new Set<string>()];
  const parser = new BlockParser({
    open: (block) => {
      if (block.kind === 'footnote') defined.add(block.label);
      if (RAW_BLOCKS.has(block.kind)) rawBlocks.push(block);
      return {};
    },
    makeLoose: () => undefined,
    define: ({ label }) => defined.add(label),
  });
  parser.feed(text);
  parser.end();
  const lines = text.match(/[^\r\n]*(?:\r\n?|\n|$)/g) ?? [];
  const pieces: string[] = [];
  let at = 0;
  // Lines are counted from 1.
  for (const { firstLine, lastLine, parent } of rawBlocks) {
    // A block that begins on the line of a footnote's label: that line belongs to the piece with labels.
    const hasLabel = parent?.kind === 'footnote' && parent.firstLine === firstLine;
    const start = hasLabel ? firstLine : firstLine - 1;
    pieces.push(lines.slice(at, start).join(''), lines.slice(start, lastLine).join(''));
    at = lastLine;
  }
  pieces.push(lines.slice(at).join(''));
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) replaceLabels(piece, ({ name }) => void used.add(normalizeLabel(name)));
  }
  return { pieces, used, defined };
}

/**
 * Renames the labels of footnotes and link references that are defined in one of several Markdown texts and occur in another one as well, because
 * the texts are joined to one document.
 */
export function separateLabels(texts: readonly string[]): readonly string[] {
  const all = texts.map(findLabels);
  const isUsed = (label: string, except?: LabelledText): boolean =>
    all.some((text) => text !== except && text.used.has(label));
  return all.map((own, at) => {
    const rename = ({ name, isDefinition, hasText, isText }: Label): string | undefined => {
      const label = normalizeLabel(name);
      if (!own.defined.has(label) || !isUsed(label, own)) return undefined;
      let renamed = `${name}-${at + 1}`;
      while (isUsed(normalizeLabel(renamed))) renamed += '-';
      if (isDefinition || hasText || name.startsWith('^')) return `[${renamed}]`;
      return isText ? undefined : `[${name}][${renamed}]`;
    };
    const replace = (piece: string, index: number): string =>
      index % 2 === 0 ? replaceLabels(piece, rename) : piece;
    return own.pieces.map(replace).join('');
  });
}
