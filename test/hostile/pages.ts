import { readFile } from 'node:fs/promises';
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

const ROOT = new URL('../../', import.meta.url).pathname;

/** What takes the place of Mermaid in some tests, by name: the body of the function that draws into `box`. */
const FAKES = {
  echo: 'box.innerHTML = box.textContent',
  throws: "throw new Error('no such diagram\\nand more')",
  never: 'return new Promise(() => undefined)',
  huge: "box.innerHTML = '<svg viewBox=\"0 0 9 9\">' + '<g></g>'.repeat(9000) + '</svg>'",
  malformed:
    "box.innerHTML = '<svg viewBox=\"0 0 9 9\"></svg>'; MessagePort.prototype.postMessage = ((post) => function () { post.call(this, { kind: 'drawn', drawing: { svg: { name: 'script', attributes: 7 } } }); })(MessagePort.prototype.postMessage)",
};

/** The files that a page serves for diagrams, with the example of the guide as the script of the page. */
async function listDiagramFiles(): Promise<[string, StubFile][]> {
  const script = (body: string): StubFile => ({ type: 'text/javascript', body });
  const guide = await readFile(`${ROOT}docs/guides/mermaid.md`, 'utf8');
  const [example = ''] =
    /import [^;]*'ubik-elements\/extras\/mermaid\.js';[^]*?(?=\n```)/.exec(guide) ?? [];
  const mermaid = await readFile(
    `${ROOT}node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js`,
    'utf8',
  );
  const frame = await readFile(`${ROOT}dist/bundle/extras/mermaid.html`, 'utf8');
  const fakes = Object.entries(FAKES).map(([name, body]): [string, StubFile] => [
    `/vendor/${name}.js`,
    script(`globalThis.mermaid = { initialize() {}, async run({ nodes: [box] }) { ${body} } };`),
  ]);
  return [
    [
      '/strict-mermaid',
      {
        type: HTML,
        body: `${head}<script src="/dist/bundle/ubik-elements.min.js" defer></script><body><ubik-markdown id="chat"></ubik-markdown><script src="/vendor/page.js" type="module"></script></body>`,
        headers: { 'content-security-policy': `${STRICT}; frame-src 'self'` },
      },
    ],
    [
      '/vendor/page.js',
      script(
        await bundle({
          stdin: { contents: example, resolveDir: ROOT },
          format: 'esm',
          splitting: false,
        }),
      ),
    ],
    ['/vendor/mermaid.min.js', script(mermaid)],
    ['/vendor/mermaid.html', { type: HTML, body: frame }],
    [
      '/vendor/strict.html',
      { type: HTML, body: frame, headers: { 'content-security-policy': "style-src 'self'" } },
    ],
    ...fakes,
  ];
}

/**
 * The pages of these tests by path: `/open` and `/strict`, and with the unsafe renderer `/open-unsafe` and
 * `/strict-unsafe`. `/strict-html` has no script, only a box for sanitized HTML, and allows the trusted types of the sanitizer;
 * `/strict-mermaid` allows what diagrams need. In addition, the files that these pages load, and one tool file below `/api`.
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
    ...(await listDiagramFiles()),
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
