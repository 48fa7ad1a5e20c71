import type { ApplicationContext, Attachment, MessageSettings } from '../model/message.js';
import { plainEvent, cancelableEvent, type ThreadDetail, type MessageRefDetail } from './event.js';

/** A message to be sent. */
export interface MessageDetail extends ThreadDetail, MessageSettings {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** A sent message with a new text. */
export interface MessageEditDetail extends MessageRefDetail {
  readonly text: string;
}

/** Feedback on an answer. */
export interface MessageFeedbackDetail extends MessageRefDetail {
  /** Positive, negative, or null if the rating was withdrawn. */
  readonly rating: 'up' | 'down' | null;
  /** The reason in the user's words; empty if none was given. */
  readonly reason: string;
}

/** A queued message with its new text. */
export interface QueueEditDetail extends MessageDetail {
  /** The previous text. */
  readonly previous: string;
}

/** A command or mention that was suggested. */
export interface SuggestionDetail extends ThreadDetail {
  /** The trigger character: `/` for a command, `@` for a mention. */
  readonly trigger: '/' | '@';
  readonly name: string;
  /** The inserted text; empty if the host page handles the choice. */
  readonly text: string;
}

/** The context that was removed. */
export interface ContextDetail extends ThreadDetail {
  readonly context: ApplicationContext;
}

/** The passage of a citation. */
export interface PassageDetail extends ThreadDetail {
  /** The service's id of the passage, or of a document that is cited as a whole. */
  readonly passageId: string;
  /** Title or file name of its source; null when it has none. */
  readonly title: string | null;
}

/** A URL in a message. */
export interface UrlDetail {
  readonly url: string;
}

/** Dispatched before a message is sent. Cancel it to prevent that. */
export class UbikMessageSendEvent extends cancelableEvent<MessageDetail>('ubik-message-send') {}

/** Dispatched after the service has accepted the message. */
export class UbikMessageSentEvent extends plainEvent<MessageDetail>('ubik-message-sent') {}

/**
 * Dispatched before a message written during a run is queued. Cancel it to keep the text in the composer. `ubik-message-sent` follows
 * when the service has accepted the message.
 */
export class UbikMessageQueueEvent extends cancelableEvent<MessageDetail>('ubik-message-queue') {}

/** Dispatched before a queued message is changed. Cancel it to keep the form open. */
export class UbikQueueEditEvent extends cancelableEvent<QueueEditDetail>('ubik-queue-edit') {}

/** Dispatched before a sent message is edited. Cancel it to keep the form open. */
export class UbikMessageEditEvent extends cancelableEvent<MessageEditDetail>('ubik-message-edit') {}

/** Dispatched after the service has accepted the new text of a sent message. */
export class UbikMessageEditedEvent extends plainEvent<MessageEditDetail>('ubik-message-edited') {}

/** Dispatched before an answer is regenerated. */
export class UbikMessageRegenerateEvent extends cancelableEvent<MessageRefDetail>(
  'ubik-message-regenerate',
) {}

/** Dispatched after the service has accepted the request for another answer, which is then being written. */
export class UbikMessageRegeneratedEvent extends plainEvent<MessageRefDetail>(
  'ubik-message-regenerated',
) {}

/** Dispatched before the user's feedback takes effect. Cancel it to keep the form open. */
export class UbikMessageFeedbackEvent extends cancelableEvent<MessageFeedbackDetail>(
  'ubik-message-feedback',
) {}

/** Dispatched after the user has given or withdrawn feedback. It is not sent to the service, so store it where you need it. */
export class UbikMessageFeedbackGivenEvent extends plainEvent<MessageFeedbackDetail>(
  'ubik-message-feedback-given',
) {}

/** Dispatched after a command or mention was chosen and its text was inserted. A command without a text is executed by the host page. */
export class UbikSuggestionChosenEvent extends plainEvent<SuggestionDetail>(
  'ubik-suggestion-chosen',
) {}

/** Dispatched after the user has removed the context. Messages are sent without it until the host page sets another one. */
export class UbikContextRemovedEvent extends plainEvent<ContextDetail>('ubik-context-removed') {}

/** Dispatched before a link in a message is opened. */
export class UbikLinkOpenEvent extends cancelableEvent<UrlDetail>('ubik-link-open') {}

/** Dispatched before an image is loaded at the user's request. */
export class UbikImageLoadEvent extends cancelableEvent<UrlDetail>('ubik-image-load') {}

/**
 * Dispatched after a click on a link in a message and after `linkHandler`, unless the host page has cancelled `ubik-link-open`. The browser
 * then follows the link, unless `linkHandler` has followed it.
 */
export class UbikLinkOpenedEvent extends plainEvent<UrlDetail>('ubik-link-opened') {}

/** Dispatched after a remote image in a message was loaded. */
export class UbikImageLoadedEvent extends plainEvent<UrlDetail>('ubik-image-loaded') {}

/** Dispatched after the user has copied a message. */
export class UbikMessageCopiedEvent extends plainEvent<MessageRefDetail>('ubik-message-copied') {}

/** Dispatched after the passage of a citation was opened. It may still be loading. */
export class UbikPassageOpenedEvent extends plainEvent<PassageDetail>('ubik-passage-opened') {}
