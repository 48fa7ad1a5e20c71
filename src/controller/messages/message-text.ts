import type { Change } from '../../model/change.js';
import type { Message } from '../../model/message.js';
import { ACTIVITY, type PartTree } from '../../model/part.js';
import { toPartTrees } from '../../model/part-tree.js';

/** Returns the text of the parts of a user message, trimmed. */
export function textOf(parts: readonly PartTree[]): string {
  const texts = parts.map(({ text }) => text);
  return texts.join('').trim();
}

/** Converts the line ends of a text to those of a text field, whose value has no carriage returns. */
export function normalizeLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Returns the text of a user message, trimmed. */
export function textOfMessage(message: Message): string {
  return textOf(toPartTrees(message));
}

/** Returns the changes that remove the incomplete text of a message. */
export function removeIncompleteText({ key: message, parts }: Message): Change[] {
  return parts
    .children(ACTIVITY)
    .filter((part) => parts.get(part)?.kind === 'incomplete-activity')
    .map((part) => ({ type: 'remove', message, part }));
}
