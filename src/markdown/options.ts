import type { FrameScheduler } from '../dom/frames.js';
import type { AlertKind } from './parser/block.js';
import type { CheckedImage, CheckedLink, UrlPolicy } from './url-policy.js';

/** What {@link RenderFence} gets besides the info string and the source. */
export interface FenceContext {
  /**
   * An element in the document, the same for each call for one fence. Its content replaces the code; while it is empty, the code is shown.
   */
  readonly box: HTMLElement;
  /** The first word of the info string, such as `mermaid`; empty without one. */
  readonly language: string;
  /** The rest of the info string. */
  readonly meta: string;
  /** Whether the source may still grow. */
  readonly open: boolean;
}

/**
 * Draws the source of a fenced code block into `context.box`, synchronously or until the returned promise resolves. Called at most once
 * per frame while the block grows, and once when it is closed.
 */
export type RenderFence = (info: string, source: string, context: FenceContext) => unknown;

/**
 * Follows a link in place of the browser, for example with the router of the page. Returns true, or prevents the default of the event, when it
 * has followed the link. Not called for clicks with a modifier key, which ask for a new tab or window.
 */
export type LinkHandler = (link: CheckedLink, event: MouseEvent) => unknown;

/** Options of a Markdown view. All but `document` and `frames` have safe defaults. */
export interface MarkdownOptions {
  /** Creates the nodes. */
  readonly document: Document;
  /** Schedules DOM updates: `getFrameScheduler(window)` in a page. */
  readonly frames: FrameScheduler;
  /**
   * Decides which links and images are allowed. By default remote images are loaded after a click, and relative links are not clickable.
   */
  readonly urlPolicy?: UrlPolicy | undefined;
  /** Texts of the user interface; English by default. */
  readonly strings?: MarkdownStrings | undefined;
  /** Prefix of all ids in the text. It must be unique within the document or shadow root. */
  readonly idPrefix?: string | undefined;
  /** Creates the node for an inline mark, such as a citation (`U+E000 key U+E001`). Nothing is rendered for null. */
  readonly renderMark?: ((key: string) => Node | null) | undefined;
  /** How raw HTML is rendered; as text by default. */
  readonly html?: 'text' | 'sanitized' | undefined;
  /**
   * Draws fenced code blocks, such as diagrams, even while they are growing, and those without a language. Where it leaves the box empty, throws
   * or never settles, the code is shown.
   */
  readonly renderFence?: RenderFence | undefined;
  /**
   * Extensions of `marked`, as its function `use` takes them, which draw closed blocks, or ranges of the text in them. Their HTML is sanitized.
   * After an error, the block stays as it is rendered without them.
   */
  readonly extensions?: readonly object[] | undefined;
  /** Called before a link is followed; false prevents it. */
  readonly onLink?: ((link: CheckedLink, event: Event) => boolean | undefined) | undefined;
  /** Called before an image is loaded on request of the user; false prevents it. */
  readonly onImage?: ((image: CheckedImage) => boolean | undefined) | undefined;
  /**
   * Loads an optional module by name (`highlight`, `marked`, `maths`, `sanitize`, `tables`). By default, no module is loaded, and the content
   * is rendered without them.
   */
  readonly loadExtra?: ((name: string) => Promise<unknown>) | undefined;
}

/** Texts of the user interface inside Markdown. */
export interface MarkdownStrings {
  /** `lang` of these texts, where they occur in content of another language. */
  readonly lang?: string | undefined;
  /** `lang` of the content, where it occurs inside an element with the language of these texts. */
  readonly textLang?: string | undefined;
  /** Label of the copy button of a code block. */
  readonly copy: string;
  /** Label of the copy button after copying, until the pointer or the focus leaves it. */
  readonly copied: string;
  /** Text behind a copy button when the browser has not allowed copying, until the button loses the focus or something is pressed. */
  readonly copyFailed: string;
  /** Label of the toggle that wraps long lines of a code block. */
  readonly wrap: string;
  /** Accessible name of a code block; `language` may be empty. */
  codeBlock(language: string): string;
  /** Accessible name of a scrollable table. */
  table(columns: number): string;
  /** Label of the button that copies a table as CSV or Markdown. */
  copyTable(format: string): string;
  /** Accessible name of the button that sorts a table by a column. */
  sortBy(column: string): string;
  /** Label of the button that loads an image; `alt` and `host` may be empty. */
  loadImage(alt: string, host: string): string;
  /** Text in place of an image that is not allowed. */
  blockedImage(alt: string): string;
  /** Accessible name of the list of footnotes. */
  readonly footnotes: string;
  /** Accessible name of a reference to a footnote. */
  footnote(number: number): string;
  /** Accessible name of a backlink; `reference` is `2` for the first reference to the second footnote, `2-3` for the third reference to it. */
  footnoteBack(reference: string): string;
  /** Accessible name of the checkbox of a task. */
  task(done: boolean): string;
  /** Title of an alert. */
  alert(kind: AlertKind): string;
}

/** The English texts. */
export const defaultStrings: MarkdownStrings = {
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser didn’t allow copying.',
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
  alert: (kind) => kind.charAt(0).toUpperCase() + kind.slice(1),
};
