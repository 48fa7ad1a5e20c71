import type { UbikErrorCode } from '../errors.js';
import type { Json, Key } from '../model/json.js';
import type { RequestAnswer, RequestQuestion } from '../model/part.js';
import {
  plainEvent,
  cancelableEvent,
  UbikEvent,
  type ThreadDetail,
  type MessageRefDetail,
} from './event.js';

/** A run of the agent. */
export interface RunDetail extends ThreadDetail {
  /** The service's id of the run; null while unknown. */
  readonly runId: string | null;
  /** Whether this page has joined a run in progress, or rejoined one that was paused or interrupted. */
  readonly resumed: boolean;
}

/** A completed run. */
export interface RunCompletedDetail extends RunDetail {
  /** The result reported by the service, in its own format; null if there is none. */
  readonly result: Json;
}

/** A failed or interrupted run. */
export interface RunErrorDetail extends RunDetail {
  readonly code: UbikErrorCode;
  /** English sentence for logs. Elements show an explanation in their own language. */
  readonly message: string;
}

/** A completed step. */
export interface StepDetail extends MessageRefDetail {
  /** Number of the step, as the service counts it. */
  readonly step: number;
  readonly title: string;
  /** The results reported by the service, in its own format; null if there are none. */
  readonly results: Json;
}

/** An input request of the agent or of a tool. */
export interface InputRequiredDetail extends MessageRefDetail, Omit<RequestQuestion, 'toolInput'> {
  /** Key of the request, unique within its message. */
  readonly request: Key;
}

/** An answer to an input request. Contains the name of a file, not the file. */
export interface InputProvideDetail extends MessageRefDetail {
  readonly request: Key;
  readonly type: 'text' | 'json' | 'file' | 'declined';
  readonly text: string | null;
  readonly value: Json;
  readonly fileName: string | null;
}

/** An answer that the host page gives instead of the form. */
export type HostAnswer = RequestAnswer<File>;

/** Dispatched after a run has started, or after this page has joined a run in progress. */
export class UbikRunStartedEvent extends plainEvent<RunDetail>('ubik-run-started') {}

/** Dispatched after a run was completed. */
export class UbikRunCompletedEvent extends plainEvent<RunCompletedDetail>('ubik-run-completed') {}

/** Dispatched after a step of the run was completed. */
export class UbikStepCompletedEvent extends plainEvent<StepDetail>('ubik-step-completed') {}

/** Dispatched after a run was paused, because it waits for an answer of the user. */
export class UbikRunPausedEvent extends plainEvent<RunDetail>('ubik-run-paused') {}

/** Dispatched before the request to stop the run is sent. */
export class UbikRunStopEvent extends cancelableEvent<RunDetail>('ubik-run-stop') {}

/** Dispatched after a run was stopped on request. */
export class UbikRunStoppedEvent extends plainEvent<RunDetail>('ubik-run-stopped') {}

/** Dispatched after the agent has failed. For a run that the service rejects, `ubik-error` is dispatched instead. */
export class UbikRunFailedEvent extends plainEvent<RunErrorDetail>('ubik-run-failed') {}

/** Dispatched after automatic rejoining was given up, or after the user has stopped waiting for a run that does not stop. */
export class UbikRunInterruptedEvent extends plainEvent<RunErrorDetail>('ubik-run-interrupted') {}

/**
 * Dispatched when the agent or a tool requests input. Cancel it to suppress the form; then call {@link respond} or
 * {@link decline}, now or later.
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

  /** Answers the request. A string stands for `{ type: 'text', text }`. Rejects if the service does not accept it. */
  respond(answer: HostAnswer | string): Promise<void> {
    return this.#answer(typeof answer === 'string' ? { type: 'text', text: answer } : answer);
  }

  /** Declines the request, with the given text or a default one. */
  decline(text?: string): Promise<void> {
    return this.#answer(null, text);
  }
}

/** Dispatched before an answer is sent to the service, except by `respond` and `decline` of {@link UbikInputRequiredEvent}. */
export class UbikInputProvideEvent extends cancelableEvent<InputProvideDetail>(
  'ubik-input-provide',
) {}

/** Dispatched after the service has accepted the answer. */
export class UbikInputProvidedEvent extends plainEvent<InputProvideDetail>('ubik-input-provided') {}
