import { documentStrings } from '../../locales/en-documents.js';
import { addDefaultStrings } from '../../locales/locale.js';

addDefaultStrings(documentStrings);

/** All that handles documents: one file, fetched with the first of them. */
export { addFiles } from './document-actions.js';
export { createPanel } from './documents-panel.js';
export { AttachmentList as AttachedFiles } from './attachment-list.js';
