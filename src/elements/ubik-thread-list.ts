import type { PropertyDeclarations } from 'lit';
import type { ControllerNotice } from '../controller/controller-types.js';
import type { Change } from '../model/change.js';
import { createLazyModule } from '../message/create-lazy-module.js';
import { PanelElement } from './base/panel-element.js';
import type { ThreadsPanel } from './threads/threads-panel.js';

const file = createLazyModule(() => import('./threads/threads-panel.js'));

/**
 * The person's conversations, the newest first: search, open, begin a new one, rename, delete with a way back. Those in which
 * something happened since they were left are marked, as far as this browser has followed them.
 *
 * It takes the conversation of its `controller`, else of the element around it. Arrow keys go through the list, F2 renames, Delete
 * deletes.
 *
 * @example
 * <ubik-chat base-url="/api/ubik"><ubik-thread-list slot="start"></ubik-thread-list></ubik-chat>
 *
 * @tagname ubik-thread-list
 * @fires {UbikThreadOpenEvent} ubik-thread-open - before another thread is shown, or (`threadId` null) a new one begun; cancelable
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - a new conversation was begun; for others the conversation tells it
 * @fires {UbikThreadRenameEvent} ubik-thread-rename - before a thread gets another title; cancelable
 * @fires {UbikThreadRenamedEvent} ubik-thread-renamed - a thread has another title
 * @fires {UbikThreadDeleteEvent} ubik-thread-delete - before a thread is deleted, while it can be taken back; cancelable
 * @fires {UbikThreadDeletedEvent} ubik-thread-deleted - the service has deleted a thread
 * @fires {UbikThreadUndeleteEvent} ubik-thread-undelete - before a deletion is taken back; cancelable
 * @fires {UbikThreadUndeletedEvent} ubik-thread-undeleted - a deletion was taken back
 * @fires {UbikErrorEvent} ubik-error - something went wrong, and the person was told
 * @csspart base - the whole
 * @csspart thread - one conversation in the list
 */
export class UbikThreadList extends PanelElement<ThreadsPanel> {
  static override properties: PropertyDeclarations = { undoTime: { attribute: false } };

  /** How long a deleted conversation can be taken back, in ms. */
  undoTime = 8000;

  protected override readonly file = file;

  // The list does not depend on what happens inside of a message.
  protected override changed(change: Change): void {
    this.panel?.changed(change);
  }

  protected override noticed(notice: ControllerNotice): void {
    this.panel?.noticed(notice);
  }
}
