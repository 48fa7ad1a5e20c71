/** The optional modules are found and work, however a page includes the package. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { build, type Plugin } from 'esbuild';
import type { Browser, Page } from 'puppeteer-core';
import { launchChrome, openPage } from '../../scripts/browser.mjs';
import { waitForLoads } from '../helpers/wait-for-loads.js';
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

/** The page without a doctype, which the browser renders in quirks mode. */
function withoutDoctype(file: StubFile): StubFile {
  return { ...file, body: String(file.body).replace('<!doctype html>', '') };
}

/** Hides packages that an app may lack: an app that does not import them itself must work without them. */
const notInstalled: Plugin = {
  name: 'not-installed',
  setup({ onResolve }) {
    onResolve({ filter: /^(?:marked|dompurify)$/ }, ({ path }) => ({
      errors: [{ text: `${path} is not installed.` }],
    }));
  },
};

/** An app that uses its own copies of `marked` and `dompurify`, and counts their calls. */
const APP_WITH_OWN_COPIES = `
  import 'ubik-elements/define.js';
  import 'ubik-elements/extras/own-marked.js';
  import DOMPurify from 'dompurify';
  import { Lexer } from 'marked';
  window.calls = { marked: 0, dompurify: 0 };
  DOMPurify.addHook('beforeSanitizeElements', () => void (window.calls.dompurify += 1));
  const { lex } = Lexer.prototype;
  Lexer.prototype.lex = function (text) {
    window.calls.marked += 1;
    return lex.call(this, text);
  };
  const end = { renderer: { paragraph: ({ raw }) => (raw.includes('End.') ? '<p><i>Drawn.</i></p>' : false) } };
  document.querySelector('ubik-markdown').markdownExtensions = [end];`;

/** The output of a bundler for an app that imports the package, by path. */
async function bundleApp(
  folder: string,
  contents: string,
  plugins: Plugin[] = [],
): Promise<[string, StubFile][]> {
  const { outputFiles, warnings } = await build({
    stdin: { contents, resolveDir: ROOT },
    plugins,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    outdir: folder,
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

/** The files of the optional modules, served from another folder. */
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
  browser = await launchChrome();
  stub = await startStubService({
    files: new Map([
      ['/deep/path/classic', page(CLASSIC)],
      ['/module', page(CLASSIC.replace('.js" defer', '.mjs" type="module"'))],
      ['/app', page('<script src="/app/main.js" type="module"></script>')],
      [
        '/own',
        page('<script src="/own/main.js" type="module"></script>', 'assets-url="elsewhere"'),
      ],
      ['/quirks', withoutDoctype(page(CLASSIC))],
      ['/elsewhere', page(CLASSIC, 'assets-url="elsewhere"')],
      ['/nowhere', page(CLASSIC, 'assets-url="/nowhere/at/all/"')],
      ...(await bundleApp('/app', "import 'ubik-elements/define.js';", [notInstalled])),
      ...(await bundleApp('/own', APP_WITH_OWN_COPIES)),
      ...(await listAssets()),
    ]),
  });
});

after(async () => {
  await browser.close();
  await stub.close();
});

const ALL = ['.ubik-hl-keyword', 'math', '.ubik-markdown b'];

/** Opens a page and waits until its modules have worked. Returns which selectors match, the text of the element, and the requested scripts. */
async function show(
  path: string,
  wait: (tab: Page) => Promise<unknown> = waitForAll,
): Promise<{ seen: string[]; text: string; scripts: string[] }> {
  const tab = await openPage(browser);
  const scripts: string[] = [];
  tab.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  await tab.goto(`${stub.url}${path}`);
  await wait(tab);
  const shown = await tab.evaluate((all) => {
    const root = document.querySelector('ubik-markdown')?.shadowRoot;
    const seen = all.filter((selector) => root?.querySelector(selector));
    return { seen, text: root?.textContent ?? '' };
  }, ALL);
  await tab.close();
  return { ...shown, scripts };
}

/** Waits until highlighting, formulas and sanitizing have worked. */
async function waitForAll(tab: Page): Promise<void> {
  const hasAll = (all: string[]): boolean => {
    const root = document.querySelector('ubik-markdown')?.shadowRoot;
    return all.every((selector) => root?.querySelector(selector));
  };
  await tab.waitForFunction(hasAll, {}, ALL);
}

test('optional modules load from beside the script, wherever the page is', async () => {
  for (const path of ['/deep/path/classic', '/module']) {
    const { seen, scripts } = await show(path);
    assert.deepEqual(seen, ALL, path);
    assert.ok(scripts.includes('/dist/bundle/extras/maths.js'), scripts.join());
  }
});

test('optional modules work in quirks mode', async () => {
  const { seen } = await show('/quirks', async (tab) => {
    assert.equal(await tab.evaluate(() => document.compatMode), 'BackCompat');
    await waitForAll(tab);
  });
  assert.deepEqual(seen, ALL);
});

test('optional modules load as chunks of a bundled app, each when it is needed', async () => {
  const { seen, scripts } = await show('/app');
  assert.deepEqual(seen, ALL);
  const chunks = scripts.filter((path) => path !== '/app/main.js');
  assert.ok(
    chunks.every((path) => path.startsWith('/app/chunks/')),
    scripts.join(),
  );
  assert.ok(
    chunks.some((path) => path.includes('maths')),
    scripts.join(),
  );
  assert.ok(!chunks.some((path) => path.includes('tables')), 'no table was hovered or focused');
});

test('the copies of `marked` and `dompurify` of an app are used, also with `assets-url`', async () => {
  let calls: unknown;
  const { seen, scripts } = await show('/own', async (tab) => {
    await waitForAll(tab);
    await tab.waitForFunction(() =>
      document.querySelector('ubik-markdown')?.shadowRoot?.querySelector('.ubik-extension i'),
    );
    calls = await tab.evaluate('({ marked: calls.marked > 0, dompurify: calls.dompurify > 0 })');
  });
  assert.deepEqual(seen, ALL);
  assert.deepEqual(calls, { marked: true, dompurify: true });
  const others = scripts.filter((path) => /\/(?:marked|sanitize)\.js$/.test(path));
  assert.deepEqual(others, []);
});

test('optional modules load from the folder in `assets-url`', async () => {
  const { seen, scripts } = await show('/elsewhere');
  assert.deepEqual(seen, ALL);
  assert.ok(scripts.includes('/elsewhere/highlight.js'), scripts.join());
  assert.ok(!scripts.some((path) => path.includes('/bundle/extras/')), scripts.join());
});

test('text stays readable when no optional module can be loaded', async () => {
  const { seen, text, scripts } = await show('/nowhere', async (tab) => {
    // All three are requested at once. Their failures are reported before the response to a later request.
    await tab.waitForFunction(() =>
      ['highlight', 'maths', 'sanitize'].every(
        (name) => performance.getEntriesByName(`${location.origin}/nowhere/at/all/${name}.js`)[0],
      ),
    );
    await tab.evaluate(waitForLoads);
  });
  assert.deepEqual(seen, []);
  assert.match(text, /const a = 1; \/\/ one[^]*As \$x\^2\$ for[^]*<b>bold<\/b>/);
  assert.ok(scripts.includes('/nowhere/at/all/maths.js'), scripts.join());
});
