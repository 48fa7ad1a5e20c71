import type { FrameScheduler } from '../dom/frames.js';
import type { MarkdownStrings } from './strings.js';
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
