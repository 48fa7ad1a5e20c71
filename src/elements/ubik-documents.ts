import type { PropertyDeclarations } from 'lit';
import type { UploadLimits } from '../backends/backend.js';
import type { StreamController } from '../controller/controller-types.js';
import { BaseElement } from './base/base-element.js';
import { PanelController } from './base/panel-controller.js';
import type { FindDocuments } from './documents/document-actions.js';
import { lazyDocuments } from './documents/attachment-controller.js';

/**
 * The documents of a thread, which the agent can read. The user uploads files by choosing, dropping or pasting them, adds
 * documents of other threads, and removes documents from this one.
 *
 * It connects to its `controller`, else to that of the enclosing element. Controls that the service does not support
 * are not shown.
 *
 * @example
 * <ubik-chat base-url="/api/ubik"><ubik-documents slot="end"></ubik-documents></ubik-chat>
 *
 * @tagname ubik-documents
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
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - the messages of a thread were loaded
 * @fires {UbikThreadCreateEvent} ubik-thread-create - before the first upload or linked document creates a thread; cancelable
 * @fires {UbikThreadCreatedEvent} ubik-thread-created - the service created a thread
 * @fires {UbikDocumentAddEvent} ubik-document-add - before a file is uploaded; cancelable
 * @fires {UbikDocumentAddedEvent} ubik-document-added - a file was uploaded
 * @fires {UbikDocumentLinkEvent} ubik-document-link - before a document is added to the thread; cancelable
 * @fires {UbikDocumentLinkedEvent} ubik-document-linked - a document was added to the thread
 * @fires {UbikDocumentUnlinkEvent} ubik-document-unlink - before a document is removed from the thread; cancelable
 * @fires {UbikDocumentUnlinkedEvent} ubik-document-unlinked - a document was removed from the thread
 * @fires {UbikDocumentStarredEvent} ubik-document-starred - a document was starred or unstarred
 * @fires {UbikDocumentCancelledEvent} ubik-document-cancelled - an upload was cancelled
 * @fires {UbikDocumentReadyEvent} ubik-document-ready - the service has processed a document
 * @fires {UbikDocumentFailedEvent} ubik-document-failed - a file was rejected, not uploaded, or could not be processed
 * @fires {UbikAuthRequiredEvent} ubik-auth-required - the service requires authentication
 * @fires {UbikErrorEvent} ubik-error - an error that is shown to the user
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - a problem that is not shown to the user
 * @csspart base - container of all content
 * @csspart heading - heading of the list
 * @csspart document - a document, or a file that is being uploaded
 */
export class UbikDocuments extends BaseElement {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    uploadLimits: { attribute: false },
    findDocuments: { attribute: false },
  };

  /** The controller; by default that of the enclosing element. */
  controller: StreamController | null = null;
  /** Limits for uploads; by default those of the service. Without any, the service decides about each file. */
  uploadLimits: UploadLimits | null = null;
  /** Finds documents that can be added to the thread; by default those of the user's other threads are offered. */
  findDocuments: FindDocuments | null = null;

  readonly #content = new PanelController(this, this.viewContext, lazyDocuments);

  /** Focuses the first button. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('button')?.focus();
  }

  protected override renderContent(): unknown {
    return this.#content.render();
  }
}
