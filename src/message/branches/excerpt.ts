import type { Message } from '../../model/message.js';

/** Characters of a text that stand for all of it. */
const LENGTH = 120;
/** What would move, hide or turn round the words beside it. */
const CONTROLS = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uE000\uE001]+/gu;

/** Marks of Markdown at the start of a line, and around words: they would be read as noise. */
const MARKS = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|```.*|-{3,}[ \t]*$)|\*\*|`/gmu;

/** The beginning of what a message says, in one line; empty when it says nothing. */
export function messageExcerpt({ parts }: Message): string {
  for (const key of parts.children(null)) {
    const part = parts.get(key);
    const text = part?.kind === 'text' ? part.text?.read().slice(0, 4 * LENGTH) : '';
    const line = text?.replace(MARKS, '').replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
    if (line) return line.length > LENGTH ? `${line.slice(0, LENGTH)}…` : line;
  }
  return '';
}
