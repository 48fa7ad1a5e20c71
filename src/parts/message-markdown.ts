import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import { labelOf } from './citation.js';

/** An inline mark, see the model: its key between two characters that no text has. */
const MARK = /\uE000([^\uE001]*)\uE001/g;

/** What a message says, as Markdown: its texts, in steps too, with citations as numbers. Empty when it says nothing. */
export function markdownOf({ parts }: Message): string {
  const read = (parent: Key | null): string[] =>
    parts.children(parent).flatMap((key) => {
      const part = parts.get(key);
      if (part?.kind !== 'text') return part?.kind === 'step' ? read(key) : [];
      const marks = new Map(Object.entries(part.marks ?? {}));
      const cite = (_whole: string, name: string): string => {
        const mark = marks.get(name);
        return mark ? `[${labelOf(mark)}]` : '';
      };
      return part.text?.read().replace(MARK, cite).trim() || [];
    });
  return read(null).join('\n\n');
}
