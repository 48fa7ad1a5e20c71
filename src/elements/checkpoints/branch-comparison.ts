import type { Change } from '../../model/change.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { markDifferences, type DiffRow } from './diff-rows.js';
import { BranchView, type ComparedBranch } from './branch-view.js';

/** Where a way stands. */
export type Side = 'left' | 'right';

/** Two ways side by side, with what differs between them marked. */
export class BranchComparison {
  readonly #host: ConnectedHost;
  readonly #onCountChange: () => void;
  readonly #views: Partial<Record<Side, BranchView>> = {};
  #differences: number | undefined;
  #isExact = true;
  #hasChanged = true;

  /** `found` is called when there is another number of differences than before. */
  constructor(host: ConnectedHost, found: () => void) {
    this.#host = host;
    this.#onCountChange = found;
  }

  /** Shows a way on one side, or none. */
  setBranch(side: Side, way: ComparedBranch | null): void {
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
    this.#hasChanged = true;
  }

  /** Marks what stands on one side alone; returns the first of each side. */
  compare(): readonly DiffRow[] {
    const { left, right } = this.#views;
    if (!left || !right) return [];
    this.#hasChanged = false;
    const words = this.#host.context.locale.text('compareOnly');
    const { exact, count, first } = markDifferences(left.rows(), right.rows(), words);
    this.#isExact = exact;
    if (count !== this.#differences) {
      this.#differences = count;
      this.#onCountChange();
    }
    return first;
  }

  /** The same, when something has come since. */
  compareIfChanged(): void {
    if (this.#hasChanged) this.compare();
  }

  /** How many differences there are, in words; nothing before they are known. */
  describe(): string {
    const { text } = this.#host.context.locale;
    const count = this.#differences;
    if (count === undefined) return '';
    if (count === 0) return text('compareIdentical');
    return `${text('compareDifferences', { count })}${this.#isExact ? '' : ` · ${text('compareInexact')}`}`;
  }

  /** Gives back what both hold beyond their nodes. */
  dispose(): void {
    for (const view of Object.values(this.#views)) view.dispose();
  }
}
