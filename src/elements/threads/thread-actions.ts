import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError } from '../../errors.js';
import {
  UbikThreadDeletedEvent,
  UbikThreadDeleteEvent,
  UbikThreadOpenedEvent,
  UbikThreadOpenEvent,
  UbikThreadRenamedEvent,
  UbikThreadRenameEvent,
  UbikThreadUndeletedEvent,
  UbikThreadUndeleteEvent,
} from '../../events/index.js';
import type { Locale } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import { ThreadDeletions } from './thread-deletions.js';
import type { ThreadListHost } from './thread-list-host.js';
import { ThreadMarks } from './thread-marks.js';
import { titleOf, toolsOf } from './thread-order.js';
import { ThreadPages } from './thread-pages.js';
import type { ThreadRowActions, ThreadState } from './thread-row.js';

/** What the list has to show again. */
export interface ThreadsView {
  /** Something about one thread is another thing. */
  changed(id: Key): void;
  /** An act that nobody waits for has failed. */
  failed(id: Key, code: string): void;
}

/** What can be done with the threads of one conversation, and what is known of them. */
export class ThreadActions implements ThreadRowActions {
  readonly controller: StreamController;
  readonly pages: ThreadPages;
  readonly marks: ThreadMarks;
  readonly deletions: ThreadDeletions;
  /** Threads whose deletion is on its way: they are not in the list, unless it fails. */
  readonly gone = new Set<Key>();
  readonly #host: ThreadListHost;
  readonly #view: ThreadsView;
  /** The thread that was left because it was deleted. */
  #left: Key | undefined;
  /** The row that Tab leads to. */
  active: Key | undefined;

  constructor(host: ThreadListHost, controller: StreamController, view: ThreadsView) {
    const { clock, report } = host.context;
    this.#host = host;
    this.#view = view;
    this.controller = controller;
    this.pages = new ThreadPages(controller, report);
    this.marks = new ThreadMarks(controller, (id) => view.changed(id));
    this.deletions = new ThreadDeletions(clock, {
      get undoTime() {
        return host.element.undoTime;
      },
      send: (id, leaving) => void this.#delete(id, leaving),
    });
  }

  get locale(): Locale {
    return this.#host.context.locale;
  }

  /** The server's id of the thread that is shown; null while there is none. */
  get current(): Key | null {
    return this.controller.thread?.id ?? null;
  }

  state(id: Key): ThreadState {
    const { backend, threads } = this.controller;
    return {
      title: titleOf(threads.get(id)),
      tools: toolsOf(threads.get(id)),
      current: id === this.current,
      mark: this.marks.of(id),
      deleted: this.deletions.has(id),
      active: id === this.active,
      canRename: backend.capabilities.has('rename'),
      canDelete: backend.capabilities.has('delete'),
    };
  }

  open(id: Key): Promise<string | null> {
    const event = new UbikThreadOpenEvent({ threadId: id });
    return this.#try([event], () => this.controller.openThread(id));
  }

  /** Leaves the thread that is shown; the next message makes a new one. */
  async create(): Promise<void> {
    const detail = { threadId: null };
    await this.#try(
      [new UbikThreadOpenEvent(detail)],
      () => Promise.resolve(this.controller.newThread()),
      () => new UbikThreadOpenedEvent(detail),
    );
  }

  rename(id: Key, title: string): Promise<string | null> {
    const detail = { threadId: id, title };
    return this.#try(
      [new UbikThreadRenameEvent(detail)],
      () => this.controller.renameThread(id, title),
      () => new UbikThreadRenamedEvent(detail),
    );
  }

  remove(id: Key): void {
    if (!this.#host.element.dispatchEvent(new UbikThreadDeleteEvent({ threadId: id }))) return;
    this.deletions.add(id);
    if (id !== this.current) return;
    this.#left = id;
    this.controller.newThread();
  }

  /** The list is no more: what was deleted is sent, and nothing is kept or heard of marks. */
  leave(): void {
    this.deletions.flush(false);
    this.marks.leave();
  }

  /** Takes a deletion back. False when the page keeps it. */
  async undo(id: Key): Promise<boolean> {
    const detail = { threadId: id };
    const isDone = await this.#host.performAction(
      [new UbikThreadUndeleteEvent(detail)],
      () => Promise.resolve(this.deletions.undo(id)),
      () => new UbikThreadUndeletedEvent(detail),
    );
    if (isDone && id === this.#left && !this.controller.thread) void this.open(id);
    return isDone;
  }

  async #delete(id: Key, leaving: boolean): Promise<void> {
    this.gone.add(id);
    this.#view.changed(id);
    const failure = await this.#try(
      [],
      () => this.#send(id, leaving),
      () => new UbikThreadDeletedEvent({ threadId: id }),
    );
    this.gone.delete(id);
    this.#view.changed(id);
    if (failure) this.#view.failed(id, failure);
  }

  async #send(id: Key, leaving: boolean): Promise<void> {
    try {
      await this.controller.deleteThread(id, leaving);
    } catch (error) {
      // Somebody else has deleted it: that is what was wanted.
      if (!isUbikError(error) || error.code !== 'not-found') throw error;
      this.controller.setItem('threads', id, undefined);
    }
    this.pages.stepBack();
    this.marks.forget(id);
  }

  /** Does an act with its events. Resolves to the code of what went wrong, or an empty text; null when the page keeps it. */
  async #try(
    before: readonly Event[],
    run: () => Promise<unknown>,
    after?: () => Event,
  ): Promise<string | null> {
    let failure: string | null = null;
    const done = await this.#host.attempt(
      this.#host.performAction(before, run, after),
      ({ code }) => {
        failure = code;
      },
    );
    return done ? '' : failure;
  }
}
