import { UbikImageLoadEvent } from '../../events/index.js';
import { ElementClock } from '../../dom/clock.js';
import { getFrameScheduler } from '../../dom/frames.js';
import { loadExtra } from '../../dom/load-extra.js';
import type { Locale } from '../../locales/locale.js';
import type { LinkHandler, RenderFence } from '../../markdown/options.js';
import type { ImagePolicy } from '../../markdown/url-policy.js';
import { createLazyMarkdown } from '../../message/lazy-markdown.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { MessageRenderer } from '../../message/host-content.js';
import type { MarkdownPolicy } from '../../message/markdown-renderer.js';
import type { ViewActions, ViewContext } from '../../message/part-view.js';
import type { RendererRule } from '../../message/parts/renderer-types.js';
import { dispatchError } from './controller-events.js';
import { hasDirection } from '../../dom/language.js';

/** Options that the host page sets for displaying Markdown. */
export interface TextOptions {
  readonly imagePolicy: string;
  readonly linkBase: string;
  readonly linkSchemes: readonly string[] | undefined;
  readonly linkHandler: LinkHandler | undefined;
  readonly html: string;
  readonly renderFence: RenderFence | undefined;
  readonly markdownExtensions: readonly object[] | undefined;
  readonly assetsUrl: string;
}

/** Options that the host page sets for displaying messages. An element without messages has only the `TextOptions`, or none. */
export interface ContentOptions extends TextOptions {
  readonly errorDetails: boolean;
  readonly steps: string;
  readonly messageAvatar: MessageRenderer | undefined;
  readonly messageActions: MessageRenderer | undefined;
  readonly renderers: readonly RendererRule[] | undefined;
}

/** The context that all views of one element share. */
export type ElementContext = ViewContext & {
  /** Ticks while the element is in the document. */
  readonly clock: ElementClock;
  /** Empty in an element without a `ControllerConnection`. */
  actions: ViewActions;
  /** The rule of the renderer that shows calls of the tools of the host page. */
  pageToolRule?: RendererRule;
};

const lazyAskPage = createLazyModule(() => import('./ask-page.js'));

/** Number of contexts so far, which makes the id prefix of each one unique. */
let contextCount = 0;

/** Creates the context that all views of one element share. `locale` returns the current locale. */
export function createViewContext(
  host: HTMLElement & Partial<ContentOptions>,
  locale: () => Locale,
): ElementContext {
  const prefix = `ubik-${(contextCount += 1)}`;
  const frames = getFrameScheduler(window);
  const createId = createCounter(prefix);
  const load = (name: string): Promise<unknown> => loadExtra(name, host.assetsUrl);
  return {
    host,
    prefix,
    actions: {},
    frames,
    clock: new ElementClock(window),
    createId,
    get locale() {
      return locale();
    },
    get errorDetails() {
      return host.errorDetails ?? false;
    },
    get steps() {
      return host.steps ?? '';
    },
    get messageAvatar() {
      return host.messageAvatar;
    },
    get messageActions() {
      return host.messageActions;
    },
    get renderers() {
      const { pageToolRule: rule } = this as Partial<ElementContext>;
      return rule ? [rule, ...(host.renderers ?? [])] : host.renderers;
    },
    askPage: async (question) => (await lazyAskPage.load()).askPage(host, question),
    ...createLazyMarkdown({
      frames,
      createId,
      locale,
      policy: () => readPolicy(host),
      shouldLoadImage: (url) => host.dispatchEvent(new UbikImageLoadEvent({ url })),
      loadExtra: load,
    }),
    loadExtra: load,
    report: (error) => {
      dispatchError(host, error);
    },
  };
}

function createCounter(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}-${(count += 1)}`;
}

/** Reads the Markdown policy from the properties of an element. */
function readPolicy({
  imagePolicy,
  linkBase = '',
  linkSchemes,
  html,
  renderFence,
  markdownExtensions: extensions,
}: Partial<ContentOptions>): MarkdownPolicy {
  // Origins may follow the keyword: `allow https://files.example/`.
  const [policy, ...imageOrigins] = (imagePolicy ?? '').trim().split(/\s+/);
  return {
    imagePolicy: policy as ImagePolicy,
    imageOrigins,
    linkBase,
    linkSchemes,
    html: html as MarkdownPolicy['html'],
    renderFence,
    extensions,
  };
}

/** Returns `rtl` if the language of an element is right-to-left and no `dir` attribute applies to the element. */
export function resolveDir(element: HTMLElement, locale: Locale): 'rtl' | undefined {
  return locale.isRightToLeft && !hasDirection(element) ? 'rtl' : undefined;
}
