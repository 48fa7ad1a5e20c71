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
  UbikDocumentAddEvent,
  UbikDocumentAddedEvent,
  UbikDocumentCancelEvent,
  UbikDocumentCancelledEvent,
  UbikDocumentFailedEvent,
  UbikDocumentLinkEvent,
  UbikDocumentLinkedEvent,
  UbikDocumentReadyEvent,
  UbikDocumentRetriedEvent,
  UbikDocumentRetryEvent,
  UbikDocumentStarEvent,
  UbikDocumentStarredEvent,
  UbikDocumentUnlinkEvent,
  UbikDocumentUnlinkedEvent,
} from './document-events.js';
import type {
  UbikImageLoadEvent,
  UbikLinkOpenEvent,
  UbikMessageEditEvent,
  UbikMessageEditedEvent,
  UbikMessageFeedbackEvent,
  UbikMessageFeedbackGivenEvent,
  UbikMessageQueueEvent,
  UbikMessageQueuedEvent,
  UbikMessageRegenerateEvent,
  UbikMessageRegeneratedEvent,
  UbikMessageSendEvent,
  UbikMessageSentEvent,
  UbikQueueEditEvent,
  UbikQueueEditedEvent,
  UbikQueueRemoveEvent,
  UbikQueueRemovedEvent,
  UbikSuggestionChooseEvent,
  UbikSuggestionChosenEvent,
} from './message-events.js';
import type {
  UbikInputProvideEvent,
  UbikInputProvidedEvent,
  UbikInputRequiredEvent,
  UbikRunEndedEvent,
  UbikRunFailedEvent,
  UbikRunInterruptedEvent,
  UbikRunLeaveEvent,
  UbikRunPausedEvent,
  UbikRunRejoinEvent,
  UbikRunStartedEvent,
  UbikRunStopEvent,
  UbikRunStoppedEvent,
  UbikStepCompletedEvent,
} from './run-events.js';
import type {
  UbikBranchNavigateEvent,
  UbikBranchNavigatedEvent,
  UbikCheckpointNavigateEvent,
  UbikCheckpointNavigatedEvent,
  UbikThreadCreateEvent,
  UbikThreadCreatedEvent,
  UbikThreadDeleteEvent,
  UbikThreadDeletedEvent,
  UbikThreadOpenEvent,
  UbikThreadOpenedEvent,
  UbikThreadRenameEvent,
  UbikThreadRenamedEvent,
  UbikThreadUndeleteEvent,
  UbikThreadUndeletedEvent,
} from './thread-events.js';

/** All events of this library by name. */
export interface UbikEventMap {
  'ubik-message-send': UbikMessageSendEvent;
  'ubik-message-sent': UbikMessageSentEvent;
  'ubik-message-queue': UbikMessageQueueEvent;
  'ubik-message-queued': UbikMessageQueuedEvent;
  'ubik-queue-edit': UbikQueueEditEvent;
  'ubik-queue-edited': UbikQueueEditedEvent;
  'ubik-queue-remove': UbikQueueRemoveEvent;
  'ubik-queue-removed': UbikQueueRemovedEvent;
  'ubik-message-edit': UbikMessageEditEvent;
  'ubik-message-edited': UbikMessageEditedEvent;
  'ubik-message-regenerate': UbikMessageRegenerateEvent;
  'ubik-message-regenerated': UbikMessageRegeneratedEvent;
  'ubik-message-feedback': UbikMessageFeedbackEvent;
  'ubik-message-feedback-given': UbikMessageFeedbackGivenEvent;
  'ubik-suggestion-choose': UbikSuggestionChooseEvent;
  'ubik-suggestion-chosen': UbikSuggestionChosenEvent;
  'ubik-run-started': UbikRunStartedEvent;
  'ubik-run-ended': UbikRunEndedEvent;
  'ubik-step-completed': UbikStepCompletedEvent;
  'ubik-run-paused': UbikRunPausedEvent;
  'ubik-run-leave': UbikRunLeaveEvent;
  'ubik-run-rejoin': UbikRunRejoinEvent;
  'ubik-run-stop': UbikRunStopEvent;
  'ubik-run-stopped': UbikRunStoppedEvent;
  'ubik-run-failed': UbikRunFailedEvent;
  'ubik-run-interrupted': UbikRunInterruptedEvent;
  'ubik-input-required': UbikInputRequiredEvent;
  'ubik-input-provide': UbikInputProvideEvent;
  'ubik-input-provided': UbikInputProvidedEvent;
  'ubik-checkpoint-navigate': UbikCheckpointNavigateEvent;
  'ubik-checkpoint-navigated': UbikCheckpointNavigatedEvent;
  'ubik-branch-navigate': UbikBranchNavigateEvent;
  'ubik-branch-navigated': UbikBranchNavigatedEvent;
  'ubik-thread-open': UbikThreadOpenEvent;
  'ubik-thread-opened': UbikThreadOpenedEvent;
  'ubik-thread-create': UbikThreadCreateEvent;
  'ubik-thread-created': UbikThreadCreatedEvent;
  'ubik-thread-rename': UbikThreadRenameEvent;
  'ubik-thread-renamed': UbikThreadRenamedEvent;
  'ubik-thread-delete': UbikThreadDeleteEvent;
  'ubik-thread-deleted': UbikThreadDeletedEvent;
  'ubik-thread-undelete': UbikThreadUndeleteEvent;
  'ubik-thread-undeleted': UbikThreadUndeletedEvent;
  'ubik-document-add': UbikDocumentAddEvent;
  'ubik-document-added': UbikDocumentAddedEvent;
  'ubik-document-link': UbikDocumentLinkEvent;
  'ubik-document-linked': UbikDocumentLinkedEvent;
  'ubik-document-unlink': UbikDocumentUnlinkEvent;
  'ubik-document-unlinked': UbikDocumentUnlinkedEvent;
  'ubik-document-star': UbikDocumentStarEvent;
  'ubik-document-starred': UbikDocumentStarredEvent;
  'ubik-document-cancel': UbikDocumentCancelEvent;
  'ubik-document-cancelled': UbikDocumentCancelledEvent;
  'ubik-document-retry': UbikDocumentRetryEvent;
  'ubik-document-retried': UbikDocumentRetriedEvent;
  'ubik-document-ready': UbikDocumentReadyEvent;
  'ubik-document-failed': UbikDocumentFailedEvent;
  'ubik-chat-open': UbikChatOpenEvent;
  'ubik-chat-opened': UbikChatOpenedEvent;
  'ubik-chat-close': UbikChatCloseEvent;
  'ubik-chat-closed': UbikChatClosedEvent;
  'ubik-link-open': UbikLinkOpenEvent;
  'ubik-image-load': UbikImageLoadEvent;
  'ubik-auth-required': UbikAuthRequiredEvent;
  'ubik-error': UbikErrorEvent;
  'ubik-diagnostic': UbikDiagnosticEvent;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- merging is the only way to type addEventListener
  interface HTMLElementEventMap extends UbikEventMap {}
}
