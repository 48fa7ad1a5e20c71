import type { UbikError } from '../../errors.js';
import {
  createHeldClock,
  createPageClock,
  type Clock,
  type HeldClock,
} from '../../internal/clock.js';
import { framesOf, type FrameScheduler } from '../../internal/frames.js';
import { findLocale, type Locale } from '../../locales/locale.js';
import { createMarkdownKit, type MarkdownPolicy } from '../../parts/markdown-body.js';
import type { ViewActs, ViewContext } from '../../parts/part-view.js';

let roots = 0;

/** What an element gives to the views in it. */
export interface ViewContextOptions {
  readonly host: HTMLElement;
  /** Language tag; asked each time a text is needed. */
  lang(): string;
  readonly acts: ViewActs;
  errorDetails(): boolean;
  policy(): MarkdownPolicy;
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
  const frames = options.frames ?? framesOf(window);
  let ids = 0;
  return {
    host: options.host,
    prefix,
    createId: () => `${prefix}-${(ids += 1)}`,
    get locale(): Locale {
      return findLocale(options.lang());
    },
    frames,
    clock: createHeldClock(options.clock ?? createPageClock(window)),
    acts: options.acts,
    get errorDetails() {
      return options.errorDetails();
    },
    ...createMarkdownKit({
      frames,
      locale: () => findLocale(options.lang()),
      policy: () => options.policy(),
      loadImage: (url) => options.acts.loadImage?.(url) ?? true,
    }),
    report: (error) => {
      options.report(error);
    },
  };
}
