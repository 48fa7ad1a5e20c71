import { apply } from '../../model/apply.js';
import { createFieldChange, type Batch, type Change } from '../../model/change.js';
import { equalJson, type Key } from '../../model/json.js';
import { EMPTY_ANSWER, type Message } from '../../model/message.js';
import { ACTIVITY, type Part } from '../../model/part.js';
import { fieldsOf, toPartTrees } from '../../model/part-tree.js';
import { isSameRequest } from '../../model/same-request.js';
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

/** The result of a batch of this tab's backend: the changes to show in this tab, and those to publish. */
export interface MirroredBatch {
  readonly local: Batch;
  readonly remote: readonly Change[];
}

/**
 * Replicas of one run in this tab. While only this tab has read the stream, the replica built by its backend and the shown one are the
 * same. After another tab has read the stream, the answer in the replica of this tab's backend stays off screen until that replica is at least
 * as large as the shown one, its run has ended, or its stream has ended while the run waits for input, so that the shown text does not shrink
 * meanwhile. All other changes of the backend are shown in this tab at once, and published except for the state of the run.
 */
export class RunMirror {
  readonly #keys: RunKeys;
  #shown = new AnswerMirror();
  #built = this.#shown;

  constructor(keys: RunKeys) {
    this.#keys = keys;
  }

  /** The replica that is shown. */
  get shown(): AnswerMirror {
    return this.#shown;
  }

  /** Whether the replica of this tab's backend is the shown one. */
  get isInSync(): boolean {
    return this.#built === this.#shown;
  }

  /** Changes for other tabs, with the shared keys: they build the whole shown state in a tab that shows nothing yet. */
  get stateChanges(): Change[] {
    return this.#shown.diffFrom(new AnswerMirror());
  }

  /** Changes for this tab, with its keys: they set the state of the run and the status of the answer. */
  get localStatusChanges(): Change[] {
    return this.#toLocal(this.#shown.statusChanges);
  }

  /**
   * Applies a batch of this tab's backend. `isLast`: the stream has ended. Only then does a run that waits for input count as caught up
   * whatever its size, because a replay may contain input requests that were answered before.
   */
  receive(batch: Batch, isLast = false): MirroredBatch {
    const remote = batch.changes.flatMap((change) => toWireChanges(change, this.#keys));
    this.#built.apply(remote);
    if (this.#built === this.#shown) return { local: batch, remote };
    const isOfAnswer = (change: Change) =>
      'message' in change && change.message === this.#keys.answer;
    const others = batch.changes.filter((change) => !isOfAnswer(change));
    const { isEnded, isSettled, size } = this.#built;
    const hasCaughtUp = (isLast ? isSettled : isEnded) || size >= this.#shown.size;
    const independent = remote.filter(isIndependent);
    if (!hasCaughtUp) return { local: { ...batch, changes: others }, remote: independent };
    const diff = this.#built.diffFrom(this.#shown);
    this.#shown = this.#built;
    return {
      local: { ...batch, changes: [...this.#toLocal(diff), ...others] },
      remote: [...diff, ...independent],
    };
  }

  /** Replaces the shown state with that of another tab. Returns the changes for this tab. */
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

/** Whether a change for other tabs concerns neither the answer nor the state of the run. */
function isIndependent(change: Change): boolean {
  if (change.type === 'thread') return !change.set.run;
  return !('message' in change) || change.message === QUESTION_KEY;
}

/** Key of the only thread in the store of a replica. */
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

  /** Whether the service has sent the id of the run, a part of the answer, or a state other than `streaming`. */
  get isStarted(): boolean {
    const { id, state } = this.run;
    return id !== null || !['idle', 'streaming'].includes(state) || this.#message.parts.size > 0;
  }

  /** Whether the run has ended. */
  get isEnded(): boolean {
    return ['complete', 'stopped', 'failed'].includes(this.run.state);
  }

  /** Whether nothing follows without an action of the user: the run has ended, or waits for input. */
  get isSettled(): boolean {
    return this.isEnded || this.run.state === 'waiting';
  }

  /**
   * Number of parts plus the UTF-16 units of their texts, in time proportional to the number of parts. Outputs of tools are not counted: a
   * Data Agent does not replay them.
   */
  get size(): number {
    const parts = this.#list(null).concat(this.#list(ACTIVITY));
    return parts
      .filter(({ kind }) => kind !== 'output-activity')
      .reduce((sum, { text }) => sum + 1 + (text?.length ?? 0), 0);
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

  /** Applies changes with the keys that are shared between tabs. */
  apply(changes: readonly Change[]): void {
    apply(this.#store, { thread: THREAD, time: 0, changes });
  }

  /**
   * Whether an input request is known and no longer pending. False while a further request of its execution is pending, because another tab
   * may have loaded the further request under this key (see {@link isSameRequest}).
   */
  isRequestClosed(request: Key): boolean {
    const known = this.#message.parts.get(request);
    if (known?.kind !== 'request-activity' || known.state === 'pending') return false;
    return !this.#list(ACTIVITY).some(
      (part) =>
        part.kind === 'request-activity' && part.state === 'pending' && isSameRequest(part, known),
    );
  }

  /** Returns the changes that turn another replica into this one. */
  diffFrom(other: AnswerMirror): Change[] {
    const before = other.#list(ACTIVITY);
    const after = this.#list(ACTIVITY);
    const remainingKeys = new Set(after.map(({ key }) => key));
    const known = new Map(before.map((part) => [part.key, part]));
    return [
      { type: 'content', message: ANSWER_KEY, parts: toPartTrees(this.#message) },
      ...before
        .filter(
          ({ key, parent }) =>
            !remainingKeys.has(key) && (parent === ACTIVITY || remainingKeys.has(parent ?? '')),
        )
        .map(({ key: part }): Change => ({ type: 'remove', message: ANSWER_KEY, part })),
      ...after.flatMap((part) => diffActivity(known.get(part.key), part)),
      ...diffAnswerFields(other.#message, this.#message),
      ...this.statusChanges,
    ];
  }

  /** Lists the parts below a parent, each before its children. */
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
  const target = { message: ANSWER_KEY, part };
  const value = fieldsOf(now);
  const text = now.text?.read() ?? '';
  const isSame = known && equalJson(fieldsOf(known), value);
  return [
    ...(isSame ? [] : [{ type: 'part', ...target, parent, before: null, value } as const]),
    ...(text === (known?.text?.read() ?? '')
      ? []
      : [{ type: 'text', ...target, at: 0, text } as const]),
  ];
}
