/** English strings of the totals of an answer, loaded with them. */
export const usageStrings = {
  usageTokens: { one: '{count} token', other: '{count} tokens' },
};
