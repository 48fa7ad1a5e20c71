import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rollup } from 'rollup';
import { swcMinifier } from '../../scripts/swc-minifier.mjs';

/** Returns the code of a module that the build minifies. */
async function minify(code: string): Promise<string> {
  const bundle = await rollup({
    input: 'entry',
    treeshake: false,
    plugins: [{ name: 'entry', resolveId: (id) => id, load: () => code }],
  });
  const plugins = [swcMinifier({ module: true, mangle: true, compress: { ecma: 2020 } })];
  const { output } = await bundle.generate({ plugins });
  return output[0].code;
}

test('minifier keeps the source of regular expressions, of which Marked composes its rules', async () => {
  assert.match(await minify('export const rule = /(?:-->|<!--)/;'), /\/\(\?:-->\|<!--\)\//);
});

test('minifier keeps licences and comments that bundlers read, and removes others', async () => {
  const minified = await minify(
    '/*! a licence */\n// other\nexport const load = (url) => import(/* @vite-ignore */ url);',
  );
  assert.match(minified, /! a licence/);
  assert.match(minified, /@vite-ignore/);
  assert.doesNotMatch(minified, /other/);
});
