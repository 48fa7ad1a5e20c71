import { isUbikError } from '../../errors.js';
import type { Key } from '../../model/json.js';
import type { BranchPoint } from '../../message/branches/branch-tree.js';
import type { ViewActions } from '../../message/part-view.js';

/** Versions at a place are read while they can be seen: one after the other, each once. Nothing is switched for it. */
export class VersionPrefetcher {
  readonly #actions: () => Pick<ViewActions, 'loadVersion'>;
  readonly #onLoad: () => void;
  readonly #requested = new Set<string>();
  #visible: readonly BranchPoint[] = [];
  #isLoading = false;

  /** `tell` is called after each that was read. */
  constructor(actions: () => Pick<ViewActions, 'loadVersion'>, tell: () => void) {
    this.#actions = actions;
    this.#onLoad = tell;
  }

  /** These can be seen now; the first is wanted most. */
  setVisible(points: readonly BranchPoint[]): void {
    this.#visible = points;
    if (!this.#isLoading) void this.#loadAll();
  }

  async #loadAll(): Promise<void> {
    this.#isLoading = true;
    for (let next = this.#next(); next; next = this.#next()) {
      this.#requested.add(next.id);
      // What they say is a help and no act of the person: the step to one of them tells what is wrong.
      if (await this.#load(next.beside, next.id)) this.#onLoad();
      else this.#visible = [];
    }
    this.#isLoading = false;
  }

  #next(): { readonly id: string; readonly beside: Key } | undefined {
    for (const { id, siblingKey: beside, messages } of this.#visible) {
      if (id === null || beside === null || messages.length > 0 || this.#requested.has(id))
        continue;
      return { id, beside };
    }
    return undefined;
  }

  async #load(beside: Key, id: string): Promise<boolean> {
    const { loadVersion: readVersion } = this.#actions();
    if (!readVersion) return false;
    try {
      await readVersion(beside, id);
      return true;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      return false;
    }
  }
}
