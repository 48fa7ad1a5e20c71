/** English strings of the note about the checkpoint from which an answer was restored, loaded with it. */
export const restoredStrings = {
  restoredFrom: 'Restored from “{name}”',
  restoredShowEarlier: 'Show the earlier branch',
  restoredSwitches: 'This replaces what is shown now.',
  restoredCompare: 'Compare both branches…',
};
