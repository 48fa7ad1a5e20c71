import type { Key } from '../../model/json.js';
import { element } from '../../internal/element.js';
import type { SteeringHost } from '../base/conversation-acts.js';
import { exportThread } from '../export/export-thread.js';

const FILES = {
  markdown: ['md', 'text/markdown'],
  html: ['html', 'text/html'],
  json: ['json', 'application/json'],
} as const;

/** Writes the conversation that is shown to a file of the person's. Rejects when it cannot be written. */
export async function saveThread(
  { conversation, context }: SteeringHost,
  format: keyof typeof FILES,
  head: Key | null,
): Promise<void> {
  if (!conversation) return;
  const { lang } = context.locale;
  const title = conversation.thread?.title ?? '';
  const text = await exportThread(conversation, format, { head, lang });
  const [ending, type] = FILES[format];
  const link = element('a');
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = `${nameFor(title) || 'conversation'}.${ending}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A title as the name of a file, on every system. */
function nameFor(title: string): string {
  return title
    .replace(/[\p{Cc}\p{Cf}\\/:*?"<>|.]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
    .trim();
}
