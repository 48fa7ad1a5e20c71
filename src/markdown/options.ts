import type { FrameScheduler } from '../dom/frames.js';
import type { CheckedImage, CheckedLink, UrlPolicy } from './url-policy.js';

/** Draws the source of a diagram into a box, at once or until its promise resolves. */
export type RenderDiagram = (language: string, source: string, box: HTMLElement) => unknown;

/** What a growing Markdown text is shown with. All but the first two have safe defaults. */
export interface MarkdownOptions {
  /** Makes the nodes. */
  readonly document: Document;
  /** When work on the DOM is done: `framesOf(window)` in a page. */
  readonly frames: FrameScheduler;
  /** The judge of addresses. By default remote images wait for a click and relative links are inert. */
  readonly urlPolicy?: UrlPolicy | undefined;
  /** The words of the interface; English by default. */
  readonly strings?: MarkdownStrings | undefined;
  /** What all ids in the text begin with; another one for each text in a page or shadow root. */
  readonly idPrefix?: string | undefined;
  /** Makes the node for an inline mark (U+E000 key U+E001). Nothing is shown for null. */
  readonly renderMark?: ((key: string) => Node | null) | undefined;
  /** What becomes of raw HTML. It is shown as text. */
  readonly html?: 'text' | 'sanitized' | undefined;
  /**
   * Draws a closed code block of a language such as `mermaid` into a box that stands in its place in the page. A box that is left
   * empty, and one in which drawing fails, leaves it as code.
   */
  readonly renderDiagram?: RenderDiagram | undefined;
  /** A link is about to be followed; false prevents it. */
  readonly onLink?: ((link: CheckedLink, event: Event) => boolean | undefined) | undefined;
  /** A remote image is about to be loaded because a person asked for it; false prevents it. */
  readonly onImage?: ((image: CheckedImage) => boolean | undefined) | undefined;
  /** Loads an optional part (highlighting, maths, sanitiser) by name. Without it the text stays as it is. */
  readonly loadExtra?: ((name: string) => Promise<unknown>) | undefined;
}

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
