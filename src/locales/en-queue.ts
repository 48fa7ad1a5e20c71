/** The words of what waits to be sent, in English; they come with what shows it. */
export const queueWords = {
  queueAfter: 'Send after this answer',
  queueNow: 'Stop and send now',
  queueNext: 'Is sent when the assistant has stopped.',
  queueWaiting: {
    one: '{count} message is sent after this answer.',
    other: '{count} messages are sent after this answer.',
  },
  queueHeld: { one: '{count} message is not sent.', other: '{count} messages are not sent.' },
  queueResume: 'Send',
  queueSend: 'Send now: {text}',
  queueStopFor: 'Stop the assistant and send now: {text}',
  queueBlocked: 'Answer the question first. Then this can be sent: {text}',
  queueEdit: 'Edit: {text}',
  queueRemove: 'Do not send: {text}',
  queueSave: 'Save',
};
