import type { LitElement } from 'lit';
import type { DocumentInfo, UploadLimits } from '../../backends/backend.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** Finds documents by what a person writes; an empty query asks for the first ones. */
export type FindDocuments = (
  query: string,
  signal: AbortSignal,
) => Promise<readonly DocumentInfo[]>;

/** What the page says about documents. */
export interface DocumentOptions {
  readonly uploadLimits: UploadLimits | null;
}

/** An element in which documents are handled. */
export type DocumentHost = ConnectedHost<LitElement & DocumentOptions>;

/** `<ubik-documents>`, as its inside sees it. */
export type DocumentsPanelHost = ConnectedHost<
  LitElement & DocumentOptions & { readonly findDocuments: FindDocuments | null }
>;
