import type {
  CheckpointInfo,
  DocumentInfo,
  Onboarding,
  Page,
  PageRequest,
} from '../../backends/backend.js';
import { toItem } from '../../model/change.js';
import { equalJson, type Json, type Key } from '../../model/json.js';
import type { List, Thread } from '../../model/thread.js';
import type { Conversation } from '../conversation.js';
import { findMethod } from '../find-method.js';
import { ensureThread } from './thread-acts.js';

/** Greeting and starter questions; nothing where the service has none. */
export async function onboarding({ backend }: Conversation): Promise<Onboarding> {
  return (await backend.onboarding?.()) ?? { greeting: null, starters: [] };
}

/** Reads the checkpoints of the current thread. */
export function listCheckpoints(conversation: Conversation): Promise<readonly CheckpointInfo[]> {
  return readCheckpoints(conversation, conversation.current);
}

/** Reads the checkpoints of a thread; from now on they are kept up to date. */
export async function readCheckpoints(
  conversation: Conversation,
  thread: Thread | null,
): Promise<readonly CheckpointInfo[]> {
  const read = findMethod(conversation.backend, 'listCheckpoints');
  if (thread?.id == null) return [];
  conversation.watched.add(thread.key);
  const checkpoints = await read(thread.id);
  // Names may repeat, so their keys are their places in the service's order.
  const entries = checkpoints.map((checkpoint, at) => [`${at}`, { ...checkpoint }] as const);
  const gone = [...thread.list('checkpoints').keys()].slice(entries.length);
  merge(conversation, thread, 'checkpoints', [...entries, ...gone.map((key) => [key] as const)]);
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
  merge(conversation, current, 'documents', found.items.map(toEntry));
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
  merge(conversation, thread, 'documents', [toEntry(document)]);
  return document;
}

function toEntry(document: DocumentInfo): readonly [Key, Json] {
  return [document.id, { ...document }];
}

/** Brings entries into a list of a thread, as far as they are other ones. No value: it goes. */
function merge(
  conversation: Conversation,
  thread: Thread,
  list: List,
  entries: readonly (readonly [Key, Json?])[],
): void {
  const held = thread.list(list);
  const changes = entries
    .filter(([key, value]) => !equalJson(held.get(key), value))
    .map(([key, value]) => toItem(list, key, value));
  conversation.commit(thread.key, changes);
}
