import type { Frame } from '../internal/frames.js';
import { BlockParser } from './blocks/block-parser.js';
import { DefinitionTable } from './blocks/definition-table.js';
import { actInMarkdown } from './dom/acts.js';
import { BlockRenderer } from './dom/block-renderer.js';
import { BlockGroups } from './dom/groups.js';
import { References } from './dom/references.js';
import type { RenderContext } from './dom/render-context.js';
import { LineFeeder } from './line-feeder.js';
import type { MarkdownOptions } from './options.js';
import { SourceText } from './source-text.js';
import { defaultStrings } from './strings.js';
import { createUrlPolicy } from './url-policy.js';

export type { MarkdownOptions } from './options.js';

/** A growing Markdown text in a page. */
export interface MarkdownView {
  /** Adds to the text. It is drawn in the next frame. */
  append(text: string): void;
  /** Shortens the text to so many UTF-16 units. */
  cut(at: number): void;
  /** The text is complete: what was held back is shown. Up to 64 kB are drawn at once, more in the frames after. */
  end(): Promise<void>;
  /** The whole text. */
  readonly source: string;
  /** Resolves when everything that has come is drawn. */
  settled(): Promise<void>;
  /** Gives back the listener and the frame. The nodes stay where they are. */
  dispose(): void;
}

/** How much is drawn at once when the text ends, and how much between two looks at the clock. */
const END_AT_ONCE = 65_536;
const SLICE = 4096;
/** Images of one text that may load by themselves. */
const MAX_IMAGES = 20;

/**
 * Shows a Markdown text that grows at its end. The cost of a piece is that of the piece: what is closed is never looked at
 * again. The nodes are made one by one from the text; no HTML is parsed.
 *
 * @example
 * const view = createMarkdownView(box, { document, frames: framesOf(window) });
 * view.append('# Hello\n\nSome *text*');
 * await view.end();
 */
export function createMarkdownView(container: Element, options: MarkdownOptions): MarkdownView {
  return new GrowingMarkdown(container, options);
}

class GrowingMarkdown implements MarkdownView {
  readonly #options: MarkdownOptions;
  readonly #container: Element;
  readonly #text = new SourceText();
  readonly #definitions = new DefinitionTable();
  readonly #references = new References();
  readonly #groups: BlockGroups;
  readonly #renderer: BlockRenderer;
  readonly #parser: BlockParser;
  readonly #feeder: LineFeeder;
  #images = MAX_IMAGES;
  /** Whether `end()` was called, and whether the end has been drawn. */
  #ending = false;
  #ended = false;
  #disposed = false;
  #waiting: (() => void)[] = [];

  constructor(container: Element, options: MarkdownOptions) {
    this.#container = container;
    this.#options = options;
    const context = this.#createContext();
    this.#groups = new BlockGroups(context, container);
    this.#renderer = new BlockRenderer(context, this.#groups);
    this.#parser = new BlockParser(this.#renderer, this.#definitions);
    this.#feeder = new LineFeeder(this.#parser);
    container.addEventListener('click', this.#handleClick);
  }

  get source(): string {
    return this.#text.whole;
  }

  append(text: string): void {
    if (text === '' || this.#disposed) return;
    if (this.#ended) this.#restart(this.#text.length);
    this.#ending = this.#ended = false;
    this.#text.append(text);
    this.#options.frames.schedule(this.#frame);
  }

  cut(at: number): void {
    const length = Math.max(0, Math.trunc(at));
    if (length >= this.#text.length || this.#disposed) return;
    this.#ending = this.#ended = false;
    this.#text.cut(length);
    if (length < this.#text.read) this.#restart(length);
    this.#options.frames.schedule(this.#frame);
  }

  end(): Promise<void> {
    if (this.#ended || this.#disposed) return Promise.resolve();
    this.#ending = true;
    let left = END_AT_ONCE / SLICE;
    const isDone = this.#work({ hasTime: () => (left -= 1) > 0 });
    if (!isDone) this.#options.frames.schedule(this.#frame);
    return this.settled();
  }

  settled(): Promise<void> {
    if (this.#isSettled || this.#disposed) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  dispose(): void {
    this.#disposed = true;
    this.#options.frames.cancel(this.#frame);
    this.#container.removeEventListener('click', this.#handleClick);
    this.#resolveWaiting();
  }

  get #isSettled(): boolean {
    return this.#text.isRead && this.#ending === this.#ended && this.#drawn;
  }

  #drawn = true;

  readonly #frame = (frame: Frame): boolean => !this.#work(frame);

  /** Reads and draws until the time is up. Returns whether nothing is left to do. */
  #work(frame: Frame): boolean {
    this.#drawn = false;
    do {
      this.#feeder.feed(this.#text.take(SLICE));
    } while (!this.#text.isRead && frame.hasTime());
    const isDone = this.#text.isRead;
    if (isDone && this.#ending) {
      this.#feeder.end();
      this.#ended = true;
    } else {
      this.#feeder.settle();
      this.#parser.decide();
      this.#renderer.drawOpen(this.#parser.tip);
    }
    this.#references.redraw();
    this.#drawn = true;
    if (isDone) this.#resolveWaiting();
    return isDone;
  }

  /** Begins again a little before a place, because what follows it has changed. */
  #restart(at: number): void {
    const start = this.#groups.cut(at);
    this.#references.forgetFrom(start);
    for (const label of this.#definitions.forgetFrom(start)) this.#references.change(label);
    this.#text.read = start;
    this.#feeder.reset(start);
  }

  #resolveWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #createContext(): RenderContext {
    const { document, mark, strings, urlPolicy } = this.#options;
    return {
      document,
      urlPolicy: urlPolicy ?? createUrlPolicy(),
      strings: strings ?? defaultStrings,
      definitions: this.#definitions,
      references: this.#references,
      mark: (key) => mark?.(key) ?? null,
      takeImage: () => (this.#images -= 1) >= 0,
      report: (error) => globalThis.reportError(error),
    };
  }

  readonly #handleClick = (event: Event): void => {
    actInMarkdown(event, this.#options);
  };
}
