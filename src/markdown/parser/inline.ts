/**
 * Kinds of inline nodes. `em`, `strong`, `del`, `code`, `br`, `sub`, `sup` and `kbd` are rendered as the elements of these names, `highlight`
 * as `<mark>`.
 */
export type InlineKind =
  | 'text'
  | 'code'
  | 'br'
  | 'em'
  | 'strong'
  | 'del'
  | 'sub'
  | 'sup'
  | 'kbd'
  | 'highlight'
  | 'link'
  | 'image'
  | 'footnote'
  | 'mark'
  | 'task';

/** An inline node of the syntax tree and, once it is rendered, its DOM node. */
export interface Inline {
  readonly kind: InlineKind;
  /**
   * The text or code; for an image its description, for a mark its key, for a footnote its label, for a completed task `x`; for emphasis and
   * HTML its opening delimiters or tag until the node is added to the tree, because they become text if the node is nested too deeply.
   */
  text: string;
  /** The destination of a link or image. It has not been checked by a URL policy. */
  readonly destination: string;
  readonly title: string;
  readonly children: Inline[];
  node: ChildNode | null;
  /** Number of characters at the start of the DOM text node that later text cannot change. `text` contains only the characters after them. */
  stableLength: number;
}

/** Creates an inline node. */
export function createInline(kind: InlineKind, text = '', destination = '', title = ''): Inline {
  return { kind, text, destination, title, children: [], node: null, stableLength: 0 };
}

/** Appends text to a list. It is joined with a preceding text node. */
export function appendText(list: Inline[], text: string): void {
  const last = list.at(-1);
  if (last?.kind === 'text') last.text += text;
  else if (text !== '') list.push(createInline('text', text));
}

/** Appends a node to a list. A text node is joined with a preceding one. */
export function appendInline(list: Inline[], added: Inline): void {
  if (added.kind === 'text') appendText(list, added.text);
  else list.push(added);
}

/** Kinds whose `text` is not displayed. */
const WITHOUT_TEXT: ReadonlySet<InlineKind> = new Set(['mark', 'task', 'footnote']);

/** Returns the plain text of inline nodes, for example for the description of an image. */
export function plainText(list: readonly Inline[]): string {
  return list
    .map(({ kind, text, children }) => {
      if (kind === 'br') return '\n';
      return WITHOUT_TEXT.has(kind) ? '' : text + plainText(children);
    })
    .join('');
}
