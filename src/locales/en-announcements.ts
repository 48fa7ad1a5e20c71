/** English strings of screen reader announcements. */
export const announcementStrings = {
  answerComplete: 'The answer is complete.',
  announceStep: 'Step {number}: {title}',
  announceTool: 'Using {name}',
  announceFailure: '{name} failed. {reason}',
} as const;
