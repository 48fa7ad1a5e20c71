import type {
  UbikBranchComparedEvent,
  UbikBranchSwitchEvent,
  UbikBranchSwitchedEvent,
} from './branch-events.js';
import type {
  UbikAuthRequiredEvent,
  UbikChatCloseEvent,
  UbikChatClosedEvent,
  UbikChatOpenEvent,
  UbikChatOpenedEvent,
  UbikDiagnosticEvent,
  UbikErrorEvent,
} from './chat-events.js';
import type {
  UbikCheckpointRestoreEvent,
  UbikCheckpointRestoredEvent,
} from './checkpoint-events.js';
import type {
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
} from './document-events.js';
import type { UbikGatePassEvent, UbikGatePassedEvent } from './gate-events.js';
import type {
  UbikContextRemovedEvent,
  UbikImageLoadedEvent,
  UbikImageLoadEvent,
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
  UbikPassageOpenedEvent,
  UbikQueueEditEvent,
  UbikSuggestionChosenEvent,
} from './message-events.js';
import type { UbikPartAskEvent } from './part-events.js';
import type {
  UbikInputProvideEvent,
  UbikInputProvidedEvent,
  UbikInputRequiredEvent,
  UbikRunCompletedEvent,
  UbikRunFailedEvent,
  UbikRunInterruptedEvent,
  UbikRunPausedEvent,
  UbikRunStartedEvent,
  UbikRunStopEvent,
  UbikRunStoppedEvent,
  UbikStepCompletedEvent,
} from './run-events.js';
import type {
  UbikThreadCreateEvent,
  UbikThreadCreatedEvent,
  UbikThreadOpenEvent,
  UbikThreadOpenedEvent,
} from './thread-events.js';
import type {
  UbikThreadDeleteEvent,
  UbikThreadDeletedEvent,
  UbikThreadRenameEvent,
  UbikThreadRenamedEvent,
} from './thread-list-events.js';

export { UbikEvent, type MessageRefDetail, type ThreadDetail } from './event.js';
export * from './branch-events.js';
export * from './chat-events.js';
export * from './checkpoint-events.js';
export * from './document-events.js';
export * from './gate-events.js';
export * from './message-events.js';
export * from './part-events.js';
export * from './run-events.js';
export * from './thread-events.js';
export * from './thread-list-events.js';

/** All events of this library by name. */
export interface UbikEventMap {
  'ubik-message-send': UbikMessageSendEvent;
  'ubik-message-sent': UbikMessageSentEvent;
  'ubik-message-queue': UbikMessageQueueEvent;
  'ubik-queue-edit': UbikQueueEditEvent;
  'ubik-message-edit': UbikMessageEditEvent;
  'ubik-message-edited': UbikMessageEditedEvent;
  'ubik-message-regenerate': UbikMessageRegenerateEvent;
  'ubik-message-regenerated': UbikMessageRegeneratedEvent;
  'ubik-message-feedback': UbikMessageFeedbackEvent;
  'ubik-message-feedback-given': UbikMessageFeedbackGivenEvent;
  'ubik-suggestion-chosen': UbikSuggestionChosenEvent;
  'ubik-context-removed': UbikContextRemovedEvent;
  'ubik-run-started': UbikRunStartedEvent;
  'ubik-run-completed': UbikRunCompletedEvent;
  'ubik-step-completed': UbikStepCompletedEvent;
  'ubik-run-paused': UbikRunPausedEvent;
  'ubik-run-stop': UbikRunStopEvent;
  'ubik-run-stopped': UbikRunStoppedEvent;
  'ubik-run-failed': UbikRunFailedEvent;
  'ubik-run-interrupted': UbikRunInterruptedEvent;
  'ubik-input-required': UbikInputRequiredEvent;
  'ubik-input-provide': UbikInputProvideEvent;
  'ubik-input-provided': UbikInputProvidedEvent;
  'ubik-checkpoint-restore': UbikCheckpointRestoreEvent;
  'ubik-checkpoint-restored': UbikCheckpointRestoredEvent;
  'ubik-branch-switch': UbikBranchSwitchEvent;
  'ubik-branch-switched': UbikBranchSwitchedEvent;
  'ubik-thread-open': UbikThreadOpenEvent;
  'ubik-thread-opened': UbikThreadOpenedEvent;
  'ubik-thread-create': UbikThreadCreateEvent;
  'ubik-thread-created': UbikThreadCreatedEvent;
  'ubik-thread-rename': UbikThreadRenameEvent;
  'ubik-thread-renamed': UbikThreadRenamedEvent;
  'ubik-thread-delete': UbikThreadDeleteEvent;
  'ubik-thread-deleted': UbikThreadDeletedEvent;
  'ubik-document-add': UbikDocumentAddEvent;
  'ubik-document-added': UbikDocumentAddedEvent;
  'ubik-document-link': UbikDocumentLinkEvent;
  'ubik-document-linked': UbikDocumentLinkedEvent;
  'ubik-document-unlink': UbikDocumentUnlinkEvent;
  'ubik-document-unlinked': UbikDocumentUnlinkedEvent;
  'ubik-document-starred': UbikDocumentStarredEvent;
  'ubik-document-cancelled': UbikDocumentCancelledEvent;
  'ubik-document-ready': UbikDocumentReadyEvent;
  'ubik-document-failed': UbikDocumentFailedEvent;
  'ubik-chat-open': UbikChatOpenEvent;
  'ubik-chat-opened': UbikChatOpenedEvent;
  'ubik-chat-close': UbikChatCloseEvent;
  'ubik-chat-closed': UbikChatClosedEvent;
  'ubik-gate-pass': UbikGatePassEvent;
  'ubik-gate-passed': UbikGatePassedEvent;
  'ubik-link-open': UbikLinkOpenEvent;
  'ubik-link-opened': UbikLinkOpenedEvent;
  'ubik-image-load': UbikImageLoadEvent;
  'ubik-image-loaded': UbikImageLoadedEvent;
  'ubik-message-copied': UbikMessageCopiedEvent;
  'ubik-branch-compared': UbikBranchComparedEvent;
  'ubik-passage-opened': UbikPassageOpenedEvent;
  'ubik-part-ask': UbikPartAskEvent;
  'ubik-auth-required': UbikAuthRequiredEvent;
  'ubik-error': UbikErrorEvent;
  'ubik-diagnostic': UbikDiagnosticEvent;
}

declare global {
  /* oxlint-disable typescript/no-empty-object-type -- merging is the only way to type addEventListener */
  interface HTMLElementEventMap extends UbikEventMap {}
  interface ShadowRootEventMap extends UbikEventMap {}
  interface DocumentEventMap extends UbikEventMap {}
  interface WindowEventMap extends UbikEventMap {}
  /* oxlint-enable typescript/no-empty-object-type */
}
