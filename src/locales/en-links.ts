/** English strings of the notice about a linked message that is not shown, loaded with it. */
export const linkStrings = {
  linkOtherVersion: 'The linked message is in another version of this conversation.',
  linkNotFound: 'The linked message isn’t in this conversation.',
  linkUnknown: 'The linked message isn’t shown in this conversation.',
  linkSwitch: 'Switch to that version',
  linkSwitches: 'The conversation continues in that version.',
};
