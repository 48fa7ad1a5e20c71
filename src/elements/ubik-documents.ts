import type { PropertyDeclarations } from 'lit';
import type { UploadLimits } from '../backends/backend.js';
import type { StreamController } from '../controller/controller-types.js';
import { BaseElement } from './base/base-element.js';
import { PanelController } from './base/panel-controller.js';
import type { FindDocuments } from './documents/document-actions.js';
import { lazyDocuments } from './documents/attachment-controller.js';

/**
 * The documents of a conversation: what the agent may read. Files are added by choosing, dropping or pasting them; documents of
 * other conversations are put in and taken out.
 *
 * It takes the conversation of its `controller`, else of the element around. What the service cannot do is not shown.
 *
 * @example
 * <ubik-chat base-url="/api/ubik"><ubik-documents slot="end"></ubik-documents></ubik-chat>
 *
 * @tagname ubik-documents
 * @fires {UbikDocumentAddEvent} ubik-document-add - before a file is uploaded; cancelable
 * @fires {UbikDocumentAddedEvent} ubik-document-added - a file has arrived
 * @fires {UbikDocumentLinkEvent} ubik-document-link - before a document is put into the thread; cancelable
 * @fires {UbikDocumentLinkedEvent} ubik-document-linked - a document was put into the thread
 * @fires {UbikDocumentUnlinkEvent} ubik-document-unlink - before a document is taken out of the thread; cancelable
 * @fires {UbikDocumentUnlinkedEvent} ubik-document-unlinked - a document was taken out of the thread
 * @fires {UbikDocumentStarEvent} ubik-document-star - before a document is marked, or no longer; cancelable
 * @fires {UbikDocumentStarredEvent} ubik-document-starred - a document was marked, or no longer
 * @fires {UbikDocumentCancelEvent} ubik-document-cancel - before a file on its way is given up; cancelable
 * @fires {UbikDocumentCancelledEvent} ubik-document-cancelled - a file on its way was given up
 * @fires {UbikDocumentRetryEvent} ubik-document-retry - before a file is sent once more; cancelable
 * @fires {UbikDocumentRetriedEvent} ubik-document-retried - a file that was sent once more has arrived
 * @fires {UbikDocumentReadyEvent} ubik-document-ready - the service has read a document
 * @fires {UbikDocumentFailedEvent} ubik-document-failed - a file was not taken, did not arrive, or could not be read
 * @fires {UbikErrorEvent} ubik-error - something went wrong, and the person was told
 * @csspart base - the whole
 * @csspart heading - the word above the list
 * @csspart document - one document, or a file that is to become one
 */
export class UbikDocuments extends BaseElement {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    uploadLimits: { attribute: false },
    findDocuments: { attribute: false },
  };

  /** The controller; by default that of the element around. */
  controller: StreamController | null = null;
  /** Limits for uploads; by default those of the service, else the service decides about each file. */
  uploadLimits: UploadLimits | null = null;
  /** Finds documents that can be added to the thread; by default those of the user's other threads are offered. */
  findDocuments: FindDocuments | null = null;

  readonly #content = new PanelController(this, this.context, lazyDocuments);

  /** Focuses the first button. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('button')?.focus();
  }

  protected override renderContent(): unknown {
    return this.#content.render();
  }
}
