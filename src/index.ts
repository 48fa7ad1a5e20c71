export { UbikBranchMap } from './elements/ubik-branch-map.js';
export { UbikChat } from './elements/ubik-chat.js';
export { UbikCheckpoints } from './elements/ubik-checkpoints.js';
export { UbikComposer } from './elements/ubik-composer.js';
export { UbikDocuments } from './elements/ubik-documents.js';
export { UbikInputRequest } from './elements/ubik-input-request.js';
export { UbikMarkdown } from './elements/ubik-markdown.js';
export { UbikMessage } from './elements/ubik-message.js';
export { UbikThreadList } from './elements/ubik-thread-list.js';
export { UbikTranscript } from './elements/ubik-transcript.js';
export type {
  FollowUps,
  Suggestion,
  SuggestionSource,
} from './elements/composer/composer-options.js';
export { exportThread } from './elements/menu/export-thread.js';
export type {
  ExportedMessage,
  ExportedThread,
  ExportFormat,
  ExportOptions,
} from './message/export/serialize-thread.js';
export * from './events/index.js';
export { isUbikError, UbikError, type UbikErrorCode, type UbikErrorOptions } from './errors.js';
export {
  registerBackend,
  registerContentFormat,
  type BackendFactory,
  type BackendOptions,
  type ContentFormat,
  type GetToken,
} from './controller/registry.js';
export {
  registerLocale,
  type LocaleText,
  type StringName,
  type Strings,
} from './locales/locale.js';
export { registerPartRenderer } from './message/parts/part-renderers.js';
export type { MountedPart, PartRenderer } from './message/host-content.js';
export type { MessageRenderer } from './message/host-content.js';
export type * from './backends/backend.js';
export type * from './controller/controller-types.js';
export type * from './model/change.js';
export type * from './model/json.js';
export type * from './model/message.js';
export type * from './model/part.js';
export type * from './model/text.js';
export type * from './model/thread.js';
