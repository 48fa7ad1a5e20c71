/** Words that are said to people who do not see the screen. */
export const voiceWords = {
  finished: 'The answer is complete.',
  saidStep: 'Step {number}: {title}',
  saidTool: 'Using {name}',
  saidFailure: '{name} failed. {reason}',
} as const;
