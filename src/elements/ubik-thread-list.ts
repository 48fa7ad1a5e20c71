import type { PropertyDeclarations } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import { createLazyModule } from '../message/create-lazy-module.js';
import { BaseElement } from './base/base-element.js';
import { PanelController } from './base/panel-controller.js';
import type { ThreadsPanel } from './threads/threads-panel.js';

const panelModule = createLazyModule(() => import('./threads/threads-panel.js'));

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
export class UbikThreadList extends BaseElement {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    undoTime: { attribute: false },
  };

  /** The controller; by default that of the element around. */
  controller: StreamController | null = null;
  /** How long the deletion of a thread can be undone, in ms. */
  undoTime = 8000;

  readonly #content: PanelController<this, ThreadsPanel> = new PanelController(
    this,
    this.context,
    panelModule,
    // The list renders no messages, so most changes and notices need no update of the element.
    {
      onChange: (change) => {
        this.#content.panel?.changed(change);
      },
      onNotice: (notice) => {
        this.#content.panel?.noticed(notice);
      },
    },
  );

  protected override renderContent(): unknown {
    return this.#content.render();
  }
}
