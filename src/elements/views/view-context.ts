import type { UbikError } from '../../errors.js';
import {
  createHeldClock,
  createPageClock,
  type Clock,
  type HeldClock,
} from '../../internal/clock.js';
import { framesOf, type FrameScheduler } from '../../internal/frames.js';
import { findLocale, type Locale } from '../../locales/locale.js';
import type { MarkdownBody, ViewActs, ViewContext } from '../../parts/part-view.js';

let roots = 0;

/** What an element gives to the views in it. */
export interface ViewContextOptions {
  readonly host: HTMLElement;
  /** Language tag; asked each time a text is needed. */
  lang(): string;
  readonly acts: ViewActs;
  errorDetails(): boolean;
  report(error: UbikError): void;
  /** Replaces the page's frames and clock, for tests. */
  readonly frames?: FrameScheduler | undefined;
  readonly clock?: Clock | undefined;
}

/** The language of an element: its own, else that of what is around it, else the browser's. */
export function languageOf(host: HTMLElement): string {
  if (host.lang) return host.lang;
  let node: Node | null = host;
  while (node) {
    const around: Element | null = node instanceof Element ? node.closest('[lang]') : null;
    const lang = around?.getAttribute('lang');
    if (lang) return lang;
    const root: Node = node.getRootNode();
    node = root instanceof ShadowRoot ? root.host : null;
  }
  return navigator.language || 'en';
}

/** Makes what all views of one outermost element share. */
export function createViewContext(
  options: ViewContextOptions,
): ViewContext & { readonly clock: HeldClock } {
  const prefix = `ubik-${(roots += 1)}`;
  let ids = 0;
  return {
    host: options.host,
    prefix,
    createId: () => `${prefix}-${(ids += 1)}`,
    get locale(): Locale {
      return findLocale(options.lang());
    },
    frames: options.frames ?? framesOf(window),
    clock: createHeldClock(options.clock ?? createPageClock(window)),
    acts: options.acts,
    get errorDetails() {
      return options.errorDetails();
    },
    checkLink: (url) => (/^https?:/.test(url) ? url : null),
    createMarkdown,
    report: (error) => {
      options.report(error);
    },
  };
}

function createMarkdown(container: HTMLElement): MarkdownBody {
  const text = document.createTextNode('');
  container.style.whiteSpace = 'pre-wrap';
  container.append(text);
  return {
    append: (more) => {
      text.appendData(more);
    },
    cut: (at) => {
      text.deleteData(at, text.length - at);
    },
    end: () => Promise.resolve(),
    dispose: () => undefined,
  };
}
