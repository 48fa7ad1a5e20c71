/** Type-checks each folder with its own tsconfig: the folders differ in what of the platform they may touch. */
import { runCommand } from './run-command.mjs';
import { emptyTally, printTally, writeTally } from './tally.mjs';

const PROJECTS = [
  'src/model',
  'src/stream',
  'src/backends',
  'src/conversation',
  'tsconfig.json',
  'server',
  'demo',
  'test',
  'bench',
  'scripts',
];

const tally = emptyTally();
for (const project of PROJECTS) {
  const { code, output } = await runCommand(['tsc', '-p', project, '--pretty', 'false']);
  tally[code === 0 ? 'passed' : 'failed'] += 1;
  if (code !== 0) console.log(`── ${project}\n${output}`);
}
writeTally(tally);
console.log(printTally(tally));
process.exit(tally.failed > 0 ? 1 : 0);
