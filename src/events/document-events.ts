import { plainEvent, cancelableEvent, UbikEvent, type ThreadDetail } from './event.js';

/** A document of a thread, or a file to be uploaded. */
export interface DocumentDetail extends ThreadDetail {
  /** The service's id; null until the file has been uploaded. */
  readonly documentId: string | null;
  readonly name: string;
  /** In bytes; null if unknown. */
  readonly size: number | null;
}

/** A document that is starred or unstarred. */
export interface DocumentStarDetail extends DocumentDetail {
  readonly starred: boolean;
}

/** A rejected file, or a document that could not be processed. */
export interface DocumentFailedDetail extends DocumentDetail {
  /**
   * An error code, `processing` if the service could not read the document, or the reason for rejecting a file: `empty`, `too-large`,
   * `wrong-type`, `too-many`, `duplicate`, `unreadable`.
   */
  readonly code: string;
  /** For `processing` the service's message, for an error code the English message of the error; null if there is none. */
  readonly message: string | null;
}

/** Dispatched before a file is uploaded, but not before a retry. Cancel it to handle the file yourself. */
export class UbikDocumentAddEvent extends UbikEvent<DocumentDetail> {
  /** The file to be uploaded. */
  readonly file: File;

  constructor(detail: DocumentDetail, file: File) {
    super('ubik-document-add', detail, true);
    this.file = file;
  }
}

/** Dispatched after a file was uploaded, including by a retry. The service then processes it. */
export class UbikDocumentAddedEvent extends plainEvent<DocumentDetail>('ubik-document-added') {}

/** Dispatched before a stored document is linked to the thread. */
export class UbikDocumentLinkEvent extends cancelableEvent<DocumentDetail>('ubik-document-link') {}

/** Dispatched after a document was linked to the thread. */
export class UbikDocumentLinkedEvent extends plainEvent<DocumentDetail>('ubik-document-linked') {}

/** Dispatched before a document is unlinked from the thread; the service keeps it. */
export class UbikDocumentUnlinkEvent extends cancelableEvent<DocumentDetail>(
  'ubik-document-unlink',
) {}

/** Dispatched after a document was unlinked from the thread. */
export class UbikDocumentUnlinkedEvent extends plainEvent<DocumentDetail>(
  'ubik-document-unlinked',
) {}

/** Dispatched after a document was starred or unstarred. */
export class UbikDocumentStarredEvent extends plainEvent<DocumentStarDetail>(
  'ubik-document-starred',
) {}

/** Dispatched after the user has cancelled an upload, or dismissed a file that was rejected or failed to upload. */
export class UbikDocumentCancelledEvent extends plainEvent<DocumentDetail>(
  'ubik-document-cancelled',
) {}

/** Dispatched when the page learns that the service has processed a document: by polling, or when an element shows it again. */
export class UbikDocumentReadyEvent extends plainEvent<DocumentDetail>('ubik-document-ready') {}

/** Dispatched after a file was rejected, has failed to upload, or could not be processed, and the user has been notified. */
export class UbikDocumentFailedEvent extends plainEvent<DocumentFailedDetail>(
  'ubik-document-failed',
) {}
