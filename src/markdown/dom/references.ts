import type { Definition, LinkTarget } from '../parser/links.js';

/** Rendered content with references, which can be rendered again. */
export interface Redrawable {
  /** Position of its block in the source. */
  readonly start: number;
  /** Length of its text. */
  readonly length: number;
  redraw(): void;
  /** Called when the content has been removed from the text. */
  markRemoved(): void;
}

/** Link reference definitions, and the content that uses them. The first definition of a label wins. */
export class ReferenceMap {
  readonly #definitions = new Map<string, LinkTarget & { readonly start: number }>();
  readonly #users = new Map<string, Set<Redrawable>>();
  readonly #outdated = new Set<Redrawable>();
  /** Length of the text that was rendered again so far. */
  #redrawnLength = 0;

  /** Returns the target of a normalized label. */
  get(label: string): LinkTarget | undefined {
    return this.#definitions.get(label);
  }

  /** Adds a definition in a block that begins at `start`. */
  define({ label, ...target }: Definition, start: number): void {
    if (this.#definitions.has(label)) return;
    this.#definitions.set(label, { ...target, start });
    this.#markOutdated(label);
  }

  /** Registers content that uses a label, whether or not it is defined. */
  addUser(label: string, user: Redrawable): void {
    const users = this.#users.get(label) ?? new Set();
    this.#users.set(label, users.add(user));
  }

  /** Removes definitions and content in blocks that begin at or after a position in the source. */
  truncate(start: number): void {
    this.removeUsers(start);
    for (const [label, definition] of this.#definitions) {
      if (definition.start < start) continue;
      this.#definitions.delete(label);
      this.#markOutdated(label);
    }
  }

  /** Removes content in blocks that begin at or after a position in the source, and before `end`. */
  removeUsers(start: number, end = Infinity): void {
    for (const users of this.#users.values()) {
      for (const user of users) {
        if (user.start < start || user.start >= end) continue;
        users.delete(user);
        this.#outdated.delete(user);
        user.markRemoved();
      }
    }
  }

  /** Renders outdated content again, until `max` characters were rendered again in total. The rest stays outdated. */
  redraw(max: number): void {
    for (const user of this.#outdated) {
      if (this.#redrawnLength > max) return;
      this.#redrawnLength += user.length;
      this.#outdated.delete(user);
      user.redraw();
    }
  }

  #markOutdated(label: string): void {
    for (const user of this.#users.get(label) ?? []) this.#outdated.add(user);
  }
}
