import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import type { Part } from '../model/part.js';
import { partText } from './message-text.js';

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
