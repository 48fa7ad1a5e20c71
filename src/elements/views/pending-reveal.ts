/** The message that is to come into sight, by the server's id, from the wish until it is drawn. */
export class WantedMessage {
  #id: string | undefined;
  /** The same, when it was found not to be on the way that is shown. */
  #missed: string | undefined;
  /** Hears of one that is not on the way that is shown; null: there is none any more. */
  missing: ((id: string | null) => void) | undefined;

  /** Undefined when none is wanted. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Wants another one, or none. */
  want(id: string | undefined): void {
    this.#id = id;
    if (this.#missed === undefined) return;
    this.#missed = undefined;
    this.missing?.(null);
  }

  /** It is not on the way that is shown. Told once. */
  miss(): void {
    if (this.#id === undefined || this.#missed === this.#id) return;
    this.#missed = this.#id;
    this.missing?.(this.#id);
  }
}
