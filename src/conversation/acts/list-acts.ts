import type {
  CheckpointInfo,
  DocumentInfo,
  Onboarding,
  Page,
  PageRequest,
} from '../../backends/backend.js';
import type { Change } from '../../model/change.js';
import { equalJson, type Json, type Key } from '../../model/json.js';
import type { List } from '../../model/thread.js';
import type { Conversation } from '../conversation.js';
import { findMethod } from '../find-method.js';
import { ensureThread } from './thread-acts.js';

/** Greeting and starter questions; nothing where the service has none. */
export async function onboarding({ backend }: Conversation): Promise<Onboarding> {
  return (await backend.onboarding?.()) ?? { greeting: null, starters: [] };
}

/** Reads the checkpoints of a thread, by default of the current one; from now on they are kept up to date. */
export async function listCheckpoints(
  conversation: Conversation,
  thread = conversation.current?.key ?? '',
): Promise<readonly CheckpointInfo[]> {
  const read = findMethod(conversation.backend, 'listCheckpoints');
  const id = conversation.idOf(thread);
  if (id === '') return [];
  conversation.watched.add(thread);
  const checkpoints = await read(id);
  const entries = new Map<Key, Json>();
  for (const checkpoint of checkpoints) {
    // Names may repeat; then the time tells them apart, and their order when there is none.
    const name = checkpoint.id ?? `${checkpoint.name}@${checkpoint.createdAt ?? ''}`;
    let key = name;
    for (let count = 2; entries.has(key); count += 1) key = `${name}#${count}`;
    entries.set(key, { ...checkpoint });
  }
  merge(conversation, thread, 'checkpoints', entries, true);
  return checkpoints;
}

/** Reads documents of the current thread. */
export async function listDocuments(
  conversation: Conversation,
  page: PageRequest,
): Promise<Page<DocumentInfo>> {
  const read = findMethod(conversation.backend, 'listDocuments');
  const { current } = conversation;
  if (current?.id == null) return { items: [], hasMore: false, total: 0 };
  const found = await read(current.id, page);
  const entries = found.items.map((document) => [document.id, { ...document }] as const);
  merge(conversation, current.key, 'documents', new Map(entries), false);
  return found;
}

/** Uploads a file to the current thread, which is made when there is none. Closing the controller breaks it off. */
export async function upload(
  conversation: Conversation,
  file: File,
  onProgress: (sent: number, total: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<DocumentInfo> {
  const send = findMethod(conversation.backend, 'upload');
  const { thread, ready } = ensureThread(conversation);
  await ready;
  const { closing } = conversation;
  const end = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
  const document = await send(thread.id ?? '', file, onProgress, end);
  merge(conversation, thread.key, 'documents', new Map([[document.id, { ...document }]]), false);
  return document;
}

/** Brings entries into a list of a thread that is still held; `isWhole`: what is not among them goes. */
function merge(
  conversation: Conversation,
  thread: Key,
  list: List,
  entries: ReadonlyMap<Key, Json>,
  isWhole: boolean,
): void {
  const held = conversation.store.threads.get(thread)?.list(list);
  if (!held || conversation.closed) return;
  const changes: Change[] = [];
  for (const key of isWhole ? held.keys() : []) {
    if (!entries.has(key)) changes.push({ do: 'item', list, key });
  }
  for (const [key, value] of entries) {
    if (!equalJson(held.get(key), value)) changes.push({ do: 'item', list, key, value });
  }
  conversation.commit(thread, changes);
}
