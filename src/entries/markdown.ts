export { createManualFrameScheduler, getFrameScheduler } from '../dom/frames.js';
export type { FrameScheduler, ManualFrameScheduler } from '../dom/frames.js';
export { handleMarkdownEvent } from '../markdown/dom/actions.js';
export { markdownCss } from '../markdown/styles.js';
export { createMarkdownView } from '../markdown/markdown-view.js';
export type { MarkdownView } from '../markdown/markdown-view.js';
export { defaultStrings } from '../markdown/options.js';
export type {
  FenceContext,
  MarkdownOptions,
  MarkdownStrings,
  RenderFence,
} from '../markdown/options.js';
export { createUrlPolicy } from '../markdown/url-policy.js';
export type {
  CheckedImage,
  CheckedLink,
  ImagePolicy,
  UrlPolicy,
  UrlPolicyOptions,
} from '../markdown/url-policy.js';
