/** English texts of the gate before a chat. */
export const gateStrings = {
  gateTitle: 'Before you start',
  gateAccept: 'Continue',
};
