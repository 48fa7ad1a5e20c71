import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import type { Part } from '../model/part.js';
import { citationLabel } from './citation.js';

/** An inline mark, see the model: its key between two characters that no text has. */
const MARK = /\uE000([^\uE001]*)\uE001/g;

/** The text of a part, with citations as numbers. Empty when it has none. */
export function partText(part: Part): string {
  const text = part.text?.read() ?? '';
  if (!text.includes('\uE000')) return text;
  const marks = new Map(Object.entries(('marks' in part && part.marks) || {}));
  return text.replace(MARK, (_whole, name: string) => {
    const mark = marks.get(name);
    return mark ? `[${citationLabel(mark)}]` : '';
  });
}

/** What a message says, as Markdown: its texts, in steps too, with citations as numbers. Empty when it says nothing. */
export function messageMarkdown({ parts }: Message): string {
  const read = (parent: Key | null): string[] =>
    parts.children(parent).flatMap((key) => {
      const part = parts.get(key);
      if (part?.kind !== 'text') return part?.kind === 'step' ? read(key) : [];
      return partText(part).trim() || [];
    });
  return read(null).join('\n\n');
}

/** Whether there is anything in the Markdown of a message. */
export function hasMarkdown({ parts }: Message): boolean {
  const hasText = (parent: Key | null): boolean =>
    parts.children(parent).some((key) => {
      const part = parts.get(key);
      return part?.kind === 'text'
        ? (part.text?.length ?? 0) > 0
        : part?.kind === 'step' && hasText(key);
    });
  return hasText(null);
}

/** What a message says, as it was written: what was thought and what tools were given and gave is left out. */
export function messagePlainText({ parts }: Message, parent: Key | null = null): string {
  const lines = parts.children(parent).flatMap((key) => {
    const part = parts.get(key);
    return part ? linesOf(part) : [];
  });
  return lines.join('\n\n');

  function linesOf(part: Part): string[] {
    const inner = messagePlainText({ parts } as Message, part.key);
    const words = 'title' in part ? part.title : 'prompt' in part ? part.prompt : '';
    const text = part.kind === 'thinking' ? '' : partText(part);
    const error = part.kind === 'error' ? part.message : '';
    return [words, text, error, inner].map((line) => line.trim()).filter(Boolean);
  }
}
