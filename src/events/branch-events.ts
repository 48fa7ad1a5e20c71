import { cancelableEvent, plainEvent, type MessageRefDetail } from './event.js';

/** Dispatched before another version of a message, with the messages after it, is shown. */
export class UbikBranchSwitchEvent extends cancelableEvent<MessageRefDetail>(
  'ubik-branch-switch',
) {}

/** Dispatched after another version was shown. */
export class UbikBranchSwitchedEvent extends plainEvent<MessageRefDetail>('ubik-branch-switched') {}

/** Dispatched after the comparison of a branch with another version was opened. */
export class UbikBranchComparedEvent extends plainEvent<MessageRefDetail>('ubik-branch-compared') {}
