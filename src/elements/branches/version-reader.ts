import { isUbikError } from '../../errors.js';
import type { Key } from '../../model/json.js';
import type { BranchPoint } from '../../message/branches/branch-tree.js';
import type { ViewActions } from '../../message/part-view.js';

/** Versions at a place are read while they can be seen: one after the other, each once. Nothing is switched for it. */
export class VersionReader {
  readonly #actions: () => Pick<ViewActions, 'readVersion'>;
  readonly #tell: () => void;
  readonly #asked = new Set<string>();
  #wanted: readonly BranchPoint[] = [];
  #isReading = false;

  /** `tell` is called after each that was read. */
  constructor(actions: () => Pick<ViewActions, 'readVersion'>, tell: () => void) {
    this.#actions = actions;
    this.#tell = tell;
  }

  /** These can be seen now; the first is wanted most. */
  see(points: readonly BranchPoint[]): void {
    this.#wanted = points;
    if (!this.#isReading) void this.#readAll();
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    for (let next = this.#next(); next; next = this.#next()) {
      this.#asked.add(next.id);
      // What they say is a help and no act of the person: the step to one of them tells what is wrong.
      if (await this.#read(next.beside, next.id)) this.#tell();
      else this.#wanted = [];
    }
    this.#isReading = false;
  }

  #next(): { readonly id: string; readonly beside: Key } | undefined {
    for (const { id, beside, messages } of this.#wanted) {
      if (id === null || beside === null || messages.length > 0 || this.#asked.has(id)) continue;
      return { id, beside };
    }
    return undefined;
  }

  async #read(beside: Key, id: string): Promise<boolean> {
    const { readVersion } = this.#actions();
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
