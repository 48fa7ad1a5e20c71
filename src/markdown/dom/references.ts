/** Something that was drawn with references in it and can be drawn again. */
export interface Redrawable {
  /** Where its block begins in the source. */
  readonly start: number;
  redraw(): void;
}

/** Remembers what was drawn before a reference had its meaning, so that it can be drawn once more. */
export class References {
  readonly #waiting = new Map<string, Set<Redrawable>>();
  readonly #due = new Set<Redrawable>();

  /** Names that a piece of text has asked for. */
  add(labels: Iterable<string>, target: Redrawable): void {
    for (const label of labels) {
      const targets = this.#waiting.get(label);
      if (targets === undefined) this.#waiting.set(label, new Set([target]));
      else targets.add(target);
    }
  }

  /** A name has got or lost its meaning. */
  change(label: string): void {
    for (const target of this.#waiting.get(label) ?? []) this.#due.add(target);
  }

  /** Forgets what begins at or behind a place of the source. */
  forgetFrom(start: number): void {
    for (const [label, targets] of this.#waiting) {
      for (const target of targets) if (target.start >= start) targets.delete(target);
      if (targets.size === 0) this.#waiting.delete(label);
    }
    for (const target of this.#due) if (target.start >= start) this.#due.delete(target);
  }

  /** Draws again what has changed its meaning. */
  redraw(): void {
    const due = [...this.#due];
    this.#due.clear();
    for (const target of due) target.redraw();
  }
}
