/** The package on a server: every entry point can be imported where there is no DOM. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { hosts, HOSTS_FOLDER, PACKAGE_FOLDER } from './host-site.js';

const folder = join(HOSTS_FOLDER, 'package');
const { exports } = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { default?: string }>;
};
const entryPoints = Object.entries(exports)
  .filter(([, target]) => typeof target === 'object' && target.default !== undefined)
  .map(([name]) => name.replace(/^\./, 'ubik-elements'));

/** Runs a module in Node, in a folder where the package is installed, and returns what it prints. */
async function runModule(source: string, cwd = folder): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', source],
    { cwd },
  );
  assert.equal(stderr, '');
  return stdout.trim();
}

/** Entry points that are imported for their effect, and export nothing. */
const WITHOUT_EXPORTS = ['ubik-elements/extras/own-marked.js'];

test('the package has entry points', () => {
  assert.ok(entryPoints.includes('ubik-elements'));
  assert.ok(entryPoints.includes('ubik-elements/define.js'));
});

for (const entryPoint of [...entryPoints, 'ubik-elements/bundle/ubik-elements.min.mjs']) {
  test(`${entryPoint} can be imported in Node`, async () => {
    const printed = await runModule(
      `const names = Object.keys(await import('${entryPoint}')); console.log(names.length > 0);`,
    );
    assert.equal(printed, String(!WITHOUT_EXPORTS.includes(entryPoint)));
  });
}

/** Modules that render a chat to HTML, by the app whose folder has the framework. */
const RENDERERS = new Map([
  [
    'react',
    `import 'ubik-elements/define.js';
    import { createElement } from 'react';
    import { renderToString } from 'react-dom/server';
    const content = createElement('p', null, 'Call us instead.');
    console.log(renderToString(createElement('ubik-chat', { 'base-url': '/api/v1', getToken: () => 'token' }, content)));`,
  ],
  [
    'vue',
    `import 'ubik-elements/define.js';
    import { createSSRApp, h } from 'vue';
    import { renderToString } from 'vue/server-renderer';
    const content = h('p', 'Call us instead.');
    console.log(await renderToString(createSSRApp({ render: () => h('ubik-chat', { 'base-url': '/api/v1', '.getToken': () => 'token' }, [content]) })));`,
  ],
]);

for (const [name, source] of RENDERERS) {
  const options = hosts.includes(name) ? {} : { skip: `The app ${name} is not built.` };
  test(`the server renderer of ${name} renders a chat with its content`, options, async () => {
    const printed = await runModule(source, join(HOSTS_FOLDER, name));
    assert.match(
      printed,
      /<ubik-chat base-url="\/api\/v1"[^>]*>.*<p>Call us instead\.<\/p><\/ubik-chat>/,
    );
    assert.doesNotMatch(printed, /token/i, 'A function is rendered as an attribute.');
  });
}
