import type { UbikErrorCode } from './errors.js';
import type { Json, Key } from './model/json.js';
import type { Attachment } from './model/message.js';

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

/** Which thread an event is about. */
export interface ThreadDetail {
  /** The server's id; null until the thread exists there. */
  readonly threadId: string | null;
}

/** A message on its way to the agent. */
export interface MessageDetail extends ThreadDetail {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Which message an act is about. */
export interface MessageActDetail extends ThreadDetail {
  /** The server's id of the message; null when it has none yet. */
  readonly messageId: string | null;
}

/** A sent message that gets a new text. */
export interface MessageEditDetail extends MessageActDetail {
  readonly text: string;
}

/** One task of the agent. */
export interface RunDetail extends ThreadDetail {
  /** The server's id of the task; null while it has not told one. */
  readonly runId: string | null;
  /** Whether this page joined a run that was already on. */
  readonly resumed: boolean;
}

/** A run that did not end well. */
export interface RunErrorDetail extends RunDetail {
  readonly code: UbikErrorCode;
  /** English sentence, for logs; elements show their own. */
  readonly message: string;
}

/** A question of the agent or of one of its tools. */
export interface InputRequiredDetail extends MessageActDetail {
  /** Our name for the question, unique within its message. */
  readonly request: Key;
  readonly level: 'agent' | 'tool';
  readonly prompt: string;
  readonly inputTypes: readonly string[];
  readonly checkpointName: string | null;
  readonly executionId: string | null;
  readonly toolName: string | null;
  /** Choices, when there are some. */
  readonly options: Json;
  /** JSON Schema of the answer, when there is one. */
  readonly schema: Json;
  /** ms since the epoch; null when it does not expire. */
  readonly deadline: number | null;
}

/** An answer to a question. A file is named, not carried. */
export interface InputProvideDetail extends MessageActDetail {
  readonly request: Key;
  readonly type: 'text' | 'json' | 'file' | 'declined';
  readonly text: string | null;
  readonly value: Json;
  readonly fileName: string | null;
}

/** The way back to a checkpoint. */
export interface CheckpointDetail extends ThreadDetail {
  readonly checkpoint: string;
}

/** The way back that was taken. */
export interface CheckpointNavigatedDetail extends CheckpointDetail {
  readonly hint: string | null;
}

/** An address in a message. */
export interface AddressDetail {
  readonly url: string;
}

/** What went wrong, for code. */
export interface ErrorDetail {
  readonly code: UbikErrorCode;
  /** English sentence, for logs; elements show their own. */
  readonly message: string;
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
}

/** What was odd but changed nothing. */
export interface DiagnosticDetail {
  readonly code: UbikErrorCode;
  readonly message: string;
  /** The piece that offended, such as an event type; null when there is none. Never text of a message. */
  readonly offender: string | null;
}

/** An answer that the host gives in place of the form. */
export type HostAnswer =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: Json }
  | { readonly type: 'file'; readonly file: File; readonly text?: string };

/** Before a message is sent. Cancel it to keep it from being sent. */
export class UbikMessageSendEvent extends UbikEvent<MessageDetail> {
  constructor(detail: MessageDetail) {
    super('ubik-message-send', detail, true);
  }
}

/** The service has taken the message. */
export class UbikMessageSentEvent extends UbikEvent<MessageDetail> {
  constructor(detail: MessageDetail) {
    super('ubik-message-sent', detail);
  }
}

/** Before a sent message gets a new text. */
export class UbikMessageEditEvent extends UbikEvent<MessageEditDetail> {
  constructor(detail: MessageEditDetail) {
    super('ubik-message-edit', detail, true);
  }
}

/** A sent message has a new text. */
export class UbikMessageEditedEvent extends UbikEvent<MessageEditDetail> {
  constructor(detail: MessageEditDetail) {
    super('ubik-message-edited', detail);
  }
}

/** Before an answer is asked for once more. */
export class UbikMessageRegenerateEvent extends UbikEvent<MessageActDetail> {
  constructor(detail: MessageActDetail) {
    super('ubik-message-regenerate', detail, true);
  }
}

/** An answer was asked for once more. */
export class UbikMessageRegeneratedEvent extends UbikEvent<MessageActDetail> {
  constructor(detail: MessageActDetail) {
    super('ubik-message-regenerated', detail);
  }
}

/** The agent has begun, or this page has joined a run that was on. */
export class UbikRunStartedEvent extends UbikEvent<RunDetail> {
  constructor(detail: RunDetail) {
    super('ubik-run-started', detail);
  }
}

/** The run came to its end: the message is complete. */
export class UbikRunEndedEvent extends UbikEvent<RunDetail> {
  constructor(detail: RunDetail) {
    super('ubik-run-ended', detail);
  }
}

/** The run waits for an answer of the person. */
export class UbikRunPausedEvent extends UbikEvent<RunDetail> {
  constructor(detail: RunDetail) {
    super('ubik-run-paused', detail);
  }
}

/** Before the service is asked to end the run. */
export class UbikRunStopEvent extends UbikEvent<RunDetail> {
  constructor(detail: RunDetail) {
    super('ubik-run-stop', detail, true);
  }
}

/** The run was ended on request. */
export class UbikRunStoppedEvent extends UbikEvent<RunDetail> {
  constructor(detail: RunDetail) {
    super('ubik-run-stopped', detail);
  }
}

/** The agent itself failed, or the service refused. */
export class UbikRunFailedEvent extends UbikEvent<RunErrorDetail> {
  constructor(detail: RunErrorDetail) {
    super('ubik-run-failed', detail);
  }
}

/** The connection broke and joining it again by itself was given up. */
export class UbikRunInterruptedEvent extends UbikEvent<RunErrorDetail> {
  constructor(detail: RunErrorDetail) {
    super('ubik-run-interrupted', detail);
  }
}

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
export class UbikInputProvideEvent extends UbikEvent<InputProvideDetail> {
  constructor(detail: InputProvideDetail) {
    super('ubik-input-provide', detail, true);
  }
}

/** The service has taken the answer. */
export class UbikInputProvidedEvent extends UbikEvent<InputProvideDetail> {
  constructor(detail: InputProvideDetail) {
    super('ubik-input-provided', detail);
  }
}

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
export class UbikCheckpointNavigatedEvent extends UbikEvent<CheckpointNavigatedDetail> {
  constructor(detail: CheckpointNavigatedDetail) {
    super('ubik-checkpoint-navigated', detail);
  }
}

/** Before another thread is shown. */
export class UbikThreadOpenEvent extends UbikEvent<ThreadDetail> {
  constructor(detail: ThreadDetail) {
    super('ubik-thread-open', detail, true);
  }
}

/** Another thread is shown. */
export class UbikThreadOpenedEvent extends UbikEvent<ThreadDetail> {
  constructor(detail: ThreadDetail) {
    super('ubik-thread-opened', detail);
  }
}

/** Before the first message of a new conversation makes its thread. */
export class UbikThreadCreateEvent extends UbikEvent<ThreadDetail> {
  constructor(detail: ThreadDetail) {
    super('ubik-thread-create', detail, true);
  }
}

/** The service has made a thread. */
export class UbikThreadCreatedEvent extends UbikEvent<ThreadDetail> {
  constructor(detail: ThreadDetail) {
    super('ubik-thread-created', detail);
  }
}

/** Before a link of a message is followed. */
export class UbikLinkOpenEvent extends UbikEvent<AddressDetail> {
  constructor(detail: AddressDetail) {
    super('ubik-link-open', detail, true);
  }
}

/** Before a remote picture is loaded, which the person asked for. */
export class UbikImageLoadEvent extends UbikEvent<AddressDetail> {
  constructor(detail: AddressDetail) {
    super('ubik-image-load', detail, true);
  }
}

/** The service wants to know who this is, and the page has given no `getToken`. */
export class UbikAuthRequiredEvent extends UbikEvent<null> {
  constructor() {
    super('ubik-auth-required', null);
  }
}

/** Something went wrong; the person was told. */
export class UbikErrorEvent extends UbikEvent<ErrorDetail> {
  constructor(detail: ErrorDetail) {
    super('ubik-error', detail);
  }
}

/** Something was odd and changed nothing; the person was not told. */
export class UbikDiagnosticEvent extends UbikEvent<DiagnosticDetail> {
  constructor(detail: DiagnosticDetail) {
    super('ubik-diagnostic', detail);
  }
}

/** All events of this library by their name. */
export interface UbikEventMap {
  'ubik-message-send': UbikMessageSendEvent;
  'ubik-message-sent': UbikMessageSentEvent;
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
  'ubik-thread-open': UbikThreadOpenEvent;
  'ubik-thread-opened': UbikThreadOpenedEvent;
  'ubik-thread-create': UbikThreadCreateEvent;
  'ubik-thread-created': UbikThreadCreatedEvent;
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
