import { checkpointWords } from '../../locales/en-checkpoints.js';
import { addWords } from '../../locales/locale.js';

addWords(checkpointWords);

/** All about checkpoints that a page needs only when somebody looks at them: one file. */
export { createPanel } from './checkpoints-panel.js';
export { openRestoreDialog } from './restore-dialog.js';
