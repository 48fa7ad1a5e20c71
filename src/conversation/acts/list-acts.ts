import type {
  CheckpointInfo,
  DocumentInfo,
  Onboarding,
  Page,
  PageRequest,
} from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import type { Change } from '../../model/change.js';
import type { Json, Key } from '../../model/json.js';
import { equalJson } from '../../model/json.js';
import type { List } from '../../model/thread.js';
import type { ConversationCore } from '../conversation-core.js';
import { toUbikError } from '../run/failure.js';
import { unsupported, type ThreadActs } from './thread-acts.js';

/** What stands beside the messages: checkpoints, documents, the greeting. */
export class ListActs {
  readonly #core: ConversationCore;
  readonly #threads: ThreadActs;
  /** Threads whose checkpoints somebody has asked for: they are kept up to date. */
  readonly #watched = new Set<Key>();
  readonly #uploads = new Set<AbortController>();

  constructor(core: ConversationCore, threads: ThreadActs) {
    this.#core = core;
    this.#threads = threads;
  }

  /** Greeting and starter questions; nothing where the service has none. */
  async onboarding(): Promise<Onboarding> {
    return (await this.#core.backend.onboarding?.()) ?? { greeting: null, starters: [] };
  }

  /** Reads the checkpoints of the current thread. */
  async listCheckpoints(): Promise<readonly CheckpointInfo[]> {
    const { current, backend } = this.#core;
    if (!backend.listCheckpoints) throw unsupported('list checkpoints');
    if (current?.id == null) return [];
    this.#watched.add(current.key);
    return this.#readCheckpoints(current.key, current.id);
  }

  /** The checkpoint of a name that can be restored, or else one that says why not. */
  async findCheckpoint(name: string): Promise<CheckpointInfo> {
    const named = (await this.listCheckpoints()).filter((checkpoint) => checkpoint.name === name);
    const found = named.find(({ restorable }) => restorable) ?? named[0];
    if (found) return found;
    throw new UbikError('not-found', 'This checkpoint does not exist (any more).', {
      offender: name,
    });
  }

  /** Reads the checkpoints of a thread again, where somebody looks at them. */
  async refreshCheckpoints(thread: Key): Promise<void> {
    const id = this.#core.store.thread(thread)?.id;
    if (id == null || !this.#watched.has(thread)) return;
    try {
      await this.#readCheckpoints(thread, id);
    } catch (error) {
      if (!this.#core.closed) this.#core.diagnose(toUbikError(error));
    }
  }

  /** Reads documents of the current thread. */
  async listDocuments(page: PageRequest): Promise<Page<DocumentInfo>> {
    const { backend, current, store, closed } = this.#core;
    if (!backend.listDocuments) throw unsupported('list documents');
    if (current?.id == null) return { items: [], hasMore: false, total: 0 };
    const found = await backend.listDocuments(current.id, page);
    if (!closed) {
      const entries = found.items.map((document) => [document.id, toJson(document)] as const);
      store.commit(current.key, this.#merge(current.key, 'documents', new Map(entries), false));
    }
    return found;
  }

  /** Uploads a file to the current thread, which is made when there is none. */
  async upload(
    file: File,
    onProgress: (sent: number, total: number) => void,
    signal: AbortSignal | undefined,
  ): Promise<DocumentInfo> {
    const { backend, store } = this.#core;
    if (!backend.upload) throw unsupported('take files');
    const { thread, ready } = this.#threads.ensure();
    await ready;
    const abort = new AbortController();
    const pass = (): void => {
      abort.abort();
    };
    if (signal?.aborted) pass();
    signal?.addEventListener('abort', pass);
    this.#uploads.add(abort);
    try {
      const id = store.thread(thread)?.id ?? '';
      const document = await backend.upload(id, file, onProgress, abort.signal);
      const value = toJson(document);
      store.commit(thread, [{ do: 'item', list: 'documents', key: document.id, value }]);
      return document;
    } finally {
      signal?.removeEventListener('abort', pass);
      this.#uploads.delete(abort);
    }
  }

  /** Breaks off all uploads. */
  close(): void {
    for (const abort of this.#uploads) abort.abort();
    this.#uploads.clear();
  }

  async #readCheckpoints(thread: Key, id: string): Promise<readonly CheckpointInfo[]> {
    const checkpoints = (await this.#core.backend.listCheckpoints?.(id)) ?? [];
    const entries = new Map<Key, Json>();
    for (const checkpoint of checkpoints)
      entries.set(keyOf(checkpoint, entries), toJson(checkpoint));
    if (!this.#core.closed) {
      this.#core.store.commit(thread, this.#merge(thread, 'checkpoints', entries, true));
    }
    return checkpoints;
  }

  /** The changes that bring entries into a list; `whole`: what is not among them goes. */
  #merge(thread: Key, list: List, entries: ReadonlyMap<Key, Json>, whole: boolean): Change[] {
    const held = this.#core.store.thread(thread)?.list(list) ?? new Map<Key, Json>();
    const changes: Change[] = [];
    for (const key of whole ? held.keys() : []) {
      if (!entries.has(key)) changes.push({ do: 'item', list, key });
    }
    for (const [key, value] of entries) {
      if (!equalJson(held.get(key), value)) changes.push({ do: 'item', list, key, value });
    }
    return changes;
  }
}

/** Names may repeat; then the time tells them apart, and their order when there is none. */
function keyOf({ id, name, createdAt }: CheckpointInfo, taken: ReadonlyMap<Key, Json>): Key {
  const key = id ?? `${name}@${createdAt ?? ''}`;
  let free = key;
  for (let count = 2; taken.has(free); count += 1) free = `${key}#${count}`;
  return free;
}

/** Records of these types hold plain data only. */
function toJson(value: CheckpointInfo | DocumentInfo): Json {
  return { ...value };
}
