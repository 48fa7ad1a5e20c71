import type { DocumentInfo, UploadLimits } from '../../backends/backend.js';
import type { ActingHost } from '../base/acting-host.js';

/** Finds documents by what a person writes; an empty query asks for the first ones. */
export type FindDocuments = (
  query: string,
  signal: AbortSignal,
) => Promise<readonly DocumentInfo[]>;

/** An element in which documents are handled. */
export interface DocumentHost extends ActingHost {
  readonly uploadLimits: UploadLimits | null;
}

/** `<ubik-documents>`, as its inside sees it. */
export interface DocumentsElement extends DocumentHost {
  readonly findDocuments: FindDocuments | null;
  readonly updateComplete: Promise<boolean>;
}
