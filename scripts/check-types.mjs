/**
 * Type-checks each module with its tsconfig, because modules differ in the platform types that they can use. The native compiler takes a
 * third of the time of the JavaScript one, which the linter still needs.
 */
import { runCommand, TSC } from './run-command.mjs';
import { emptyTally, formatTally, writeTally } from './tally.mjs';

const PROJECTS = [
  'src/model/tsconfig.json',
  'src/transport/tsconfig.json',
  'src/backends/tsconfig.json',
  'src/controller/tsconfig.json',
  'tsconfig.json',
  'server/tsconfig.json',
  'demo/tsconfig.json',
  'demo/pages/gallery/tsconfig.json',
  'test/tsconfig.json',
  'bench/tsconfig.json',
  'scripts/tsconfig.json',
];

const tally = emptyTally();
for (const project of PROJECTS) {
  const { code, output } = await runCommand([...TSC, '-p', project]);
  tally[code === 0 ? 'passed' : 'failed'] += 1;
  if (code !== 0) console.log(`── ${project}\n${output}`);
}
writeTally(tally);
console.log(formatTally(tally));
process.exit(tally.failed > 0 ? 1 : 0);
