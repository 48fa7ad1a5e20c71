import { UbikError } from '../../../errors.js';
import type { Batch, Change } from '../../../model/change.js';
import type { ServerSentEvent } from '../../../transport/sse.js';
import type { RunKeys } from '../../backend.js';
import { createBatch } from '../../event-stream/batch-writer.js';
import { endRun, followStream, type FollowOptions } from '../../event-stream/follow-stream.js';
import type { StreamedRun } from '../../event-stream/streamed-run.js';
import type { UbikClient } from '../api/client.js';
import type { SessionMessage } from '../api/messages.js';
import type { EventReader } from '../events/event-reader.js';
import { readId } from '../../fields.js';
import type { ServiceClock } from '../events/service-clock.js';
import { getEventTime, type WireEvent } from '../events/wire-event.js';
import { BufferingCheck } from './buffering-check.js';
import { createIdChanges, loadMessageIds } from './message-ids.js';
import type { RequestLookups } from './request-lookups.js';
import { markEnded, type SessionState } from './session-state.js';
import { TaskState } from './task-state.js';

/** The session and the keys of a run, and the objects of the backend that it uses. */
export interface RunContext {
  readonly client: UbikClient;
  readonly state: SessionState;
  /** Id of the session. */
  readonly session: string;
  readonly keys: RunKeys;
  readonly signal: AbortSignal;
}

/** The task whose events a stream should contain, and how the stream was opened. */
export interface ExpectedTask {
  /** Id of the task; null or unset while it is unknown. */
  readonly taskId?: string | null;
  /**
   * Set, possibly to an empty list, if the stream was opened by a GET; unset if it is the response to the POST. A GET may return the stream of
   * an earlier task. While `taskId` is unknown, that task is recognized by its id in this list or in `SessionState.taskSizes`.
   */
  readonly otherTaskIds?: readonly string[];
  /** Set if the run is rejoined: looks up whether the requests that its stream replays are still pending. */
  readonly lookups?: RequestLookups;
}

/**
 * Events that name the task of a stream. `connection_established` comes before all other events, but may lack the id; the first of the others
 * then names the task, and later ones may be about another task.
 */
const NAMING_EVENTS: readonly string[] = [
  'connection_established',
  'agent_processing_started',
  'response_stream_start',
];

/** One connection of one run: applies its events to the state of the task, and emits the changes. */
export class UbikRun implements StreamedRun {
  readonly context: RunContext;
  readonly task: TaskState;
  readonly #reader: EventReader;
  #expected: ExpectedTask = {};
  /** Whether an event of this connection has named its task. */
  #isTaskNamed = false;
  /** Whether the clock was set by an event of this connection. */
  #hasSetClock = false;
  readonly #buffering = new BufferingCheck();
  /** The message that the service has returned instead of a stream. */
  #storedAnswer: SessionMessage | null = null;

  /**
   * Registers the task of the run in the session.
   *
   * @param shownSize Size of the message of the task (see `SessionState.taskSizes`), if it is shown but was not built by this backend.
   * @param known The state of the task, if the session has one. `shownSize` is then not used.
   */
  constructor(context: RunContext, shownSize?: number, known?: TaskState) {
    const { client, state, keys } = context;
    const { maxEvents, maxEventText, maxMessageText: maxText } = client.limits;
    const onDiagnostic = client.reportDiagnostic;
    const limits = { maxEvents, maxEventText, maxText };
    this.context = context;
    this.#reader = client.createEventReader();
    this.task =
      known ?? new TaskState({ message: keys.answer, ...limits, onDiagnostic, shownSize });
    state.runs.set(keys.answer, this.task);
  }

  /** Creates a batch of these changes. */
  createBatch(changes: readonly Change[]): Batch {
    return createBatch(this.#options, changes);
  }

  /** Reads a stream to the end of the run: see {@link followStream}. */
  follow(
    body: ReadableStream<Uint8Array>,
    expected: ExpectedTask,
  ): AsyncGenerator<Batch, void, undefined> {
    this.#expected = expected;
    this.task.connect();
    return followStream(body, this, this.#options);
  }

  /** Emits a finished answer that the service has returned instead of a stream, as if its events had been streamed. */
  async *finish(message: SessionMessage): AsyncGenerator<Batch> {
    const { id, taskId, content } = message;
    this.task.apply({ type: 'connection_established', fields: { task_id: taskId } });
    const fields = { message_id: id, content };
    this.task.apply({ type: 'agent_processing_complete', fields });
    this.context.state.messageIds.add(id);
    this.#storedAnswer = message;
    yield* endRun(this, this.#options);
  }

  get isEnded(): boolean {
    return this.task.status.ended;
  }

  /** A run that is being stopped waits for nothing: the end of its stream is its end. */
  get isWaiting(): boolean {
    return this.task.status.state === 'waiting' && !this.#isStopping;
  }

  get isDirty(): boolean {
    return this.task.isDirty;
  }

  get lookups(): RequestLookups | undefined {
    return this.#expected.lookups;
  }

  apply(record: ServerSentEvent): void {
    const event = this.#reader.read(record);
    if (!event) return;
    this.#recordTime(event);
    this.#checkTask(event);
    this.task.apply(event);
  }

  onStreamClosed(): void {
    this.#reader.end();
  }

  tryEndWithoutEvent(): boolean {
    if (!this.#isStopping) return false;
    this.task.endAsStopped();
    return true;
  }

  drainChanges(sortLate: boolean): readonly Change[] {
    const { clock } = this.context.client;
    return this.task.drainChanges(sortLate).map((change) => withPageTime(change, clock));
  }

  repeatStatus(): void {
    this.task.repeatStatus();
  }

  onEnd(): void {
    const { state, taskId } = this.task.status;
    if (state !== 'waiting') markEnded(this.context.state, taskId);
  }

  async loadFinalChanges(): Promise<readonly Change[]> {
    const { context } = this;
    const stored = this.#storedAnswer;
    if (stored) return createIdChanges(context.keys.answer, stored);
    return loadMessageIds(context, this.task.status);
  }

  get #options(): FollowOptions {
    const { client, keys, signal } = this.context;
    const { sliceBudget, rebuildInterval, maxEventBytes } = client.limits;
    const { environment } = client;
    return {
      ...{ thread: keys.thread, environment, signal },
      ...{ sliceBudget, rebuildInterval, maxEventBytes },
    };
  }

  /** Whether the service has accepted a request to stop, by an event or by its response. */
  get #isStopping(): boolean {
    const { state, keys } = this.context;
    return state.stops.get(keys.answer) === true || this.task.status.stopRequested;
  }

  /** Sets the clock of the service by the time of an event, and reports a proxy that buffers the stream. */
  #recordTime(event: WireEvent): void {
    const { lookups, otherTaskIds } = this.#expected;
    const time = getEventTime(event);
    // The run may have begun long before it is rejoined.
    if (time === null || lookups) return;
    const { clock, environment, reportDiagnostic } = this.context.client;
    if (this.#hasSetClock) clock.sample(time / 1000);
    else clock.set(time / 1000);
    this.#hasSetClock = true;
    // A GET directly after the POST replays events that are some seconds old. The clock tolerates that, but it would look like buffering.
    if (otherTaskIds) return;
    const diagnostic = this.#buffering.record(time / 1000, environment.now());
    if (diagnostic) reportDiagnostic(diagnostic);
  }

  /** Throws when an event shows that the stream is that of another task, which is not to be shown (UBIK 3.4). */
  #checkTask(event: WireEvent): void {
    const { taskId, otherTaskIds } = this.#expected;
    const isConnection = event.type === 'connection_established';
    const isNaming = isConnection || (!this.#isTaskNamed && NAMING_EVENTS.includes(event.type));
    const streamed = isNaming ? readId(event.fields, 'task_id') : null;
    if (streamed === null) return;
    this.#isTaskNamed = true;
    const expected = taskId ?? this.task.status.taskId;
    if (streamed === expected) return;
    if (expected !== null) throw new UbikError('interrupted', 'The service streams another run.');
    const { taskSizes } = this.context.state;
    // The stream of an earlier task shows that the service has not started the expected one.
    if (otherTaskIds && (otherTaskIds.includes(streamed) || taskSizes.has(streamed)))
      throw new UbikError('not-sent');
  }
}

/** Converts the deadline of a request from the service's clock to that of the page, with which views compare it. */
function withPageTime(change: Change, clock: ServiceClock): Change {
  if (change.type !== 'part' || change.value.kind !== 'request-activity') return change;
  const { deadline } = change.value;
  if (deadline === null) return change;
  return { ...change, value: { ...change.value, deadline: clock.toPageTime(deadline) } };
}
