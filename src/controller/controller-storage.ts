import { UbikError } from '../errors.js';
import { createBoundedStorage } from '../transport/storage.js';
import { encodeComponent } from '../transport/encode-component.js';
import type { ControllerContext } from './controller-context.js';
import type { ControllerOptions, HostStorage, StreamController } from './controller-types.js';

/**
 * Kinds of stored records: drafts, queued messages, unfinished runs, the thread that was opened last, values of the host, restore
 * origins of answers, details of requests. The names are part of the storage keys.
 */
type RecordKind = 'draft' | 'queue' | 'run' | 'latest' | 'host' | 'origins' | 'questions';

/** Records that contain unsent text of the user. */
const UNSENT_TEXT: ReadonlySet<RecordKind> = new Set(['draft', 'queue']);

/** The controllers with `persistDrafts: false`. Elements must not write unsent text of the user to the `storage` of these controllers either. */
export const controllersWithoutDrafts = new WeakSet<StreamController>();

/** Time after which a storage call counts as failed, in ms. Short, because storage is local and the user waits for it. */
const TIMEOUT = 3000;

/** The members of a controller context that its storage uses. */
type StorageContext = Pick<ControllerContext, 'environment' | 'diagnose'> & {
  readonly options: Pick<
    ControllerOptions,
    'userKey' | 'storageScope' | 'storageKey' | 'persistDrafts'
  >;
  readonly backend: Pick<ControllerContext['backend'], 'name'>;
};

/** Small persistent records, each of a thread (by the service's id), of no thread (`''`), or under a name chosen by the host. */
export interface ControllerStorage {
  /** The parsed record; null when there is none or it cannot be read. */
  read(kind: RecordKind, id: string): Promise<unknown>;
  /** Stores a record; null removes it. */
  write(kind: RecordKind, id: string, value: unknown): void;
  /**
   * Replaces a record by `next(record)`; null removes it. Another tab may have written the current record. `next` is not called when
   * the storage fails. `tab` is the id of this tab for records of unsent text, otherwise empty.
   */
  update(
    kind: RecordKind,
    id: string,
    next: (value: unknown, tab: string) => unknown,
  ): Promise<unknown>;
}

/**
 * Creates the storage of a controller. Keys contain service and user; keys of records of no thread also contain the `storageKey` of the
 * chat. Without a `userKey` records last as long as the tab, and queued messages belong to this tab, not to a duplicate of it. Calls are
 * executed in order. A failure is a diagnostic, and only the record is lost. Tokens are never stored.
 */
export function createControllerStorage({
  environment,
  options,
  backend,
  diagnose,
}: StorageContext): ControllerStorage {
  const { userKey, storageScope = backend.name, storageKey = '', persistDrafts = true } = options;
  const storage = environment[userKey == null ? 'tabStorage' : 'storage'];
  /** Replaces the storage of unsent text when the host does not want it to be stored. */
  const memory = persistDrafts ? null : createBoundedStorage(() => undefined);
  const storageOf = (kind: RecordKind) => (UNSENT_TEXT.has(kind) ? memory : null) ?? storage;
  let lastCall: Promise<unknown> = Promise.resolve();
  let hasTimedOut = false;
  /**
   * Resolves to null when a storage of the host does not respond in time. After a timeout, further calls are not waited for, until
   * one has responded.
   */
  const withTimeout = <T>(call: Promise<T>): Promise<T | null> =>
    new Promise((resolve, reject) => {
      const expire = () => {
        if (!hasTimedOut) diagnose(new UbikError('storage', 'The storage does not respond.'));
        hasTimedOut = true;
        resolve(null);
      };
      const timer = environment.setTimer(expire, hasTimedOut ? 0 : TIMEOUT);
      const finish = () => {
        hasTimedOut = false;
        environment.clearTimer(timer);
      };
      void call.finally(finish).then(resolve, reject);
    });
  const enqueue = <T>(
    kind: RecordKind,
    id: string,
    call: (key: string, tab: string) => Promise<T>,
  ) => {
    // A record of no thread belongs to one chat of the host page.
    const names = id === '' && storageKey !== '' ? ['', storageKey] : [id];
    const result = lastCall
      .then(async () => {
        const tab = UNSENT_TEXT.has(kind) ? await environment.tabId() : '';
        const owner = userKey ?? (kind === 'queue' ? tab : '');
        const key = [storageScope, owner, kind, ...names].map(encodeComponent).join('|');
        return withTimeout(call(key, tab));
      })
      .catch((cause: unknown) => {
        diagnose(new UbikError('storage', { cause }));
        return null;
      });
    lastCall = result;
    return result;
  };
  return {
    async read(kind, id) {
      const get = async (key: string): Promise<string | null> => {
        const target = storageOf(kind);
        // Removes a record that was stored before the host disabled `persistDrafts`.
        if (target !== storage) await storage.remove(key);
        return target.get(key);
      };
      return parse(await enqueue(kind, id, get));
    },
    write(kind, id, value) {
      void enqueue(kind, id, (key) => {
        const target = storageOf(kind);
        return value === null ? target.remove(key) : target.set(key, JSON.stringify(value));
      });
    },
    update: (kind, id, next) =>
      enqueue(kind, id, async (key, tab) => {
        const target = storageOf(kind);
        const replace = (text: string | null): string | null => {
          const value = next(parse(text), tab);
          return value === null ? null : JSON.stringify(value);
        };
        if (target.update) return target.update(key, replace);
        const text = replace(await target.get(key));
        await (text === null ? target.remove(key) : target.set(key, text));
      }),
  };
}

/** Returns the part of a storage that the host may use. */
export function createHostStorage(storage: ControllerStorage): HostStorage {
  return {
    get: (name) => storage.read('host', name),
    set: (name, value) => storage.write('host', name, value),
  };
}

/** Parses a stored record; returns null when it is not JSON, for example one of an older version. */
function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null') as unknown;
  } catch {
    return null;
  }
}
