/** Words of a chat in a window of its own. */
export const windowWords = {
  openChat: 'Open the chat',
  openChatNew: {
    one: 'Open the chat: {count} new answer',
    other: 'Open the chat: {count} new answers',
  },
  closeChat: 'Close the chat',
  resizeChat: 'Size of the chat',
  resizeChatHint: 'Use the arrow keys to change it.',
} as const;
