import type { Batch, Change } from '../../../model/change.js';
import type { RunKeys } from '../../backend.js';
import { QUESTION } from '../wire/read-changes.js';
import { AnswerMirror } from './answer-mirror.js';
import { fromWire, toWire } from '../wire/wire-changes.js';

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
