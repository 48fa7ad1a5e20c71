/** Builds `dist/`: modules, the two bundles, the server, and the types. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';

const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' });

rmSync('dist', { recursive: true, force: true });
run('npx', 'rollup', '--config', 'rollup.config.mjs', '--silent');
run('npx', 'tsc', '-p', 'tsconfig.build.json');
run('npx', 'tsc', '-p', 'tsconfig.server.json');
