import type { Frame } from '../dom/frames.js';
import { BlockParser } from './parser/block-parser.js';
import { handleMarkdownEvent, MARKDOWN_EVENTS } from './dom/actions.js';
import { BlockRenderer } from './dom/block-renderer.js';
import { LazyExtras } from './dom/extras.js';
import { InlineRegion } from './dom/inline-region.js';
import { recordMark, updateHtmlNotices } from './dom/link-notice.js';
import { Footnotes } from './dom/footnotes.js';
import { BlockGroups } from './dom/block-groups.js';
import { ImageQuota } from './dom/image-quota.js';
import { ReferenceMap } from './dom/references.js';
import { createElement, type RenderContext } from './dom/render-context.js';
import { defaultStrings, type MarkdownOptions, type MarkdownStrings } from './options.js';
import { createUrlPolicy, type UrlPolicy } from './url-policy.js';

export type { MarkdownOptions } from './options.js';

/** Renders a growing Markdown text into an element. */
export interface MarkdownView {
  /** Appends to the text, which is rendered from the next frame on. */
  append(text: string): void;
  /** Truncates the text to `length` UTF-16 units. */
  truncate(length: number): void;
  /**
   * Ends the text and renders the part at its end that was withheld. Up to 2048 UTF-16 units are rendered synchronously, the rest in the
   * following frames. Resolves when everything is rendered, except what optional modules draw later. A later `append` continues the text.
   */
  end(): Promise<void>;
  /** Renders everything again: call it after `urlPolicy`, `strings`, `html`, `renderFence` or `extensions` of the options object have changed. */
  redraw(): void;
  /** The whole text. */
  readonly source: string;
  /** Resolves when the text so far is rendered. */
  whenRendered(): Promise<void>;
  /** Removes the listeners and cancels the frame. The nodes are not removed. */
  dispose(): void;
}

/** Number of UTF-16 units that are rendered between two checks of the time budget, and that `end` renders synchronously. */
const SLICE_LENGTH = 2048;
/**
 * Minimum of the redraw budget: how much text, in UTF-16 units, may be rendered again while the text grows, because references are
 * defined after their use. The budget bounds the cost of a text with thousands of such references.
 */
const MIN_REDRAW_BUDGET = 100_000;
/** Addition to the redraw budget for each UTF-16 unit of the text. */
const REDRAW_BUDGET_PER_CHARACTER = 8;

/** Number of views so far, which makes the default id prefix of each view unique. */
let viewCount = 0;

/**
 * Creates a view of a growing Markdown text. An append takes time proportional to the appended text, because closed blocks are not
 * parsed again, and rendering them again for late references is limited by a budget. Nodes are created with the DOM API; no HTML is parsed,
 * except by the optional module `sanitize`.
 *
 * @example
 * const view = createMarkdownView(box, { document, frames: getFrameScheduler(window) });
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
  readonly #context: RenderContext;
  readonly #parser: BlockParser;
  #source = '';
  /** The part of the source that is not parsed yet. */
  #pending = '';
  readonly #images: ImageQuota;
  /** `rendered`: the text so far is rendered. `ended`: the part at its end that was withheld is rendered, too. */
  #state: 'pending' | 'rendered' | 'ending' | 'ended' = 'rendered';
  #disposed = false;
  /** Whether the rendered text is replaced in the next frame. Until then it stays, so that the height of the container does not collapse. */
  #isOutdated = false;
  #waiters: (() => void)[] = [];

  constructor(container: Element, options: MarkdownOptions) {
    this.#container = container;
    this.#options = options;
    const { document, frames, renderMark: mark } = options;
    const { idPrefix = `ubik-markdown-${(viewCount += 1)}` } = options;
    const defaultPolicy = createUrlPolicy();
    const settings = {
      document,
      idPrefix,
      // Read at each use, so that `redraw` uses the current options of the page.
      get urlPolicy(): UrlPolicy {
        return options.urlPolicy ?? defaultPolicy;
      },
      get strings(): MarkdownStrings {
        return options.strings ?? defaultStrings;
      },
    };
    this.#images = new ImageQuota(container);
    const extras = new LazyExtras(options, settings, this.#images);
    this.#footnotes = new Footnotes(settings, container);
    const context: RenderContext = Object.assign(settings, {
      frames,
      references: this.#references,
      footnotes: this.#footnotes,
      extras,
      mark: (key: string) => recordMark(extras.createReplacement(key) ?? mark?.(key) ?? null),
      drawPart: (...args: Parameters<RenderContext['drawPart']>) => this.#drawPart(...args),
      images: this.#images,
    });
    this.#context = context;
    this.#groups = new BlockGroups(context, container);
    this.#parser = new BlockParser(
      new BlockRenderer(context, this.#groups, (start) => {
        this.#drawLastBlock(start);
      }),
    );
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
    this.#schedule('pending');
  }

  truncate(length: number): void {
    const end = Math.max(0, Math.trunc(length));
    const removed = this.#source.length - end;
    if (!(removed > 0) || this.#disposed) return;
    this.#source = this.#source.slice(0, end);
    if (removed > this.#pending.length) this.#restartAt(end);
    else this.#pending = this.#pending.slice(0, -removed);
    this.#schedule('pending');
  }

  end(): Promise<void> {
    if (this.#state === 'ended' || this.#disposed) return Promise.resolve();
    this.#state = 'ending';
    // Renders one slice, the rest in frames. A frame is already scheduled while text is pending.
    this.#render({ hasTime: () => false });
    return this.whenRendered();
  }

  redraw(): void {
    if (this.#disposed) return;
    const isWhole = this.#state === 'ended' || this.#state === 'ending';
    this.#isOutdated = true;
    this.#schedule(isWhole ? 'ending' : 'pending');
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
    return this.#state === 'rendered' || this.#state === 'ended';
  }

  #schedule(state: 'pending' | 'ending'): void {
    this.#state = state;
    this.#options.frames.schedule(this.#frame);
  }

  /** Returns whether another frame is needed. When `end` has rendered everything, a scheduled frame has nothing to do. */
  readonly #frame = (frame: Frame): boolean => !this.#isRendered && !this.#render(frame);

  /** Parses and renders until the time budget is used up. Returns whether everything is rendered. */
  #render(frame: Frame): boolean {
    if (this.#isOutdated) this.#restartAt(0);
    this.#isOutdated = false;
    do {
      this.#parser.feed(this.#pending.slice(0, SLICE_LENGTH));
      this.#pending = this.#pending.slice(SLICE_LENGTH);
    } while (this.#pending !== '' && frame.hasTime());
    const isDone = this.#pending === '';
    const isEnd = isDone && this.#state === 'ending';
    if (isEnd) {
      this.#parser.end();
      this.#drawLastBlock(this.#source.length);
    } else this.#parser.flush();
    const budget = MIN_REDRAW_BUDGET + REDRAW_BUDGET_PER_CHARACTER * this.#source.length;
    this.#references.redraw(isEnd ? Infinity : budget);
    this.#footnotes.update();
    this.#images.flush();
    if (isDone) {
      this.#state = isEnd ? 'ended' : 'rendered';
      this.#resolveWaiters();
    }
    return isDone;
  }

  /** Draws the last block, whose source ends at `end`, with extensions of the host page. */
  #drawLastBlock(end: number): void {
    const last = this.#groups.takeLast();
    if (last && this.#context.extras.hasExtensions)
      void this.#drawBlock(
        last.element,
        last.start,
        // The parser replaces NUL, too.
        this.#source.slice(last.start, end).replaceAll('\0', '\uFFFD'),
      );
  }

  async #drawBlock(element: Element, start: number, source: string): Promise<void> {
    const { extras, mark } = this.#context;
    const draw = (part: string, isInline: boolean): Element =>
      this.#drawPart(part, start, isInline);
    const create = await extras.drawBlock(source, { mark, draw });
    if (!create || !this.#groups.hasBlock(element)) return;
    // The references in the block are rendered again as parts of what the extensions have drawn.
    const end = start + source.length;
    this.#references.removeUsers(start, end);
    this.#footnotes.removeReferences(start, end);
    const drawn = create();
    updateHtmlNotices(this.#context, drawn);
    this.#groups.replaceBlock(element, drawn);
    this.#footnotes.update();
    this.#images.flush();
  }

  #drawPart(source: string, start: number, isInline: boolean): Element {
    const box = createElement(this.#context, isInline ? 'span' : 'div');
    if (isInline) {
      const region = new InlineRegion(this.#context, box, start);
      region.append(source);
      region.close();
      return box;
    }
    const container = {
      addBlock: (element: Element): void => {
        box.append(element);
      },
      removeBlock: (element: Element): void => {
        element.remove();
      },
    };
    const parser = new BlockParser(new BlockRenderer(this.#context, container));
    parser.reset(start);
    parser.feed(source);
    parser.end();
    return box;
  }

  /** Removes the blocks that a change at position `at` can affect, and parses again from there. */
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
