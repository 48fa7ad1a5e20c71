/** English strings of web searches and retrieved passages, loaded with their views. */
export const sourceStrings = {
  searchResults: { one: '{count} result', other: '{count} results' },
  searchNoResults: 'No results',
  passageCount: { one: '{count} passage', other: '{count} passages' },
  passageNone: 'No passages found',
  passageScore: 'Relevance: {score}',
} as const;
