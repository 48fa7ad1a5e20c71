/** English strings of the chat window of a bubble, and of the button that opens it. */
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
