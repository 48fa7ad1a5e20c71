import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';

/** The whole renderer except `createManualFrameScheduler`, which is for tests. */
const ENTRIES = `
export { handleMarkdownEvent, createMarkdownView, createUrlPolicy, defaultStrings, getFrameScheduler, markdownCss } from './dist/entries/markdown.js';
export * from './dist/entries/sse.js';
`;

/** Returns the compressed size, in bytes, of the renderer and the parser of server-sent events, as a page that uses nothing else would load them. */
export async function measureSize(): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRIES, resolveDir: new URL('..', import.meta.url).pathname },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['production', 'browser'],
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
}
