import type { LitElement } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import { threadOpenings } from '../../controller/threads/thread-openings.js';
import type { UbikError } from '../../errors.js';
import {
  UbikThreadDeletedEvent,
  UbikThreadDeleteEvent,
  UbikThreadOpenedEvent,
  UbikThreadOpenEvent,
  UbikThreadRenamedEvent,
  UbikThreadRenameEvent,
} from '../../events/index.js';
import type { Locale } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { PendingDeletions } from '../base/pending-deletions.js';
import { UNDO_TIME } from '../base/undo-time.js';
import { ThreadPages } from './thread-pages.js';
import type { ThreadActionResult, ThreadRowHost, ThreadRowState } from './thread-row.js';
import { ThreadStatusTracker } from './thread-status.js';
import { titleOf, toolsOf } from './thread-summary.js';

/** The connected host of `<ubik-thread-list>`. */
export type ThreadListHost = ConnectedHost<
  LitElement & {
    /** How long a deletion can be undone, in ms. */
    readonly undoTime: number;
  }
>;

/** Callbacks of `ThreadActions`. */
export interface ThreadActionCallbacks {
  /** Called when the row of a thread must be rendered again. */
  onChange(id: Key): void;
  /** Called when the service has not deleted a thread, after the undo time of the deletion. */
  onFailure(id: Key, error: UbikError): void;
}

/** The actions on the threads of one controller, with their cancelable events, and the state of the rows. */
export class ThreadActions implements ThreadRowHost {
  readonly controller: StreamController;
  readonly pages: ThreadPages;
  readonly statuses: ThreadStatusTracker;
  readonly deletions: PendingDeletions;
  /** Threads whose deletion is being sent. They are hidden, and reappear if it fails. */
  readonly deleting = new Set<Key>();
  readonly #host: ThreadListHost;
  readonly #callbacks: ThreadActionCallbacks;
  /** The thread that was current, or about to be, when it was deleted. Undoing the deletion opens it again, unless another thread is open. */
  #deletedCurrent: Key | undefined;
  /** The thread whose row is in the tab order (roving tabindex). */
  activeId: Key | undefined;

  constructor(
    host: ThreadListHost,
    controller: StreamController,
    callbacks: ThreadActionCallbacks,
  ) {
    const { clock, report } = host.context;
    this.#host = host;
    this.#callbacks = callbacks;
    this.controller = controller;
    this.pages = new ThreadPages(controller, report);
    this.statuses = new ThreadStatusTracker(controller, (id) => callbacks.onChange(id));
    this.deletions = new PendingDeletions(clock, {
      get undoTime() {
        const { undoTime } = host.element;
        return typeof undoTime === 'number' ? undoTime : UNDO_TIME;
      },
      send: (id, isUnloading) => void this.#deleteWithEvents(id, isUnloading),
    });
  }

  get locale(): Locale {
    return this.#host.context.locale;
  }

  /** The service's id of the thread that the chat shows; null when there is none. */
  get current(): Key | null {
    return this.controller.thread?.id ?? null;
  }

  stateOf(id: Key): ThreadRowState {
    const { backend, threads } = this.controller;
    return {
      title: titleOf(threads.get(id)),
      tools: toolsOf(threads.get(id)),
      isCurrent: id === this.current,
      status: this.statuses.statusOf(id),
      isDeletePending: this.deletions.has(id),
      isActive: id === this.activeId,
      canRename: backend.capabilities.has('rename'),
      canDelete: backend.capabilities.has('delete'),
    };
  }

  /** Opens a thread. `ubik-thread-opened` is dispatched when its messages are loaded. */
  open(id: Key): Promise<ThreadActionResult> {
    const event = new UbikThreadOpenEvent({ threadId: id });
    return this.#perform([event], () => this.controller.openThread(id));
  }

  /** Switches to an empty thread. The service creates it with the first message or document. */
  async create(): Promise<void> {
    const detail = { threadId: null };
    await this.#perform(
      [new UbikThreadOpenEvent(detail)],
      () => Promise.resolve(this.controller.switchToNewThread()),
      () => new UbikThreadOpenedEvent(detail),
    );
  }

  rename(id: Key, title: string): Promise<ThreadActionResult> {
    const detail = { threadId: id, title };
    return this.#perform(
      [new UbikThreadRenameEvent(detail)],
      () => this.controller.renameThread(id, title),
      () => new UbikThreadRenamedEvent(detail),
    );
  }

  delete(id: Key): void {
    if (!this.#host.element.dispatchEvent(new UbikThreadDeleteEvent({ threadId: id }))) return;
    this.deletions.add(id);
    const { current } = this;
    const latest = threadOpenings.get(this.controller)?.();
    const opening = latest?.loading ? latest.id : null;
    // Showing the thread when it is loaded would cancel the deletion.
    if (id !== current && id !== opening) return;
    const other = [current, opening].find((one) => one !== null && one !== id);
    if (!other || id === current) {
      this.#deletedCurrent = id;
      this.controller.switchToNewThread();
    }
    if (other) void this.#host.attempt(this.controller.openThread(other), () => undefined);
  }

  /**
   * Sends the pending deletions and stops observing the list and other tabs. Called when the element is removed from the document, or
   * connected to another controller.
   */
  release(): void {
    this.deletions.flush(false);
    this.statuses.release();
  }

  undoDelete(id: Key): void {
    this.deletions.undo(id);
    if (id === this.#deletedCurrent && !this.controller.thread) void this.open(id);
  }

  async #deleteWithEvents(id: Key, isUnloading: boolean): Promise<void> {
    this.deleting.add(id);
    this.#callbacks.onChange(id);
    const result = await this.#perform(
      [],
      () => this.#sendDelete(id, isUnloading),
      () => new UbikThreadDeletedEvent({ threadId: id }),
    );
    this.deleting.delete(id);
    this.#callbacks.onChange(id);
    if (result.status === 'failed') this.#callbacks.onFailure(id, result.error);
  }

  async #sendDelete(id: Key, isUnloading: boolean): Promise<void> {
    await this.controller.deleteThread(id, isUnloading);
    this.pages.rewind();
    this.statuses.delete(id);
  }

  /** Dispatches the `before` events, which may cancel the action, runs it, and dispatches the `after` event when it has succeeded. */
  async #perform(
    before: readonly Event[],
    run: () => Promise<unknown>,
    after?: () => Event,
  ): Promise<ThreadActionResult> {
    let failure = null as UbikError | null;
    const isDone = await this.#host.attempt(
      this.#host.performAction(before, run, after),
      (error) => {
        failure = error;
      },
    );
    if (isDone) return { status: 'done' };
    return failure === null ? { status: 'cancelled' } : { status: 'failed', error: failure };
  }
}
