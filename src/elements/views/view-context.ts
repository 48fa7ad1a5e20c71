import { UbikImageLoadEvent } from '../../events/index.js';
import { ElementClock } from '../../dom/clock.js';
import { framesOf } from '../../dom/frames.js';
import { loadExtra } from '../../dom/load-extra.js';
import type { Locale } from '../../locales/locale.js';
import type { RenderDiagram } from '../../markdown/options.js';
import type { ImagePolicy } from '../../markdown/url-policy.js';
import { createLazyMarkdown } from '../../message/lazy-markdown.js';
import type { MessageRenderer } from '../../message/host-slot.js';
import type { MarkdownPolicy } from '../../message/markdown-renderer.js';
import type { ViewActions, ViewContext } from '../../message/part-view.js';
import { dispatchError } from '../base/controller-events.js';
import { hasDirection } from './language-of.js';

/** An element with views in it, and what the page says to it. */
export interface ViewHost extends HTMLElement {
  readonly imagePolicy: string;
  readonly linkBase: string;
  readonly html: string;
  readonly renderDiagram: RenderDiagram | undefined;
  readonly assetsUrl: string;
  readonly errorDetails: boolean;
  readonly messageAvatar: MessageRenderer | undefined;
  readonly messageActions: MessageRenderer | undefined;
}

/** What the views of one element share, with the clock that the element starts and stops. */
export type ElementContext = ViewContext & { readonly clock: ElementClock };

let roots = 0;

/** Makes what all views of one outermost element share. */
export function createViewContext(
  host: ViewHost,
  locale: () => Locale,
  actions: ViewActions,
): ElementContext {
  const prefix = `ubik-${(roots += 1)}`;
  const frames = framesOf(window);
  const createId = countUp(prefix);
  return {
    host,
    prefix,
    actions,
    frames,
    clock: new ElementClock(window),
    createId,
    get locale() {
      return locale();
    },
    get errorDetails() {
      return host.errorDetails;
    },
    get messageAvatar() {
      return host.messageAvatar;
    },
    get messageActions() {
      return host.messageActions;
    },
    ...createLazyMarkdown({
      frames,
      createId,
      locale,
      policy: () => readPolicy(host),
      shouldLoadImage: (url) => host.dispatchEvent(new UbikImageLoadEvent({ url })),
      loadExtra: (name) => loadExtra(name, host.assetsUrl),
    }),
    report: (error) => {
      dispatchError(host, error);
    },
  };
}

function countUp(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}-${(count += 1)}`;
}

/** What Markdown may do, as the page has written it down. */
function readPolicy({ imagePolicy, linkBase, html, renderDiagram }: ViewHost): MarkdownPolicy {
  // Places may follow: `allow https://files.example/`.
  const [policy, ...imageOrigins] = imagePolicy.trim().split(/\s+/);
  return {
    imagePolicy: policy as ImagePolicy,
    imageOrigins,
    linkBase,
    html: html as MarkdownPolicy['html'],
    renderDiagram,
  };
}

/** The direction that an element gives itself: that of its language, unless somebody around it has said one. */
export function turnOf(element: HTMLElement, locale: Locale): 'rtl' | undefined {
  return locale.isRightToLeft && !hasDirection(element) ? 'rtl' : undefined;
}
