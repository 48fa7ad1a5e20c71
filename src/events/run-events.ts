import type { UbikErrorCode } from '../errors.js';
import type { Json, Key } from '../model/json.js';
import type { RequestAnswer, RequestQuestion } from '../model/part.js';
import {
  plainEvent,
  cancelableEvent,
  UbikEvent,
  type ThreadDetail,
  type MessageActDetail,
} from './event.js';

/** One task of the agent. */
export interface RunDetail extends ThreadDetail {
  /** The server's id of the task; null while it has not told one. */
  readonly runId: string | null;
  /** Whether this page joined a run that was already on. */
  readonly resumed: boolean;
}

/** A run that is complete. */
export interface RunEndDetail extends RunDetail {
  /** What the service reported with the end, in its own form; null when it reported nothing. */
  readonly result: Json;
}

/** A run that did not end well. */
export interface RunErrorDetail extends RunDetail {
  readonly code: UbikErrorCode;
  /** English sentence, for logs; elements show their own. */
  readonly message: string;
}

/** A step that is done. */
export interface StepDetail extends MessageActDetail {
  /** Its number, as the service counts. */
  readonly step: number;
  readonly title: string;
  /** What the service reported with its end, in its own form; null when it reported nothing. */
  readonly results: Json;
}

/** A question of the agent or of one of its tools. */
export interface InputRequiredDetail extends MessageActDetail, RequestQuestion {
  /** Our name for the question, unique within its message. */
  readonly request: Key;
  readonly toolName: string | null;
}

/** An answer to a question. A file is named, not carried. */
export interface InputProvideDetail extends MessageActDetail {
  readonly request: Key;
  readonly type: 'text' | 'json' | 'file' | 'declined';
  readonly text: string | null;
  readonly value: Json;
  readonly fileName: string | null;
}

/** An answer that the host gives in place of the form. */
export type HostAnswer = RequestAnswer<File>;

/** The agent has begun, or this page has joined a run that was on. */
export class UbikRunStartedEvent extends plainEvent<RunDetail>('ubik-run-started') {}

/** The run came to its end: the message is complete. */
export class UbikRunEndedEvent extends plainEvent<RunEndDetail>('ubik-run-ended') {}

/** A step of the run is done. */
export class UbikStepCompletedEvent extends plainEvent<StepDetail>('ubik-step-completed') {}

/** The run waits for an answer of the person. */
export class UbikRunPausedEvent extends plainEvent<RunDetail>('ubik-run-paused') {}

/** Before the service is asked to end the run. */
export class UbikRunStopEvent extends cancelableEvent<RunDetail>('ubik-run-stop') {}

/** Before a run whose connection broke is joined again because the person wants it. `ubik-run-started` tells that it was. */
export class UbikRunRejoinEvent extends cancelableEvent<RunDetail>('ubik-run-rejoin') {}

/** Before a run whose end does not come is left, though it may go on. `ubik-run-interrupted` tells that it was. */
export class UbikRunLeaveEvent extends cancelableEvent<RunDetail>('ubik-run-leave') {}

/** The run was ended on request. */
export class UbikRunStoppedEvent extends plainEvent<RunDetail>('ubik-run-stopped') {}

/** The agent itself failed, or the service refused. */
export class UbikRunFailedEvent extends plainEvent<RunErrorDetail>('ubik-run-failed') {}

/** The connection broke and joining it again by itself was given up. */
export class UbikRunInterruptedEvent extends plainEvent<RunErrorDetail>('ubik-run-interrupted') {}

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
export class UbikInputProvideEvent extends cancelableEvent<InputProvideDetail>(
  'ubik-input-provide',
) {}

/** The service has taken the answer. */
export class UbikInputProvidedEvent extends plainEvent<InputProvideDetail>('ubik-input-provided') {}
