// Reads one file in a process of its own, which is given up with everything in it when it takes too long or too much memory. It is
// plain JavaScript, because such a process starts five times as fast without the TypeScript loader.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Unreadable } from './unreadable.mjs';

/** Libraries are loaded with the first file that needs them. */
const PARSERS = {
  html: async (text, mostCharacters) => {
    const { readHtml } = await import('./read-html.mjs');
    return [{ page: null, text: readHtml(text, mostCharacters) }];
  },
  pdf: async (bytes) => {
    const { readPdf } = await import('./read-pdf.mjs');
    return (await readPdf(bytes)).map((text, index) => ({ page: index + 1, text }));
  },
  json: (text) => {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      throw new Unreadable('The file is not valid JSON.');
    }
    try {
      return [{ page: null, text: JSON.stringify(value, null, 2) }];
    } catch {
      // Nested so deeply, or so often, that no text can hold it.
      throw new Unreadable('The file has more text than can be read.');
    }
  },
};

const [{ kind, content, mostCharacters, mostMemory }] = await once(process, 'message');
// The thread that parses is busy: another one looks at the memory.
const watchdog = new Worker(new URL('./memory-watchdog.mjs', import.meta.url), {
  workerData: { mostMemory },
});
await once(watchdog, 'online');
// Nobody is left to tell when the server has gone. Else the server ends this process when it has got the answer.
process.once('disconnect', () => process.exit());
process.send(await parse());

async function parse() {
  try {
    const pages = await PARSERS[kind](content, mostCharacters);
    const length = pages.reduce((sum, { text }) => sum + text.length, 0);
    if (length > mostCharacters) throw new Unreadable('The file has more text than can be read.');
    return { pages };
  } catch (error) {
    if (error instanceof Unreadable) return { reason: error.message };
    throw error;
  }
}
