/** English strings of the actions on messages, loaded with them. */
export const actionStrings = {
  regenerate: 'Regenerate',
  goodAnswer: 'Good answer',
  badAnswer: 'Bad answer',
  readAloud: 'Read aloud',
  stopReading: 'Stop reading',
  editMessage: 'Edit',
  editField: 'Edit message',
  notWhileRunning: '{act}: not available while the assistant is working',
};
