/**
 * Type-checks every folder with its own tsconfig: the folders differ in what of the platform they may touch.
 */
import { execFileSync } from 'node:child_process';

const PROJECTS = [
  'tsconfig.json',
  'src/model',
  'src/stream',
  'src/backends',
  'src/conversation',
  'server',
  'demo',
  'bench',
  'test',
];

let failed = 0;
for (const project of PROJECTS) {
  try {
    execFileSync('npx', ['tsc', '-p', project], { stdio: 'inherit' });
  } catch {
    // tsc has said what is wrong.
    console.error(`${project}: types do not fit.`);
    failed += 1;
  }
}
process.exitCode = failed > 0 ? 1 : 0;
