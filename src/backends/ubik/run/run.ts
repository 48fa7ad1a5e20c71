import type { RunKeys } from '../../backend.js';
import { UbikError } from '../../../errors.js';
import type { Batch, Change } from '../../../model/change.js';
import type { Timer } from '../../../transport/environment.js';
import type { ServerSentEvent } from '../../../transport/sse.js';
import type { WireMessage } from '../api/messages.js';
import type { UbikClient } from '../api/client.js';
import type { EventReader } from '../events/event-reader.js';
import { readId } from '../events/fields.js';
import type { ServiceClock } from '../events/service-clock.js';
import { getEventTime, type WireEvent } from '../events/wire-event.js';
import type { RequestLookups } from './request-lookups.js';
import { createIdChanges, loadMessageIds } from './message-ids.js';
import { markEnded, type SessionState } from './session-state.js';
import { TaskState } from './task-state.js';

/** Where a run belongs. */
export interface RunContext {
  readonly client: UbikClient;
  readonly state: SessionState;
  readonly session: string;
  readonly keys: RunKeys;
  readonly signal: AbortSignal;
}

/** Which task a stream is to be about: this one, else none of the old ones. Without either it may be any. */
export interface ExpectedTask {
  readonly taskId?: string | null;
  readonly finishedTasks?: readonly string[];
  /** The run was joined: whether its questions are open still is looked up. */
  readonly lookups?: RequestLookups;
}

/** The events that name the task of a stream; only the first is sure to come before anything else, and it may lack the name. */
const NAMING: readonly string[] = [
  'connection_established',
  'agent_processing_started',
  'response_stream_start',
];

/** Between two signs of life. */
const LIFE_SIGN = 1000;

/** One run as it is followed on one connection: its events go into the memory of its task, and what changes comes out in batches. */
export class Run {
  readonly place: RunContext;
  readonly memory: TaskState;
  #lastBatch = -Infinity;
  #lastRebuild = -Infinity;
  /** The connection has named its task: an event that names another one later is about a task beside it. */
  #isNamed = false;
  /** An event of this stream has told the time of the service. */
  #hasTime = false;
  /** How long was worked since the page had its turn, in ms. */
  #worked = 0;

  /** From here on the run is known. `shown`: how much of its message stands already, when there is no memory of it. */
  constructor(context: RunContext, shown?: number, known?: TaskState) {
    const { client, state, keys } = context;
    const { events: maxEvents, eventText: maxEventText, messageText: maxText } = client.limits;
    const onDiagnostic = client.reportDiagnostic;
    this.place = context;
    this.memory =
      known ??
      new TaskState({
        message: keys.answer,
        maxEvents,
        maxEventText,
        maxText,
        onDiagnostic,
        shownSize: shown,
      });
    state.runs.set(keys.answer, this.memory);
  }

  /** A batch of these changes. */
  readonly batch = (changes: readonly Change[]): Batch => {
    const { keys, client } = this.place;
    const { clock, environment } = client;
    const told = changes.map((change) => withPageTime(change, clock));
    return { thread: keys.thread, time: environment.now(), changes: told };
  };

  /** Reads a stream to the run's end. What came before a break is shown before it is told. */
  async *follow(
    body: ReadableStream<Uint8Array>,
    expected: ExpectedTask,
  ): AsyncGenerator<Batch, void, undefined> {
    const { memory } = this;
    let broken: Error | null = null;
    try {
      yield* this.#read(body, expected);
    } catch (error) {
      broken = error as Error;
    }
    if (memory.status.state === 'waiting') yield* this.#lookUpQuestions(expected);
    // The question is what the person sees; the stream is not needed until it is answered.
    const isWaiting = memory.status.state === 'waiting' && !this.place.signal.aborted;
    const isOver = memory.status.ended || isWaiting;
    if (!isOver && !broken && memory.isStopping) memory.endAsStopped();
    else if (!isOver) {
      if (!this.place.signal.aborted) yield* this.#tell(true);
      throw broken ?? new UbikError('interrupted');
    }
    yield* this.#end(() => loadMessageIds(this.place, memory.status));
  }

  #hearTime(event: WireEvent): void {
    const instant = getEventTime(event);
    if (instant === null) return;
    const { clock } = this.place.client;
    if (this.#hasTime) clock.sample(instant / 1000);
    else clock.set(instant / 1000);
    this.#hasTime = true;
  }

  /** Whether the run waits for the person depends on the look-ups: what else it has told is shown before a late one. */
  async *#lookUpQuestions({ lookups }: ExpectedTask): AsyncGenerator<Batch> {
    await lookups?.start();
    if (!lookups?.next) return;
    const changes = this.memory.drainChanges(true);
    yield this.batch(changes.filter((change) => change.type !== 'thread'));
    await lookups.done();
    this.memory.repeatStatus();
  }

  /** An answer that is finished already: a run of one event. */
  async *finish(message: WireMessage): AsyncGenerator<Batch> {
    const { id, taskId, content } = message;
    this.memory.apply({ type: 'connection_established', fields: { task_id: taskId } });
    const fields = { message_id: id, content };
    this.memory.apply({ type: 'agent_processing_complete', fields });
    this.place.state.messageIds.add(id);
    yield* this.#end(() => createIdChanges(this.place.keys.answer, message));
  }

  /** The end of the run is told after everything else, also after the names of its messages: whoever hears of it closes the stream. */
  async *#end(readNamed: () => Change[] | Promise<Change[]>): AsyncGenerator<Batch> {
    const { state, taskId } = this.memory.status;
    const changes = this.memory.drainChanges(true);
    if (state !== 'waiting') markEnded(this.place.state, taskId);
    yield this.batch(changes.filter((change) => change.type !== 'thread'));
    const names = await readNamed();
    yield this.batch([...names, ...changes.filter((change) => change.type === 'thread')]);
  }

  /** In slices, so that no flood freezes the page. The stream is closed in any case. */
  async *#read(body: ReadableStream<Uint8Array>, expected: ExpectedTask): AsyncGenerator<Batch> {
    const { memory } = this;
    const { client, signal } = this.place;
    memory.connect();
    const { pieces, reader } = client.readStream(body, signal);
    try {
      while (!memory.status.ended) {
        const next = pieces.next();
        yield* this.#tellWhileSilent(next, expected);
        const { done, value } = await next;
        if (done) break;
        yield* this.#takePiece(value, reader, expected);
      }
    } finally {
      reader.end();
      await pieces.return();
    }
  }

  async *#takePiece(
    records: readonly ServerSentEvent[],
    reader: EventReader,
    expected: ExpectedTask,
  ): AsyncGenerator<Batch> {
    const { environment, limits } = this.place.client;
    let started = environment.monotonic() - this.#worked;
    for (const record of records) {
      const event = reader.read(record);
      if (event) this.#take(event, expected);
      if (this.memory.status.ended) return;
      if (environment.monotonic() - started < (limits.sliceBudget ?? 8)) continue;
      await expected.lookups?.start();
      yield* this.#tell(false);
      await environment.yieldToEventLoop();
      started = environment.monotonic();
    }
    this.#worked = environment.monotonic() - started;
    await expected.lookups?.start();
    yield* this.#tell(false);
  }

  /** A stream about another task is not shown: it is the replay of an old one. */
  #take(event: WireEvent, { taskId, finishedTasks, lookups }: ExpectedTask): void {
    const { memory } = this;
    const { tasks } = this.place.state;
    // The events of a run that was joined may be old: their times say nothing about the clock.
    if (!lookups) this.#hearTime(event);
    const isConnection = event.type === 'connection_established';
    const isNaming = isConnection || (!this.#isNamed && NAMING.includes(event.type));
    const said = isNaming ? readId(event.fields, 'task_id') : null;
    this.#isNamed ||= said !== null;
    const known = taskId ?? memory.status.taskId;
    if (said !== null && known !== null && said !== known) {
      throw new UbikError('interrupted', 'The service streams another run.');
    }
    if (said !== null && known === null && finishedTasks) {
      if (finishedTasks.includes(said) || tasks.has(said)) throw new UbikError('not-sent');
    }
    memory.apply(event);
  }

  /** A late event that waits is put in order in time, and a look-up is told, also when nothing more comes. */
  async *#tellWhileSilent(
    next: Promise<unknown>,
    { lookups }: ExpectedTask,
  ): AsyncGenerator<Batch> {
    const { environment } = this.place.client;
    for (;;) {
      const lookUp = lookups?.next;
      if (!this.memory.isDirty && !lookUp) return;
      const heard = next.then(
        () => 'heard' as const,
        () => 'heard' as const,
      );
      const first: Promise<'heard' | 'due' | 'looked'>[] = [heard];
      let timer: Timer | undefined;
      if (this.memory.isDirty) {
        const wait = Math.max(0, this.#rebuildAt - environment.monotonic());
        const due = new Promise<'due'>((resolve) => {
          timer = environment.setTimer(() => resolve('due'), wait);
        });
        first.push(due);
      }
      if (lookUp) first.push(lookUp.then(() => 'looked'));
      const what = await Promise.race(first);
      if (timer) environment.clearTimer(timer);
      if (what === 'heard') return;
      yield* this.#tell(what === 'due');
    }
  }

  /** When late events may be put in order again. */
  get #rebuildAt(): number {
    return this.#lastRebuild + (this.place.client.limits.rebuildInterval ?? 250);
  }

  /** A batch of what has changed, or of nothing as a sign of life when bytes came and one is due. `settle`: whatever waits, now. */
  *#tell(settle: boolean): Iterable<Batch> {
    const { memory } = this;
    const now = this.place.client.environment.monotonic();
    const isDue = settle || now >= this.#rebuildAt;
    if (isDue && memory.isDirty) this.#lastRebuild = now;
    const changes = memory.drainChanges(isDue);
    if (changes.length === 0 && (settle || now - this.#lastBatch < LIFE_SIGN)) return;
    this.#lastBatch = now;
    yield this.batch(changes);
  }
}

/** The deadline of a question is told by the clock of the service, and kept by the one of the page. */
function withPageTime(change: Change, clock: ServiceClock): Change {
  if (change.type !== 'part' || change.value.kind !== 'request-activity') return change;
  const { deadline } = change.value;
  if (deadline === null) return change;
  return { ...change, value: { ...change.value, deadline: clock.toPageTime(deadline) } };
}
