/** The words of what helps somebody who writes, in English; they come with it. */
export const writingWords = {
  suggestCommand: 'Commands',
  suggestMention: 'Mentions',
  suggestWait: 'Searching…',
  suggested: {
    one: '{count} suggestion. Arrow keys choose, Enter takes it.',
    other: '{count} suggestions. Arrow keys choose, Enter takes one.',
  },
  followUps: 'What you could ask next',
  lengthLeft: { one: '{count} character left', other: '{count} characters left' },
  lengthOver: { one: '{count} character too many', other: '{count} characters too many' },
  tooLong: {
    one: 'Not sent. A message may have {count} character at most: shorten it first.',
    other: 'Not sent. A message may have {count} characters at most: shorten it first.',
  },
  pastedName: 'Pasted text',
  pasted: 'The pasted text is attached as a document.',
};
