import { apply } from '../../model/apply.js';
import { setField, type Batch, type Change } from '../../model/change.js';
import { equalJson, type Key } from '../../model/json.js';
import { EMPTY_ANSWER, type Message } from '../../model/message.js';
import { fieldsOf, toPartTrees } from '../../model/part-tree.js';
import { ACTIVITY, type Part } from '../../model/part.js';
import { createStore } from '../../model/store.js';
import { IDLE_RUN, type Run } from '../../model/thread.js';
import type { RunKeys } from '../backend.js';
import { ANSWER, QUESTION } from './validate-changes.js';
import { fieldChanges, fromWire, standing, toWire } from './wire-changes.js';

/** What came of a batch: what this tab shows of it, and what the others do. */
export interface Mirrored {
  readonly own: Batch;
  readonly others: readonly Change[];
}

/**
 * One run as this tab knows it. What the tab's own backend has told and what the tab shows are the same as long as only this tab
 * has read the stream. When another one has read it meanwhile, what the own backend tells is put together out of sight, until it
 * is as much as what is shown: nothing on the screen shrinks.
 */
export class RunMirror {
  readonly #keys: RunKeys;
  #shown = new AnswerMirror();
  #told = this.#shown;

  constructor(keys: RunKeys) {
    this.#keys = keys;
  }

  /** What is shown. */
  get shown(): AnswerMirror {
    return this.#shown;
  }

  /** Whether what is shown is what the own backend has told. */
  get isOwn(): boolean {
    return this.#told === this.#shown;
  }

  /** All there is to see, for a tab that has seen nothing. */
  get state(): Change[] {
    return this.#shown.changesFrom(new AnswerMirror());
  }

  /** How the run stands, for whoever has not been told since they asked. */
  get standing(): Change[] {
    return this.#toOwn(this.#shown.standing);
  }

  /** Takes what the own backend tells. */
  take(batch: Batch): Mirrored {
    const others = batch.changes.flatMap((change) => toWire(change, this.#keys));
    this.#told.apply(others);
    if (this.#told === this.#shown) return { own: batch, others };
    const isMine = (change: Change) => 'message' in change && change.message === this.#keys.answer;
    const rest = batch.changes.filter((change) => !isMine(change));
    const { isOver, extent } = this.#told;
    const isEnough = isOver || extent >= this.#shown.extent;
    if (!isEnough) return { own: { ...batch, changes: rest }, others: [] };
    const news = this.#told.changesFrom(this.#shown);
    this.#shown = this.#told;
    return {
      own: { ...batch, changes: [...this.#toOwn(news), ...rest] },
      others: [...news, ...others.filter(isOfQuestion)],
    };
  }

  /** Takes all that another tab shows. Gives the changes that lead there. */
  adoptState(changes: readonly Change[]): Change[] {
    const state = new AnswerMirror(changes);
    const news = state.changesFrom(this.#shown);
    this.#shown = state;
    return this.#toOwn(news);
  }

  /** Takes what another tab shows in addition. */
  adopt(changes: readonly Change[]): Change[] {
    this.#shown.apply(changes);
    return this.#toOwn(changes);
  }

  #toOwn(changes: readonly Change[]): Change[] {
    return changes.flatMap((change) => fromWire(change, this.#keys));
  }
}

function isOfQuestion(change: Change): boolean {
  return 'message' in change && change.message === QUESTION;
}

const THREAD: Key = 'thread';

/** The answer of one run as somebody has told it, and how the run stands. */
export class AnswerMirror {
  readonly #store = createStore();

  constructor(changes: readonly Change[] = []) {
    this.apply([{ do: 'message', message: ANSWER, value: EMPTY_ANSWER }, ...changes]);
  }

  get run(): Run {
    return this.#store.threads.get(THREAD)?.run ?? IDLE_RUN;
  }

  /** Something was said that only a run that is on can say. */
  get isBegun(): boolean {
    const { id, state } = this.run;
    return id !== null || !['idle', 'streaming'].includes(state) || this.#message.parts.size > 0;
  }

  /** Nothing more comes. */
  get isOver(): boolean {
    return ['complete', 'stopped', 'failed'].includes(this.run.state);
  }

  /** Nothing more comes unless somebody acts: over, or waiting for the person. */
  get isAtRest(): boolean {
    return this.isOver || this.run.state === 'waiting';
  }

  /** How much there is to see: units of text, and parts. Costs the number of parts. */
  get extent(): number {
    const sizes = this.#list(null).concat(this.#list(ACTIVITY));
    return sizes.reduce((sum, { text }) => sum + 1 + (text?.length ?? 0), 0);
  }

  get #message(): Message {
    const message = this.#store.threads.get(THREAD)?.messages.get(ANSWER);
    if (!message) throw new Error('A mirror has its answer from the first moment on.');
    return message;
  }

  /** How run and message stand. */
  get standing(): Change[] {
    const run = standing(this.run);
    const status = setField(ANSWER, null, 'status', this.#message.status);
    return run.state === 'idle' ? [] : [status, { do: 'thread', set: { run } }];
  }

  /** Takes changes of the shared run. */
  apply(changes: readonly Change[]): void {
    apply(this.#store, { thread: THREAD, at: 0, changes });
  }

  /** Whether a question is known and asks no more. */
  isClosed(request: Key): boolean {
    const part = this.#message.parts.get(request);
    return part?.kind === 'request-activity' && part.state !== 'armed';
  }

  /** The changes that lead from what another mirror holds to this. */
  changesFrom(other: AnswerMirror): Change[] {
    const before = other.#list(ACTIVITY);
    const after = this.#list(ACTIVITY);
    const kept = new Set(after.map(({ key }) => key));
    const known = new Map(before.map((part) => [part.key, part]));
    return [
      { do: 'content', message: ANSWER, parts: toPartTrees(this.#message) },
      ...before
        .filter(
          ({ key, parent }) => !kept.has(key) && (parent === ACTIVITY || kept.has(parent ?? '')),
        )
        .map(({ key: part }): Change => ({ do: 'remove', message: ANSWER, part })),
      ...after.flatMap((part) => activityChanges(known.get(part.key), part)),
      ...fieldChanges(other.#message, this.#message),
      ...this.standing,
    ];
  }

  /** The parts in a parent with all that is in them, each before what it holds. */
  #list(parent: Key | null): Part[] {
    const { parts } = this.#message;
    return parts.children(parent).flatMap((key) => {
      const part = parts.get(key);
      return part ? [part, ...this.#list(key)] : [];
    });
  }
}

function activityChanges(known: Part | undefined, now: Part): Change[] {
  const { key: part, parent } = now;
  const place = { message: ANSWER, part };
  const value = fieldsOf(now);
  const text = now.text?.read() ?? '';
  const isSame = known && equalJson(fieldsOf(known), value);
  return [
    ...(isSame ? [] : [{ do: 'part', ...place, parent, before: null, value } as const]),
    ...(text === (known?.text?.read() ?? '')
      ? []
      : [{ do: 'text', ...place, at: 0, text } as const]),
  ];
}
