/**
 * Checks types, and the rules of `.oxlintrc.json`. The linter checks each TypeScript file once, with the tsconfig of its module, because
 * modules differ in the platform types that they can use; the compiler would check a module again in each project that imports it. Both
 * use the same checker. The compiler checks the projects of JavaScript files.
 */
import { runCommand, TSC } from './run-command.mjs';
import { emptyTally, formatTally, writeTally } from './tally.mjs';

const FOLDERS = ['src', 'server', 'demo', 'test', 'bench'];
const CHECKS = [
  ['oxlint', '--type-aware', '--type-check', '--deny-warnings', ...FOLDERS],
  [...TSC, '-p', 'demo/pages/gallery/tsconfig.json'],
  [...TSC, '-p', 'scripts/tsconfig.json'],
];

const tally = emptyTally();
for (const command of CHECKS) {
  const { code, output } = await runCommand(command);
  tally[code === 0 ? 'passed' : 'failed'] += 1;
  if (code !== 0) console.log(`── ${command.join(' ')}\n${output}`);
}
writeTally(tally);
console.log(formatTally(tally));
process.exit(tally.failed > 0 ? 1 : 0);
