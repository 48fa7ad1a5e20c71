import {
  createManualFrameScheduler,
  type ManualFrameScheduler,
} from '../../src/dom/manual-frames.js';
import {
  createMarkdownView,
  type MarkdownOptions,
  type MarkdownView,
} from '../../src/markdown/markdown-view.js';
import type { UrlPolicy } from '../../src/markdown/url-policy.js';

/** Accepts every link, unchanged, and every image, with an address for which the browser sends no request. */
export const permissivePolicy: UrlPolicy = {
  checkLink: (href) => ({ href, host: '', notice: null }),
  checkImage: (src) => ({ src: `about:blank#${src}`, host: '', automatic: true }),
};

/** A view in its own box, with manual frames. */
export interface ViewSetup {
  readonly box: HTMLElement;
  readonly frames: ManualFrameScheduler;
  readonly view: MarkdownView;
  /** Appends a text and renders it. */
  add(text: string): void;
}

/** Creates a view outside the document. */
export function setupView(options: Partial<MarkdownOptions> = {}): ViewSetup {
  const box = document.createElement('div');
  const frames = createManualFrameScheduler();
  const defaults = { document, frames, urlPolicy: permissivePolicy, idPrefix: 'view' };
  const view = createMarkdownView(box, { ...defaults, ...options });
  const add = (text: string): void => {
    view.append(text);
    frames.flush();
  };
  return { box, frames, view, add };
}

/** The DOM of a text that is rendered in one piece; `ended` says whether the text is complete. */
export function renderAtOnce(
  text: string,
  ended: boolean,
  options: Partial<MarkdownOptions> = {},
): string {
  const { box, view, frames, add } = setupView(options);
  add(text);
  if (ended) void view.end();
  frames.flush();
  view.dispose();
  return box.innerHTML;
}
