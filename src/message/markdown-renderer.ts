import { UbikError } from '../errors.js';
import type { FrameScheduler } from '../dom/frames.js';
import { type Locale, addDefaultStrings } from '../locales/locale.js';
import { createMarkdownView } from '../markdown/markdown-view.js';
import type { MarkdownOptions, MarkdownStrings, RenderFence } from '../markdown/options.js';
import {
  createUrlPolicy,
  readLinkSchemes,
  type ImagePolicy,
  type UrlPolicy,
} from '../markdown/url-policy.js';
import type { MarkdownRenderer } from './part-view.js';
import { markdownStrings } from '../locales/en-markdown.js';

addDefaultStrings(markdownStrings);

export { markdownCss } from '../markdown/styles.js';

/** Reports `misuse` for each scheme of links that is ignored. The URL policy warns about it in the console. */
export function checkLinkSchemes(
  schemes: readonly string[] | undefined,
  report: (error: UbikError) => void,
): void {
  readLinkSchemes(schemes, (sentence) =>
    report(new UbikError('misuse', sentence, { offender: 'linkSchemes' })),
  );
}

/** Policy of the host page for Markdown. */
export interface MarkdownPolicy {
  /** Which images are loaded without a click; none (`link`) by default. */
  readonly imagePolicy?: ImagePolicy;
  /** Base URL of relative links. Without it, they are not links. */
  readonly linkBase?: string;
  /** Schemes of links that are allowed besides the default ones. */
  readonly linkSchemes?: readonly string[] | undefined;
  /** The origins from which the image policy `allow` loads images. */
  readonly imageOrigins?: readonly string[];
  /** How raw HTML is rendered; `text` by default. */
  readonly html?: MarkdownOptions['html'];
  /** Draws fenced code blocks. */
  readonly renderFence?: RenderFence | undefined;
  /** Extensions of `marked` that draw closed blocks, or ranges of the text in them. */
  readonly extensions?: MarkdownOptions['extensions'];
}

/** Options of the Markdown renderer of one element of this library. */
export interface MarkdownRendererOptions {
  /** Creates all nodes; by default the document of the page. */
  readonly document?: Document;
  readonly frames: FrameScheduler;
  /** Creates an id that is unique in the page. */
  createId(): string;
  locale(): Locale;
  policy(): MarkdownPolicy;
  /** Called before an image is loaded on request of the user; false prevents it. */
  shouldLoadImage(url: string): boolean;
  /** Loads an optional chunk of the bundle by its name. */
  loadExtra?(name: string): Promise<unknown>;
}

/** Creates the Markdown renderer. Its URL policy also applies to links outside Markdown, such as those of sources. */
export function createMarkdownRenderer({
  document = globalThis.document,
  frames,
  createId,
  locale,
  policy,
  shouldLoadImage,
  loadExtra,
}: MarkdownRendererOptions): MarkdownRenderer {
  // Reads the policy at each use, because the host page may change it at any time.
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
        onImage: ({ src }) => shouldLoadImage(src),
        loadExtra,
        get html() {
          return policy().html;
        },
        get renderFence() {
          return policy().renderFence;
        },
        get extensions() {
          return policy().extensions;
        },
      }),
  };
}

function createStrings(locale: () => Locale): MarkdownStrings {
  const text: Locale['text'] = (...args) => locale().text(...args);
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
    get copyFailed() {
      return text('copyFailed');
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
    alert: (kind) => text(`alert_${kind}`),
  };
}
