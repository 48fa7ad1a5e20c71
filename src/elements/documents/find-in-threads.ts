import type { DocumentInfo } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import type { Key } from '../../model/json.js';

/** Threads that are looked through at a time, and documents that are read of each. */
const THREADS_PER_PAGE = 20;
const DOCUMENTS_PER_THREAD = 100;

/** How far the person's threads have been looked through. */
export interface SearchProgress {
  page: number;
  /** Threads that were looked through. */
  threads: number;
  hasMore: boolean;
  readonly found: Map<Key, DocumentInfo>;
}

/**
 * Reads the documents of one more page of threads, in the service's order, without the shown one. Gives all that was found so far
 * after each thread. A failure leaves what was found; the next call reads the page again.
 */
export async function* searchThreads(
  { backend, thread: shown }: StreamController,
  finding: SearchProgress,
  signal: AbortSignal,
): AsyncGenerator<readonly DocumentInfo[]> {
  const page = finding.page + 1;
  const threads = await backend.listThreads?.({ page, limit: THREADS_PER_PAGE }, signal);
  let count = 0;
  for (const { id } of threads?.items ?? []) {
    if (signal.aborted) return;
    if (id === shown?.id) continue;
    const documents = await backend.listDocuments?.(
      id,
      { page: 1, limit: DOCUMENTS_PER_THREAD },
      signal,
    );
    count += 1;
    for (const one of documents?.items ?? []) finding.found.set(one.id, { ...one, starred: false });
    if (!signal.aborted) yield [...finding.found.values()];
  }
  if (signal.aborted) return;
  finding.page = page;
  finding.threads += count;
  finding.hasMore = threads?.hasMore ?? false;
}
