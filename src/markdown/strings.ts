/** The words of the interface inside Markdown. */
export interface MarkdownStrings {
  /** `lang` of these words, where they stand in a text of another language. */
  readonly lang?: string | undefined;
  /** `lang` of the text, where something of it stands inside what has the language of these words. */
  readonly textLang?: string | undefined;
  /** On the button of a code block. */
  readonly copy: string;
  /** On it for a moment after copying. */
  readonly copied: string;
  /** On the switch of a code block that breaks long lines. */
  readonly wrap: string;
  /** The name of a code block for screen readers; `language` may be empty. */
  codeBlock(language: string): string;
  /** The name of a table that can be scrolled. */
  table(columns: number): string;
  /** On the button that copies a table as CSV or Markdown. */
  copyTable(format: string): string;
  /** The name of the button that sorts a table by a column. */
  sortBy(column: string): string;
  /** On the button in place of an image that is not loaded; `alt` may be empty, and so may `host`. */
  loadImage(alt: string, host: string): string;
  /** In place of an image that may not be loaded at all. */
  blockedImage(alt: string): string;
  /** The name of the notes below a text. */
  readonly footnotes: string;
  /** The name of a reference to one of them. */
  footnote(number: number): string;
  /** The name of the link from it back to a reference: `2` for the first one to the second note, `2-3` for the third one. */
  footnoteBack(reference: string): string;
  /** The name of a task's box. */
  task(done: boolean): string;
}

/** English. */
export const defaultStrings: MarkdownStrings = {
  copy: 'Copy',
  copied: 'Copied',
  wrap: 'Wrap',
  codeBlock: (language) => (language === '' ? 'Code' : `Code, ${language}`),
  table: (columns) => `Table with ${columns} columns`,
  copyTable: (format) => `Copy ${format}`,
  sortBy: (column) => `Sort by ${column}`,
  loadImage: (alt, host) =>
    `Load image${alt === '' ? '' : ` “${alt}”`}${host === '' ? '' : ` from ${host}`}`,
  blockedImage: (alt) => (alt === '' ? 'Image' : `Image: ${alt}`),
  footnotes: 'Footnotes',
  footnote: (number) => `Footnote ${number}`,
  footnoteBack: (reference) => `Back to reference ${reference}`,
  task: (done) => (done ? 'Done' : 'To do'),
};
