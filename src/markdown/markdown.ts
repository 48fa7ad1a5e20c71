export { createFrameScheduler, createManualFrames, framesOf } from '../dom/frames.js';
export type { Frame, FrameJob, FrameScheduler, ManualFrames } from '../dom/frames.js';
export { handleMarkdownEvent } from './dom/actions.js';
export { markdownCss } from './markdown-css.js';
export { createMarkdownView } from './markdown-view.js';
export type { MarkdownView } from './markdown-view.js';
export type { MarkdownOptions } from './options.js';
export { defaultStrings } from './strings.js';
export type { MarkdownStrings } from './strings.js';
export { createUrlPolicy } from './url-policy.js';
export type {
  CheckedImage,
  CheckedLink,
  ImagePolicy,
  UrlPolicy,
  UrlPolicyOptions,
} from './url-policy.js';
