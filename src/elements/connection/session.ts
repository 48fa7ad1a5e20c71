import type { Draft, InputAnswer } from '../../backends/backend.js';
import type { ControllerNotice, StreamController } from '../../conversation/controller-types.js';
import { isUbikError, type UbikError, type UbikErrorCode } from '../../errors.js';
import {
  UbikAuthRequiredEvent,
  UbikCheckpointNavigatedEvent,
  UbikCheckpointNavigateEvent,
  UbikDiagnosticEvent,
  UbikErrorEvent,
  UbikInputProvidedEvent,
  UbikInputProvideEvent,
  UbikInputRequiredEvent,
  UbikMessageSendEvent,
  UbikMessageSentEvent,
  UbikRunEndedEvent,
  UbikRunFailedEvent,
  UbikRunInterruptedEvent,
  UbikRunPausedEvent,
  UbikRunStartedEvent,
  UbikRunStopEvent,
  UbikRunStoppedEvent,
  UbikThreadCreatedEvent,
  UbikThreadCreateEvent,
  UbikThreadOpenedEvent,
  UbikThreadOpenEvent,
  type InputProvideDetail,
  type RunDetail,
} from '../../events.js';
import type { Key } from '../../model/json.js';
import type { PartOf } from '../../model/part.js';
import type { Run } from '../../model/thread.js';

/** What the sessions of one controller share. */
interface Shared {
  /** The first one tells the page what the agent does, so that the page hears it once. */
  readonly sessions: Set<Session>;
  /** Requests that the host has taken over. */
  readonly taken: Set<string>;
}

const shared = new WeakMap<StreamController, Shared>();

/** What a session is made for. */
export interface SessionOptions {
  /** The element whose acts these are; events fire on it. */
  readonly host: HTMLElement;
  readonly controller: StreamController;
  /** The words with which a request is declined when the host gives none. */
  decline(): string;
  /** Told of each notice, after its event. */
  onNotice?(notice: ControllerNotice): void;
}

/**
 * One element at a controller: carries out the person's acts, with the cancelable event before and the event after each, and
 * turns what the controller tells into events.
 */
export class Session {
  readonly controller: StreamController;
  readonly #options: SessionOptions;
  readonly #shared: Shared;
  readonly #stop: () => void;
  readonly #release: () => void;

  constructor(options: SessionOptions) {
    const { controller } = options;
    this.controller = controller;
    this.#options = options;
    this.#shared = shared.get(controller) ?? { sessions: new Set(), taken: new Set() };
    shared.set(controller, this.#shared);
    this.#shared.sessions.add(this);
    this.#release = controller.retain();
    this.#stop = controller.notices(this.#handleNotice);
  }

  /** Sends a message. False when the host kept it from being sent. */
  async send(draft: Draft): Promise<boolean> {
    const detail = {
      threadId: this.#threadId,
      text: draft.text,
      attachments: [...draft.attachments],
    };
    const isNew = this.controller.thread?.id == null;
    if (!this.#allows(new UbikMessageSendEvent(detail))) return false;
    if (isNew && !this.#allows(new UbikThreadCreateEvent({ threadId: null }))) return false;
    await this.#do(() => this.controller.send(draft));
    this.#fire(new UbikMessageSentEvent({ ...detail, threadId: this.#threadId }));
    return true;
  }

  /** Asks for the end of the run. */
  async stop(): Promise<boolean> {
    if (!this.#allows(new UbikRunStopEvent(this.#describe(this.controller.thread?.run))))
      return false;
    await this.#do(() => this.controller.stop());
    return true;
  }

  /** Answers a request; used by our forms. */
  readonly provideInput = async (
    message: Key,
    request: Key,
    answer: InputAnswer,
  ): Promise<void> => {
    const detail: InputProvideDetail = {
      threadId: this.#threadId,
      messageId: this.#messageId(message),
      request,
      type: answer.type,
      text: 'text' in answer ? (answer.text ?? null) : null,
      value: answer.type === 'json' ? answer.value : null,
      fileName: answer.type === 'file' ? answer.file.name : null,
    };
    if (!this.#allows(new UbikInputProvideEvent(detail))) return;
    await this.#do(() => this.controller.provideInput(message, request, answer));
    this.#fire(new UbikInputProvidedEvent(detail));
  };

  /** Goes back to a checkpoint, unless the host objects; it may change the hint. */
  async restore(checkpoint: string, hint: string | null): Promise<boolean> {
    const threadId = this.#threadId;
    const event = new UbikCheckpointNavigateEvent({ threadId, checkpoint }, hint);
    if (!this.#allows(event)) return false;
    await this.#do(() => this.controller.restore(checkpoint, event.hint));
    this.#fire(new UbikCheckpointNavigatedEvent({ threadId, checkpoint, hint: event.hint }));
    return true;
  }

  /** Shows another thread. */
  async openThread(threadId: string): Promise<boolean> {
    if (!this.#allows(new UbikThreadOpenEvent({ threadId }))) return false;
    await this.#do(() => this.controller.openThread(threadId));
    return true;
  }

  /** Whether the host answers a request in its own way. */
  readonly isTaken = (message: Key, request: Key): boolean =>
    this.#shared.taken.has(nameRequest(message, request));

  /** Tells the page about an error. */
  report(error: UbikError): void {
    const { code, message, status } = error;
    this.#fire(new UbikErrorEvent({ code, message, status: status ?? null }));
  }

  /** Lets go of the controller, which closes with its last holder. */
  dispose(): void {
    this.#shared.sessions.delete(this);
    this.#stop();
    this.#release();
  }

  get #threadId(): string | null {
    return this.controller.thread?.id ?? null;
  }

  #messageId(key: Key): string | null {
    return this.controller.thread?.messages.get(key)?.id ?? null;
  }

  #fire(event: Event): void {
    this.#options.host.dispatchEvent(event);
  }

  #allows(event: Event): boolean {
    this.#fire(event);
    return !event.defaultPrevented;
  }

  /** An act that fails tells the page, and whoever asked for it. */
  async #do(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (isUbikError(error) && error.code !== 'aborted') this.report(error);
      throw error;
    }
  }

  readonly #handleNotice = (notice: ControllerNotice): void => {
    const [first] = this.#shared.sessions;
    if (first === this) this.#announce(notice);
    this.#options.onNotice?.(notice);
  };

  #announce(notice: ControllerNotice): void {
    switch (notice.type) {
      case 'run-started':
        return this.#fire(new UbikRunStartedEvent(this.#describe(notice.run)));
      case 'run-ended':
        return this.#fire(new UbikRunEndedEvent(this.#describe(notice.run)));
      case 'run-paused':
        return this.#fire(new UbikRunPausedEvent(this.#describe(notice.run)));
      case 'run-stopped':
        return this.#fire(new UbikRunStoppedEvent(this.#describe(notice.run)));
      case 'run-failed':
        return this.#fire(new UbikRunFailedEvent(this.#describeFailure(notice.run, notice.error)));
      case 'run-interrupted':
        return this.#fire(
          new UbikRunInterruptedEvent(this.#describeFailure(notice.run, notice.error)),
        );
      case 'input-required':
        return this.#require(notice.message, notice.request);
      case 'thread-opened':
        return this.#fire(new UbikThreadOpenedEvent({ threadId: this.#threadId }));
      case 'thread-created':
        return this.#fire(new UbikThreadCreatedEvent({ threadId: this.#threadId }));
      case 'auth-required':
        return this.#fire(new UbikAuthRequiredEvent());
      case 'error':
        return this.report(notice.error);
      case 'diagnostic': {
        const { code, message, offender } = notice.error;
        return this.#fire(new UbikDiagnosticEvent({ code, message, offender: offender ?? null }));
      }
      default:
    }
  }

  #require(message: Key, request: Key): void {
    const part = this.controller.thread?.messages.get(message)?.parts.get(request);
    if (part?.kind !== 'request-activity') return;
    const event = new UbikInputRequiredEvent(
      { threadId: this.#threadId, messageId: this.#messageId(message), ...describeRequest(part) },
      (answer, text) =>
        this.controller.provideInput(
          message,
          request,
          answer ?? { type: 'declined', text: text ?? this.#options.decline() },
        ),
    );
    if (!this.#allows(event)) this.#shared.taken.add(nameRequest(message, request));
  }

  #describe(run: Run | undefined): RunDetail {
    return { threadId: this.#threadId, runId: run?.id ?? null, resumed: run?.resumed ?? false };
  }

  #describeFailure(
    run: Run,
    error: UbikError,
  ): RunDetail & { code: UbikErrorCode; message: string } {
    return { ...this.#describe(run), code: error.code, message: error.message };
  }
}

function nameRequest(message: Key, request: Key): string {
  return JSON.stringify([message, request]);
}

function describeRequest(part: PartOf<'request-activity'>): {
  readonly request: Key;
} & Pick<
  PartOf<'request-activity'>,
  | 'level'
  | 'prompt'
  | 'inputTypes'
  | 'checkpointName'
  | 'executionId'
  | 'toolName'
  | 'options'
  | 'schema'
  | 'deadline'
> {
  const { level, prompt, inputTypes, checkpointName, executionId, toolName } = part;
  const { options, schema, deadline, key: request } = part;
  return {
    request,
    level,
    prompt,
    inputTypes,
    checkpointName,
    executionId,
    toolName,
    options,
    schema,
    deadline,
  };
}
