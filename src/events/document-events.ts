import { plainEvent, cancelableEvent, UbikEvent, type ThreadDetail } from './event.js';

/** A document of a thread, or a file that is to become one. */
export interface DocumentDetail extends ThreadDetail {
  /** The service's id; null until it has the file. */
  readonly documentId: string | null;
  readonly name: string;
  /** In bytes; null when it is not known. */
  readonly size: number | null;
}

/** A document that is marked, or no longer. */
export interface DocumentStarDetail extends DocumentDetail {
  readonly starred: boolean;
}

/** A file that was not taken, or a document that could not be read. */
export interface DocumentFailedDetail extends DocumentDetail {
  /**
   * An error's code, `processing` when the service could not read it, or why it was not sent: `empty`, `too-large`, `wrong-type`,
   * `too-many`, `duplicate`, `unreadable`.
   */
  readonly code: string;
  /** What the service says about it; null when it says nothing. */
  readonly message: string | null;
}

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
export class UbikDocumentAddedEvent extends plainEvent<DocumentDetail>('ubik-document-added') {}

/** Before a document that the service has already is put into the thread. */
export class UbikDocumentLinkEvent extends cancelableEvent<DocumentDetail>('ubik-document-link') {}

/** A document was put into the thread. */
export class UbikDocumentLinkedEvent extends plainEvent<DocumentDetail>('ubik-document-linked') {}

/** Before a document is taken out of the thread; the service keeps it. */
export class UbikDocumentUnlinkEvent extends cancelableEvent<DocumentDetail>(
  'ubik-document-unlink',
) {}

/** A document was taken out of the thread. */
export class UbikDocumentUnlinkedEvent extends plainEvent<DocumentDetail>(
  'ubik-document-unlinked',
) {}

/** Before a document is marked, or the mark is taken away. */
export class UbikDocumentStarEvent extends cancelableEvent<DocumentStarDetail>(
  'ubik-document-star',
) {}

/** A document was marked, or the mark was taken away. */
export class UbikDocumentStarredEvent extends plainEvent<DocumentStarDetail>(
  'ubik-document-starred',
) {}

/** Before a file on its way is given up. */
export class UbikDocumentCancelEvent extends cancelableEvent<DocumentDetail>(
  'ubik-document-cancel',
) {}

/** A file on its way was given up. */
export class UbikDocumentCancelledEvent extends plainEvent<DocumentDetail>(
  'ubik-document-cancelled',
) {}

/** Before a file that did not arrive is sent once more. */
export class UbikDocumentRetryEvent extends cancelableEvent<DocumentDetail>(
  'ubik-document-retry',
) {}

/** A file that was sent once more has arrived. */
export class UbikDocumentRetriedEvent extends plainEvent<DocumentDetail>('ubik-document-retried') {}

/** The service has read a document. Heard while somebody looks at it. */
export class UbikDocumentReadyEvent extends plainEvent<DocumentDetail>('ubik-document-ready') {}

/** A file was not taken, did not arrive, or could not be read; the person was told. */
export class UbikDocumentFailedEvent extends plainEvent<DocumentFailedDetail>(
  'ubik-document-failed',
) {}
