import type { Definition } from '../blocks/definitions.js';
import type { Target } from '../syntax/link-syntax.js';

/** Something that was drawn with references in it and can be drawn again. */
export interface Redrawable {
  /** Where its block begins in the source. */
  readonly start: number;
  redraw(): void;
}

/** What references stand for, and what was drawn before they had their meaning. The first definition of a name wins. */
export class References {
  readonly #definitions = new Map<string, Target & { readonly start: number }>();
  readonly #users = new Map<string, Set<Redrawable>>();
  readonly #due = new Set<Redrawable>();

  /** The meaning of a normalised name. */
  get(label: string): Target | undefined {
    return this.#definitions.get(label);
  }

  /** A name got its meaning in a block that begins at `start`. */
  define({ label, ...target }: Definition, start: number): void {
    if (this.#definitions.has(label)) return;
    this.#definitions.set(label, { ...target, start });
    this.#change(label);
  }

  /** Remembers that something has asked for a name. */
  use(label: string, user: Redrawable): void {
    const users = this.#users.get(label) ?? new Set();
    this.#users.set(label, users.add(user));
  }

  /** Forgets what begins at or behind a place of the source. */
  forgetFrom(start: number): void {
    for (const users of this.#users.values()) {
      for (const user of users) if (user.start >= start) users.delete(user);
    }
    for (const [label, definition] of this.#definitions) {
      if (definition.start < start) continue;
      this.#definitions.delete(label);
      this.#change(label);
    }
  }

  /** Draws again what has changed its meaning. */
  redraw(): void {
    for (const user of this.#due) user.redraw();
    this.#due.clear();
  }

  #change(label: string): void {
    for (const user of this.#users.get(label) ?? []) this.#due.add(user);
  }
}
