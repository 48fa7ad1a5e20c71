import { element } from '../../dom/element.js';
import { createManualFrameScheduler } from '../../dom/manual-frames.js';
import type { Locale } from '../../locales/locale.js';
import type { CheckedLink } from '../../markdown/url-policy.js';
import type { Key } from '../../model/json.js';
import { setContentLocale } from '../content-lang.js';
import type { createMarkdownRenderer } from '../markdown-renderer.js';
import type { MarkdownRenderer } from '../part-view.js';

/** Renders Markdown outside of the document, at once and without requests. Formulas keep their source, images are not loaded. */
export class DetachedMarkdown {
  readonly #frames = createManualFrameScheduler();
  readonly #locale: Locale;
  readonly #renderer: MarkdownRenderer;
  #idCount = 0;

  /** Until the code for Markdown is loaded, the renderer of `createRenderer` may show plain text, which the elements returned so far keep. */
  constructor(locale: Locale, createRenderer: typeof createMarkdownRenderer) {
    this.#locale = locale;
    this.#renderer = createRenderer({
      frames: this.#frames,
      createId: () => `part-${(this.#idCount += 1)}`,
      locale: () => locale,
      policy: () => ({ imagePolicy: 'link' }),
      shouldLoadImage: () => false,
    });
  }

  /** Checks the URL of a link with the visible `text`; null when the policy does not allow it. */
  checkLink(url: string, text?: string): CheckedLink | null {
    return this.#renderer.checkLink(url, text);
  }

  /** Returns an element with the rendered source. `createMark` creates the node of an inline mark by its key. */
  render(source: string, createMark: (key: Key) => Node | null = () => null): HTMLElement {
    const node = element('div');
    setContentLocale(node, this.#locale);
    const body = this.#renderer.createMarkdown(node, createMark);
    body.append(source);
    void body.end();
    this.#frames.flush();
    body.dispose();
    return node;
  }
}
