/** What may stand in a line. `em`, `strong`, `del`, `code` and `br` are shown by the elements of these names. */
export type InlineKind =
  | 'text'
  | 'code'
  | 'br'
  | 'em'
  | 'strong'
  | 'del'
  | 'link'
  | 'image'
  | 'footnote'
  | 'mark'
  | 'task';

/** A piece of inline content and, once it is drawn, its node. */
export interface Inline {
  readonly kind: InlineKind;
  /** Text or code as it is shown; the description of an image; the key of a mark; the name of a footnote; `x` for a task that is done. */
  text: string;
  /** The address of a link or an image. It is not checked yet. */
  readonly destination: string;
  readonly title: string;
  readonly children: Inline[];
  node: ChildNode | null;
  /** How many characters at the beginning of its text node are settled and not part of `text`. */
  stableLength: number;
}

/** Makes a piece of inline content. */
export function createInline(kind: InlineKind, text = '', destination = '', title = ''): Inline {
  return { kind, text, destination, title, children: [], node: null, stableLength: 0 };
}

/** Adds text to a list; it joins the text before it. */
export function appendText(list: Inline[], text: string): void {
  const last = list.at(-1);
  if (last?.kind === 'text') last.text += text;
  else if (text !== '') list.push(createInline('text', text));
}

/** Adds inline content to a list. */
export function appendInline(list: Inline[], added: Inline): void {
  if (added.kind === 'text') appendText(list, added.text);
  else list.push(added);
}

/** Kinds whose text is no text of the page. */
const WITHOUT_TEXT: ReadonlySet<InlineKind> = new Set(['mark', 'task', 'footnote']);

/** The plain text of inline content, as for the description of an image. */
export function plainText(list: readonly Inline[]): string {
  return list
    .map(({ kind, text, children }) => {
      if (kind === 'br') return '\n';
      return WITHOUT_TEXT.has(kind) ? '' : text + plainText(children);
    })
    .join('');
}
