/** English strings of a chat in its own window. */
export const windowStrings = {
  openChat: 'Open chat',
  openChatNew: {
    one: 'Open chat: {count} new answer',
    other: 'Open chat: {count} new answers',
  },
  closeChat: 'Close chat',
  resizeChat: 'Resize chat',
  resizeChatHint: 'Use the arrow keys to resize.',
} as const;
