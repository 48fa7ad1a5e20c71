/** Builds `dist/`: the modules, the two bundles, the server, and the types of all. */
import { rm } from 'node:fs/promises';
import { ROOT, runCommand } from './run-command.mjs';

const STEPS = [
  ['rollup', '--config', 'rollup.config.mjs', '--silent'],
  ['tsc', '-p', 'tsconfig.build.json'],
  ['tsc', '-p', 'tsconfig.server.json'],
];

await rm(`${ROOT}dist`, { recursive: true, force: true });
for (const step of STEPS) {
  const { code } = await runCommand(step, { live: true });
  if (code !== 0) process.exit(code);
}
