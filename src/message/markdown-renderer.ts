import type { FrameScheduler } from '../dom/frames.js';
import { type Locale, addDefaultStrings } from '../locales/locale.js';
import { createMarkdownView } from '../markdown/markdown-view.js';
import type { MarkdownOptions, MarkdownStrings, RenderDiagram } from '../markdown/options.js';
import { createUrlPolicy, type ImagePolicy, type UrlPolicy } from '../markdown/url-policy.js';
import type { MarkdownRenderer } from './part-view.js';
import { markdownStrings } from '../locales/en-markdown.js';

addDefaultStrings(markdownStrings);

export { markdownCss } from '../markdown/styles.js';

/** What the page allows in Markdown. */
export interface MarkdownPolicy {
  /** What becomes of remote pictures; `link` by default. */
  readonly imagePolicy?: ImagePolicy;
  /** Where relative links lead; without it they lead nowhere. */
  readonly linkBase?: string;
  /** For `allow`: where pictures may be loaded from. */
  readonly imageOrigins?: readonly string[];
  /** What becomes of raw HTML; `text` by default. */
  readonly html?: MarkdownOptions['html'];
  /** Draws blocks of code. */
  readonly renderDiagram?: RenderDiagram | undefined;
}

/** What all Markdown of one root is made with. */
export interface MarkdownRendererOptions {
  readonly frames: FrameScheduler;
  /** An id that nothing else in the root has. */
  createId(): string;
  locale(): Locale;
  policy(): MarkdownPolicy;
  /** A remote picture was asked for; false keeps it from being loaded. */
  shouldLoadImage(url: string): boolean;
  /** Loads an optional part of the bundle by its name. */
  loadExtra?(name: string): Promise<unknown>;
}

/** Makes the check for addresses outside of Markdown, such as those of sources, by the same judge; and the maker of Markdown. */
export function createMarkdownRenderer({
  frames,
  createId,
  locale,
  policy,
  shouldLoadImage: loadImage,
  loadExtra,
}: MarkdownRendererOptions): MarkdownRenderer {
  // The page may change its mind: the judge is asked each time.
  const urlPolicy: UrlPolicy = {
    checkLink: (href, text) => createUrlPolicy(policy()).checkLink(href, text),
    checkImage: (src) => createUrlPolicy(policy()).checkImage(src),
  };
  const strings = createStrings(locale);
  return {
    checkLink: (url, text) => urlPolicy.checkLink(url, text),
    createMarkdown: (container, mark) =>
      createMarkdownView(container, {
        document,
        frames,
        urlPolicy,
        strings,
        idPrefix: createId(),
        renderMark: mark,
        onImage: ({ src }) => loadImage(src),
        loadExtra,
        get html() {
          return policy().html;
        },
        get renderDiagram() {
          return policy().renderDiagram;
        },
      }),
  };
}

function createStrings(locale: () => Locale): MarkdownStrings {
  const text: Locale['text'] = (...ask) => locale().text(...ask);
  return {
    get lang() {
      return locale().uiLang;
    },
    get textLang() {
      return locale().contentLang;
    },
    get copy() {
      return text('copyCode');
    },
    get copied() {
      return text('copied');
    },
    get wrap() {
      return text('wrapCode');
    },
    codeBlock: (language) => (language ? text('codeBlockOf', { language }) : text('codeBlock')),
    table: (count) => text('table', { count }),
    copyTable: (format) => text('copyTable', { format }),
    sortBy: (column) => text('sortBy', { column }),
    loadImage: (alt, host) => {
      const from = host && (alt ? 'loadImageOfFrom' : 'loadImageFrom');
      return text(from || (alt ? 'loadImageOf' : 'loadImage'), { alt, host });
    },
    blockedImage: (alt) => (alt ? text('imageOf', { alt }) : text('image')),
    get footnotes() {
      return text('footnotes');
    },
    footnote: (number) => text('footnote', { number }),
    footnoteBack: (number) => text('footnoteBack', { number }),
    task: (done) => text(done ? 'taskDone' : 'taskOpen'),
  };
}
