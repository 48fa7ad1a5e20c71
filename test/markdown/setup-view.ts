import { createManualFrames, type ManualFrames } from '../../src/dom/frames.js';
import {
  createMarkdownView,
  type MarkdownOptions,
  type MarkdownView,
} from '../../src/markdown/markdown-view.js';
import type { UrlPolicy } from '../../src/markdown/url-policy.js';

/** Lets every address pass as it is, and shows every image. */
export const permissivePolicy: UrlPolicy = {
  checkLink: (href) => ({ href, host: '', notice: null }),
  checkImage: (src) => ({ src: `about:blank#${src}`, host: '', automatic: true }),
};

/** A view in a box of its own, with frames that happen when the test says so. */
export interface ViewSetup {
  readonly box: HTMLElement;
  readonly frames: ManualFrames;
  readonly view: MarkdownView;
  /** Adds a text and draws it. */
  add(text: string): void;
}

/** Makes a view that is not in the page. */
export function setupView(options: Partial<MarkdownOptions> = {}): ViewSetup {
  const box = document.createElement('div');
  const frames = createManualFrames();
  const defaults = { document, frames, urlPolicy: permissivePolicy, idPrefix: 'view' };
  const view = createMarkdownView(box, { ...defaults, ...options });
  const add = (text: string): void => {
    view.append(text);
    frames.flush();
  };
  return { box, frames, view, add };
}

/** The DOM of a text that is given at once; `ended` tells whether more may come. */
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
