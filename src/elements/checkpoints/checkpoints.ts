import { checkpointStrings } from '../../locales/en-checkpoints.js';
import { addDefaultStrings } from '../../locales/locale.js';

addDefaultStrings(checkpointStrings);

/** All about checkpoints that a page needs only when somebody looks at them: one file. */
export { createPanel } from './checkpoints-panel.js';
export { openRestoreDialog } from './restore-dialog.js';
