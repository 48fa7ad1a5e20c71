import type { DocumentInfo, Page, PageRequest } from '../../backends/backend.js';
import { isUbikError, UbikError } from '../../errors.js';
import type { Json, Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import { combineSignals } from '../../transport/abort-signals.js';
import type { Environment, Timer } from '../../transport/environment.js';
import type { ControllerContext } from '../controller-context.js';
import { MIN_UPLOAD_RATE } from '../limits.js';
import { ensureThread } from '../threads/thread-actions.js';

/** Maximum time between two progress reports of an upload, and from the last one to the response, in ms. */
const MAX_SILENCE = 120_000;

/** Loads a page of the documents of the current thread; see `StreamController`. */
export async function listDocuments(
  context: ControllerContext,
  page: PageRequest,
): Promise<Page<DocumentInfo>> {
  const list = context.requireMethod('listDocuments');
  const { currentThread: thread, closing } = context;
  if (thread?.id == null) return { items: [], hasMore: false, total: 0 };
  const documents = await list(thread.id, page, closing.signal);
  context.mergeList(thread, 'documents', documents.items.map(toEntry));
  return documents;
}

/** Uploads a file to a thread; see `StreamController`. Closing the controller aborts it. */
export async function uploadDocument(
  context: ControllerContext,
  file: File,
  onProgress: (sent: number, total: number) => void = () => undefined,
  signal?: AbortSignal,
  key?: Key,
): Promise<DocumentInfo> {
  const upload = context.requireMethod('uploadDocument');
  const { closing, environment, store } = context;
  const target = store.threads.get(key ?? '');
  if (key && !target) throw new UbikError('not-found');
  // The thread could not be created. The file must not be uploaded to another one, which may be shown by now.
  if (target && !context.isCreated(target)) throw new UbikError('upload-failed');
  const { thread, ready } = target
    ? { thread: target, ready: context.stateOf(target).creation }
    : ensureThread(context);
  await ready;
  const aborted = combineSignals(closing.signal, signal);
  if (aborted.aborted) throw new UbikError('aborted');
  const document = await uploadWithTimeout(
    environment,
    file.size,
    (reportProgress, uploadSignal) => {
      const report = (sent: number, total: number): void => {
        reportProgress();
        onProgress(sent, total);
      };
      return upload(thread.id ?? '', file, report, uploadSignal);
    },
    aborted,
  );
  // The thread was deleted meanwhile: the document is in no thread, and cannot be attached to a message.
  if (!context.closed && !store.threads.has(thread.key)) throw new UbikError('not-found');
  context.mergeList(thread, 'documents', [toEntry(document)]);
  return document;
}

/** Starts an upload, which calls `reportProgress` with each of its progress reports. */
type Upload<T> = (reportProgress: () => void, signal: AbortSignal) => Promise<T>;

/**
 * Uploads `size` bytes with a timeout of 2 minutes without progress. Because `fetch` reports no progress before the response, the first
 * timeout is extended by the time that the whole file takes at 16 kB/s.
 *
 * @throws {UbikError} `upload-failed` after a timeout, which aborts the request.
 */
async function uploadWithTimeout<T>(
  environment: Pick<Environment, 'setTimer' | 'clearTimer'>,
  size: number,
  upload: Upload<T>,
  signal: AbortSignal,
): Promise<T> {
  const timeout = new AbortController();
  let timer: Timer | null = null;
  let isOver = false;
  const restartTimer = (delay: number): void => {
    if (timer) environment.clearTimer(timer);
    timer = isOver ? null : environment.setTimer(() => timeout.abort(), delay);
  };
  const timedOut = new Promise<never>((_, reject) => {
    const text = 'The upload has stalled, or the service does not respond. Try again.';
    timeout.signal.addEventListener('abort', () => reject(new UbikError('upload-failed', text)));
  });
  restartTimer(MAX_SILENCE + size / MIN_UPLOAD_RATE);
  try {
    const response = upload(
      () => restartTimer(MAX_SILENCE),
      combineSignals(signal, timeout.signal),
    );
    return await Promise.race([timedOut, response]);
  } finally {
    // Clears the timer, and prevents a late progress report from restarting it.
    isOver = true;
    restartTimer(0);
  }
}

/** Links documents to the current thread, which is created when there is none; see `StreamController`. */
export async function linkDocuments(
  context: ControllerContext,
  documents: readonly DocumentInfo[],
): Promise<void> {
  const link = context.requireMethod('linkDocuments');
  const { thread, ready } = ensureThread(context);
  await ready;
  if (context.closed) throw new UbikError('aborted');
  await link(
    thread.id ?? '',
    documents.map(({ id }) => id),
  );
  context.mergeList(thread, 'documents', documents.map(toEntry));
}

/** Unlinks a document from a thread, by default the current one; see `StreamController`. */
export async function unlinkDocument(
  context: ControllerContext,
  id: string,
  threadId = context.requireCurrentThread().id ?? '',
  keepalive = false,
): Promise<void> {
  const unlink = context.requireMethod('unlinkDocument');
  const removal = (async () => unlink(threadId, id, keepalive))();
  const thread = context.findThread(threadId);
  if (thread) context.sequencer.recordRemoval(thread, removal.catch(ignoreNotFound));
  await removal;
  if (thread) context.mergeList(thread, 'documents', [[id]]);
}

/** Ignores that the thread does not contain the document any more. */
function ignoreNotFound(error: unknown): void {
  if (!isUbikError(error) || error.code !== 'not-found') throw error;
}

/** Stars a document of the current thread, or removes the star. */
export async function starDocument(
  context: ControllerContext,
  id: string,
  starred: boolean,
): Promise<void> {
  const thread = context.requireCurrentThread();
  await context.requireMethod('starDocument')(thread.id ?? '', id, starred);
  updateDocument(context, thread, id, { starred });
}

/** Loads the processing status of a document of the current thread. */
export async function loadDocument(context: ControllerContext, id: string): Promise<DocumentInfo> {
  const thread = context.requireCurrentThread();
  const document = await context.requireMethod('loadDocument')(id, context.closing.signal);
  const { status, error, name } = document;
  // `starred` is a property of the document in a thread, so this response does not contain it.
  updateDocument(context, thread, id, { status, error, ...(name && { name }) });
  return document;
}

/** Changes fields of a listed document, unless it was removed meanwhile. */
function updateDocument(
  context: ControllerContext,
  thread: Thread,
  id: string,
  fields: Partial<DocumentInfo>,
): void {
  const listed = thread.list('documents').get(id) as DocumentInfo | undefined;
  if (listed) context.mergeList(thread, 'documents', [toEntry({ ...listed, ...fields })]);
}

function toEntry(document: DocumentInfo): readonly [Key, Json] {
  return [document.id, { ...document }];
}
