/** English strings of requests for input, loaded with their view. */
export const requestStrings = {
  requestOf: 'Question from the assistant ({tool})',
  requestAnswer: 'Your answer',
  requestLoading: 'Loading the form…',
  requestSend: 'Submit',
  requestDecline: 'Skip',
  requestDeclined: 'Skipped',
  requestAnswered: 'Answered',
  requestClosed: 'No longer open',
  requestExpired: 'The time to answer has run out.',
  requestExpires: 'Time left: {time}',
  requestEmpty: 'Enter an answer.',
  requestElsewhere: 'Answer this outside the chat.',
};
