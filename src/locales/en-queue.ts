/** English strings of queued messages, loaded with their view. */
export const queueStrings = {
  queueAfter: 'Send after this answer',
  queueNow: 'Stop and send now',
  queueNext: 'Will be sent when the assistant stops.',
  queueWaiting: {
    one: '{count} message will be sent after this answer.',
    other: '{count} messages will be sent after this answer.',
  },
  queuePaused: {
    one: '{count} message hasn’t been sent.',
    other: '{count} messages haven’t been sent.',
  },
  queueResume: 'Send',
  queueSend: 'Send now: {text}',
  queueStopAndSend: 'Stop and send now: {text}',
  queueBlocked: 'Answer the question first. Then this can be sent: {text}',
  queueEdit: 'Edit: {text}',
  queueRemove: 'Remove from queue: {text}',
  queueSave: 'Save',
};
