/** English strings of the line that summarizes the work before an answer, loaded with it. */
export const summaryStrings = {
  runSteps: { one: '{count} step', other: '{count} steps' },
  runTools: { one: '{count} tool', other: '{count} tools' },
};
