import { apply } from '../../model/apply.js';
import { createFieldChange, type Batch, type Change } from '../../model/change.js';
import { equalJson, type Key } from '../../model/json.js';
import { EMPTY_ANSWER, type Message } from '../../model/message.js';
import { ACTIVITY, type Part } from '../../model/part.js';
import { fieldsOf, toPartTrees } from '../../model/part-tree.js';
import { createStore } from '../../model/store.js';
import { IDLE_RUN, type Run } from '../../model/thread.js';
import type { RunKeys } from '../backend.js';
import { ANSWER_KEY, QUESTION_KEY } from './validate-changes.js';
import {
  diffAnswerFields,
  fromWireChange,
  pickServiceFields,
  toWireChanges,
} from './wire-changes.js';

/** A batch of the own backend: what this tab shows of it, and what the others do. */
export interface MirroredBatch {
  readonly local: Batch;
  readonly remote: readonly Change[];
}

/**
 * One run as this tab knows it. As long as only this tab has read the stream, what the own backend has built and what the tab shows
 * are the same. After another tab has read it, what the own backend builds stays hidden until it is at least as much as what is
 * shown, so that nothing on screen shrinks.
 */
export class RunMirror {
  readonly #keys: RunKeys;
  #shown = new AnswerMirror();
  #built = this.#shown;

  constructor(keys: RunKeys) {
    this.#keys = keys;
  }

  /** What is shown. */
  get shown(): AnswerMirror {
    return this.#shown;
  }

  /** Whether the own backend has built what is shown. */
  get isInSync(): boolean {
    return this.#built === this.#shown;
  }

  /** Changes that build all that is shown in a tab that shows nothing yet. */
  get stateChanges(): Change[] {
    return this.#shown.diffFrom(new AnswerMirror());
  }

  /** Changes that set the state of the run and the status of the answer. */
  get statusChanges(): Change[] {
    return this.#toLocal(this.#shown.statusChanges);
  }

  /** Applies a batch of the own backend. */
  receive(batch: Batch): MirroredBatch {
    const remote = batch.changes.flatMap((change) => toWireChanges(change, this.#keys));
    this.#built.apply(remote);
    if (this.#built === this.#shown) return { local: batch, remote };
    const isOfAnswer = (change: Change) =>
      'message' in change && change.message === this.#keys.answer;
    const others = batch.changes.filter((change) => !isOfAnswer(change));
    const { isEnded, size } = this.#built;
    const hasCaughtUp = isEnded || size >= this.#shown.size;
    if (!hasCaughtUp) return { local: { ...batch, changes: others }, remote: [] };
    const diff = this.#built.diffFrom(this.#shown);
    this.#shown = this.#built;
    return {
      local: { ...batch, changes: [...this.#toLocal(diff), ...others] },
      remote: [...diff, ...remote.filter(isOfQuestion)],
    };
  }

  /** Replaces what is shown by the state of another tab. Returns the changes that do so here. */
  replaceState(changes: readonly Change[]): Change[] {
    const state = new AnswerMirror(changes);
    const diff = state.diffFrom(this.#shown);
    this.#shown = state;
    return this.#toLocal(diff);
  }

  /** Applies changes of another tab. Returns them with the keys of this tab. */
  applyRemote(changes: readonly Change[]): Change[] {
    this.#shown.apply(changes);
    return this.#toLocal(changes);
  }

  #toLocal(changes: readonly Change[]): Change[] {
    return changes.flatMap((change) => fromWireChange(change, this.#keys));
  }
}

function isOfQuestion(change: Change): boolean {
  return 'message' in change && change.message === QUESTION_KEY;
}

const THREAD: Key = 'thread';

/** A replica of one run's answer and of the state of the run. */
class AnswerMirror {
  readonly #store = createStore();

  constructor(changes: readonly Change[] = []) {
    this.apply([{ type: 'message', message: ANSWER_KEY, value: EMPTY_ANSWER }, ...changes]);
  }

  get run(): Run {
    return this.#store.threads.get(THREAD)?.run ?? IDLE_RUN;
  }

  /** Whether the service has sent anything that only a run in progress can send. */
  get isStarted(): boolean {
    const { id, state } = this.run;
    return id !== null || !['idle', 'streaming'].includes(state) || this.#message.parts.size > 0;
  }

  /** Whether the run has ended. */
  get isEnded(): boolean {
    return ['complete', 'stopped', 'failed'].includes(this.run.state);
  }

  /** Whether nothing more comes unless a user acts: the run has ended, or waits for input. */
  get isIdle(): boolean {
    return this.isEnded || this.run.state === 'waiting';
  }

  /** Number of parts, plus the UTF-16 units of their texts. Costs the number of parts. */
  get size(): number {
    const parts = this.#list(null).concat(this.#list(ACTIVITY));
    return parts.reduce((sum, { text }) => sum + 1 + (text?.length ?? 0), 0);
  }

  get #message(): Message {
    const message = this.#store.threads.get(THREAD)?.messages.get(ANSWER_KEY);
    if (!message) throw new Error('The constructor adds the answer, and no change removes it.');
    return message;
  }

  /** Changes that set the state of the run and the status of the answer; none before the run has a state. */
  get statusChanges(): Change[] {
    const run = pickServiceFields(this.run);
    const status = createFieldChange(ANSWER_KEY, null, 'status', this.#message.status);
    return run.state === 'idle' ? [] : [status, { type: 'thread', set: { run } }];
  }

  /** Applies changes with the keys that tabs share. */
  apply(changes: readonly Change[]): void {
    apply(this.#store, { thread: THREAD, time: 0, changes });
  }

  /** Whether a request for input is known and no longer pending. */
  isRequestClosed(request: Key): boolean {
    const part = this.#message.parts.get(request);
    return part?.kind === 'request-activity' && part.state !== 'pending';
  }

  /** The changes that turn another replica into this one. */
  diffFrom(other: AnswerMirror): Change[] {
    const before = other.#list(ACTIVITY);
    const after = this.#list(ACTIVITY);
    const kept = new Set(after.map(({ key }) => key));
    const known = new Map(before.map((part) => [part.key, part]));
    return [
      { type: 'content', message: ANSWER_KEY, parts: toPartTrees(this.#message) },
      ...before
        .filter(
          ({ key, parent }) => !kept.has(key) && (parent === ACTIVITY || kept.has(parent ?? '')),
        )
        .map(({ key: part }): Change => ({ type: 'remove', message: ANSWER_KEY, part })),
      ...after.flatMap((part) => diffActivity(known.get(part.key), part)),
      ...diffAnswerFields(other.#message, this.#message),
      ...this.statusChanges,
    ];
  }

  /** The parts below a parent, each before its children. */
  #list(parent: Key | null): Part[] {
    const { parts } = this.#message;
    return parts.children(parent).flatMap((key) => {
      const part = parts.get(key);
      return part ? [part, ...this.#list(key)] : [];
    });
  }
}

function diffActivity(known: Part | undefined, now: Part): Change[] {
  const { key: part, parent } = now;
  const place = { message: ANSWER_KEY, part };
  const value = fieldsOf(now);
  const text = now.text?.read() ?? '';
  const isSame = known && equalJson(fieldsOf(known), value);
  return [
    ...(isSame ? [] : [{ type: 'part', ...place, parent, before: null, value } as const]),
    ...(text === (known?.text?.read() ?? '')
      ? []
      : [{ type: 'text', ...place, at: 0, text } as const]),
  ];
}
