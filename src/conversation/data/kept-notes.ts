import type { Environment, KeyValueStorage } from '../../stream/environment.js';

/** What is kept: unsent text, the note of an unfinished run, the thread that was open last. */
export type NoteKind = 'draft' | 'run' | 'latest';

/** What {@link KeptNotes} is made from. */
export interface KeptNotesOptions {
  readonly environment: Pick<Environment, 'storage' | 'tabStorage'>;
  /** Whose data it is; without one it lives as long as the tab. */
  readonly userKey: string | null;
  /** What keeps services apart, such as the base URL. */
  readonly scope: string;
  /** Takes what the storage threw. */
  readonly report: (error: unknown) => void;
}

/**
 * Small texts that outlive the page, under service and user. Writes of one note happen in the order they were asked for, and a
 * storage that fails costs the note and nothing else. Never a token in here.
 */
export class KeptNotes {
  readonly #storage: KeyValueStorage;
  readonly #prefix: string;
  readonly #report: (error: unknown) => void;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ environment, userKey, scope, report }: KeptNotesOptions) {
    this.#storage = userKey === null ? environment.tabStorage : environment.storage;
    this.#prefix = [scope, userKey ?? ''].map(encodeURIComponent).join('|');
    this.#report = report;
  }

  /** The note about `id`; null when there is none or it cannot be read. */
  async read(kind: NoteKind, id = ''): Promise<unknown> {
    const text = await this.#inOrder(() => this.#storage.get(this.#key(kind, id)));
    if (typeof text !== 'string') return null;
    try {
      return JSON.parse(text);
    } catch {
      // Not ours, or of an older version: as good as none.
      return null;
    }
  }

  /** Keeps a note. */
  write(kind: NoteKind, id: string, value: unknown): void {
    void this.#inOrder(() => this.#storage.set(this.#key(kind, id), JSON.stringify(value)));
  }

  /** Forgets a note. */
  remove(kind: NoteKind, id: string): void {
    void this.#inOrder(() => this.#storage.remove(this.#key(kind, id)));
  }

  #key(kind: NoteKind, id: string): string {
    return `${this.#prefix}|${kind}|${encodeURIComponent(id)}`;
  }

  #inOrder<T>(act: () => Promise<T>): Promise<T | null> {
    const turn = this.#last.then(act).catch((error: unknown) => {
      this.#report(error);
      return null;
    });
    this.#last = turn;
    return turn;
  }
}
