/** English strings of the names of focused messages and of repeated announcements. */
export const keyboardStrings = {
  colon: '{name}: {words}',
  messageNamed: '{who}, {place} of {count}: {text}',
  messageUnnamed: '{who}, {place} of {count}',
  noMessages: 'No messages yet.',
} as const;
