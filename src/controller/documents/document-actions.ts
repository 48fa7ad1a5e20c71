import type {
  CheckpointInfo,
  DocumentInfo,
  Onboarding,
  Page,
  PageRequest,
} from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import type { Json, Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { mergeList } from '../data/lists.js';
import { fetchCheckpoints } from '../checkpoints/restore-origins.js';
import { combineSignals } from '../../transport/abort-signals.js';
import { sendWhileActive } from './upload-patience.js';
import { findMethod } from '../find-method.js';
import { ensureThread } from '../threads/thread-actions.js';

/** Greeting and starter questions; nothing where the service has none. */
export async function loadOnboarding({ backend, closing }: ControllerContext): Promise<Onboarding> {
  return (await backend.loadOnboarding?.(closing.signal)) ?? { greeting: null, starters: [] };
}

/** Reads the checkpoints of the current thread. */
export function listCheckpoints(
  conversation: ControllerContext,
): Promise<readonly CheckpointInfo[]> {
  return readCheckpoints(conversation, conversation.current);
}

/** Reads the checkpoints of a thread; from now on they are kept up to date. */
export async function readCheckpoints(
  conversation: ControllerContext,
  thread: Thread | null,
): Promise<readonly CheckpointInfo[]> {
  if (thread?.id == null) return [];
  conversation.watched.add(thread.key);
  return fetchCheckpoints(conversation, thread);
}

/** Reads documents of the current thread. */
export async function listDocuments(
  conversation: ControllerContext,
  page: PageRequest,
): Promise<Page<DocumentInfo>> {
  const read = findMethod(conversation.backend, 'listDocuments');
  const { current, closing } = conversation;
  if (current?.id == null) return { items: [], hasMore: false, total: 0 };
  const found = await read(current.id, page, closing.signal);
  mergeList(conversation, current, 'documents', found.items.map(toEntry));
  return found;
}

/**
 * Uploads a file to a thread, by default to the current one, which is made when there is none. Closing the controller breaks it
 * off.
 */
export async function uploadDocument(
  conversation: ControllerContext,
  file: File,
  onProgress: (sent: number, total: number) => void = () => undefined,
  signal?: AbortSignal,
  key?: Key,
): Promise<DocumentInfo> {
  const send = findMethod(conversation.backend, 'uploadDocument');
  const { closing, creating, environment, store } = conversation;
  const named = store.threads.get(key ?? '');
  // A thread that could not be made is none.
  const { thread, ready } =
    named && (named.id !== null || creating.has(named.key))
      ? { thread: named, ready: creating.get(named.key) }
      : ensureThread(conversation);
  await ready;
  const end = combineSignals(closing.signal, signal);
  if (end.aborted) throw new UbikError('aborted');
  const document = await sendWhileActive(
    environment,
    file.size,
    (report, until) => {
      const tell = (sent: number, total: number): void => {
        report();
        onProgress(sent, total);
      };
      return send(thread.id ?? '', file, tell, until);
    },
    end,
  );
  mergeList(conversation, thread, 'documents', [toEntry(document)]);
  return document;
}

/** Puts documents that the service has already into the current thread, which is made when there is none. */
export async function linkDocuments(
  conversation: ControllerContext,
  documents: readonly DocumentInfo[],
): Promise<void> {
  const link = findMethod(conversation.backend, 'linkDocuments');
  const { thread, ready } = ensureThread(conversation);
  await ready;
  if (conversation.closed) throw new UbikError('aborted');
  await link(
    thread.id ?? '',
    documents.map(({ id }) => id),
  );
  mergeList(conversation, thread, 'documents', documents.map(toEntry));
}

/** Takes a document out of the current thread; the service keeps it. */
export async function unlinkDocument(conversation: ControllerContext, id: string): Promise<void> {
  const thread = findThread(conversation);
  await findMethod(conversation.backend, 'unlinkDocument')(thread.id ?? '', id);
  mergeList(conversation, thread, 'documents', [[id]]);
}

/** Marks a document of the current thread, or takes the mark away. */
export async function starDocument(
  conversation: ControllerContext,
  id: string,
  starred: boolean,
): Promise<void> {
  const thread = findThread(conversation);
  await findMethod(conversation.backend, 'starDocument')(thread.id ?? '', id, starred);
  change(conversation, thread, id, { starred });
}

/** Asks how far the service is with a document of the current thread. */
export async function loadDocument(
  conversation: ControllerContext,
  id: string,
): Promise<DocumentInfo> {
  const thread = findThread(conversation);
  const { backend, closing } = conversation;
  const document = await findMethod(backend, 'loadDocument')(id, closing.signal);
  const { status, error, name } = document;
  // The mark belongs to the thread, and a document alone does not know it.
  change(conversation, thread, id, { status, error, ...(name && { name }) });
  return document;
}

function findThread({ current }: ControllerContext): Thread {
  if (!current) throw new UbikError('misuse', 'No thread is open.');
  return current;
}

/** Gives an entry of the documents other fields, unless it was taken out meanwhile. */
function change(
  conversation: ControllerContext,
  thread: Thread,
  id: string,
  fields: Partial<DocumentInfo>,
): void {
  const held = thread.list('documents').get(id) as DocumentInfo | undefined;
  if (held) mergeList(conversation, thread, 'documents', [toEntry({ ...held, ...fields })]);
}

function toEntry(document: DocumentInfo): readonly [Key, Json] {
  return [document.id, { ...document }];
}
