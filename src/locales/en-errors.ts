/** English strings of the details of errors, loaded with them. */
export const errorStrings = {
  errorDetails: 'Details',
  errorCode: 'Code: {code}',
  errorCopy: 'Copy details',
};
