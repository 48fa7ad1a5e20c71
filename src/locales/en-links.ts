/** The words about a message that a link names and that is not shown, in English; they come when there is one. */
export const linkWords = {
  linkElsewhere: 'The linked message is in another version of this conversation.',
  linkGone: 'The linked message is not in this conversation.',
  linkUnknown: 'The linked message is not among those that are shown.',
  linkSwitch: 'Switch to that version',
  linkSwitches: 'The conversation continues in that version.',
};
