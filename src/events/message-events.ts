import type { Attachment } from '../model/message.js';
import { plainEvent, cancelableEvent, type ThreadDetail, type MessageActDetail } from './event.js';

/** A message on its way to the agent. */
export interface MessageDetail extends ThreadDetail {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** A sent message that gets a new text. */
export interface MessageEditDetail extends MessageActDetail {
  readonly text: string;
}

/** What a person thinks of an answer. */
export interface MessageFeedbackDetail extends MessageActDetail {
  /** Good, bad, or null when a judgement is taken back. */
  readonly rating: 'up' | 'down' | null;
  /** Why, in the person's words; empty when they gave no reason. */
  readonly reason: string;
}

/** A message that waits, as it is to be sent now. */
export interface QueueEditDetail extends MessageDetail {
  /** The text that waited so far. */
  readonly previous: string;
}

/** A command or a name that was offered to the person who writes. */
export interface SuggestionDetail extends ThreadDetail {
  /** `/` for a command, `@` for a name. */
  readonly sign: '/' | '@';
  readonly name: string;
  /** What is written into the message; empty when the page acts by itself. */
  readonly text: string;
}

/** An address in a message. */
export interface AddressDetail {
  readonly url: string;
}

/** Before a message is sent. Cancel it to keep it from being sent. */
export class UbikMessageSendEvent extends cancelableEvent<MessageDetail>('ubik-message-send') {}

/** The service has taken the message. */
export class UbikMessageSentEvent extends plainEvent<MessageDetail>('ubik-message-sent') {}

/** Before a message that was written during a run is kept until the run is over. Cancel it and the text stays in the box. */
export class UbikMessageQueueEvent extends cancelableEvent<MessageDetail>('ubik-message-queue') {}

/** A message is kept until the run is over. */
export class UbikMessageQueuedEvent extends plainEvent<MessageDetail>('ubik-message-queued') {}

/** Before a message that waits is written anew. Cancel it and the form stays open. */
export class UbikQueueEditEvent extends cancelableEvent<QueueEditDetail>('ubik-queue-edit') {}

/** A message that waits has another text. */
export class UbikQueueEditedEvent extends plainEvent<QueueEditDetail>('ubik-queue-edited') {}

/** Before a message that waits is taken out. */
export class UbikQueueRemoveEvent extends cancelableEvent<MessageDetail>('ubik-queue-remove') {}

/** A message does not wait any more, and is not sent. */
export class UbikQueueRemovedEvent extends plainEvent<MessageDetail>('ubik-queue-removed') {}

/** Before a sent message gets a new text. */
export class UbikMessageEditEvent extends cancelableEvent<MessageEditDetail>('ubik-message-edit') {}

/** A sent message has a new text. */
export class UbikMessageEditedEvent extends plainEvent<MessageEditDetail>('ubik-message-edited') {}

/** Before an answer is asked for once more. */
export class UbikMessageRegenerateEvent extends cancelableEvent<MessageActDetail>(
  'ubik-message-regenerate',
) {}

/** An answer was asked for once more. */
export class UbikMessageRegeneratedEvent extends plainEvent<MessageActDetail>(
  'ubik-message-regenerated',
) {}

/** Before a judgement of an answer is taken. Cancel it and the form stays open. */
export class UbikMessageFeedbackEvent extends cancelableEvent<MessageFeedbackDetail>(
  'ubik-message-feedback',
) {}

/** A person has judged an answer, or taken their judgement back. No service is told: send it where you keep such things. */
export class UbikMessageFeedbackGivenEvent extends plainEvent<MessageFeedbackDetail>(
  'ubik-message-feedback-given',
) {}

/** Before a command or a name that the person has chosen is written into the message. Cancel it and what was typed stays. */
export class UbikSuggestionChooseEvent extends cancelableEvent<SuggestionDetail>(
  'ubik-suggestion-choose',
) {}

/** A command or a name was chosen; its text stands in the message. */
export class UbikSuggestionChosenEvent extends plainEvent<SuggestionDetail>(
  'ubik-suggestion-chosen',
) {}

/** Before a link of a message is followed. */
export class UbikLinkOpenEvent extends cancelableEvent<AddressDetail>('ubik-link-open') {}

/** Before a remote picture is loaded, which the person asked for. */
export class UbikImageLoadEvent extends cancelableEvent<AddressDetail>('ubik-image-load') {}
