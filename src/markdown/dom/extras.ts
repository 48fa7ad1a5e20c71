import type * as Highlight from '../extras/highlight.js';
import type * as Maths from '../extras/maths.js';
import type * as Sanitize from '../extras/sanitize.js';
import type { MarkdownOptions } from '../options.js';
import { AMBIGUOUS_TEXT } from '../link-disguise.js';
import type { UrlPolicy } from '../url-policy.js';
import type { ImageQuota } from './image-quota.js';
import { addNotice, readAdjacentText } from './link-notice.js';
import { createElement } from './render-context.js';

/**
 * The optional modules that rendering needs (`actions.ts` loads `tables`). Each is loaded when a closed block, or a complete part of a code
 * block, first needs it.
 */
interface ExtraModules {
  readonly highlight: typeof Highlight;
  readonly maths: typeof Maths;
  readonly sanitize: typeof Sanitize;
}

/**
 * Applies the optional modules to closed blocks and to complete parts of code blocks. If a module is missing or fails, the block is left
 * unchanged.
 */
export class LazyExtras {
  readonly #options: MarkdownOptions;
  readonly #policy: UrlPolicy;
  readonly #images: ImageQuota;
  readonly #loading = new Map<string, Promise<unknown>>();
  readonly #formulas = new Map<string, () => Node>();

  constructor(options: MarkdownOptions, policy: UrlPolicy, images: ImageQuota) {
    this.#options = options;
    this.#images = images;
    this.#policy = policy;
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
        extra?.createHighlighter(language, { document, whenFrameHasTime }),
      );
      void highlighter.then((highlight) => highlight?.(part)).catch(ignore);
    };
  }

  /**
   * Lets the host page render a closed code block as a diagram. Returns whether it did. The code stays in the DOM, hidden, so that it can
   * be copied.
   */
  async renderDiagram(code: Element, language: string): Promise<boolean> {
    const { document, renderDiagram } = this.#options;
    if (!renderDiagram) return false;
    const source = code.parentElement;
    // Focusable and named like the code block that it replaces.
    const box = createElement({ document }, 'div', {
      class: 'ubik-diagram',
      tabindex: '0',
      role: 'region',
      'aria-label': source?.getAttribute('aria-label') ?? undefined,
    });
    source?.before(box);
    try {
      await renderDiagram(language, code.textContent, box);
    } catch (error) {
      globalThis.reportError(error);
      box.replaceChildren();
    }
    if (box.hasChildNodes()) source?.setAttribute('hidden', '');
    else box.remove();
    return box.hasChildNodes();
  }

  /**
   * Finds formulas in the source of a closed text. If there are any, calls `onMarked` with the source in which inline marks replace them.
   */
  processFormulas(source: string, onMarked: (marked: string) => void): void {
    if (/\$|\\[([]/.test(source)) void this.#markFormulas(source, onMarked);
  }

  async #markFormulas(source: string, onMarked: (marked: string) => void): Promise<void> {
    const extra = await this.#load('maths');
    let marked = '';
    let end = 0;
    for (const formula of extra?.findFormulas(source) ?? []) {
      const key = `formula ${this.#formulas.size}`;
      const text = source.slice(formula.start, formula.end);
      const { document } = this.#options;
      const render = () => extra?.renderFormula(formula, { document });
      this.#formulas.set(key, () => render() ?? document.createTextNode(text));
      marked += `${source.slice(end, formula.start)}\u{e000}${key}\u{e001}`;
      end = formula.end;
    }
    if (end > 0) onMarked(marked + source.slice(end));
  }

  /** Renders the formula of an inline mark; returns undefined for other marks. */
  renderFormula(key: string): Node | undefined {
    return this.#formulas.get(key)?.();
  }

  /** Replaces the text of a closed HTML block with sanitized HTML, if the options allow it. */
  async sanitizeHtml(box: Element): Promise<void> {
    // Reads only an own property, so that a polluted `Object.prototype` cannot allow HTML.
    if (!Object.hasOwn(this.#options, 'html') || this.#options.html !== 'sanitized') return;
    const extra = await this.#load('sanitize');
    const nodes = extra?.sanitize(box.textContent, {
      document: this.#options.document,
      ambiguousText: AMBIGUOUS_TEXT,
      checkLink: (href, text) => this.#policy.checkLink(href, text),
      readAdjacentText,
      addNotice: (element, link) => {
        addNotice(this.#options, element, link);
      },
      checkImage: (src) => {
        const image = this.#policy.checkImage(src);
        return image?.automatic ? image : null;
      },
    });
    if (!nodes) return;
    for (const image of nodes.querySelectorAll('img')) {
      if (this.#images.hasRoom) this.#images.add(image);
      else image.replaceWith(image.alt);
    }
    box.removeAttribute('class');
    box.removeAttribute('translate');
    box.replaceChildren(nodes);
  }

  /** Loads each module at most once, even after a failure. */
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
