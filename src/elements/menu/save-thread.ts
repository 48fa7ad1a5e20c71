import type { Key } from '../../model/json.js';
import { saveFile } from '../../dom/save-file.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { exportThread } from '../export/export-thread.js';

const FILES = {
  markdown: ['md', 'text/markdown'],
  html: ['html', 'text/html'],
  json: ['json', 'application/json'],
} as const;

/** Writes the conversation that is shown to a file of the person's. Rejects when it cannot be written. */
export async function saveThread(
  { controller, context }: ConnectedHost,
  format: keyof typeof FILES,
  head: Key | null,
): Promise<void> {
  if (!controller) return;
  const { lang, contentLang = lang } = context.locale;
  const title = controller.thread?.title ?? '';
  const text = await exportThread(controller, format, { head, lang, contentLang });
  const [ending, type] = FILES[format];
  const file = new Blob([text], { type: `${type};charset=utf-8` });
  saveFile(file, `${nameFor(title) || 'conversation'}.${ending}`, context.clock);
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
