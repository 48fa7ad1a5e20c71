import type { Definition, LinkTarget } from '../parser/links.js';

/** Something that was drawn with references in it and can be drawn again. */
export interface Redrawable {
  /** Where its block begins in the source. */
  readonly start: number;
  /** How much text is drawn again. */
  readonly length: number;
  redraw(): void;
  /** It is no longer part of the text. */
  invalidate(): void;
}

/** What references stand for, and what was drawn before they had their meaning. The first definition of a name wins. */
export class ReferenceMap {
  readonly #definitions = new Map<string, LinkTarget & { readonly start: number }>();
  readonly #users = new Map<string, Set<Redrawable>>();
  readonly #outdated = new Set<Redrawable>();
  /** How much text was drawn again so far. */
  #redrawnLength = 0;

  /** The meaning of a normalised name. */
  get(label: string): LinkTarget | undefined {
    return this.#definitions.get(label);
  }

  /** A name got its meaning in a block that begins at `start`. */
  define({ label, ...target }: Definition, start: number): void {
    if (this.#definitions.has(label)) return;
    this.#definitions.set(label, { ...target, start });
    this.#invalidateUsers(label);
  }

  /** Remembers that something has asked for a name. */
  addUser(label: string, user: Redrawable): void {
    const users = this.#users.get(label) ?? new Set();
    this.#users.set(label, users.add(user));
  }

  /** Forgets what begins at or behind a place of the source. */
  truncate(start: number): void {
    for (const users of this.#users.values()) {
      for (const user of users) {
        if (user.start < start) continue;
        users.delete(user);
        this.#outdated.delete(user);
        user.invalidate();
      }
    }
    for (const [label, definition] of this.#definitions) {
      if (definition.start < start) continue;
      this.#definitions.delete(label);
      this.#invalidateUsers(label);
    }
  }

  /** Draws again what has changed its meaning, unless more than `most` characters were drawn again already: that is left for later. */
  redraw(most: number): void {
    for (const user of this.#outdated) {
      if (this.#redrawnLength > most) return;
      this.#redrawnLength += user.length;
      this.#outdated.delete(user);
      user.redraw();
    }
  }

  #invalidateUsers(label: string): void {
    for (const user of this.#users.get(label) ?? []) this.#outdated.add(user);
  }
}
