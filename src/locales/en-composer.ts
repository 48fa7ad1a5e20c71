/** English strings of suggestions, length limits and pasted text in the composer, loaded with them. */
export const composerStrings = {
  suggestCommand: 'Commands',
  suggestMention: 'Mentions',
  suggestLoading: 'Searching…',
  suggested: {
    one: '{count} suggestion. Arrow keys to move, Enter to select.',
    other: '{count} suggestions. Arrow keys to move, Enter to select.',
  },
  followUps: 'Suggested follow-ups',
  lengthLeft: { one: '{count} character left', other: '{count} characters left' },
  lengthOver: { one: '{count} character too many', other: '{count} characters too many' },
  tooLong: {
    one: 'Messages can be up to {count} character. Shorten yours to send it.',
    other: 'Messages can be up to {count} characters. Shorten yours to send it.',
  },
  pastedName: 'Pasted text',
  pasted: 'The pasted text is attached as a document.',
};
