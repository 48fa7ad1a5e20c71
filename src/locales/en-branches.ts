/**
 * English strings of versions and of the branch map, loaded with each of them. Some are also in another file, because each file may be loaded
 * without the others.
 */
export const branchStrings = {
  checkpointPlain: 'Checkpoint',
  afterStep: 'After step {number}',
  colon: '{name}: {words}',
  versions: 'Versions',
  versionOf: '{number} of {count}',
  versionCount: { one: '{count} version', other: '{count} versions' },
  versionPrevious: 'Previous version',
  versionNext: 'Next version',
  hiddenAnswers: 'More in other versions',
  branchMap: 'Branches',
  mapEmpty: 'Editing a message creates another branch.',
  askQuestion: 'Ask a question',
  mapHint: 'Selecting a version switches the conversation to it.',
  mapBusy: 'You can’t switch versions while the assistant is working.',
  mapNotLoaded: 'not loaded yet',
  mapOtherVersion: 'Another version',
  mapMessages: { one: '{count} message', other: '{count} messages' },
};
