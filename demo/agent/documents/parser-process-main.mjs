// Parses one file in a separate process, which is killed when it takes too long or too much memory. It is
// plain JavaScript, because the process starts five times as fast without the TypeScript loader.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnreadableFileError } from './unreadable-file-error.mjs';

/** Parsers by kind. Only the library that the file needs is loaded. */
const PARSERS = {
  html: async (text, maxCharacters) => {
    const { readHtml } = await import('./read-html.mjs');
    return [{ page: null, text: readHtml(text, maxCharacters) }];
  },
  pdf: async (bytes) => {
    const { readPdf } = await import('./read-pdf.mjs');
    return (await readPdf(bytes)).map((text, index) => ({ page: index + 1, text }));
  },
  docx: async (bytes, maxCharacters) => {
    const { readDocx } = await import('./read-docx.mjs');
    return [{ page: null, text: await readDocx(bytes, maxCharacters) }];
  },
  json: (text) => {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      throw new UnreadableFileError('The file is not valid JSON.');
    }
    try {
      return [{ page: null, text: JSON.stringify(value, null, 2) }];
    } catch {
      // The text would exceed the maximum length of a string.
      throw new UnreadableFileError('The file has more text than can be read.');
    }
  },
};

const [{ kind, content, maxCharacters, maxMemory }] = await once(process, 'message');
// A worker checks the memory, because parsing blocks the main thread.
const watchdog = new Worker(new URL('./memory-watchdog.mjs', import.meta.url), {
  workerData: { maxMemory },
});
await once(watchdog, 'online');
// Exits when the server exits. Otherwise the server kills this process after it has received the result.
process.once('disconnect', () => process.exit());
process.send(await parse());

async function parse() {
  try {
    const pages = await PARSERS[kind](content, maxCharacters);
    const length = pages.reduce((sum, { text }) => sum + text.length, 0);
    if (length > maxCharacters)
      throw new UnreadableFileError('The file has more text than can be read.');
    return { pages };
  } catch (error) {
    if (error instanceof UnreadableFileError) return { reason: error.message };
    throw error;
  }
}
