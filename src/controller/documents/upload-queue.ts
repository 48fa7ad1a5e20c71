import type { DocumentInfo, UploadLimits } from '../../backends/backend.js';
import { isUbikError, UbikError } from '../../errors.js';
import type { Json, Key } from '../../model/json.js';
import type { StreamController, UploadRefusal, Uploads, UploadTask } from '../controller-types.js';
import { checkFile, sanitizeFileName, identifyFile } from './check-file.js';
import { ProcessingWatch, outcomeOf } from './processing-watch.js';

/** Files that are on their way at the same time. */
const AT_ONCE = 3;

interface Task extends UploadTask {
  state: UploadTask['state'];
  sent: number;
  total: number;
  refusal: UploadRefusal | null;
  error: UbikError | null;
  /** Where it goes; null: to the thread that is to be made. */
  thread: Key | null;
  giveUp: AbortController;
  settle: ((result: Promise<DocumentInfo>) => void) | null;
}

const queues = new WeakMap<StreamController, UploadQueue>();

/** The upload queue of a controller: one, shared by `loadUploads()` and all elements. */
export function uploadQueueOf(controller: StreamController): UploadQueue {
  const queue = queues.get(controller) ?? new UploadQueue(controller);
  queues.set(controller, queue);
  return queue;
}

/** Checks files, uploads three at a time, each to the thread that was current when it was added, and watches their processing. */
export class UploadQueue implements Uploads {
  /** Follows the documents that are not read yet, while somebody looks. */
  readonly watch: ProcessingWatch;
  readonly #controller: StreamController;
  readonly #tasks = new Map<Key, Task>();
  /** What files the documents were made from that have come from here. */
  readonly #arrived = new Map<Key, File>();
  readonly #listeners = new Set<() => void>();
  /** The thread that the first file makes, until the service has it. */
  #making: Key | null = null;
  /** The request for the service's limits; it is sent once. */
  #limits: Promise<UploadLimits> | null = null;
  #keys = 0;

  constructor(controller: StreamController) {
    this.#controller = controller;
    this.watch = new ProcessingWatch(controller);
    controller.onNotice(({ type }) => {
      if (type === 'thread-created') this.#making = null;
      if (type !== 'closed') return;
      for (const key of [...this.#tasks.keys()]) this.cancel(key);
      this.#arrived.clear();
      this.watch.clear();
    });
  }

  /** Files of the present thread that have not arrived, in the order in which they were added. */
  get tasks(): readonly UploadTask[] {
    return [...this.#tasks.values()].filter((task) => this.#isHere(task));
  }

  /** Calls back when one of them changes; returns the way to stop it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Loads the service's limits once. Resolves to no limits when the request fails, and the next call repeats it. */
  loadLimits(): Promise<UploadLimits> {
    this.#limits ??= this.#controller.loadOnboarding().then(
      ({ uploadLimits }) => uploadLimits ?? {},
      () => {
        this.#limits = null;
        return {};
      },
    );
    return this.#limits;
  }

  /** Why a file cannot be added to the present thread; null when it can. */
  check(file: File, limits: UploadLimits = {}): UploadRefusal | null {
    const name = identifyFile(file);
    const coming = this.tasks.filter(({ state }) => state === 'waiting' || state === 'sending');
    const held = this.#controller.thread?.list('documents') ?? new Map<Key, Json>();
    const isHeld = [...held].some(([key, value]) => {
      const file = this.#arrived.get(key);
      const isLost = outcomeOf(value as unknown as DocumentInfo) === 'failed';
      return file !== undefined && identifyFile(file) === name && !isLost;
    });
    if (isHeld || coming.some((task) => identifyFile(task.file) === name)) return 'duplicate';
    return checkFile(file, limits, held.size + coming.length);
  }

  /** Shows a file that is not sent, with the reason, until it is put away. */
  refuse(file: File, refusal: UploadRefusal, attach = false): void {
    this.#keep(file, { refusal, attach, state: 'refused' });
  }

  /**
   * Sends a file to the present thread, which is made when there is none. Resolves when it has arrived; rejects when it could not be
   * sent, then it stays with the reason, or was cancelled. `attach`: it goes with the next message of its thread.
   */
  add(file: File, attach = false): Promise<DocumentInfo> {
    return this.#send(this.#keep(file, { attach }));
  }

  /** The file that a document was made from, when it has come from here: it can be sent again. */
  fileOf(id: string): File | undefined {
    return this.#arrived.get(id);
  }

  /** Sends once more what has failed. */
  retry(key: Key): Promise<DocumentInfo> {
    const task = this.#tasks.get(key);
    if (task?.state !== 'failed') return Promise.reject(new UbikError('misuse'));
    task.giveUp = new AbortController();
    task.error = null;
    return this.#send(task);
  }

  /** Gives up a file, or puts away one that did not arrive. */
  cancel(key: Key): void {
    const task = this.#tasks.get(key);
    if (!task) return;
    this.#tasks.delete(key);
    task.giveUp.abort();
    if (task.state === 'waiting') task.settle?.(Promise.reject(new UbikError('aborted')));
    this.#tell();
  }

  #keep(file: File, fields: Partial<Task>): Task {
    const name = sanitizeFileName(file.name) || 'file';
    const task: Task = {
      key: `upload-${(this.#keys += 1)}`,
      file,
      name,
      renamed: name !== file.name,
      attach: false,
      state: 'waiting',
      sent: 0,
      total: 0,
      refusal: null,
      error: null,
      thread: this.#controller.thread?.key ?? null,
      giveUp: new AbortController(),
      settle: null,
      ...fields,
    };
    this.#tasks.set(task.key, task);
    this.#tell();
    return task;
  }

  #send(task: Task): Promise<DocumentInfo> {
    Object.assign(task, { state: 'waiting', sent: 0, total: task.file.size });
    const done = new Promise<DocumentInfo>((resolve) => (task.settle = resolve));
    this.#pump();
    return done;
  }

  /** Begins as many as may be on their way. One that makes its thread begins at once, before another thread is shown. */
  #pump(): void {
    const tasks = [...this.#tasks.values()];
    let free = AT_ONCE - tasks.filter(({ state }) => state === 'sending').length;
    for (const task of tasks) {
      if (task.state !== 'waiting' || (free <= 0 && task.thread !== null)) continue;
      free -= 1;
      task.state = 'sending';
      task.settle?.(this.#upload(task).finally(() => this.#pump()));
    }
    this.#tell();
  }

  async #upload(task: Task): Promise<DocumentInfo> {
    const { file, name, renamed, giveUp } = task;
    const sent = renamed ? new File([file], name, { type: file.type }) : file;
    const progress = (done: number, total: number): void => {
      task.sent = done;
      task.total = total || file.size;
      this.#tell();
    };
    try {
      const arriving = this.#controller.uploadDocument(
        sent,
        progress,
        giveUp.signal,
        task.thread ?? '',
      );
      if (task.thread === null) this.#place();
      const document = await arriving;
      this.#arrive(task, document);
      return document;
    } catch (thrown) {
      const error = readFailure(thrown);
      this.#fail(task, error);
      throw error;
    }
  }

  /** The first file makes the thread: the others belong to it too. */
  #place(): void {
    const thread = this.#controller.thread?.key ?? null;
    this.#making = thread;
    for (const task of this.#tasks.values()) task.thread ??= thread;
  }

  /** What was cancelled is gone already. When its thread could not be made, the others that were to go there have failed too. */
  #fail(failed: Task, error: UbikError): void {
    const { thread } = failed;
    Object.assign(failed, { state: 'failed', error });
    if (thread === null || thread !== this.#making) return;
    for (const task of this.#tasks.values()) {
      if (task.thread !== thread) continue;
      task.thread = null;
      if (task.state !== 'waiting') continue;
      Object.assign(task, { state: 'failed', error });
      task.settle?.(Promise.reject(error));
    }
  }

  #arrive({ key, name, file, attach, thread }: Task, document: DocumentInfo): void {
    this.#tasks.delete(key);
    this.#arrived.set(document.id, file);
    this.watch.add(document, thread);
    if (!attach || thread === null) return;
    const draft = this.#controller.getDraft(thread);
    const attachment = { id: document.id, name: sanitizeFileName(document.name) || name };
    this.#controller.setDraft(
      { ...draft, attachments: [...draft.attachments, attachment] },
      thread,
    );
  }

  #isHere({ thread }: Task): boolean {
    return thread === (this.#controller.thread?.key ?? null);
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** A connection that breaks while a file is sent says no more than that it did not arrive. */
function readFailure(thrown: unknown): UbikError {
  if (!isUbikError(thrown)) return new UbikError('upload-failed', { cause: thrown });
  return thrown.code === 'network' ? new UbikError('upload-failed', { cause: thrown }) : thrown;
}
