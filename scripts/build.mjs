/**
 * Builds `dist/`: the modules, the two bundles, the server, and the declarations. Does not check types, which `check-types.mjs` does. With
 * `--run-only`, writes no declarations.
 */
import { copyFile, rm } from 'node:fs/promises';
import { ROOT, runCommand, TSC } from './run-command.mjs';

/** Commands that write the code of the package, as opposed to its declarations. */
const CODE = [
  ['rollup', '--config', 'rollup.config.mjs', '--silent'],
  ['node', 'scripts/build-extras.mjs'],
  ['node', 'scripts/write-notices.mjs'],
];
const DECLARATIONS = [
  [...TSC, '-p', 'tsconfig.build.json'],
  [...TSC, '-p', 'tsconfig.server.json'],
  ['node', 'scripts/write-types.mjs'],
  ['node', 'scripts/prune-declarations.mjs'],
];

await rm(`${ROOT}dist`, { recursive: true, force: true });
for (const step of process.argv.includes('--run-only') ? CODE : [...CODE, ...DECLARATIONS]) {
  const { code } = await runCommand(step, { live: true });
  if (code !== 0) process.exit(code);
}
await copyFile(`${ROOT}src/themes/ubik-themes.css`, `${ROOT}dist/bundle/ubik-themes.css`);
const { code } = await runCommand(['node', 'scripts/write-integrity.mjs'], { live: true });
process.exit(code);
