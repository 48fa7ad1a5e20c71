/**
 * Deletes from `dist/` the declarations that no entry point of the package exports or refers to in a type or doc comment: a host
 * page cannot name them, and they would make up three quarters of all declarations. Removes the line breaks in paragraphs of the remaining doc
 * comments, which editors ignore, and the texts of the English strings, of which types need the names only, and indents by tabs.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './run-command.mjs';

/** @typedef {import('typescript').Node} Node */

const DIST = join(ROOT, 'dist/');

/** @type {{ exports: Record<string, string | { types?: string }> }} */
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const entries = Object.values(exports)
  .flatMap((target) => (typeof target === 'object' && target.types ? [target.types] : []))
  .flatMap((path) => listFiles(path));

/** Resolves the pattern of an entry point, such as `./dist/types/*.d.ts`, to its files. @param {string} path */
function listFiles(path) {
  if (!path.includes('*')) return [join(ROOT, path)];
  const folder = join(ROOT, dirname(path));
  return readdirSync(folder).map((name) => join(folder, name));
}

const program = ts.createProgram(entries, {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  noLib: true,
  types: [],
});
const checker = program.getTypeChecker();
const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(DIST));

/** Statements, and names of imports and exports, that are needed. @type {Set<Node>} */
const needed = new Set();
/** Files that stay. @type {Set<Node>} */
const neededFiles = new Set(files.filter(({ fileName }) => entries.includes(fileName)));
/** Needed nodes whose references have not been followed yet. @type {Node[]} */
const pending = [];

/** A name of an import or export, or a statement: what is removed as a whole. @param {Node} node */
const isUnit = (node) =>
  ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isSourceFile(node.parent);

/** @param {Node} declaration */
function need(declaration) {
  let node = declaration;
  while (!isUnit(node)) node = node.parent;
  const file = node.getSourceFile();
  if (needed.has(node) || !files.includes(file)) return;
  needed.add(node);
  neededFiles.add(file);
  pending.push(node);
}

/** Adds the declarations of a name, or of all exports of a module. @param {import('typescript').Symbol | undefined} symbol */
function needSymbol(symbol) {
  for (const node of symbol?.declarations ?? []) {
    if (ts.isSourceFile(node)) needExports(node);
    else need(node);
  }
}

/** @param {import('typescript').SourceFile} file */
function needExports(file) {
  const symbol = checker.getSymbolAtLocation(file);
  for (const name of symbol ? checker.getExportsOfModule(symbol) : []) needSymbol(name);
}

/** The file that an import or export names. @param {Node | undefined} specifier */
const findFile = (specifier) =>
  specifier && checker.getSymbolAtLocation(specifier)?.declarations?.find(ts.isSourceFile);

/** Adds a file even if it only exports the names of others. @param {Node | undefined} specifier */
function needFile(specifier) {
  const file = findFile(specifier);
  if (file && files.includes(file)) neededFiles.add(file);
}

/** Adds what a node, everything in it, and the links of its doc comment refer to. @param {Node} node */
function followReferences(node) {
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) {
    needFile(findModuleSpecifier(node));
    needSymbol(checker.getImmediateAliasedSymbol(symbolOf(node)));
  } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    needFile(node.argument.literal);
    // `typeof import('./file.js')`
    if (!node.qualifier) needSymbol(checker.getSymbolAtLocation(node.argument.literal));
    node.getChildren().forEach(followReferences);
  } else {
    if (ts.isIdentifier(node)) needSymbol(checker.getSymbolAtLocation(node));
    // Unlike `forEachChild`, with doc comments.
    node.getChildren().forEach(followReferences);
  }
}

/** @typedef {import('typescript').ImportSpecifier | import('typescript').ExportSpecifier} Specifier */

/** The file from which a name is imported or exported. @param {Specifier} specifier */
const findModuleSpecifier = ({ parent }) =>
  ts.isNamedImports(parent) ? parent.parent.parent.moduleSpecifier : parent.parent.moduleSpecifier;

/** The symbol that a name of an import or export declares, not the one to which it refers. @param {Specifier} specifier */
function symbolOf(specifier) {
  const file = checker.getSymbolAtLocation(specifier.getSourceFile());
  const symbol = ts.isImportSpecifier(specifier)
    ? checker.getSymbolAtLocation(specifier.name)
    : file?.exports?.get(ts.escapeLeadingUnderscores(specifier.name.text));
  if (!symbol) throw new Error(`${specifier.getSourceFile().fileName}: unknown name.`);
  return symbol;
}

/** Returns a statement without the names that are not needed. @param {import('typescript').Statement} statement */
function prune(statement) {
  const text = statement.getFullText();
  if (needed.has(statement)) return text;
  const names = namesOf(statement);
  // `export {}` makes a file a module.
  if (ts.isExportDeclaration(statement) && names?.elements.length === 0) return text;
  if (ts.isExportDeclaration(statement) && !statement.exportClause) {
    const file = findFile(statement.moduleSpecifier);
    return file && neededFiles.has(file) ? text : '';
  }
  const kept = (names?.elements ?? []).filter((name) => needed.has(name));
  if (!names || kept.length === 0) return '';
  const start = names.pos - statement.getFullStart();
  const end = names.end - statement.getFullStart();
  const list = kept.map((name) => name.getText()).join(', ');
  return `${text.slice(0, start)} { ${list} }${text.slice(end)}`;
}

/** The names in braces of an import or export. @param {import('typescript').Statement} statement */
function namesOf(statement) {
  if (ts.isImportDeclaration(statement)) {
    const names = statement.importClause?.namedBindings;
    return names && ts.isNamedImports(names) ? names : undefined;
  }
  if (!ts.isExportDeclaration(statement)) return undefined;
  const names = statement.exportClause;
  return names && ts.isNamedExports(names) ? names : undefined;
}

/** The beginning of a line of a doc comment that begins another block: a tag, list item, table row or fence. */
const BLOCK = /^(?:[@|>#-]|[*+] |\d+[.)]|```)/;

/** Joins the lines of each paragraph, except in examples and other code. @param {string} comment */
function joinLines(comment) {
  let [isFenced, isExample] = [false, false];
  let joined = '';
  for (const line of comment.split(/\n[ \t]*\* ?/)) {
    if (line.startsWith('@')) isExample = line.startsWith('@example');
    const previous = joined.slice(joined.lastIndexOf('\n') + 1);
    const continues = /\w/.test(previous) && /^[^\s/]/.test(line) && !BLOCK.test(line);
    const isJoined = continues && !isFenced && !isExample && !/^[ */]*(?:\||```)/.test(previous);
    joined += isJoined ? ` ${line}` : `${joined && '\n * '}${line}`;
    if (line.startsWith('```')) isFenced = !isFenced;
  }
  return joined.replaceAll(/ +$/gm, '').replace(/\n \* \/$/, '\n */');
}

/** @param {string} text */
const compact = (text) =>
  text
    .replaceAll(
      /^([ \t]*)(\/\*\*[^]*?\*\/)/gm,
      (_all, indent, comment) => `${indent}${joinLines(comment).replaceAll('\n', `\n${indent}`)}`,
    )
    .replaceAll(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4));

/** Replaces the types of English strings, which are their texts, by `string`. @param {string} text */
const widenStrings = (text) =>
  text.replaceAll(/^(\s*readonly \w+: )(?:'[^'\n]*'|"[^"\n]*");$/gm, '$1string;');

for (const file of files) {
  if (neededFiles.has(file)) needExports(file);
}
// Additions to other modules and to the global scope, which are not exported.
for (const { statements } of files) statements.filter(ts.isModuleDeclaration).forEach(need);
for (let node = pending.pop(); node; node = pending.pop()) followReferences(node);

for (const file of files.filter((each) => neededFiles.has(each))) {
  const text = file.statements.map(prune).join('').trimStart();
  const isModule = /^(?:import|export) /m.test(text);
  const isStrings = file.fileName.startsWith(`${DIST}locales/en-`);
  const printed = isStrings ? widenStrings(compact(text)) : compact(text);
  writeFileSync(file.fileName, `${printed}${isModule ? '' : '\nexport {};'}\n`);
}
const kept = new Set([...neededFiles].map((file) => file.getSourceFile().fileName));
for (const path of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
  const file = join(DIST, path);
  if (file.endsWith('.d.ts') && !kept.has(file)) rmSync(file);
}
