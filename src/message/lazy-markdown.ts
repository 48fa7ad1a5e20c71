import { createLazyModule } from './create-lazy-module.js';
import type { MarkdownRendererOptions } from './markdown-renderer.js';
import type { MarkdownBody, MarkdownRenderer } from './part-view.js';

/** The chunk that renders Markdown. */
export const lazyMarkdown = createLazyModule(() => import('./markdown-renderer.js'));

/** Creates a renderer that shows plain text without links until the Markdown chunk is loaded. */
export function createLazyMarkdown(options: MarkdownRendererOptions): MarkdownRenderer {
  let renderer: MarkdownRenderer | undefined;
  const getRenderer = (): MarkdownRenderer | undefined =>
    (renderer ??= lazyMarkdown.value?.createMarkdownRenderer(options));
  return {
    checkLink: (url, text) => getRenderer()?.checkLink(url, text) ?? null,
    createMarkdown: (container, mark) =>
      getRenderer()?.createMarkdown(container, mark) ??
      new LazyMarkdownBody(container, () => getRenderer()?.createMarkdown(container, mark)),
  };
}

/** An inline mark (`CITATION_MARK_START`, a key, `CITATION_MARK_END`). Markdown renders a node in its place, plain text omits it. */
const MARK = /\uE000[^\uE001]*\uE001/g;

class LazyMarkdownBody implements MarkdownBody {
  readonly #placeholder = document.createTextNode('');
  #body: MarkdownBody | undefined;
  #text = '';
  #isEnded = false;
  #isDisposed = false;

  constructor(container: HTMLElement, createBody: () => MarkdownBody | undefined) {
    container.classList.add('plain');
    container.append(this.#placeholder);
    lazyMarkdown.whenLoaded(() => {
      this.#replacePlaceholder(container, createBody);
    });
    // After a failure, the text stays plain until the chunk is loaded for another text.
    lazyMarkdown.load().catch(() => undefined);
  }

  append(text: string): void {
    this.#body?.append(text);
    if (this.#body) return;
    this.#isEnded = false;
    this.#text += text;
    this.#placeholder.appendData(text.replace(MARK, ''));
  }

  truncate(at: number): void {
    this.#body?.truncate(at);
    if (this.#body) return;
    this.#isEnded = false;
    this.#text = this.#text.slice(0, at);
    this.#placeholder.data = this.#text.replace(MARK, '');
  }

  end(): Promise<void> {
    this.#isEnded = true;
    return this.#body?.end() ?? Promise.resolve();
  }

  redraw(): void {
    this.#body?.redraw();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#body?.dispose();
  }

  #replacePlaceholder(container: HTMLElement, createBody: () => MarkdownBody | undefined): void {
    if (this.#isDisposed) return;
    container.classList.remove('plain');
    // A page translator may have replaced the placeholder.
    container.replaceChildren();
    this.#body = createBody();
    this.#body?.append(this.#text);
    this.#text = '';
    if (this.#isEnded) void this.#body?.end();
  }
}
