import type { DocumentInfo } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError, type UbikError } from '../../errors.js';
import {
  UbikDocumentUnlinkedEvent,
  UbikDocumentUnlinkEvent,
  type DocumentDetail,
} from '../../events/index.js';
import type { Key } from '../../model/json.js';
import type { Attachment } from '../../model/message.js';
import { PendingDeletions } from '../base/pending-deletions.js';
import { UNDO_TIME } from '../base/undo-time.js';
import {
  attachDocument,
  changeQueued,
  describeDocument,
  detachDocument,
  type DocumentHost,
} from './document-actions.js';

/** A removal that has not been sent, or whose response has not arrived. */
interface Removal {
  readonly info: DocumentInfo;
  readonly thread: Key;
  readonly threadId: string;
  /** Whether the document was attached to the next message. */
  readonly wasAttached: boolean;
  /** The queued messages to which it was attached. */
  readonly queued: readonly Key[];
  readonly detail: DocumentDetail;
  isSent: boolean;
}

/** Callbacks of `DocumentRemovals`. */
export interface RemovalCallbacks {
  /** Called when the state of a removal has changed. */
  onChange(): void;
  /** Called when the service has removed a document. */
  onRemoved(info: DocumentInfo): void;
  /** Called when the service has not removed a document, which is therefore shown again. */
  onFailure(error: UbikError): void;
}

/**
 * Removals of documents from their threads, which can be undone for some seconds (decision 154). The owner calls `flush` to send them
 * earlier: when a message of the thread is sent, because the agent must not read a removed document, and when the page is closed or the
 * element is removed.
 */
export class DocumentRemovals {
  readonly #host: DocumentHost;
  readonly #controller: StreamController;
  readonly #callbacks: RemovalCallbacks;
  readonly #removals = new Map<string, Removal>();
  readonly #pending: PendingDeletions;

  constructor(host: DocumentHost, controller: StreamController, callbacks: RemovalCallbacks) {
    this.#host = host;
    this.#controller = controller;
    this.#callbacks = callbacks;
    this.#pending = new PendingDeletions(host.context.clock, {
      undoTime: UNDO_TIME,
      send: (key, isUnloading) => void this.#send(key, isUnloading),
    });
  }

  /** Returns the state of a document's removal from the current thread: `pending` while it can be undone, then `sent`; null without a removal. */
  stateOf(id: string): 'pending' | 'sent' | null {
    const removal = this.#removals.get(this.#keyOf(id));
    if (!removal) return null;
    return removal.isSent ? 'sent' : 'pending';
  }

  /** Removes a document from the current thread, the draft and the queued messages, unless the host page cancels it. */
  remove(info: DocumentInfo): void {
    const host = this.#host;
    const detail = describeDocument(host, info);
    const { thread } = this.#controller;
    if (!thread?.id || this.stateOf(info.id) !== null) return;
    if (!host.element.dispatchEvent(new UbikDocumentUnlinkEvent(detail))) return;
    const { attachments } = this.#controller.getDraft();
    const wasAttached = attachments.some(({ id }) => id === info.id);
    // The agent will not be able to read the document, so it must not stay attached.
    if (wasAttached) detachDocument(this.#controller, info.id);
    const queued = changeQueued(host, this.#controller, thread, (all) =>
      all.filter(({ id }) => id !== info.id),
    );
    const key = this.#keyOf(info.id);
    this.#removals.set(key, {
      info,
      thread: thread.key,
      threadId: thread.id,
      wasAttached,
      queued,
      detail,
      isSent: false,
    });
    this.#pending.add(key);
    this.#callbacks.onChange();
  }

  /** Undoes the removal of each document that the user has since attached to the next message of the current thread. */
  undoAttached(): void {
    for (const attachment of this.#controller.getDraft().attachments) this.undo(attachment);
  }

  /** Undoes the removal of a document of the current thread. */
  undo({ id, name }: Attachment): void {
    const key = this.#keyOf(id);
    const removal = this.#removals.get(key);
    if (!removal || removal.isSent) return;
    this.#pending.undo(key);
    this.#removals.delete(key);
    if (removal.wasAttached) attachDocument(this.#controller, id, name);
    changeQueued(this.#host, this.#controller, this.#controller.thread, (all, message) =>
      removal.queued.includes(message)
        ? [...all.filter((each) => each.id !== id), { id, name }]
        : all,
    );
    this.#callbacks.onChange();
  }

  /** Sends the pending removals now: all, or those from one thread. `isUnloading`: the page is being closed, so the requests must outlive it. */
  flush(isUnloading: boolean, thread?: Key): void {
    this.#pending.flush(
      isUnloading,
      (key) => thread === undefined || this.#removals.get(key)?.thread === thread,
    );
  }

  async #send(key: string, isUnloading: boolean): Promise<void> {
    const removal = this.#removals.get(key);
    if (!removal) return;
    const { info, threadId, detail } = removal;
    removal.isSent = true;
    this.#callbacks.onChange();
    const isDone = await this.#host.attempt(
      this.#host.performAction(
        [],
        () => this.#unlink(info.id, threadId, isUnloading),
        () => new UbikDocumentUnlinkedEvent(detail),
      ),
      (error) => {
        this.#callbacks.onFailure(error);
      },
    );
    this.#removals.delete(key);
    if (isDone) this.#callbacks.onRemoved(info);
    this.#callbacks.onChange();
  }

  async #unlink(id: string, threadId: string, isUnloading: boolean): Promise<void> {
    try {
      await this.#controller.unlinkDocument(id, threadId, isUnloading);
    } catch (error) {
      // Another tab or device has removed the document, or deleted the thread.
      if (!isUbikError(error) || error.code !== 'not-found') throw error;
      if (this.#controller.thread?.id === threadId) {
        this.#controller.setListItem('documents', id, undefined);
      }
    }
  }

  #keyOf(id: string): string {
    return JSON.stringify([this.#controller.thread?.id, id]);
  }
}
