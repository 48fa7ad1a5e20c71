import type { Change } from '../../model/change.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { markDifferences, type Row } from './rows.js';
import { BranchView, type Way } from './branch-view.js';

/** Where a way stands. */
export type Side = 'left' | 'right';

/** Two ways side by side, with what differs between them marked. */
export class BranchPair {
  readonly #host: ConnectedHost;
  readonly #found: () => void;
  readonly #views: Partial<Record<Side, BranchView>> = {};
  #differences: number | undefined;
  #exact = true;
  #hasGrown = true;

  /** `found` is called when there is another number of differences than before. */
  constructor(host: ConnectedHost, found: () => void) {
    this.#host = host;
    this.#found = found;
  }

  /** Shows a way on one side, or none. */
  put(side: Side, way: Way | null): void {
    const { context, controller } = this.#host;
    this.#views[side]?.dispose();
    if (controller && way) this.#views[side] = new BranchView(context, controller, way);
    else delete this.#views[side];
  }

  nodeOf(side: Side): HTMLElement | undefined {
    return this.#views[side]?.node;
  }

  /** Takes a change of the thread; it is compared with the next `markGrown`. */
  apply(change: Change): void {
    for (const view of Object.values(this.#views)) view.apply(change);
    this.#hasGrown = true;
  }

  /** Marks what stands on one side alone; returns the first of each side. */
  mark(): readonly Row[] {
    const { left, right } = this.#views;
    if (!left || !right) return [];
    this.#hasGrown = false;
    const words = this.#host.context.locale.text('compareOnly');
    const { exact, count, first } = markDifferences(left.rows(), right.rows(), words);
    this.#exact = exact;
    if (count !== this.#differences) {
      this.#differences = count;
      this.#found();
    }
    return first;
  }

  /** The same, when something has come since. */
  markGrown(): void {
    if (this.#hasGrown) this.mark();
  }

  /** How many differences there are, in words; nothing before they are known. */
  describe(): string {
    const { text } = this.#host.context.locale;
    const count = this.#differences;
    if (count === undefined) return '';
    if (count === 0) return text('compareSame');
    return `${text('compareDifferences', { count })}${this.#exact ? '' : ` · ${text('compareRough')}`}`;
  }

  /** Gives back what both hold beyond their nodes. */
  dispose(): void {
    for (const view of Object.values(this.#views)) view.dispose();
  }
}
