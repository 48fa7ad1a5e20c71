import type { DocumentDetail, DocumentFailedDetail, DocumentStarDetail } from './details.js';
import { after, before, UbikEvent } from './event.js';

/** Before a file is uploaded. Cancel it and the file is yours. */
export class UbikDocumentAddEvent extends UbikEvent<DocumentDetail> {
  /** The file itself. */
  readonly file: File;

  constructor(detail: DocumentDetail, file: File) {
    super('ubik-document-add', detail, true);
    this.file = file;
  }
}

/** A file has arrived; the service begins to read it. */
export class UbikDocumentAddedEvent extends after<DocumentDetail>('ubik-document-added') {}

/** Before a document that the service has already is put into the thread. */
export class UbikDocumentLinkEvent extends before<DocumentDetail>('ubik-document-link') {}

/** A document was put into the thread. */
export class UbikDocumentLinkedEvent extends after<DocumentDetail>('ubik-document-linked') {}

/** Before a document is taken out of the thread; the service keeps it. */
export class UbikDocumentUnlinkEvent extends before<DocumentDetail>('ubik-document-unlink') {}

/** A document was taken out of the thread. */
export class UbikDocumentUnlinkedEvent extends after<DocumentDetail>('ubik-document-unlinked') {}

/** Before a document is marked, or the mark is taken away. */
export class UbikDocumentStarEvent extends before<DocumentStarDetail>('ubik-document-star') {}

/** A document was marked, or the mark was taken away. */
export class UbikDocumentStarredEvent extends after<DocumentStarDetail>('ubik-document-starred') {}

/** Before a file on its way is given up. */
export class UbikDocumentCancelEvent extends before<DocumentDetail>('ubik-document-cancel') {}

/** A file on its way was given up. */
export class UbikDocumentCancelledEvent extends after<DocumentDetail>('ubik-document-cancelled') {}

/** Before a file that did not arrive is sent once more. */
export class UbikDocumentRetryEvent extends before<DocumentDetail>('ubik-document-retry') {}

/** A file that was sent once more has arrived. */
export class UbikDocumentRetriedEvent extends after<DocumentDetail>('ubik-document-retried') {}

/** The service has read a document. Heard while somebody looks at it. */
export class UbikDocumentReadyEvent extends after<DocumentDetail>('ubik-document-ready') {}

/** A file was not taken, did not arrive, or could not be read; the person was told. */
export class UbikDocumentFailedEvent extends after<DocumentFailedDetail>('ubik-document-failed') {}
