import type { Frame } from '../dom/frames.js';
import { BlockParser } from './parser/block-parser.js';
import { handleMarkdownEvent, MARKDOWN_EVENTS } from './dom/actions.js';
import { BlockRenderer } from './dom/block-renderer.js';
import { LazyExtras } from './dom/extras.js';
import { Footnotes } from './dom/footnotes.js';
import { BlockGroups } from './dom/block-groups.js';
import { ImageQuota } from './dom/image-quota.js';
import { ReferenceMap } from './dom/references.js';
import { defaultStrings, type MarkdownOptions } from './options.js';
import { createUrlPolicy } from './url-policy.js';

export type { MarkdownOptions } from './options.js';

/** A growing Markdown text in a page. */
export interface MarkdownView {
  /** Adds to the text. It is drawn in the next frame. */
  append(text: string): void;
  /** Shortens the text to so many UTF-16 units. */
  truncate(at: number): void;
  /** The text is complete: what was held back is shown. Up to 64 kB are drawn at once, more in the frames after. */
  end(): Promise<void>;
  /** Draws everything anew, for when the page has changed its mind about what its options say. */
  redraw(): void;
  /** The whole text. */
  readonly source: string;
  /** Resolves when everything that has come is drawn. */
  whenRendered(): Promise<void>;
  /** Gives back the listeners and the frame. The nodes stay where they are. */
  dispose(): void;
}

/** How much is drawn at once when the text ends, and how much between two looks at the clock. */
const MAX_SYNC_RENDER = 65_536;
const SLICE_LENGTH = 4096;
/** How much text may be drawn again for late references before the end. Only a text made for it, with thousands of them, comes near. */
const MIN_REDRAW_BUDGET = 100_000;
const REDRAW_BUDGET_PER_CHARACTER = 8;

/** Views so far: the ids of each begin with another number. */
let viewCount = 0;

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
  readonly #references = new ReferenceMap();
  readonly #footnotes: Footnotes;
  readonly #groups: BlockGroups;
  readonly #parser: BlockParser;
  #source = '';
  /** The end of the source that is not read yet. */
  #pending = '';
  readonly #images: ImageQuota;
  /** `drawn`: everything that has come is shown. `ended`: what was held back at the end is shown too. */
  #state: 'behind' | 'drawn' | 'ending' | 'ended' = 'drawn';
  #disposed = false;
  #waiters: (() => void)[] = [];

  constructor(container: Element, options: MarkdownOptions) {
    this.#container = container;
    this.#options = options;
    const {
      document,
      frames,
      renderMark: mark,
      strings = defaultStrings,
      urlPolicy = createUrlPolicy(),
    } = options;
    const { idPrefix = `ubik-markdown-${(viewCount += 1)}` } = options;
    this.#images = new ImageQuota(container);
    const extras = new LazyExtras(options, urlPolicy, this.#images);
    this.#footnotes = new Footnotes({ document, strings, idPrefix }, container);
    const context = {
      document,
      frames,
      urlPolicy,
      strings,
      references: this.#references,
      footnotes: this.#footnotes,
      extras,
      mark: (key: string) => extras.renderFormula(key) ?? mark?.(key) ?? null,
      images: this.#images,
    };
    this.#groups = new BlockGroups(context, container);
    this.#parser = new BlockParser(new BlockRenderer(context, this.#groups));
    for (const type of MARKDOWN_EVENTS) container.addEventListener(type, this.#handleEvent);
  }

  get source(): string {
    return this.#source;
  }

  append(text: string): void {
    if (text === '' || this.#disposed) return;
    if (this.#state === 'ended') this.#restartAt(this.#source.length);
    this.#source += text;
    this.#pending += text;
    this.#schedule('behind');
  }

  truncate(at: number): void {
    const length = Math.max(0, Math.trunc(at));
    const left = this.#source.length - length;
    if (!(left > 0) || this.#disposed) return;
    this.#source = this.#source.slice(0, length);
    if (left > this.#pending.length) this.#restartAt(length);
    else this.#pending = this.#pending.slice(0, -left);
    this.#schedule('behind');
  }

  end(): Promise<void> {
    if (this.#state === 'ended' || this.#disposed) return Promise.resolve();
    this.#state = 'ending';
    let left = MAX_SYNC_RENDER / SLICE_LENGTH;
    const isDone = this.#render({ hasTime: () => (left -= 1) > 0 });
    if (!isDone) this.#schedule('ending');
    return this.whenRendered();
  }

  redraw(): void {
    if (this.#disposed) return;
    const isWhole = this.#state === 'ended' || this.#state === 'ending';
    this.#restartAt(0);
    this.#schedule(isWhole ? 'ending' : 'behind');
  }

  whenRendered(): Promise<void> {
    if (this.#isRendered || this.#disposed) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  dispose(): void {
    this.#disposed = true;
    this.#options.frames.cancel(this.#frame);
    for (const type of MARKDOWN_EVENTS)
      this.#container.removeEventListener(type, this.#handleEvent);
    this.#resolveWaiters();
  }

  get #isRendered(): boolean {
    return this.#state === 'drawn' || this.#state === 'ended';
  }

  #schedule(state: 'behind' | 'ending'): void {
    this.#state = state;
    this.#options.frames.schedule(this.#frame);
  }

  /** A frame that was asked for may come when all is done. */
  readonly #frame = (frame: Frame): boolean => !this.#isRendered && !this.#render(frame);

  /** Reads and draws until the time is up. Returns whether nothing is left to do. */
  #render(frame: Frame): boolean {
    do {
      this.#parser.feed(this.#pending.slice(0, SLICE_LENGTH));
      this.#pending = this.#pending.slice(SLICE_LENGTH);
    } while (this.#pending !== '' && frame.hasTime());
    const isDone = this.#pending === '';
    const isEnd = isDone && this.#state === 'ending';
    if (isEnd) this.#parser.end();
    else this.#parser.flush();
    const most = MIN_REDRAW_BUDGET + REDRAW_BUDGET_PER_CHARACTER * this.#source.length;
    this.#references.redraw(isEnd ? Infinity : most);
    this.#footnotes.update();
    this.#images.flush();
    if (isDone) {
      this.#state = isEnd ? 'ended' : 'drawn';
      this.#resolveWaiters();
    }
    return isDone;
  }

  /** Begins again a little before a place, because what follows it has changed. */
  #restartAt(at: number): void {
    const start = this.#groups.truncate(at);
    this.#references.truncate(start);
    this.#footnotes.truncate(start);
    this.#pending = this.#source.slice(start);
    this.#parser.reset(start);
  }

  #resolveWaiters(): void {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  readonly #handleEvent = (event: Event): void => {
    handleMarkdownEvent(event, this.#options);
  };
}
