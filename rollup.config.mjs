import { existsSync, readFileSync } from 'node:fs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import esbuild from 'rollup-plugin-esbuild';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const isDependency = (id) =>
  Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`));
const typescript = () => esbuild({ target: 'es2022', tsconfig: 'tsconfig.json', sourceMap: true });
const minify = (module) =>
  terser({ ecma: 2020, module, format: { comments: /^!|@license|@preserve/i } });

/** Lit's decorators compile to a `this` that rollup remarks on. */
const onwarn = (warning, report) => {
  if (warning.code !== 'THIS_IS_UNDEFINED') report(warning);
};

/** Public entry points: their files lie in `src/entries/`, except the two that are the package itself. */
const entries = {
  index: 'src/index.ts',
  define: 'src/define.ts',
  controller: 'src/entries/controller.ts',
  ubik: 'src/entries/ubik.ts',
  sse: 'src/entries/sse.ts',
  markdown: 'src/entries/markdown.ts',
};

for (const [name, file] of Object.entries(entries)) {
  if (!existsSync(file)) throw new Error(`The entry point ${name} has no file ${file}.`);
}

export default [
  {
    input: entries,
    external: isDependency,
    plugins: [typescript()],
    output: {
      dir: 'dist',
      format: 'es',
      preserveModules: true,
      preserveModulesRoot: 'src',
      sourcemap: true,
    },
    onwarn,
  },
  {
    input: 'src/define.ts',
    plugins: [nodeResolve({ browser: true, exportConditions: ['production'] }), typescript()],
    output: [
      {
        file: 'dist/bundle/ubik-elements.min.js',
        format: 'iife',
        name: 'UbikElements',
        sourcemap: true,
        // `module: true` would drop the global name.
        plugins: [minify(false)],
      },
      {
        file: 'dist/bundle/ubik-elements.min.mjs',
        format: 'es',
        sourcemap: true,
        plugins: [minify(true)],
      },
    ],
    onwarn,
  },
  {
    input: 'server/index.ts',
    external: /^node:/,
    plugins: [esbuild({ target: 'node20', tsconfig: 'server/tsconfig.json', sourceMap: true })],
    output: { file: 'dist/server/index.js', format: 'es', sourcemap: true },
    onwarn,
  },
];
