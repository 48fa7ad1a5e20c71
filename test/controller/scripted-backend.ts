import type {
  Backend,
  Capability,
  CheckpointInfo,
  DocumentInfo,
  Draft,
  Page,
  Passage,
  RunKeys,
  RunRef,
  RunStream,
  StoredMessage,
  ThreadContent,
  ThreadSummary,
} from '../../src/backends/backend.js';
import { USER_TEXT } from '../../src/model/message.js';
import { UbikError } from '../../src/errors.js';
import type { Batch, Change } from '../../src/model/change.js';
import type { RunState } from '../../src/model/thread.js';

/** The idle timeout of {@link ScriptedBackend}, in ms. */
export const IDLE_TIMEOUT = 45_000;

/** One stream that a controller has opened. The test pushes its batches, also after it was aborted. */
export class ScriptedStream implements AsyncIterableIterator<Batch> {
  readonly method: string;
  readonly keys: RunKeys;
  readonly args: readonly unknown[];
  readonly signal: AbortSignal;
  /** When it was opened, by the clock of the test. */
  readonly openedAt: number;
  readonly #queue: (IteratorResult<Batch> | { error: Error })[] = [];
  #waiting: { resolve: (r: IteratorResult<Batch>) => void; reject: (e: unknown) => void } | null =
    null;

  constructor(
    method: string,
    keys: RunKeys,
    args: readonly unknown[],
    at: { signal: AbortSignal; now: number },
  ) {
    this.method = method;
    this.keys = keys;
    this.args = args;
    this.signal = at.signal;
    this.openedAt = at.now;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Batch>> {
    const first = this.#queue.shift();
    if (!first) return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
    if ('error' in first) return Promise.reject(first.error);
    return Promise.resolve(first);
  }

  return(): Promise<IteratorResult<Batch>> {
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Emits changes in one batch. */
  push(...changes: Change[]): void {
    this.#deliver({
      done: false,
      value: { thread: this.keys.thread, time: this.openedAt, changes },
    });
  }

  /** Emits an empty batch, as a heartbeat does. */
  sendHeartbeat(): void {
    this.push();
  }

  /** Starts the run and the text of the answer. */
  begin(runId: string | null = 'task-1'): void {
    const message = this.keys.answer;
    const value = { kind: 'text' } as const;
    this.push(
      { type: 'thread', set: { run: { state: 'streaming', id: runId } } },
      { type: 'part', message, part: '/0:text', parent: null, before: null, value },
    );
  }

  /** Appends to the text of the answer; `at` is its current length. */
  append(at: number, text: string): void {
    this.push({ type: 'text', message: this.keys.answer, part: '/0:text', at, text });
  }

  /** Emits a pending request. */
  request(request: string, level: 'agent' | 'tool' = 'agent'): void {
    this.push({
      type: 'part',
      message: this.keys.answer,
      part: request,
      parent: '@activity',
      before: null,
      value: {
        kind: 'request-activity',
        level,
        prompt: 'Which year?',
        inputTypes: ['text'],
        checkpointName: null,
        executionId: level === 'tool' ? 'execution-1' : null,
        toolName: null,
        options: null,
        schema: null,
        deadline: null,
        part: null,
        state: 'pending',
      },
    });
  }

  /** Emits the end of the run and ends the stream. */
  finish(state: Extract<RunState, 'complete' | 'waiting' | 'stopped' | 'failed'>): void {
    const message = this.keys.answer;
    this.push(
      { type: 'set', message, part: null, path: ['status'], value: state },
      { type: 'thread', set: { run: { state } } },
    );
    this.end();
  }

  /** Ends the stream without an end of the run. */
  end(): void {
    this.#deliver({ done: true, value: undefined });
  }

  /** Breaks the stream. */
  fail(error: Error = new UbikError('network', 'cut')): void {
    this.#deliver({ error });
  }

  #deliver(result: IteratorResult<Batch> | { error: Error }): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (!waiting) this.#queue.push(result);
    else if ('error' in result) waiting.reject(result.error);
    else waiting.resolve(result);
  }
}

/** A call of a method that returns no stream. */
export interface ScriptedCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A backend whose streams and responses the test controls. */
export class ScriptedBackend implements Backend {
  readonly name = 'scripted';
  /** Empty at first; tests add some. The controller calls a method also without its capability, and reads only `branches` (`run/locate-run.ts`). */
  readonly capabilities = new Set<Capability>();
  readonly idleTimeout = IDLE_TIMEOUT;
  onDiagnostic?: ((error: UbikError) => void) | undefined;
  readonly streams: ScriptedStream[] = [];
  readonly calls: ScriptedCall[] = [];
  readonly threads = new Map<string, ThreadContent>();
  /** Replacements for the responses of methods. */
  readonly responses = new Map<string, (...args: readonly unknown[]) => unknown>();
  checkpoints: CheckpointInfo[] = [];
  documents: DocumentInfo[] = [];
  readonly #now: () => number;
  #threadCount = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The stream that was opened last. */
  get stream(): ScriptedStream {
    const last = this.streams.at(-1);
    if (!last) throw new Error('The controller has opened no stream.');
    return last;
  }

  /** How often a method was called. */
  count(method: string): number {
    const opened = this.streams.filter((stream) => stream.method === method).length;
    return opened + this.calls.filter((call) => call.method === method).length;
  }

  createThread(options?: unknown): Promise<ThreadSummary> {
    this.#threadCount += 1;
    const made = { id: `thread-id-${this.#threadCount}`, title: 'New', createdAt: 1, updatedAt: 1 };
    return this.#call('createThread', [options], () => {
      // Messages are stored only by the test.
      this.threads.set(made.id, { thread: made, messages: [], headId: null, unfinishedRun: null });
      return made;
    });
  }

  loadThread(id: string): Promise<ThreadContent> {
    return this.#call('loadThread', [id], () => {
      const content = this.threads.get(id);
      if (!content) throw new UbikError('not-found', 'no such thread');
      return content;
    });
  }

  loadMessage(threadId: string, id: string): Promise<StoredMessage> {
    return this.#call('loadMessage', [threadId, id], () => {
      throw new UbikError('not-found', 'no such message');
    });
  }

  listThreads(page: unknown): Promise<Page<ThreadSummary>> {
    return this.#call('listThreads', [page], () => ({ items: [], hasMore: false, total: 0 }));
  }

  send(threadId: string, draft: Draft, keys: RunKeys, signal: AbortSignal): RunStream {
    return this.#open('send', keys, [threadId, draft], signal);
  }

  rejoin(threadId: string, run: RunRef, signal: AbortSignal): RunStream {
    return this.#open('rejoin', run.keys, [threadId, run], signal);
  }

  provideInput(...args: Parameters<NonNullable<Backend['provideInput']>>): RunStream {
    const [threadId, request, answer, keys, signal] = args;
    return this.#open('provideInput', keys, [threadId, request, answer], signal);
  }

  stop(threadId: string, run: RunRef): Promise<void> {
    return this.#call('stop', [threadId, run], () => undefined);
  }

  edit(...args: Parameters<NonNullable<Backend['edit']>>): RunStream {
    const [threadId, messageId, draft, keys, signal] = args;
    return this.#open('edit', keys, [threadId, messageId, draft], signal);
  }

  regenerate(...args: Parameters<NonNullable<Backend['regenerate']>>): RunStream {
    const [threadId, id, settings, keys, signal] = args;
    return this.#open('regenerate', keys, [threadId, id, settings], signal);
  }

  switchBranch(threadId: string, messageId: string): Promise<ThreadContent> {
    return this.#call('switchBranch', [threadId, messageId], () => emptyContent(threadId));
  }

  listCheckpoints(threadId: string): Promise<readonly CheckpointInfo[]> {
    return this.#call('listCheckpoints', [threadId], () => this.checkpoints);
  }

  restoreCheckpoint(...args: Parameters<NonNullable<Backend['restoreCheckpoint']>>): RunStream {
    const [threadId, checkpoint, hint, keys, signal] = args;
    return this.#open('restoreCheckpoint', keys, [threadId, checkpoint, hint], signal);
  }

  renameThread(id: string, title: string): Promise<void> {
    return this.#call('renameThread', [id, title], () => undefined);
  }

  deleteThread(id: string, keepalive = false): Promise<void> {
    return this.#call('deleteThread', keepalive ? [id, keepalive] : [id], () => undefined);
  }

  listDocuments(threadId: string, page: unknown): Promise<Page<DocumentInfo>> {
    const read = () => ({ items: this.documents, hasMore: false, total: this.documents.length });
    return this.#call('listDocuments', [threadId, page], read);
  }

  uploadDocument(
    ...args: Parameters<NonNullable<Backend['uploadDocument']>>
  ): Promise<DocumentInfo> {
    const [, { name }] = args;
    return this.#call('uploadDocument', args, () =>
      documentOf(`id of ${name}`, { name, status: 'pending' }),
    );
  }

  linkDocuments(threadId: string, ids: readonly string[]): Promise<void> {
    return this.#call('linkDocuments', [threadId, ids], () => undefined);
  }

  unlinkDocument(threadId: string, id: string, keepalive = false): Promise<void> {
    const args = keepalive ? [threadId, id, keepalive] : [threadId, id];
    return this.#call('unlinkDocument', args, () => undefined);
  }

  starDocument(threadId: string, id: string, starred: boolean): Promise<void> {
    return this.#call('starDocument', [threadId, id, starred], () => undefined);
  }

  loadDocument(id: string): Promise<DocumentInfo> {
    return this.#call('loadDocument', [id], () => documentOf(id));
  }

  loadPassage(id: string, signal: AbortSignal): Promise<Passage> {
    return this.#call('loadPassage', [id, signal], () => {
      throw new UbikError('not-found');
    });
  }

  releaseRun(threadId: string, run: RunRef): void {
    this.calls.push({ method: 'releaseRun', args: [threadId, run] });
  }

  #open(method: string, keys: RunKeys, args: unknown[], signal: AbortSignal): ScriptedStream {
    const stream = new ScriptedStream(method, keys, args, { signal, now: this.#now() });
    this.streams.push(stream);
    return stream;
  }

  async #call<T>(method: string, args: unknown[], getDefault: () => T): Promise<T> {
    this.calls.push({ method, args });
    const answer = this.responses.get(method);
    return answer ? ((await answer(...args)) as T) : getDefault();
  }
}

/** A processed document; `more` overrides fields. */
export function documentOf(id: string, more: Partial<DocumentInfo> = {}): DocumentInfo {
  return {
    id,
    name: `${id}.pdf`,
    status: 'completed',
    fileType: 'application/pdf',
    error: null,
    starred: false,
    createdAt: 1,
    ...more,
  };
}

/** A thread without messages. */
export function emptyContent(id: string): ThreadContent {
  return { thread: { id, title: '' }, messages: [], headId: null, unfinishedRun: null };
}

/** A stored message with one text. */
export function stored(
  id: string,
  role: 'user' | 'assistant',
  text: string,
  more: { parentId?: string | null; runId?: string | null } = {},
): StoredMessage {
  const fields = {
    runId: more.runId ?? null,
    role,
    siblingIds: [],
    createdAt: 1,
    status: 'complete',
    attachments: [],
    restoredFrom: null,
    failure: null,
  } as const;
  const key = role === 'user' ? USER_TEXT : '/0:text';
  const parts = [{ kind: 'text', key, text }] as const;
  return { id, parentId: more.parentId ?? null, fields, parts, requests: [] };
}

/** A stored thread with one branch: the parent of each message is the one before it. `unfinished`: id of the run that is listed as unfinished. */
export function contentOf(
  id: string,
  messages: readonly StoredMessage[],
  unfinished: string | null = null,
): ThreadContent {
  const chained = messages.map((message, index) => ({
    ...message,
    parentId: index === 0 ? null : (messages[index - 1]?.id ?? null),
  }));
  const keys = { thread: '', user: null, answer: '' };
  return {
    thread: { id, title: `Title of ${id}` },
    messages: chained,
    headId: messages.at(-1)?.id ?? null,
    unfinishedRun: unfinished === null ? null : { id: unfinished, keys, otherRunIds: [] },
  };
}
