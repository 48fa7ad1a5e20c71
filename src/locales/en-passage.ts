/** English strings of cited passages, loaded with their panel and with the cards of citations. */
export const passageStrings = {
  passageLoading: 'Loading the passage…',
  passageFailed: 'The passage can’t be shown.',
  passageGone: 'The passage no longer exists.',
  passageForbidden: 'You don’t have permission to read this passage.',
  passageDocument: 'Show the document',
  passageShow: 'Show the passage',
  passageNoDocument: 'The service has no text of this document.',
} as const;
