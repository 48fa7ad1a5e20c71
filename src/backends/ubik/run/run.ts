import type { RunKeys } from '../../backend.js';
import { UbikError } from '../../../errors.js';
import type { Batch, Change } from '../../../model/change.js';
import type { Timer } from '../../../transport/environment.js';
import type { ServerSentEvent } from '../../../transport/sse.js';
import type { WireMessage } from '../api/messages.js';
import type { Service } from '../api/service.js';
import type { EventReader } from '../events/event-reader.js';
import { readId } from '../events/fields.js';
import type { ServiceClock } from '../events/service-clock.js';
import { instantOf, type WireEvent } from '../events/wire-event.js';
import type { QuestionLookUps } from './question-lookups.js';
import { nameChanges, readNames } from './message-ids.js';
import { noteOver, type SessionNotes } from './session-state.js';
import { TaskMemory } from './task-state.js';

/** Where a run belongs. */
export interface RunPlace {
  readonly service: Service;
  readonly notes: SessionNotes;
  readonly session: string;
  readonly keys: RunKeys;
  readonly signal: AbortSignal;
}

/** Which task a stream is to be about: this one, else none of the old ones. Without either it may be any. */
export interface Expected {
  readonly taskId?: string | null;
  readonly finished?: readonly string[];
  /** The run was joined: whether its questions are open still is looked up. */
  readonly questions?: QuestionLookUps;
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
  readonly place: RunPlace;
  readonly memory: TaskMemory;
  #lastBatch = -Infinity;
  #lastRebuild = -Infinity;
  /** The connection has named its task: an event that names another one later is about a task beside it. */
  #isNamed = false;
  /** An event of this stream has told the time of the service. */
  #hasTime = false;
  /** How long was worked since the page had its turn, in ms. */
  #worked = 0;

  /** From here on the run is known. `shown`: how much of its message stands already, when there is no memory of it. */
  constructor(place: RunPlace, shown?: number, known?: TaskMemory) {
    const { service, notes, keys } = place;
    const { events: maxEvents, eventText: maxEventText, messageText: maxText } = service.limits;
    const onDiagnostic = service.report;
    this.place = place;
    this.memory =
      known ??
      new TaskMemory({
        message: keys.answer,
        maxEvents,
        maxEventText,
        maxText,
        onDiagnostic,
        shown,
      });
    notes.runs.set(keys.answer, this.memory);
  }

  /** A batch of these changes. */
  readonly batch = (changes: readonly Change[]): Batch => {
    const { keys, service } = this.place;
    const { clock, environment } = service;
    const told = changes.map((change) => withPageTime(change, clock));
    return { thread: keys.thread, time: environment.now(), changes: told };
  };

  /** Reads a stream to the run's end. What came before a break is shown before it is told. */
  async *follow(
    body: ReadableStream<Uint8Array>,
    expected: Expected,
  ): AsyncGenerator<Batch, void, undefined> {
    const { memory } = this;
    let broken: Error | null = null;
    try {
      yield* this.#read(body, expected);
    } catch (error) {
      broken = error as Error;
    }
    if (memory.run.state === 'waiting') yield* this.#lookUpQuestions(expected);
    // The question is what the person sees; the stream is not needed until it is answered.
    const isWaiting = memory.run.state === 'waiting' && !this.place.signal.aborted;
    const isOver = memory.run.ended || isWaiting;
    if (!isOver && !broken && memory.isStopping) memory.endStopped();
    else if (!isOver) {
      if (!this.place.signal.aborted) yield* this.#tell(true);
      throw broken ?? new UbikError('interrupted');
    }
    yield* this.#end(() => readNames(this.place, memory.run));
  }

  #hearTime(event: WireEvent): void {
    const instant = instantOf(event);
    if (instant === null) return;
    const { clock } = this.place.service;
    if (this.#hasTime) clock.hear(instant / 1000);
    else clock.set(instant / 1000);
    this.#hasTime = true;
  }

  /** Whether the run waits for the person depends on the look-ups: what else it has told is shown before a late one. */
  async *#lookUpQuestions({ questions }: Expected): AsyncGenerator<Batch> {
    await questions?.begin();
    if (!questions?.next) return;
    const changes = this.memory.takeChanges(true);
    yield this.batch(changes.filter((change) => change.type !== 'thread'));
    await questions.settled();
    this.memory.tellStanding();
  }

  /** An answer that is finished already: a run of one event. */
  async *finish(message: WireMessage): AsyncGenerator<Batch> {
    const { id, taskId, content } = message;
    this.memory.take({ type: 'connection_established', fields: { task_id: taskId } });
    const fields = { message_id: id, content };
    this.memory.take({ type: 'agent_processing_complete', fields });
    this.place.notes.names.add(id);
    yield* this.#end(() => nameChanges(this.place.keys.answer, message));
  }

  /** The end of the run is told after everything else, also after the names of its messages: whoever hears of it closes the stream. */
  async *#end(readNamed: () => Change[] | Promise<Change[]>): AsyncGenerator<Batch> {
    const { state, taskId } = this.memory.run;
    const changes = this.memory.takeChanges(true);
    if (state !== 'waiting') noteOver(this.place.notes, taskId);
    yield this.batch(changes.filter((change) => change.type !== 'thread'));
    const names = await readNamed();
    yield this.batch([...names, ...changes.filter((change) => change.type === 'thread')]);
  }

  /** In slices, so that no flood freezes the page. The stream is closed in any case. */
  async *#read(body: ReadableStream<Uint8Array>, expected: Expected): AsyncGenerator<Batch> {
    const { memory } = this;
    const { service, signal } = this.place;
    memory.connect();
    const { pieces, reader } = service.listen(body, signal);
    try {
      while (!memory.run.ended) {
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
    expected: Expected,
  ): AsyncGenerator<Batch> {
    const { environment, limits } = this.place.service;
    let started = environment.monotonic() - this.#worked;
    for (const record of records) {
      const event = reader.read(record);
      if (event) this.#take(event, expected);
      if (this.memory.run.ended) return;
      if (environment.monotonic() - started < (limits.sliceBudget ?? 8)) continue;
      await expected.questions?.begin();
      yield* this.#tell(false);
      await environment.yieldToEventLoop();
      started = environment.monotonic();
    }
    this.#worked = environment.monotonic() - started;
    await expected.questions?.begin();
    yield* this.#tell(false);
  }

  /** A stream about another task is not shown: it is the replay of an old one. */
  #take(event: WireEvent, { taskId, finished, questions }: Expected): void {
    const { memory } = this;
    const { tasks } = this.place.notes;
    // The events of a run that was joined may be old: their times say nothing about the clock.
    if (!questions) this.#hearTime(event);
    const isConnection = event.type === 'connection_established';
    const isNaming = isConnection || (!this.#isNamed && NAMING.includes(event.type));
    const said = isNaming ? readId(event.fields, 'task_id') : null;
    this.#isNamed ||= said !== null;
    const known = taskId ?? memory.run.taskId;
    if (said !== null && known !== null && said !== known) {
      throw new UbikError('interrupted', 'The service streams another run.');
    }
    if (said !== null && known === null && finished) {
      if (finished.includes(said) || tasks.has(said)) throw new UbikError('not-sent');
    }
    memory.take(event);
  }

  /** A late event that waits is put in order in time, and a look-up is told, also when nothing more comes. */
  async *#tellWhileSilent(next: Promise<unknown>, { questions }: Expected): AsyncGenerator<Batch> {
    const { environment } = this.place.service;
    for (;;) {
      const lookUp = questions?.next;
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
    return this.#lastRebuild + (this.place.service.limits.rebuildInterval ?? 250);
  }

  /** A batch of what has changed, or of nothing as a sign of life when bytes came and one is due. `settle`: whatever waits, now. */
  *#tell(settle: boolean): Iterable<Batch> {
    const { memory } = this;
    const now = this.place.service.environment.monotonic();
    const isDue = settle || now >= this.#rebuildAt;
    if (isDue && memory.isDirty) this.#lastRebuild = now;
    const changes = memory.takeChanges(isDue);
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
