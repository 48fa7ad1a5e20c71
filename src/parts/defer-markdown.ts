import type { MarkdownOptions } from '../markdown/options.js';
import { deferredMarkdown } from './deferred.js';
import type { MarkdownBody } from './part-view.js';

/** Shows growing Markdown in a container: as plain text until what draws it has been fetched, and where it cannot be fetched. */
export function growMarkdown(container: HTMLElement, options: MarkdownOptions): MarkdownBody {
  return (
    deferredMarkdown.value?.createMarkdownView(container, options) ??
    new DeferredMarkdown(container, options)
  );
}

/** A mark in the text, for which Markdown puts a node. */
const MARK = /\uE000[^\uE001]*\uE001/g;

class DeferredMarkdown implements MarkdownBody {
  readonly #plain = document.createTextNode('');
  #body: MarkdownBody | undefined;
  #text = '';
  #isEnded = false;
  #isDisposed = false;

  constructor(container: HTMLElement, options: MarkdownOptions) {
    container.classList.add('plain');
    container.append(this.#plain);
    deferredMarkdown.load().then(
      () => {
        this.#draw(container, options);
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

  cut(at: number): void {
    this.#body?.cut(at);
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

  #draw(container: HTMLElement, options: MarkdownOptions): void {
    if (this.#isDisposed) return;
    container.classList.remove('plain');
    this.#plain.remove();
    this.#body = growMarkdown(container, options);
    this.#body.append(this.#text);
    this.#text = '';
    if (this.#isEnded) void this.#body.end();
  }
}
