import type * as Highlight from '../extras/highlight.js';
import type * as Maths from '../extras/maths.js';
import type * as Sanitize from '../extras/sanitize.js';
import type { MarkdownOptions } from '../options.js';
import { AMBIGUOUS_TEXT, type UrlPolicy } from '../url-policy.js';
import type { ImageQuota } from './image-quota.js';
import { addNotice, readAdjacentText } from './link-notice.js';
import { createElement } from './render-context.js';

/** The optional parts by name: files of their own, loaded when something for them is closed. */
interface ExtraModules {
  readonly highlight: typeof Highlight;
  readonly maths: typeof Maths;
  readonly sanitize: typeof Sanitize;
}

/** What the optional parts make of closed blocks. Without a part, or when it fails, a block stays what it is. */
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

  /** Makes what colours a block of code by its parts, which are given in their order, each when it takes no more text. */
  createHighlighter(language: string): (part: Element) => void {
    const { document, frames } = this.#options;
    const idle = (work: () => void): void =>
      frames.schedule((frame) => {
        // Whatever else the page draws comes first.
        if (!frame.hasTime()) return true;
        work();
        return false;
      });
    let highlighter: Promise<Highlight.Highlighter | undefined> | undefined;
    return (part) => {
      highlighter ??= this.#load('highlight').then((extra) =>
        extra?.createHighlighter(language, { document, whenIdle: idle }),
      );
      void highlighter.then((colour) => colour?.(part)).catch(ignore);
    };
  }

  /** Asks the page to draw a closed block of code. The code stays where it is, out of sight, to be copied. */
  async renderDiagram(code: Element, language: string): Promise<boolean> {
    const { document, renderDiagram } = this.#options;
    if (!renderDiagram) return false;
    const source = code.parentElement;
    // It is reached and named as the code was, in whose place it stands.
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

  /** A text is closed. `become` gets its source with marks in the place of formulas, if it has some. */
  processFormulas(source: string, become: (marked: string) => void): void {
    if (/\$|\\[([]/.test(source)) void this.#markFormulas(source, become);
  }

  async #markFormulas(source: string, become: (marked: string) => void): Promise<void> {
    const part = await this.#load('maths');
    let marked = '';
    let end = 0;
    for (const formula of part?.findFormulas(source) ?? []) {
      const key = `formula ${this.#formulas.size}`;
      const text = source.slice(formula.start, formula.end);
      const { document } = this.#options;
      const draw = () => part?.renderFormula(formula, { document });
      this.#formulas.set(key, () => draw() ?? document.createTextNode(text));
      marked += `${source.slice(end, formula.start)}\u{e000}${key}\u{e001}`;
      end = formula.end;
    }
    if (end > 0) become(marked + source.slice(end));
  }

  /** The formula that a mark stands for. */
  renderFormula(key: string): Node | undefined {
    return this.#formulas.get(key)?.();
  }

  /** A block of raw HTML is closed; so far it is shown as text. */
  async sanitizeHtml(box: Element): Promise<void> {
    if (!Object.hasOwn(this.#options, 'html') || this.#options.html !== 'sanitized') return;
    const part = await this.#load('sanitize');
    const nodes = part?.sanitize(box.textContent, {
      document: this.#options.document,
      ambiguousText: AMBIGUOUS_TEXT,
      checkLink: (href, text) => this.#policy.checkLink(href, text),
      readAdjacentText: readAdjacentText,
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
    box.replaceChildren(nodes);
  }

  /** One question for each part, whatever comes of it. */
  #load<Name extends keyof ExtraModules>(name: Name): Promise<ExtraModules[Name] | null> {
    const known = this.#loading.get(name);
    const part = known ?? this.#options.loadExtra?.(name).catch(ignore) ?? Promise.resolve(null);
    this.#loading.set(name, part);
    // The files are ours, and each is what its name says.
    return part as Promise<ExtraModules[Name] | null>;
  }
}

/** A part that cannot be had, or that fails, costs looks alone. */
const ignore = (): null => null;
