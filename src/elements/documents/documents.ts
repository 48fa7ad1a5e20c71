import { documentWords } from '../../locales/en-documents.js';
import { addWords } from '../../locales/locale.js';

addWords(documentWords);

/** All that handles documents: one file, fetched with the first of them. */
export { addFiles } from './add-files.js';
export { createPanel } from './documents-panel.js';
export { AttachedFiles } from './attached-files.js';
