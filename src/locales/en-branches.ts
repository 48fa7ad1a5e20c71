/** The words of versions, in English; they come with what edits messages. */
export const branchWords = {
  editMessage: 'Edit',
  editField: 'Edit your message',
  notWhileRunning: '{act}: not available while the assistant is working',
  versions: 'Versions',
  versionOf: '{number} of {count}',
  versionCount: { one: '{count} version', other: '{count} versions' },
  versionPrevious: 'Previous version',
  versionNext: 'Next version',
  hiddenMessages: {
    one: '{count} message after another version is not shown here.',
    other: '{count} messages after other versions are not shown here.',
  },
  hiddenAnswers: 'What followed the other versions is not shown here.',
  branchMap: 'All versions',
  mapEmpty: 'There are no other versions.',
  mapSwitches: 'If you choose something that is not shown now, the conversation switches to it.',
  mapBusy: 'The conversation cannot be switched while the assistant is working.',
  mapStub: 'not loaded yet',
  mapUnread: 'Another version',
  mapMessages: { one: '{count} message', other: '{count} messages' },
};
