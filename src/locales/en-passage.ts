/** English strings of cited passages, loaded with their panel. */
export const passageStrings = {
  passageGone: 'The passage no longer exists.',
  passageForbidden: 'You don’t have permission to read this passage.',
} as const;
