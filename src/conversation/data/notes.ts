import type { Environment } from '../../stream/environment.js';

/** What is kept: unsent text, the note of an unfinished run, the thread that was open last. */
type NoteKind = 'draft' | 'run' | 'latest';

/** What {@link createNotes} is made from. */
export interface NotesOptions {
  readonly environment: Pick<Environment, 'storage' | 'tabStorage'>;
  /** Whose data it is; without one it lives as long as the tab. */
  readonly userKey: string | null;
  /** What keeps services apart, such as the base URL. */
  readonly scope: string;
  /** Takes what the storage threw. */
  readonly report: (error: unknown) => void;
}

/** Small texts that outlive the page, each about a thread by its server id, or about none (`''`). */
export interface Notes {
  /** The note; null when there is none or it cannot be read. */
  read(kind: NoteKind, id: string): Promise<unknown>;
  /** Keeps a note; null: forgets it. */
  keep(kind: NoteKind, id: string, value: unknown): void;
}

/**
 * Notes under service and user. Reads and writes happen in the order they were asked for, and a storage that fails costs the note
 * and nothing else. Never a token in here.
 */
export function createNotes({ environment, userKey, scope, report }: NotesOptions): Notes {
  const storage = userKey === null ? environment.tabStorage : environment.storage;
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <T>(kind: NoteKind, id: string, act: (key: string) => Promise<T>) => {
    const key = [scope, userKey ?? '', kind, id].map(encodeURIComponent).join('|');
    const turn = last
      .then(() => act(key))
      .catch((error: unknown) => {
        report(error);
        return null;
      });
    last = turn;
    return turn;
  };
  return {
    async read(kind, id) {
      const text = await inOrder(kind, id, (key) => storage.get(key));
      try {
        return JSON.parse(text ?? 'null') as unknown;
      } catch {
        // Not ours, or of an older version: as good as none.
        return null;
      }
    },
    keep(kind, id, value) {
      void inOrder(kind, id, (key) =>
        value === null ? storage.remove(key) : storage.set(key, JSON.stringify(value)),
      );
    },
  };
}
