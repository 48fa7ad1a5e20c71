/** Words of a chat in a window of its own. */
export const windowWords = {
  openChat: 'Open chat',
  openChatNew: {
    one: 'Open chat: {count} new answer',
    other: 'Open chat: {count} new answers',
  },
  closeChat: 'Close chat',
  resizeChat: 'Resize chat',
  resizeChatHint: 'Use the arrow keys to resize.',
} as const;
