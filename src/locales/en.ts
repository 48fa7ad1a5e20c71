/**
 * The English strings that every page needs. Those of lazy-loaded files are in the files beside this one. `{name}` is a placeholder; an
 * entry with several forms is selected by the plural rules of the language.
 */
export const en = {
  // Chat
  conversation: 'Conversation',
  messages: 'Messages',
  greeting: 'What can I do for you?',
  starters: 'Suggested questions',
  loading: 'Loading the conversation…',
  jumpToLatest: 'Jump to latest',
  newMessages: { one: '{count} new message', other: '{count} new messages' },
  you: 'You',
  agent: 'Assistant',
  retry: 'Retry',
  retryNow: 'Retry now',
  cancel: 'Cancel',
  attachments: 'Attachments',

  // Composer
  composer: 'Message',
  placeholder: 'Write a message…',
  placeholderAgent: 'Message {agent}…',
  placeholderWaiting: 'Your answer…',
  send: 'Send',
  stop: 'Stop',
  hint: 'Enter to send, Shift+Enter for a new line',
  notSent: 'Not sent. {reason}',

  // Queue, and hints of the composer
  queue: 'Queued messages',
  hintDraft: 'Saved as a draft',
  hintStop: 'Enter to stop and send now',
  hintQueue: 'Enter to send after this answer',

  // Run status
  sending: 'Sending…',
  working: 'Working…',
  stopping: 'Stopping…',
  stopWaiting: 'Stop waiting',
  stalled: 'No response for a while. Still waiting…',
  rejoining: 'The connection was lost. Reconnecting…',
  rejoiningIn: {
    one: 'The connection was lost. Trying again in {count} second.',
    other: 'The connection was lost. Trying again in {count} seconds.',
  },
  offline: 'You’re offline. Your draft is saved.',
  offlineRun: 'You’re offline. The answer continues when the network is back.',
  signIn: 'Sign in to continue.',
  stopped: 'Stopped',
  failed: 'The answer couldn’t be completed.',
  needsAnswer: 'The assistant needs an answer from you.',
  answerNow: 'Answer',

  // Parts
  stepNumber: 'Step {number}',
  restore: 'Restore…',
  sourceUnnamed: 'Document',
  page: 'Page {page}',
  restoredHint: 'with the hint: {hint}',

  // Documents
  attach: 'Attach',
  attachFiles: 'Attach files',
  close: 'Close',
  uploadsPending: 'You can send when the files are uploaded.',

  // Input requests
  request: 'Question from the assistant',
  requestDeclineSentence: 'I don’t want to answer this.',

  // Conversation list
  threads: 'Conversations',

  // Errors whose default message does not help a user
  'error_not-an-api':
    'The chat service wasn’t found at this address. Contact the site administrator.',
  'error_not-found': 'This conversation doesn’t exist or was deleted.',
  'error_too-large': 'This is too large to send.',
  networkErrorAt:
    'No connection to {origin}. Either the network is down, or the service does not allow this page (CORS). Try again, or contact whoever runs this page.',
  error_other: 'Something unexpected happened. Try again.',

  // Markdown
  copied: 'Copied',
  copyFailed: 'The browser didn’t allow copying.',
} as const satisfies Readonly<Record<string, string | Readonly<Record<string, string>>>>;
