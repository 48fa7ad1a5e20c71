import type {
  MessageActDetail,
  MessageDetail,
  MessageEditDetail,
  MessageFeedbackDetail,
  QueueEditDetail,
  SuggestionDetail,
} from './details.js';
import { after, before } from './event.js';

/** Before a message is sent. Cancel it to keep it from being sent. */
export class UbikMessageSendEvent extends before<MessageDetail>('ubik-message-send') {}

/** The service has taken the message. */
export class UbikMessageSentEvent extends after<MessageDetail>('ubik-message-sent') {}

/** Before a message that was written during a run is kept until the run is over. Cancel it and the text stays in the box. */
export class UbikMessageQueueEvent extends before<MessageDetail>('ubik-message-queue') {}

/** A message is kept until the run is over. */
export class UbikMessageQueuedEvent extends after<MessageDetail>('ubik-message-queued') {}

/** Before a message that waits is written anew. Cancel it and the form stays open. */
export class UbikQueueEditEvent extends before<QueueEditDetail>('ubik-queue-edit') {}

/** A message that waits has another text. */
export class UbikQueueEditedEvent extends after<QueueEditDetail>('ubik-queue-edited') {}

/** Before a message that waits is taken out. */
export class UbikQueueRemoveEvent extends before<MessageDetail>('ubik-queue-remove') {}

/** A message does not wait any more, and is not sent. */
export class UbikQueueRemovedEvent extends after<MessageDetail>('ubik-queue-removed') {}

/** Before a sent message gets a new text. */
export class UbikMessageEditEvent extends before<MessageEditDetail>('ubik-message-edit') {}

/** A sent message has a new text. */
export class UbikMessageEditedEvent extends after<MessageEditDetail>('ubik-message-edited') {}

/** Before an answer is asked for once more. */
export class UbikMessageRegenerateEvent extends before<MessageActDetail>(
  'ubik-message-regenerate',
) {}

/** An answer was asked for once more. */
export class UbikMessageRegeneratedEvent extends after<MessageActDetail>(
  'ubik-message-regenerated',
) {}

/** Before a judgement of an answer is taken. Cancel it and the form stays open. */
export class UbikMessageFeedbackEvent extends before<MessageFeedbackDetail>(
  'ubik-message-feedback',
) {}

/** A person has judged an answer, or taken their judgement back. No service is told: send it where you keep such things. */
export class UbikMessageFeedbackGivenEvent extends after<MessageFeedbackDetail>(
  'ubik-message-feedback-given',
) {}

/** Before a command or a name that the person has chosen is written into the message. Cancel it and what was typed stays. */
export class UbikSuggestionChooseEvent extends before<SuggestionDetail>('ubik-suggestion-choose') {}

/** A command or a name was chosen; its text stands in the message. */
export class UbikSuggestionChosenEvent extends after<SuggestionDetail>('ubik-suggestion-chosen') {}
