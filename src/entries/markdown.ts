export { getFrameScheduler, type FrameScheduler } from '../dom/frames.js';
export { createManualFrameScheduler, type ManualFrameScheduler } from '../dom/manual-frames.js';
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
