import { UbikError } from '../errors.js';
import { encodeComponent } from '../transport/url.js';
import { createBoundedStorage } from '../transport/storage.js';
import type { ControllerContext } from './controller-context.js';

/** What is kept: unsent text, messages behind a run, the note of an unfinished run, the thread that was open last, what a host keeps under a name, where answers began, what only events said of questions. */
type NoteKind = 'draft' | 'queue' | 'run' | 'latest' | 'host' | 'origins' | 'questions';

/** What a person has written and not sent. */
const UNSENT: ReadonlySet<NoteKind> = new Set(['draft', 'queue']);

/** How long a storage may take, in ms: it is on this machine, and the person waits. */
const PATIENCE = 3000;

/** Small texts that outlive the page, each about a thread by its server id, about none (`''`), or of a host's name. */
export interface Notes {
  /** The note; null when there is none or it cannot be read. */
  read(kind: NoteKind, id: string): Promise<unknown>;
  /** Keeps a note; null: forgets it. */
  keep(kind: NoteKind, id: string, value: unknown): void;
  /**
   * Makes another note of what another tab may have kept since, or null to forget it; `next` is not asked when that cannot be read.
   * For unsent text it learns the id of this tab.
   */
  change(
    kind: NoteKind,
    id: string,
    next: (value: unknown, tab: string) => unknown,
  ): Promise<unknown>;
}

/**
 * Notes under service and user, those about no thread also under the chat; without a user they live as long as the tab, and what is
 * to be sent by itself belongs to this one and not to a copy of it. Reads and writes happen in the order they were asked for, and a
 * storage that fails costs the note and nothing else. Never a token in here.
 */
export function createNotes({ environment, options, backend, diagnose }: ControllerContext): Notes {
  const { userKey, storageScope = backend.name, storageKey = '', persistDrafts = true } = options;
  const storage = environment[userKey == null ? 'tabStorage' : 'storage'];
  /** Stands for the storage where the page wants nothing unsent to be stored. */
  const memory = persistDrafts ? null : createBoundedStorage(() => undefined);
  const placeOf = (kind: NoteKind) => (UNSENT.has(kind) ? memory : null) ?? storage;
  let last: Promise<unknown> = Promise.resolve();
  let isSilent = false;
  /** What a storage that a host has put in answers, or null when it does not. While it is silent nobody waits for it. */
  const inTime = <T>(work: Promise<T>): Promise<T | null> =>
    new Promise((resolve, reject) => {
      const giveUp = () => {
        if (!isSilent) diagnose(new UbikError('storage', 'The storage does not answer.'));
        isSilent = true;
        resolve(null);
      };
      const timer = environment.setTimer(giveUp, isSilent ? 0 : PATIENCE);
      const finish = () => {
        isSilent = false;
        environment.clearTimer(timer);
      };
      void work.finally(finish).then(resolve, reject);
    });
  const inOrder = <T>(
    kind: NoteKind,
    id: string,
    act: (key: string, tab: string) => Promise<T>,
  ) => {
    // What is about no thread belongs to one chat of the page, not to all of them.
    const names = id === '' && storageKey !== '' ? ['', storageKey] : [id];
    const turn = last
      .then(async () => {
        const tab = UNSENT.has(kind) ? await environment.tabId() : '';
        const owner = userKey ?? (kind === 'queue' ? tab : '');
        return inTime(
          act([storageScope, owner, kind, ...names].map(encodeComponent).join('|'), tab),
        );
      })
      .catch((cause: unknown) => {
        diagnose(new UbikError('storage', { cause }));
        return null;
      });
    last = turn;
    return turn;
  };
  const write = (kind: NoteKind, key: string, value: unknown): Promise<void> =>
    value === null ? placeOf(kind).remove(key) : placeOf(kind).set(key, JSON.stringify(value));
  return {
    async read(kind, id) {
      const get = async (key: string): Promise<string | null> => {
        const place = placeOf(kind);
        // What was stored before the page wanted none of it.
        if (place !== storage) await storage.remove(key);
        return place.get(key);
      };
      return parse(await inOrder(kind, id, get));
    },
    keep(kind, id, value) {
      void inOrder(kind, id, (key) => write(kind, key, value));
    },
    change: (kind, id, next) =>
      inOrder(kind, id, async (key, tab) => {
        const place = placeOf(kind);
        const change = (text: string | null): string | null => {
          const value = next(parse(text), tab);
          return value === null ? null : JSON.stringify(value);
        };
        if (place.update) return place.update(key, change);
        const text = change(await place.get(key));
        await (text === null ? place.remove(key) : place.set(key, text));
      }),
  };
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null') as unknown;
  } catch {
    // Not ours, or of an older version: as good as none.
    return null;
  }
}
