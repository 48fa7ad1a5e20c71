import { createLazyModule } from './create-lazy-module.js';
import type { MarkdownRendererOptions } from './markdown-renderer.js';
import type { MarkdownBody, MarkdownRenderer } from './part-view.js';

/** The chunk that renders Markdown. */
export const lazyMarkdown = createLazyModule(() => import('./markdown-renderer.js'));

/** Makes Markdown: plain text and no links until what draws it has been fetched, and where it cannot be fetched. */
export function createLazyMarkdown(options: MarkdownRendererOptions): MarkdownRenderer {
  let kit: MarkdownRenderer | undefined;
  const find = (): MarkdownRenderer | undefined =>
    (kit ??= lazyMarkdown.value?.createMarkdownRenderer(options));
  return {
    checkLink: (url, text) => find()?.checkLink(url, text) ?? null,
    createMarkdown: (container, mark) =>
      find()?.createMarkdown(container, mark) ??
      new LazyMarkdownBody(container, () => find()?.createMarkdown(container, mark)),
  };
}

/** A mark in the text, for which Markdown puts a node. */
const MARK = /\uE000[^\uE001]*\uE001/g;

class LazyMarkdownBody implements MarkdownBody {
  readonly #plain = document.createTextNode('');
  #body: MarkdownBody | undefined;
  #text = '';
  #isEnded = false;
  #isDisposed = false;

  constructor(container: HTMLElement, create: () => MarkdownBody | undefined) {
    container.classList.add('plain');
    container.append(this.#plain);
    lazyMarkdown.load().then(
      () => {
        this.#draw(container, create);
      },
      () => undefined,
    );
  }

  append(text: string): void {
    this.#body?.append(text);
    if (this.#body) return;
    this.#text += text;
    this.#plain.appendData(text.replace(MARK, ''));
  }

  truncate(at: number): void {
    this.#body?.truncate(at);
    if (this.#body) return;
    this.#text = this.#text.slice(0, at);
    this.#plain.data = this.#text.replace(MARK, '');
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

  #draw(container: HTMLElement, create: () => MarkdownBody | undefined): void {
    if (this.#isDisposed) return;
    container.classList.remove('plain');
    this.#plain.remove();
    this.#body = create();
    this.#body?.append(this.#text);
    this.#text = '';
    if (this.#isEnded) void this.#body?.end();
  }
}
