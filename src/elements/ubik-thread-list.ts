import type { PropertyDeclarations } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import { createLazyModule } from '../message/create-lazy-module.js';
import { BaseElement } from './base/base-element.js';
import { UNDO_TIME } from './base/undo-time.js';
import { PanelController } from './base/panel-controller.js';
import type { ThreadsPanel } from './threads/threads-panel.js';

const panelModule = createLazyModule(() => import('./threads/threads-panel.js'));

/**
 * The user's threads, the newest first: search, open, start, rename, and delete with undo. Threads that are running,
 * waiting, unread or failed are marked, as far as this browser or the service's list of threads knows.
 *
 * It connects to its `controller`, else to that of the enclosing element. Arrow keys move in the list, F2 renames, Delete
 * deletes.
 *
 * @example
 * <ubik-chat base-url="/api/ubik"><ubik-thread-list slot="start"></ubik-thread-list></ubik-chat>
 *
 * @tagname ubik-thread-list
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service accepted a message
 * @fires {UbikRunStartedEvent} ubik-run-started - a run has started, or this page joined a run in progress
 * @fires {UbikStepCompletedEvent} ubik-step-completed - a step was completed
 * @fires {UbikRunCompletedEvent} ubik-run-completed - the answer is complete
 * @fires {UbikRunPausedEvent} ubik-run-paused - the run waits for an answer of the user
 * @fires {UbikRunStoppedEvent} ubik-run-stopped - the run was stopped on request
 * @fires {UbikRunFailedEvent} ubik-run-failed - the run failed
 * @fires {UbikRunInterruptedEvent} ubik-run-interrupted - automatic rejoining was given up, or the user stopped waiting
 * @fires {UbikInputRequiredEvent} ubik-input-required - the agent or a tool requests input; cancelable: then the host page answers
 * @fires {UbikInputProvidedEvent} ubik-input-provided - the service accepted the answer
 * @fires {UbikThreadOpenEvent} ubik-thread-open - before another thread is opened, or (`threadId` null) a new one started; cancelable
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - the messages of a thread were loaded, or a new one was started (`threadId` null)
 * @fires {UbikThreadCreatedEvent} ubik-thread-created - the service created a thread
 * @fires {UbikThreadRenameEvent} ubik-thread-rename - before a thread is renamed; cancelable
 * @fires {UbikThreadRenamedEvent} ubik-thread-renamed - a thread was renamed
 * @fires {UbikThreadDeleteEvent} ubik-thread-delete - before a thread is deleted; the deletion can be undone for some seconds; cancelable
 * @fires {UbikThreadDeletedEvent} ubik-thread-deleted - the service deleted a thread
 * @fires {UbikAuthRequiredEvent} ubik-auth-required - the service requires authentication
 * @fires {UbikErrorEvent} ubik-error - an error that is shown to the user
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - a problem that is not shown to the user
 * @csspart base - container of all content
 * @csspart thread - a thread in the list
 */
export class UbikThreadList extends BaseElement {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    undoTime: { attribute: false },
  };

  /** The controller; by default that of the enclosing element. */
  controller: StreamController | null = null;
  /** How long the deletion of a thread can be undone, in ms. */
  undoTime = UNDO_TIME;

  readonly #content: PanelController<this, ThreadsPanel> = new PanelController(
    this,
    this.viewContext,
    panelModule,
    // The list renders no messages, so most changes and notices require no update of the element.
    {
      onChange: (change) => {
        this.#content.panel?.handleChange(change);
      },
      onNotice: (notice) => {
        this.#content.panel?.handleNotice(notice);
      },
    },
  );

  protected override renderContent(): unknown {
    return this.#content.render();
  }
}
