/** Text, as it is shown. */
export interface TextInline {
  readonly kind: 'text';
  readonly text: string;
}

/** Emphasis, strong emphasis or deleted text. */
export interface SpanInline {
  readonly kind: 'emphasis' | 'strong' | 'strike';
  readonly children: readonly Inline[];
}

/** Code inside a line. */
export interface CodeInline {
  readonly kind: 'code';
  readonly text: string;
}

/** A link. The address is not checked yet. */
export interface LinkInline {
  readonly kind: 'link';
  readonly destination: string;
  readonly title: string;
  readonly children: readonly Inline[];
}

/** An image. The address is not checked yet; `alt` is the plain text of its description. */
export interface ImageInline {
  readonly kind: 'image';
  readonly destination: string;
  readonly title: string;
  readonly alt: string;
}

/** A line break that was asked for. */
export interface BreakInline {
  readonly kind: 'break';
}

/** A place for something that the host puts in, such as a citation. */
export interface MarkInline {
  readonly kind: 'mark';
  readonly key: string;
}

/** The box of a task. */
export interface TaskInline {
  readonly kind: 'task';
  readonly done: boolean;
}

/** What may stand in a line. */
export type Inline =
  | TextInline
  | SpanInline
  | CodeInline
  | LinkInline
  | ImageInline
  | BreakInline
  | MarkInline
  | TaskInline;

/** The plain text of inline content, as for the description of an image. */
export function plainText(inlines: readonly Inline[]): string {
  return inlines.map(textOfOne).join('');
}

function textOfOne(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
    case 'code':
      return inline.text;
    case 'image':
      return inline.alt;
    case 'emphasis':
    case 'strong':
    case 'strike':
    case 'link':
      return plainText(inline.children);
    case 'break':
      return '\n';
    case 'mark':
    case 'task':
      return '';
  }
}
