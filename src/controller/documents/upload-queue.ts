import type { DocumentInfo, UploadLimits } from '../../backends/backend.js';
import { isUbikError, UbikError } from '../../errors.js';
import type { Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import type { StreamController, UploadRefusal, Uploads, UploadTask } from '../controller-types.js';
import { checkFile, identifyFile, sanitizeFileName } from './check-file.js';
import { loadedQueues } from './loaded-queues.js';
import { outcomeOf, ProcessingWatch } from './processing-watch.js';

/** Maximum number of concurrent uploads. One that creates its thread starts even beyond it. */
const MAX_CONCURRENT = 3;
/** The states of an upload that waits or is in progress. */
const ACTIVE: ReadonlySet<UploadTask['state']> = new Set(['waiting', 'sending']);

interface Task extends UploadTask {
  attach: boolean;
  state: UploadTask['state'];
  sent: number;
  total: number;
  refusal: UploadRefusal | null;
  error: UbikError | null;
  /** The thread to which the file is uploaded; null for the thread to be created. */
  thread: Key | null;
  /** The service's id of the thread that was loading when the file was added and was not shown; null for any other file. */
  loadingId: string | null;
  abort: AbortController;
  /** Resolves the promise that `add` or `retry` has returned; null before the first start. */
  settle: ((result: Promise<DocumentInfo>) => void) | null;
}

/** Returns the upload queue of a controller, which `loadUploads()` and all elements share. */
export function uploadQueueOf(controller: StreamController): UploadQueue {
  const queue = loadedQueues.get(controller) ?? new UploadQueue(controller);
  loadedQueues.set(controller, queue);
  return queue;
}

/**
 * Uploads three files at a time, each to the thread for which it was added, by default the one that was then current, and watches their
 * processing.
 */
export class UploadQueue implements Uploads {
  readonly watch: ProcessingWatch;
  /** The service's limits; empty until they are loaded. */
  limits: UploadLimits = {};
  readonly #controller: StreamController;
  readonly #tasks = new Map<Key, Task>();
  /** The files uploaded on this page, by document id. */
  readonly #files = new Map<string, File>();
  readonly #listeners = new Set<() => void>();
  /** The request for the service's limits; null before it is sent and after it has failed. */
  #loadingLimits: Promise<UploadLimits> | null = null;
  #keyCount = 0;

  constructor(controller: StreamController) {
    this.#controller = controller;
    this.watch = new ProcessingWatch(controller);
    // A deleted thread is removed from the list, also when another thread is shown.
    controller.subscribe({ list: 'threads' }, () => {
      this.#updateThreads();
    });
    controller.onNotice(({ type }) => {
      if (type === 'thread-changed') this.#updateThreads();
      if (type !== 'closed') return;
      for (const key of [...this.#tasks.keys()]) this.cancel(key);
      this.#files.clear();
      this.watch.clear();
    });
  }

  /** Uploads to the current thread that are not complete, in the order in which they were added. */
  get tasks(): readonly UploadTask[] {
    return this.#tasksOf(this.#controller.thread);
  }

  /** Whether a file is being uploaded that will be attached to the next message of the current thread. */
  get isAttaching(): boolean {
    return this.#activeTasksOf(this.#controller.thread).some(({ attach }) => attach);
  }

  /** Calls `listener` when a task of any thread changes, and when `limits` were loaded. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Loads the service's limits once. Resolves to no limits when the request fails, and the next call repeats it. */
  loadLimits(): Promise<UploadLimits> {
    this.#loadingLimits ??= this.#controller.loadOnboarding().then(
      ({ uploadLimits = {} }) => {
        this.limits = uploadLimits;
        this.#notify();
        return uploadLimits;
      },
      () => {
        this.#loadingLimits = null;
        return {};
      },
    );
    return this.#loadingLimits;
  }

  /** Returns why a file cannot be added to a thread, by default the current one; null when it can. Sends nothing. */
  check(
    file: File,
    limits: UploadLimits = {},
    thread = this.#controller.thread,
  ): UploadRefusal | null {
    const { task, document } = this.#find(file, thread);
    if (task || document) return 'duplicate';
    const count = thread?.list('documents').size ?? 0;
    return checkFile(file, limits, count + this.#activeTasksOf(thread).length);
  }

  /**
   * Attaches a file that is already in a thread, or being uploaded to it, to the next message of the thread. Returns false when there is no
   * such file, and when it is attached already.
   */
  attach(file: File, thread = this.#controller.thread): boolean {
    const { task, document } = this.#find(file, thread);
    if (task?.attach === false) {
      task.attach = true;
      this.#notify();
      return true;
    }
    return document !== undefined && this.#attach(document, thread?.key);
  }

  /** Adds a task in the state `refused`, to show why a file is not uploaded. It stays until it is cancelled. */
  refuse(
    file: File,
    refusal: UploadRefusal,
    attach = false,
    thread = this.#controller.thread,
  ): void {
    this.#addTask(file, thread, { refusal, attach, state: 'refused' });
  }

  /**
   * Adds a file as a failed upload without a thread, because another thread was opened before its upload began, or the thread that was loading
   * could not be. The user can retry it in a new thread, or in the one with the id `loadingId` when that is shown. Returns its error.
   */
  postpone(file: File, attach: boolean, loadingId: string | null): UbikError {
    const error = new UbikError('upload-failed');
    this.#addTask(file, null, { attach, state: 'failed', error, loadingId });
    return error;
  }

  /** Uploads a file to a thread, by default to the current one; see {@link Uploads.add}. */
  add(file: File, attach = false, thread = this.#controller.thread): Promise<DocumentInfo> {
    return this.#start(this.#addTask(file, thread, { attach }));
  }

  /** Returns the file of a document that was uploaded on this page, so that it can be uploaded again. */
  fileOf(id: string): File | undefined {
    return this.#files.get(id);
  }

  /** Whether a file was uploaded on this page. */
  isUploaded(file: File): boolean {
    return [...this.#files.values()].includes(file);
  }

  /** Returns the upload of a file to any thread; undefined when there is none, and after it is complete. */
  taskOf(file: File): UploadTask | undefined {
    return [...this.#tasks.values()].find((task) => task.file === file);
  }

  /** Uploads the file of a failed task again. */
  retry(key: Key): Promise<DocumentInfo> {
    const task = this.#tasks.get(key);
    if (task?.state !== 'failed') return Promise.reject(new UbikError('misuse'));
    task.abort = new AbortController();
    task.error = null;
    return this.#start(task);
  }

  /** Aborts an upload and removes the task, or removes one that failed or was refused. */
  cancel(key: Key): void {
    const task = this.#tasks.get(key);
    if (!task) return;
    this.#tasks.delete(key);
    task.abort.abort();
    if (task.state === 'waiting') task.settle?.(Promise.reject(new UbikError('aborted')));
    this.#notify();
  }

  #addTask(file: File, thread: Thread | null, fields: Partial<Task>): Task {
    const name = sanitizeFileName(file.name) || 'file';
    const task: Task = {
      key: `upload-${(this.#keyCount += 1)}`,
      file,
      name,
      renamed: name !== file.name,
      attach: false,
      state: 'waiting',
      sent: 0,
      total: 0,
      refusal: null,
      error: null,
      thread: thread?.key ?? null,
      loadingId: null,
      abort: new AbortController(),
      settle: null,
      ...fields,
    };
    this.#tasks.set(task.key, task);
    this.#notify();
    return task;
  }

  #start(task: Task): Promise<DocumentInfo> {
    Object.assign(task, { state: 'waiting', sent: 0, total: task.file.size });
    const result = new Promise<DocumentInfo>((resolve) => (task.settle = resolve));
    this.#startWaiting();
    return result;
  }

  /**
   * Starts as many uploads as allowed, those of the shown thread first, because its next message waits for them. An upload that creates its
   * thread starts at once, before another thread becomes the current one.
   */
  #startWaiting(): void {
    const isElsewhere = ({ thread }: Task) => Number(thread !== this.#controller.thread?.key);
    const tasks = [...this.#tasks.values()].sort((a, b) => isElsewhere(a) - isElsewhere(b));
    let free = MAX_CONCURRENT - tasks.filter(({ state }) => state === 'sending').length;
    for (const task of tasks) {
      if (task.state !== 'waiting' || (free <= 0 && task.thread !== null)) continue;
      free -= 1;
      task.state = 'sending';
      task.settle?.(this.#upload(task).finally(() => this.#startWaiting()));
    }
    this.#notify();
  }

  async #upload(task: Task): Promise<DocumentInfo> {
    const { file, name, renamed, abort } = task;
    const content = renamed ? new File([file], name, { type: file.type }) : file;
    const onProgress = (sent: number, total: number): void => {
      task.sent = sent;
      task.total = total || file.size;
      this.#notify();
    };
    try {
      const uploading = this.#controller.uploadDocument(
        content,
        onProgress,
        abort.signal,
        task.thread ?? '',
      );
      // An upload without a thread goes to the current one, which `uploadDocument` may have created just now.
      task.thread ??= this.#controller.thread?.key ?? null;
      const document = await uploading;
      this.#finish(task, document);
      return document;
    } catch (thrown) {
      const error = toUploadError(thrown);
      this.#fail(task, error);
      throw error;
    }
  }

  /**
   * Assigns files without a thread to the shown thread while that is being created, and to the one that was loading when they were added. When no thread is shown, failed and refused files of a
   * thread without an id, whose creation may have failed, belong to no thread again. Cancels the uploads to deleted threads.
   */
  #updateThreads(): void {
    const { thread } = this.#controller;
    for (const task of [...this.#tasks.values()]) {
      if (task.thread !== null && !this.#controller.getThread(task.thread)) this.cancel(task.key);
      else if (thread && [null, task.loadingId].includes(thread.id)) task.thread ??= thread.key;
      else if (!thread && !ACTIVE.has(task.state) && this.#lacksId(task.thread)) task.thread = null;
    }
  }

  /** Whether a thread in memory has no id of the service: it is being created, or could not be. */
  #lacksId(thread: Key | null): boolean {
    return thread !== null && this.#controller.getThread(thread)?.id === null;
  }

  /**
   * Marks a task as failed. If its thread could not be created, the tasks of that thread have no thread again, and those that wait fail, too.
   * A cancelled task was removed before.
   */
  #fail(failed: Task, error: UbikError): void {
    const { thread } = failed;
    Object.assign(failed, { state: 'failed', error });
    if (!this.#lacksId(thread)) return;
    for (const task of this.#tasks.values()) {
      if (task.thread !== thread) continue;
      task.thread = null;
      if (task.state !== 'waiting') continue;
      Object.assign(task, { state: 'failed', error });
      task.settle?.(Promise.reject(error));
    }
  }

  #finish({ key, name, file, attach, thread }: Task, document: DocumentInfo): void {
    this.#tasks.delete(key);
    this.#files.set(document.id, file);
    this.watch.add(document, thread);
    if (attach && thread !== null) this.#attach(document, thread, name);
  }

  /** Attaches a document to the next message of a thread. Returns false when it is attached already. */
  #attach({ id, name }: DocumentInfo, thread?: Key, fallback = 'file'): boolean {
    const draft = this.#controller.getDraft(thread);
    if (draft.attachments.some((attachment) => attachment.id === id)) return false;
    const attachment = { id, name: sanitizeFileName(name) || fallback };
    this.#controller.setDraft(
      { ...draft, attachments: [...draft.attachments, attachment] },
      thread,
    );
    return true;
  }

  /** Finds a file among the uploads to a thread that wait or are in progress, and among its documents whose processing has not failed. */
  #find(file: File, thread: Thread | null) {
    const identity = identifyFile(file);
    const isSame = (other?: File): boolean =>
      other !== undefined && identifyFile(other) === identity;
    const documents = [...(thread?.list('documents').values() ?? [])] as unknown as DocumentInfo[];
    return {
      task: this.#activeTasksOf(thread).find((task) => isSame(task.file)),
      document: documents.find(
        (document) => isSame(this.#files.get(document.id)) && outcomeOf(document) !== 'failed',
      ),
    };
  }

  #activeTasksOf(thread: Thread | null): Task[] {
    return this.#tasksOf(thread).filter(({ state }) => ACTIVE.has(state));
  }

  #tasksOf(thread: Thread | null): Task[] {
    return [...this.#tasks.values()].filter((task) => task.thread === (thread?.key ?? null));
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Converts a thrown value to the error of an upload. A `network` error becomes `upload-failed`, whose message is about the file. */
function toUploadError(thrown: unknown): UbikError {
  if (!isUbikError(thrown)) return new UbikError('upload-failed', { cause: thrown });
  return thrown.code === 'network' ? new UbikError('upload-failed', { cause: thrown }) : thrown;
}
