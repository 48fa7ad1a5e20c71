import type { DocumentInfo, UploadLimits } from '../../backends/backend.js';
import type { StreamController } from '../../conversation/controller-types.js';
import type { UbikError } from '../../errors.js';
import type { ElementContext } from '../views/view-context.js';

/** Finds documents by what a person writes; an empty query asks for the first ones. */
export type FindDocuments = (
  query: string,
  signal: AbortSignal,
) => Promise<readonly DocumentInfo[]>;

/** An element in which documents are handled, as the files that are fetched for it see it. */
export interface DocumentHost extends HTMLElement {
  readonly conversation: StreamController | null;
  readonly context: ElementContext;
  readonly uploadLimits: UploadLimits | null;
  readonly refresh: () => void;
  act(before: readonly Event[], run: () => Promise<unknown>, after?: () => Event): Promise<boolean>;
  attempt(
    act: Promise<unknown> | undefined,
    complain?: (error: UbikError) => void,
  ): Promise<boolean>;
}

/** `<ubik-documents>`, as its inside sees it. */
export interface DocumentsElement extends DocumentHost {
  readonly findDocuments: FindDocuments | null;
  readonly updateComplete: Promise<boolean>;
}
