/** The optional parts are found and do their work, however the package comes into a page. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import puppeteer, { type Browser } from 'puppeteer-core';
import { findChrome, flags } from '../../scripts/browser.mjs';
import { startStubService, type StubFile, type StubService } from '../helpers/stub-service.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const TEXT = [
  '```js\nconst a = 1; // one\n```',
  'As $x^2$ for 3 $ and 4 $.',
  '<p>clean <b>bold</b><img src=x onerror=alert(1)></p>',
  'End.',
].join('\n\n');

let browser: Browser;
let stub: StubService;

/** A page that shows the text in an element with these attributes. */
function page(script: string, attributes = ''): StubFile {
  const content = TEXT.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><meta charset="utf-8">${script}<ubik-markdown html="sanitized" ${attributes} content="${content}"></ubik-markdown>`,
  };
}

/** What a bundler makes of an app that imports the package, by path. */
async function bundleApp(): Promise<[string, StubFile][]> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: "import 'ubik-elements/define.js';", resolveDir: ROOT },
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    outdir: '/app',
    entryNames: 'main',
    chunkNames: 'chunks/[name]-[hash]',
    write: false,
    logLevel: 'silent',
  });
  assert.deepEqual(
    warnings.map(({ text }) => text),
    [],
  );
  return outputFiles.map(({ path, text }) => [path, { type: 'text/javascript', body: text }]);
}

/** The files of the optional parts somewhere else. */
async function listAssets(): Promise<[string, StubFile][]> {
  const names = await readdir(`${ROOT}dist/bundle/extras`, { recursive: true });
  const scripts = names.filter((name) => name.endsWith('.js'));
  return Promise.all(
    scripts.map(async (name): Promise<[string, StubFile]> => {
      const body = await readFile(`${ROOT}dist/bundle/extras/${name}`, 'utf8');
      return [`/elsewhere/${name}`, { type: 'text/javascript', body }];
    }),
  );
}

const CLASSIC = '<script src="/dist/bundle/ubik-elements.min.js" defer></script>';

before(async () => {
  const { from: _from, ...chrome } = await findChrome();
  browser = await puppeteer.launch({ ...chrome, args: flags });
  stub = await startStubService({
    files: new Map([
      ['/deep/path/classic', page(CLASSIC)],
      ['/module', page(CLASSIC.replace('.js" defer', '.mjs" type="module"'))],
      ['/app', page('<script src="/app/main.js" type="module"></script>')],
      ['/elsewhere', page(CLASSIC, 'assets-url="elsewhere"')],
      ['/nowhere', page(CLASSIC, 'assets-url="/nowhere/at/all/"')],
      ...(await bundleApp()),
      ...(await listAssets()),
    ]),
  });
});

after(async () => {
  await browser.close();
  await stub.close();
});

/** What the element shows once all parts have done their work, or after a while; and which scripts were asked for. */
async function show(path: string, waits = true): Promise<{ seen: string[]; scripts: string[] }> {
  const tab = await browser.newPage();
  const scripts: string[] = [];
  tab.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  await tab.goto(`${stub.url}${path}`);
  const selectors = ['.ubik-hl-keyword', 'math', '.ubik-markdown b'];
  const look = (all: string[]): string[] => {
    const root = document.querySelector('ubik-markdown')?.shadowRoot;
    return all.filter((selector) => root?.querySelector(selector));
  };
  for (let turn = 0; turn < 100; turn += 1) {
    if ((await tab.evaluate(look, selectors)).length === selectors.length) break;
    if (!waits && turn > 10) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const seen = await tab.evaluate(look, selectors);
  if (!waits) {
    seen.push(
      await tab.evaluate(
        () => document.querySelector('ubik-markdown')?.shadowRoot?.textContent ?? '',
      ),
    );
  }
  await tab.close();
  return { seen, scripts };
}

const ALL = ['.ubik-hl-keyword', 'math', '.ubik-markdown b'];

test('beside the script of a script tag, wherever the page is', async () => {
  for (const path of ['/deep/path/classic', '/module']) {
    const { seen, scripts } = await show(path);
    assert.deepEqual(seen, ALL, path);
    assert.ok(scripts.includes('/dist/bundle/extras/maths.js'), scripts.join());
  }
});

test('as files of an app that a bundler has made, each loaded when it is needed', async () => {
  const { seen, scripts } = await show('/app');
  assert.deepEqual(seen, ALL);
  const ours = scripts.filter((path) => path !== '/app/main.js');
  assert.ok(
    ours.every((path) => path.startsWith('/app/chunks/')),
    scripts.join(),
  );
  assert.ok(
    ours.some((path) => path.includes('maths')),
    scripts.join(),
  );
  assert.ok(!ours.some((path) => path.includes('tables')), 'nobody came to a table');
});

test('in the folder that the page names', async () => {
  const { seen, scripts } = await show('/elsewhere');
  assert.deepEqual(seen, ALL);
  assert.ok(scripts.includes('/elsewhere/highlight.js'), scripts.join());
  assert.ok(!scripts.some((path) => path.includes('/bundle/extras/')), scripts.join());
});

test('nowhere: the text can be read without them', async () => {
  const { seen } = await show('/nowhere', false);
  assert.equal(seen.length, 1);
  assert.match(seen[0] ?? '', /const a = 1; \/\/ one[^]*As \$x\^2\$ for[^]*<b>bold<\/b>/);
});
