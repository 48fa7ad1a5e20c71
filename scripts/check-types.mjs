/**
 * Type-checks each folder with its own tsconfig: the folders differ in what of the platform they may touch. One process reads each file
 * once for all of them, and what a folder imports from another is checked there.
 */
import ts from 'typescript';
import { ROOT } from './run-command.mjs';
import { emptyTally, printTally, writeTally } from './tally.mjs';

const PROJECTS = [
  'src/model/tsconfig.json',
  'src/stream/tsconfig.json',
  'src/backends/tsconfig.json',
  'src/conversation/tsconfig.json',
  'tsconfig.json',
  'server/tsconfig.json',
  'demo/tsconfig.json',
  'demo/pages/gallery/tsconfig.json',
  'test/tsconfig.json',
  'bench/tsconfig.json',
  'scripts/tsconfig.json',
];

const FORMAT = {
  getCurrentDirectory: () => ROOT,
  getCanonicalFileName: (/** @type {string} */ name) => name,
  getNewLine: () => '\n',
};

/** Files that were read for an earlier project, by name and by how they are to be read. @type {Map<string, ts.SourceFile>} */
const known = new Map();

/** @param {ts.CompilerOptions} options */
function createHost(options) {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, how, onError) => {
    const key = `${JSON.stringify(how)} ${name}`;
    const file = known.get(key) ?? read(name, how, onError);
    if (file) known.set(key, file);
    return file;
  };
  return host;
}

/** What is wrong in a project. @param {string} project @returns {readonly ts.Diagnostic[]} */
function check(project) {
  /** @type {ts.Diagnostic[]} */
  const broken = [];
  const config = ts.getParsedCommandLineOfConfigFile(
    ROOT + project,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (error) => broken.push(error) },
  );
  if (!config) return broken;
  const { fileNames: rootNames, options, errors } = config;
  const program = ts.createProgram({ rootNames, options, host: createHost(options) });
  const own = program
    .getSourceFiles()
    .filter((file) => rootNames.includes(file.fileName) || file.isDeclarationFile);
  return [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => program.getSyntacticDiagnostics(file)),
    ...own.flatMap((file) => program.getSemanticDiagnostics(file)),
  ];
}

const tally = emptyTally();
for (const project of PROJECTS) {
  const wrong = check(project);
  tally[wrong.length === 0 ? 'passed' : 'failed'] += 1;
  if (wrong.length > 0) console.log(`── ${project}\n${ts.formatDiagnostics(wrong, FORMAT)}`);
}
writeTally(tally);
console.log(printTally(tally));
process.exit(tally.failed > 0 ? 1 : 0);
