import type { Change } from '../../model/change.js';
import type { Message } from '../../model/message.js';
import { ACTIVITY } from '../../model/part.js';

/** The changes that remove the incomplete text of a message. */
export function removeIncompleteText({ key: message, parts }: Message): Change[] {
  return parts
    .children(ACTIVITY)
    .filter((part) => parts.get(part)?.kind === 'incomplete-activity')
    .map((part) => ({ type: 'remove', message, part }));
}
