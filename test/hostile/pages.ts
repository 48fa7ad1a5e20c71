import { build, type BuildOptions } from 'esbuild';
import type { StubFile } from '../helpers/stub-service.js';

/**
 * A strict policy: nothing inline, nothing from other origins, no HTML from strings, only the Trusted Types policy of
 * Lit.
 */
const STRICT = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types ubik-elements',
  'report-uri /reports',
].join('; ');

/** Whether a page has no content security policy (`open`) or the strict one. */
export type Guard = 'open' | 'strict';

/** A one-pixel image. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const HTML = 'text/html; charset=utf-8';
/** An empty icon: a browser with a window requests `/favicon.ico` where a page declares none. */
const ICON = '<link rel="icon" href="data:,">';
const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>stage</title>${ICON}`;

/** A common unsafe renderer: marked, with its HTML inserted into the page. */
const UNSAFE = `
import { marked } from 'marked';
window.show = (text) => {
  const box = document.createElement('div');
  document.querySelector('.unsafe').append(box);
  box.innerHTML = marked.parse(text);
};
`;

/**
 * The pages of these tests by path: `/open` and `/strict`, and with the unsafe renderer `/open-unsafe` and
 * `/strict-unsafe`. `/strict-html` also allows what sanitized HTML needs. In addition, one tool file below `/api`.
 */
export async function listPages(): Promise<Map<string, StubFile>> {
  const product = `${head}<script src="/dist/bundle/ubik-elements.min.js" defer></script><body></body>`;
  const unsafe = `${head}<script src="/unsafe.js" defer></script><body><div class="unsafe"></div></body>`;
  const guarded = (body: string, guard: Guard): StubFile =>
    guard === 'open'
      ? { type: HTML, body }
      : { type: HTML, body, headers: { 'content-security-policy': STRICT } };
  return new Map([
    ['/open', guarded(product, 'open')],
    ['/strict', guarded(product, 'strict')],
    [
      '/strict-html',
      {
        ...{ type: HTML, body: `${head}<body><div class="unsafe"></div></body>` },
        headers: {
          'content-security-policy': STRICT.replace('ubik-elements', 'ubik-elements dompurify'),
        },
      },
    ],
    ['/open-unsafe', guarded(unsafe, 'open')],
    ['/strict-unsafe', guarded(unsafe, 'strict')],
    [
      '/api/assets/tools/kept/e1/kept.png',
      { type: 'image/png', body: Buffer.from(PIXEL, 'base64') },
    ],
    [
      '/unsafe.js',
      {
        type: 'text/javascript',
        body: await bundle({ stdin: { contents: UNSAFE, resolveDir: import.meta.dirname } }),
      },
    ],
  ]);
}

/** The page recorder as a self-contained script. */
export function bundlePageRecorder(): Promise<string> {
  return bundle({ entryPoints: [`${import.meta.dirname}/page-recorder.ts`] });
}

async function bundle(source: BuildOptions): Promise<string> {
  const options = { bundle: true, write: false, format: 'iife', ...source } as const;
  const { outputFiles } = await build(options);
  return outputFiles?.[0]?.text ?? '';
}
