import { normalizeLabel } from '../../markdown/parser/links.js';

/**
 * Matches code and addresses, in which brackets are text: a fence up to its end or that of the text, a code span, an escaped character, the
 * destination of a link, a web address. Else matches a label in brackets, and the empty brackets after it.
 */
const TOKEN =
  /^[ >]*(`{3,}|~{3,})[^\n]*(?:\n(?![ >]*\1)[^\n]*)*(?:\n[^\n]*)?|(?<!`)(`+)(?!`)(?:[^\n]|\n(?![ \t]*\n))*?(?<!`)\2(?!`)|\\.|(?<=\]\()[^\s()]+|https?:\/\/[^\s<>()、。，；：！？（）《》「」『』【】“”‘’]+|\[((?:[^[\]\\\n]|\\.)+)\](\[\])?/gm;

/** Matches at the beginning of a line, after the markers of quotes. The text before is not copied, because a line may be long. */
const LINE_START = /(?<=^[ >]*)/my;

/** A label in brackets at a position of a text. */
interface Label {
  readonly name: string;
  readonly isDefinition: boolean;
  /** What stands in brackets around it: only the label (`[name]`, `[name][]`), or the text of a link before it. */
  readonly hasText: boolean;
  /** Whether it is the text of another label or of an address. */
  readonly isText: boolean;
}

/** Replaces each label in a text, outside of code and addresses, by what `replace` returns for it; undefined keeps it. */
function replaceLabels(text: string, replace: (label: Label) => string | undefined): string {
  return text.replace(TOKEN, (match: string, ...args: (string | number | undefined)[]) => {
    const [, , name, collapsed = '', at = 0] = args as [string, string, string?, string?, number?];
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

/**
 * Renames the labels of footnotes and link references that are defined in one of several Markdown texts and occur in another one as well, because
 * the texts are joined to one document.
 */
export function separateLabels(texts: readonly string[]): readonly string[] {
  const found = texts.map((text) => {
    const labels = new Map<string, boolean>();
    replaceLabels(text, ({ name, isDefinition }) => {
      const label = normalizeLabel(name);
      labels.set(label, isDefinition || (labels.get(label) ?? false));
      return undefined;
    });
    return labels;
  });
  const isUsed = (label: string, except?: unknown): boolean =>
    found.some((labels) => labels !== except && labels.has(label));
  return texts.map((text, at) => {
    const own = found[at];
    return replaceLabels(text, ({ name, isDefinition, hasText, isText }) => {
      const label = normalizeLabel(name);
      if (!own?.get(label) || !isUsed(label, own)) return undefined;
      let renamed = `${name}-${at + 1}`;
      while (isUsed(normalizeLabel(renamed))) renamed += '-';
      if (isDefinition || hasText || name.startsWith('^')) return `[${renamed}]`;
      return isText ? undefined : `[${name}][${renamed}]`;
    });
  });
}
