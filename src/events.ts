import type {
  AddressDetail,
  CheckpointDetail,
  CheckpointNavigatedDetail,
  DiagnosticDetail,
  DocumentDetail,
  DocumentFailedDetail,
  DocumentStarDetail,
  ErrorDetail,
  HostAnswer,
  InputProvideDetail,
  InputRequiredDetail,
  MessageActDetail,
  MessageDetail,
  MessageEditDetail,
  RunDetail,
  RunErrorDetail,
  ThreadDetail,
  ThreadRenameDetail,
} from './event-details.js';

export type * from './event-details.js';

/** Makes plain data unchangeable, however deep. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

/**
 * What all events of this library share: they bubble, they cross shadow roots, their `detail` is frozen plain data. An event in
 * the present tense comes before the act and can be cancelled; one in the past tense comes after it.
 */
export class UbikEvent<Detail> extends CustomEvent<Detail> {
  constructor(type: string, detail: Detail, cancelable = false) {
    super(type, { detail: freeze(detail), bubbles: true, composed: true, cancelable });
  }
}

/** The class of one event; one that has nothing to tell is made without a detail. */
type EventClass<Detail> = new (
  ...given: Detail extends null ? [] : [detail: Detail]
) => UbikEvent<Detail>;

/** Makes the class of an event that comes after what it tells of. */
function after<Detail>(type: string, cancelable = false): EventClass<Detail> {
  return class extends UbikEvent<Detail | null> {
    constructor(detail: Detail | null = null) {
      super(type, detail, cancelable);
    }
  } as unknown as EventClass<Detail>;
}

/** Makes the class of an event that comes before an act and can be cancelled. */
function before<Detail>(type: string): EventClass<Detail> {
  return after(type, true);
}

/** Before a message is sent. Cancel it to keep it from being sent. */
export class UbikMessageSendEvent extends before<MessageDetail>('ubik-message-send') {}

/** The service has taken the message. */
export class UbikMessageSentEvent extends after<MessageDetail>('ubik-message-sent') {}

/** Before a message that was written during a run is kept until the run is over. Cancel it and the text stays in the box. */
export class UbikMessageQueueEvent extends before<MessageDetail>('ubik-message-queue') {}

/** A message is kept until the run is over. */
export class UbikMessageQueuedEvent extends after<MessageDetail>('ubik-message-queued') {}

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

/** The agent has begun, or this page has joined a run that was on. */
export class UbikRunStartedEvent extends after<RunDetail>('ubik-run-started') {}

/** The run came to its end: the message is complete. */
export class UbikRunEndedEvent extends after<RunDetail>('ubik-run-ended') {}

/** The run waits for an answer of the person. */
export class UbikRunPausedEvent extends after<RunDetail>('ubik-run-paused') {}

/** Before the service is asked to end the run. */
export class UbikRunStopEvent extends before<RunDetail>('ubik-run-stop') {}

/** The run was ended on request. */
export class UbikRunStoppedEvent extends after<RunDetail>('ubik-run-stopped') {}

/** The agent itself failed, or the service refused. */
export class UbikRunFailedEvent extends after<RunErrorDetail>('ubik-run-failed') {}

/** The connection broke and joining it again by itself was given up. */
export class UbikRunInterruptedEvent extends after<RunErrorDetail>('ubik-run-interrupted') {}

/**
 * The agent or a tool asks the person for something. Cancel it and the form stays away: the host asks in its own way and calls
 * {@link respond} or {@link decline}, at once or later.
 */
export class UbikInputRequiredEvent extends UbikEvent<InputRequiredDetail> {
  readonly #answer: (answer: HostAnswer | null, text?: string) => Promise<void>;

  constructor(
    detail: InputRequiredDetail,
    answer: (answer: HostAnswer | null, text?: string) => Promise<void>,
  ) {
    super('ubik-input-required', detail, true);
    this.#answer = answer;
  }

  /** Answers the question. A plain text stands for `{ type: 'text', text }`. Rejects when the service does not take it. */
  respond(answer: HostAnswer | string): Promise<void> {
    return this.#answer(typeof answer === 'string' ? { type: 'text', text: answer } : answer);
  }

  /** Says that the person does not want to answer, in the words given or our own. */
  decline(text?: string): Promise<void> {
    return this.#answer(null, text);
  }
}

/** Before an answer of the person goes to the service. */
export class UbikInputProvideEvent extends before<InputProvideDetail>('ubik-input-provide') {}

/** The service has taken the answer. */
export class UbikInputProvidedEvent extends after<InputProvideDetail>('ubik-input-provided') {}

/** Before the conversation goes back to a checkpoint. The host may change the hint, or cancel. */
export class UbikCheckpointNavigateEvent extends UbikEvent<CheckpointDetail> {
  /** What the agent is told to do differently from there; null for nothing. */
  hint: string | null;

  constructor(detail: CheckpointDetail, hint: string | null) {
    super('ubik-checkpoint-navigate', detail, true);
    this.hint = hint;
  }
}

/** The conversation went back to a checkpoint and the agent goes on from there. */
export class UbikCheckpointNavigatedEvent extends after<CheckpointNavigatedDetail>(
  'ubik-checkpoint-navigated',
) {}

/** Before another version of a message, and what followed it, is shown. */
export class UbikBranchNavigateEvent extends before<MessageActDetail>('ubik-branch-navigate') {}

/** Another version is shown. */
export class UbikBranchNavigatedEvent extends after<MessageActDetail>('ubik-branch-navigated') {}

/** Before another thread is shown. */
export class UbikThreadOpenEvent extends before<ThreadDetail>('ubik-thread-open') {}

/** Another thread is shown. */
export class UbikThreadOpenedEvent extends after<ThreadDetail>('ubik-thread-opened') {}

/** Before the first message of a new conversation makes its thread. */
export class UbikThreadCreateEvent extends before<ThreadDetail>('ubik-thread-create') {}

/** The service has made a thread. */
export class UbikThreadCreatedEvent extends after<ThreadDetail>('ubik-thread-created') {}

/** Before a thread gets another title. */
export class UbikThreadRenameEvent extends before<ThreadRenameDetail>('ubik-thread-rename') {}

/** A thread has another title. */
export class UbikThreadRenamedEvent extends after<ThreadRenameDetail>('ubik-thread-renamed') {}

/** Before a thread is deleted: the person can still take it back for some seconds. */
export class UbikThreadDeleteEvent extends before<ThreadDetail>('ubik-thread-delete') {}

/** The service has deleted a thread. */
export class UbikThreadDeletedEvent extends after<ThreadDetail>('ubik-thread-deleted') {}

/** Before a file is uploaded. Cancel it and the file is yours. */
export class UbikDocumentAddEvent extends UbikEvent<DocumentDetail> {
  /** The file itself. */
  readonly file: File;

  constructor(detail: DocumentDetail, file: File) {
    super('ubik-document-add', detail, true);
    this.file = file;
  }
}

/** A file has arrived; the service begins to read it. */
export class UbikDocumentAddedEvent extends after<DocumentDetail>('ubik-document-added') {}

/** Before a document that the service has already is put into the thread. */
export class UbikDocumentLinkEvent extends before<DocumentDetail>('ubik-document-link') {}

/** A document was put into the thread. */
export class UbikDocumentLinkedEvent extends after<DocumentDetail>('ubik-document-linked') {}

/** Before a document is taken out of the thread; the service keeps it. */
export class UbikDocumentUnlinkEvent extends before<DocumentDetail>('ubik-document-unlink') {}

/** A document was taken out of the thread. */
export class UbikDocumentUnlinkedEvent extends after<DocumentDetail>('ubik-document-unlinked') {}

/** Before a document is marked, or the mark is taken away. */
export class UbikDocumentStarEvent extends before<DocumentStarDetail>('ubik-document-star') {}

/** A document was marked, or the mark was taken away. */
export class UbikDocumentStarredEvent extends after<DocumentStarDetail>('ubik-document-starred') {}

/** Before a file on its way is given up. */
export class UbikDocumentCancelEvent extends before<DocumentDetail>('ubik-document-cancel') {}

/** A file on its way was given up. */
export class UbikDocumentCancelledEvent extends after<DocumentDetail>('ubik-document-cancelled') {}

/** Before a file that did not arrive is sent once more. */
export class UbikDocumentRetryEvent extends before<DocumentDetail>('ubik-document-retry') {}

/** A file that was sent once more has arrived. */
export class UbikDocumentRetriedEvent extends after<DocumentDetail>('ubik-document-retried') {}

/** The service has read a document. Heard while somebody looks at it. */
export class UbikDocumentReadyEvent extends after<DocumentDetail>('ubik-document-ready') {}

/** A file was not taken, did not arrive, or could not be read; the person was told. */
export class UbikDocumentFailedEvent extends after<DocumentFailedDetail>('ubik-document-failed') {}

/** Before a link of a message is followed. */
export class UbikLinkOpenEvent extends before<AddressDetail>('ubik-link-open') {}

/** Before a remote picture is loaded, which the person asked for. */
export class UbikImageLoadEvent extends before<AddressDetail>('ubik-image-load') {}

/** The service wants to know who this is, and the page has given no `getToken`. */
export class UbikAuthRequiredEvent extends after<null>('ubik-auth-required') {}

/** Something went wrong; the person was told. */
export class UbikErrorEvent extends after<ErrorDetail>('ubik-error') {}

/** Something was odd and changed nothing; the person was not told. */
export class UbikDiagnosticEvent extends after<DiagnosticDetail>('ubik-diagnostic') {}

/** All events of this library by their name. */
export interface UbikEventMap {
  'ubik-message-send': UbikMessageSendEvent;
  'ubik-message-sent': UbikMessageSentEvent;
  'ubik-message-queue': UbikMessageQueueEvent;
  'ubik-message-queued': UbikMessageQueuedEvent;
  'ubik-message-edit': UbikMessageEditEvent;
  'ubik-message-edited': UbikMessageEditedEvent;
  'ubik-message-regenerate': UbikMessageRegenerateEvent;
  'ubik-message-regenerated': UbikMessageRegeneratedEvent;
  'ubik-run-started': UbikRunStartedEvent;
  'ubik-run-ended': UbikRunEndedEvent;
  'ubik-run-paused': UbikRunPausedEvent;
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
