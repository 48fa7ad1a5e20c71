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
export type { ComposeOptions } from './elements/composer/compose.js';
export type { ChatMessage, ChatRun } from './elements/transcript/chat-state.js';
export type {
  FollowUps,
  Suggestion,
  SuggestionSource,
} from './elements/composer/composer-options.js';
export type { FindDocuments } from './elements/documents/document-actions.js';
export type { ChatGate } from './elements/gate/gate-types.js';
export type { PageTool, PageToolCall, PageTools } from './elements/tools/page-tool-types.js';
export { exportThread } from './elements/menu/export-thread.js';
export type {
  ExportedMessage,
  ExportedThread,
  ExportFormat,
  ExportOptions,
} from './message/export/serialize-thread.js';
export {
  UbikAuthRequiredEvent,
  UbikBranchComparedEvent,
  UbikBranchSwitchEvent,
  UbikBranchSwitchedEvent,
  UbikChatCloseEvent,
  UbikChatClosedEvent,
  UbikChatOpenEvent,
  UbikChatOpenedEvent,
  UbikCheckpointRestoreEvent,
  UbikCheckpointRestoredEvent,
  UbikContextRemovedEvent,
  UbikDiagnosticEvent,
  UbikDocumentAddEvent,
  UbikDocumentAddedEvent,
  UbikDocumentCancelledEvent,
  UbikDocumentFailedEvent,
  UbikDocumentLinkEvent,
  UbikDocumentLinkedEvent,
  UbikDocumentReadyEvent,
  UbikDocumentStarredEvent,
  UbikDocumentUnlinkEvent,
  UbikDocumentUnlinkedEvent,
  UbikErrorEvent,
  UbikEvent,
  UbikGatePassEvent,
  UbikGatePassedEvent,
  UbikImageLoadedEvent,
  UbikImageLoadEvent,
  UbikInputProvideEvent,
  UbikInputProvidedEvent,
  UbikInputRequiredEvent,
  UbikLinkOpenedEvent,
  UbikLinkOpenEvent,
  UbikMessageCopiedEvent,
  UbikMessageEditEvent,
  UbikMessageEditedEvent,
  UbikMessageFeedbackEvent,
  UbikMessageFeedbackGivenEvent,
  UbikMessageQueueEvent,
  UbikMessageRegenerateEvent,
  UbikMessageRegeneratedEvent,
  UbikMessageSendEvent,
  UbikMessageSentEvent,
  UbikPartAskEvent,
  UbikPassageOpenedEvent,
  UbikQueueEditEvent,
  UbikRunCompletedEvent,
  UbikRunFailedEvent,
  UbikRunInterruptedEvent,
  UbikRunPausedEvent,
  UbikRunStartedEvent,
  UbikRunStopEvent,
  UbikRunStoppedEvent,
  UbikStepCompletedEvent,
  UbikSuggestionChosenEvent,
  UbikThreadCreateEvent,
  UbikThreadCreatedEvent,
  UbikThreadDeleteEvent,
  UbikThreadDeletedEvent,
  UbikThreadOpenEvent,
  UbikThreadOpenedEvent,
  UbikThreadRenameEvent,
  UbikThreadRenamedEvent,
  type UbikEventMap,
} from './events/index.js';
export { isUbikError, UbikError, type ServiceError, type UbikErrorCode } from './errors.js';
export {
  registerBackend,
  registerContentFormat,
  type BackendFactory,
  type BackendOptions,
  type ContentFormat,
  type GetToken,
} from './controller/registry.js';
export { registerLocale, type StringName, type Strings } from './locales/locale.js';
export { registerPartRenderer, registerToolRenderer } from './message/parts/part-renderers.js';
export type { MessageRenderer } from './message/host-content.js';
export type {
  MountedPart,
  PartActions,
  PartContext,
  PartFacts,
  PartLocale,
  PartMessage,
  PartRenderer,
  PartTheme,
  RendererRule,
  ToolCall,
  ToolContext,
  ToolFacts,
  ToolMatch,
  ToolOutput,
  ToolPhase,
  ToolRenderer,
} from './message/parts/renderer-types.js';
export type { FenceContext, LinkHandler, RenderFence } from './markdown/options.js';
export type {
  Backend,
  DocumentInfo,
  InputAnswer,
  NewThread,
  UploadLimits,
} from './backends/backend.js';
export type { StreamController } from './controller/controller-types.js';
export type { Json, Key } from './model/json.js';
export type { ApplicationContext, Attachment, Message } from './model/message.js';
export type {
  Part,
  PartKind,
  PartOf,
  PartTree,
  RequestAnswer,
  RequestQuestion,
} from './model/part.js';
export type { TextSource } from './model/text.js';
export type { Thread } from './model/thread.js';
