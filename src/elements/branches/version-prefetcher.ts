import { isUbikError } from '../../errors.js';
import type { Key } from '../../model/json.js';
import type { BranchMapPoint } from '../../message/branches/branch-tree.js';
import type { ViewActions } from '../../message/part-view.js';

/** Loads the versions that are visible in the map, one at a time and each once. Does not switch the thread to them. */
export class VersionPrefetcher {
  readonly #actions: () => Pick<ViewActions, 'loadVersion'>;
  readonly #onLoad: () => void;
  readonly #requested = new Set<string>();
  #visible: readonly BranchMapPoint[] = [];
  #isLoading = false;

  /** `onLoad` is called after each version that was loaded. */
  constructor(actions: () => Pick<ViewActions, 'loadVersion'>, onLoad: () => void) {
    this.#actions = actions;
    this.#onLoad = onLoad;
  }

  /** Sets the visible versions, in the order in which they are loaded. */
  setVisible(points: readonly BranchMapPoint[]): void {
    this.#visible = points;
    if (!this.#isLoading) void this.#loadAll();
  }

  async #loadAll(): Promise<void> {
    this.#isLoading = true;
    try {
      for (let next = this.#next(); next; next = this.#next()) {
        this.#requested.add(next.id);
        // Prefetching is optional, so an error stops it without being shown. Switching to the version reports its own error.
        if (await this.#load(next.siblingKey, next.id)) this.#onLoad();
        else this.#visible = [];
      }
    } finally {
      this.#isLoading = false;
    }
  }

  #next(): { readonly id: string; readonly siblingKey: Key } | undefined {
    for (const { id, siblingKey, messages } of this.#visible) {
      if (id === null || siblingKey === null || messages.length > 0 || this.#requested.has(id))
        continue;
      return { id, siblingKey };
    }
    return undefined;
  }

  async #load(siblingKey: Key, id: string): Promise<boolean> {
    const { loadVersion } = this.#actions();
    if (!loadVersion) return false;
    try {
      await loadVersion(siblingKey, id);
      return true;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      return false;
    }
  }
}
