import type * as Highlight from '../extras/highlight.js';
import type * as Marked from '../extras/marked.js';
import type * as Maths from '../extras/maths.js';
import type * as Sanitize from '../extras/sanitize.js';
import { isSelected } from '../../dom/selection.js';
import type { MarkdownOptions } from '../options.js';
import type { ImageQuota } from './image-quota.js';
import { FenceDrawing } from './fence-drawing.js';
import { updateHtmlNotices, updateOuterNotices, type NoticeContext } from './link-notice.js';

/**
 * The optional modules that rendering needs (`actions.ts` loads `tables`). Each is loaded when a closed block, or a complete part of a code
 * block, first needs it.
 */
interface ExtraModules {
  readonly highlight: typeof Highlight;
  readonly marked: typeof Marked;
  readonly maths: typeof Maths;
  readonly sanitize: typeof Sanitize;
}

/** The functions of the view that extensions need: they render the standard Markdown inside of what an extension draws, and inline marks. */
export type DrawContext = Pick<Marked.ExtensionHost, 'draw' | 'mark'>;

/** Characters with which a formula may begin. */
const FORMULA_START = /\$|\\[([]/;

/**
 * Applies the optional modules to closed blocks and to complete parts of code blocks. If a module is missing or fails, the block is left
 * unchanged.
 */
export class LazyExtras {
  readonly #options: MarkdownOptions;
  readonly #context: NoticeContext;
  readonly #images: ImageQuota;
  readonly #loading = new Map<string, Promise<unknown>>();
  /** Functions that create what replaces ranges of inline texts (formulas and drawings of extensions), by the keys of inline marks. */
  readonly #replacements = new Map<string, () => Node>();

  constructor(options: MarkdownOptions, context: NoticeContext, images: ImageQuota) {
    this.#options = options;
    this.#images = images;
    this.#context = context;
  }

  /** Creates a function that highlights the parts of a code block. Call it with each part, in order, when the part is complete. */
  createHighlighter(language: string): (part: Element) => void {
    const { document, frames } = this.#options;
    const whenFrameHasTime = (work: () => void): void =>
      frames.schedule((frame) => {
        // Other rendering work takes precedence.
        if (!frame.hasTime()) return true;
        work();
        return false;
      });
    let highlighter: Promise<Highlight.Highlighter | undefined> | undefined;
    return (part) => {
      highlighter ??= this.#load('highlight').then((extra) =>
        extra?.createHighlighter(language, { document, whenFrameHasTime, isSelected }),
      );
      void highlighter.then((highlight) => highlight?.(part)).catch(ignore);
    };
  }

  /** Creates what `renderFence` draws in place of a fence; null without this option. `onClosed` gets whether there is a drawing. */
  createDrawing(
    info: string,
    code: HTMLElement,
    onClosed: (isDrawn: boolean) => void,
  ): FenceDrawing | null {
    const { document, renderFence: render } = this.#options;
    return render ? new FenceDrawing({ document, render, info, code, onClosed }) : null;
  }

  /** The extensions of the host page, if there are any. */
  get #extensions(): readonly object[] | null {
    return this.#readOwn('extensions') ?? null;
  }

  /** Whether extensions of the host page may draw closed blocks. */
  get hasExtensions(): boolean {
    return (this.#extensions?.length ?? 0) > 0;
  }

  /**
   * Finds formulas, and ranges that extensions of the host page draw, in the source of a text in a closed block. If there are any, calls
   * `onMarked` with the source in which inline marks replace them.
   */
  processText(source: string, context: DrawContext, onMarked: (marked: string) => void): void {
    const mayHaveFormulas = FORMULA_START.test(source);
    if (mayHaveFormulas || this.hasExtensions)
      void this.#markText(source, context, mayHaveFormulas).then((marked) => {
        if (marked !== source) onMarked(marked);
      });
  }

  async #markText(source: string, context: DrawContext, mayHaveFormulas: boolean): Promise<string> {
    const [extra, host] = await this.#loadExtensions(context);
    const drawn = (host && (await extra?.findRanges(this.#extensions ?? [], source, host))) ?? [];
    const marked = this.#replace(source, drawn, ({ create }) => create);
    if (!mayHaveFormulas) return marked;
    const maths = await this.#load('maths');
    return this.#replace(marked, maths?.findFormulas(marked) ?? [], (formula) => {
      const { document } = this.#options;
      const text = marked.slice(formula.start, formula.end);
      return () => {
        const node = maths?.renderFormula(formula, { document });
        // For copying and reading aloud: without their layout, the characters of a fraction would be another number.
        node?.setAttribute('data-tex', text);
        return node ?? document.createTextNode(text);
      };
    });
  }

  /** Replaces ranges of a text with inline marks. */
  #replace<Range extends { readonly start: number; readonly end: number }>(
    source: string,
    ranges: readonly Range[],
    creatorOf: (range: Range) => () => Node,
  ): string {
    let marked = '';
    let at = 0;
    for (const range of ranges) {
      // The key begins with NUL, which the parser replaces in every text. Otherwise a text could contain the key and repeat the drawing, even
      // inside of the drawing.
      const key = `\0${this.#replacements.size}`;
      this.#replacements.set(key, creatorOf(range));
      marked += `${source.slice(at, range.start)}\u{e000}${key}\u{e001}`;
      at = range.end;
    }
    return marked + source.slice(at);
  }

  /** Creates what replaces a range of a text, by the key of its inline mark; returns undefined for other marks. */
  createReplacement(key: string): Node | undefined {
    return this.#replacements.get(key)?.();
  }

  /**
   * Draws the source of a closed block with extensions of the host page. Resolves to a function that creates its element, or to null if
   * they have nothing to draw.
   */
  async drawBlock(source: string, context: DrawContext): Promise<(() => Element) | null> {
    const [extra, host] = await this.#loadExtensions(context);
    return (host && (await extra?.drawBlock(this.#extensions ?? [], source, host))) ?? null;
  }

  async #loadExtensions(
    context: DrawContext,
  ): Promise<readonly [typeof Marked | null, Marked.ExtensionHost | null]> {
    if (!this.hasExtensions) return [null, null];
    const [extra, sanitizer] = await Promise.all([this.#load('marked'), this.#load('sanitize')]);
    const { document } = this.#options;
    const sanitize = (html: string): DocumentFragment | null =>
      sanitizer && this.#sanitize(sanitizer, html, true);
    return [extra, { ...context, document, sanitize }];
  }

  /** Replaces the text of a closed HTML block with sanitized HTML, if the options allow it. */
  async sanitizeHtml(box: Element): Promise<void> {
    if (this.#readOwn('html') !== 'sanitized') return;
    const extra = await this.#load('sanitize');
    const nodes = extra && this.#sanitize(extra, box.textContent, false);
    if (!nodes) return;
    box.removeAttribute('class');
    box.removeAttribute('translate');
    box.replaceChildren(nodes);
    updateOuterNotices(this.#context, box);
  }

  #sanitize(extra: typeof Sanitize, html: string, isOfExtension: boolean): DocumentFragment | null {
    const { document, urlPolicy } = this.#context;
    const nodes = extra.sanitize(html, {
      document,
      isOfExtension,
      checkLink: (href) => urlPolicy.checkLink(href),
      checkImage: (src) => {
        const image = urlPolicy.checkImage(src);
        return image?.automatic ? image : null;
      },
    });
    if (!nodes) return null;
    updateHtmlNotices({ document, urlPolicy }, nodes);
    for (const image of nodes.querySelectorAll('img')) {
      if (this.#images.hasRoom) this.#images.add(image);
      else image.replaceWith(image.alt);
    }
    return nodes;
  }

  /** Reads only an own property, so that a polluted `Object.prototype` can neither allow HTML nor add extensions. */
  #readOwn<Name extends keyof MarkdownOptions>(name: Name): MarkdownOptions[Name] | undefined {
    return Object.hasOwn(this.#options, name) ? this.#options[name] : undefined;
  }

  /** Loads each module at most once; a failed one is not loaded again. */
  #load<Name extends keyof ExtraModules>(name: Name): Promise<ExtraModules[Name] | null> {
    const known = this.#loading.get(name);
    const extra = known ?? this.#options.loadExtra?.(name).catch(ignore) ?? Promise.resolve(null);
    this.#loading.set(name, extra);
    // The assertion is safe: the modules are part of this library.
    return extra as Promise<ExtraModules[Name] | null>;
  }
}

/** Ignores an error of an optional module, because the content is readable without it. */
const ignore = (): null => null;
