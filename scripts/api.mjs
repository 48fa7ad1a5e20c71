/**
 * Writes `docs/api.md`, the list of all exported names, from the sources: `npm run api`. With `--check` it writes nothing; it fails when
 * the document is out of date, when a name has no doc comment, and when the declarations of an entry point and its module export different
 * values: editors complete a name that only the declarations have, but using it fails. The check needs a build with types.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { ROOT } from './run-command.mjs';
import { emptyTally, formatTally, writeTally } from './tally.mjs';

/**
 * @typedef {object} Entry an entry point of the package
 * @property {string} specifier the specifier of an import
 * @property {string} label its name in the document
 * @property {string} source path of its source
 * @property {string} types path of its declarations
 * @property {string} module path of its built module
 */

/**
 * @typedef {object} PublicName
 * @property {string} name
 * @property {string} kind `class`, `function`, `constant` or `type`
 * @property {string} file the file of its declaration, relative to the root of the repository
 * @property {string} summary first sentence of its doc comment
 * @property {string[]} labels of the entry points that export it
 */

/**
 * @typedef {object} Subject
 * @property {string} title
 * @property {string} intro
 * @property {readonly string[]} paths path prefixes of the declarations
 */

const DOCUMENT = 'docs/api.md';

/** A declaration belongs to the first subject with a matching path prefix. @type {readonly Subject[]} */
const SUBJECTS = [
  {
    title: 'Registration',
    intro:
      'Services, formats, languages and renderers of your own. With a script tag, the functions are members of `UbikElements`.',
    paths: [
      'src/controller/registry',
      'src/transport/token',
      'src/locales/',
      'src/message/parts/',
      'src/message/host-',
    ],
  },
  {
    title: 'Export',
    intro: 'See [export](export.md).',
    paths: ['src/message/export/', 'src/elements/menu/export-'],
  },
  {
    title: 'Server rendering',
    intro: 'See [server rendering](guides/server-rendering.md).',
    paths: ['src/static/'],
  },
  {
    title: 'Elements',
    intro:
      'Attributes, properties, slots, parts and custom properties are in `custom-elements.json`. See [composer](composer.md) and [theming](theming.md).',
    paths: ['src/elements/'],
  },
  {
    title: 'Events',
    intro: 'When each event is dispatched, and with which detail: [events](events.md).',
    paths: ['src/events/'],
  },
  {
    title: 'Controller',
    intro: 'A headless chat; see [architecture](architecture.md).',
    paths: ['src/controller/', 'src/transport/environment', 'src/errors'],
  },
  {
    title: 'Threads, messages and parts',
    intro:
      'The model: plain data that a controller shows and a backend changes. The kinds of parts: [part kinds](part-kinds.md).',
    paths: ['src/model/'],
  },
  {
    title: 'Multiple tabs',
    intro: 'One stream for all tabs of a user; see [architecture](architecture.md#multiple-tabs).',
    paths: ['src/backends/multi-tab/'],
  },
  {
    title: 'UBIK',
    intro:
      'The backend for UBIK agent sessions. From `define.js`, its code is loaded with the first call.',
    paths: ['src/backends/ubik/'],
  },
  {
    title: 'Data Agent',
    intro:
      'The backend for Data Agent conversations. From `define.js`, its code is loaded with the first call.',
    paths: ['src/backends/data-agent/'],
  },
  {
    title: 'Backend contract',
    intro: 'For a service of your own: implement `Backend`, and call `registerBackend`.',
    paths: ['src/backends/'],
  },
  {
    title: 'Server-sent events',
    intro: 'For any `ReadableStream` of bytes.',
    paths: ['src/transport/sse'],
  },
  {
    title: 'Markdown',
    intro:
      'Renders a growing text, and its diagrams; see [streaming Markdown](markdown.md) and [Mermaid diagrams](guides/mermaid.md).',
    paths: ['src/markdown/', 'src/mermaid/', 'src/dom/frames', 'src/dom/manual-frames'],
  },
  {
    title: 'Server kit',
    intro: 'For Node servers; see [server](server.md).',
    paths: ['server/'],
  },
];

/** Order of the kinds in a table. */
const KINDS = ['class', 'function', 'constant', 'type'];

const OPTIONS = {
  noLib: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

/** @returns {Entry[]} */
function readEntries() {
  /** @type {{ name: string, exports: Record<string, { types: string, default?: string } | string> }} */
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, target]) => {
    // Files and types without a module export no names.
    if (typeof target === 'string' || target.default === undefined) return [];
    const [, module = ''] = /^\.\/dist\/(.+)\.d\.ts$/.exec(target.types) ?? [];
    return [
      {
        specifier: name + path.slice(1),
        label: path === '.' ? name : path.slice(2),
        source: join(ROOT, module.startsWith('server/') ? '' : 'src', `${module}.ts`),
        types: join(ROOT, target.types),
        module: join(ROOT, target.default),
      },
    ];
  });
}

/** Returns the symbols that a file exports, with their resolved aliases. @param {ts.Program} program @param {string} file */
function exportsOf(program, file) {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} exports nothing.`);
  return checker.getExportsOfModule(module).map((symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return { name: symbol.name, target: isAlias ? checker.getAliasedSymbol(symbol) : symbol };
  });
}

/** @param {ts.Symbol} symbol */
function kindOf({ flags }) {
  if (flags & ts.SymbolFlags.Class) return 'class';
  if (flags & ts.SymbolFlags.Function) return 'function';
  return flags & ts.SymbolFlags.Value ? 'constant' : 'type';
}

/** Returns the first sentence of a doc comment, up to its period or colon, in one line. @param {ts.Symbol} symbol @param {ts.TypeChecker} checker */
function summarize(symbol, checker) {
  const text = ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replaceAll(/\{@link\s+([^}]+)\}/g, (_, name) => `\`${String(name).trim()}\``);
  const [paragraph = ''] = text.split(/\n\s*\n/);
  const line = paragraph.replaceAll(/\s+/g, ' ').trim();
  const [, sentence = line] = /^(.*?)[.:](?:\s|$)/.exec(line) ?? [];
  return sentence.replaceAll('|', '\\|');
}

/** Returns all public names, in the order of the entry points and their exports. @param {readonly Entry[]} entries */
function readNames(entries) {
  const program = ts.createProgram(
    entries.map(({ source }) => source),
    OPTIONS,
  );
  const checker = program.getTypeChecker();
  /** @type {Map<string, PublicName>} */
  const names = new Map();
  for (const { source, label } of entries) {
    for (const { name, target } of exportsOf(program, source)) {
      const known = names.get(name);
      if (known) known.labels.push(label);
      const [declaration] = target.declarations ?? [];
      if (!declaration) throw new Error(`${label} exports ${name}, which has no declaration.`);
      const file = relative(ROOT, declaration.getSourceFile().fileName);
      const summary = summarize(target, checker);
      // `define.js` exports a lazy version of some functions; the entry point with the original describes them.
      if (known) Object.assign(known, label === 'define.js' ? {} : { file, summary });
      else names.set(name, { name, kind: kindOf(target), file, summary, labels: [label] });
    }
  }
  return [...names.values()];
}

/** Returns the whole document. @param {readonly PublicName[]} names */
function describe(names) {
  const groups = SUBJECTS.map((subject) => ({
    subject,
    members: /** @type {PublicName[]} */ ([]),
  }));
  for (const each of names) {
    const group = groups.find(({ subject }) =>
      subject.paths.some((path) => each.file.startsWith(path)),
    );
    if (!group)
      throw new Error(`${each.name} of ${each.file} belongs to no subject of scripts/api.mjs.`);
    group.members.push(each);
  }
  const used = groups.filter(({ members }) => members.length > 0);
  const sections = used.map(({ subject: { title, intro }, members }) => {
    const sorted = members.toSorted(
      (one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind),
    );
    const rows = sorted.map(
      ({ name, kind, labels, summary }) =>
        `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${summary} |`,
    );
    return [
      `## ${title}`,
      '',
      intro,
      '',
      '| name | kind | from | what |',
      '|---|---|---|---|',
      ...rows,
    ].join('\n');
  });
  return `${[formatHeader(names.length), ...sections].join('\n\n')}\n`;
}

/** @param {number} count */
const formatHeader = (count) => `# API reference

All ${String(count)} names that the package exports, by subject. A name that is not listed is internal. \`npm run api\` writes this document from the doc comments.

\`\`\`ts
import { createStreamController, pathTo, type Backend } from 'ubik-elements/controller.js';
import { registerPartRenderer, type PartOf } from 'ubik-elements';
\`\`\`

The column *from* has the entry point: \`ubik-elements\`, or \`NAME.js\` for \`ubik-elements/NAME.js\`. A name of the kind *type* exists for TypeScript only. Importing
\`define.js\` or the bundle registers the elements, and \`extras/own-marked.js\` lets them use your copies of \`marked\` and DOMPurify; no other entry point has side effects.`;

/** Returns the names in the export statements of a built module. @param {string} file */
function readModuleExports(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022);
  return new Set(
    source.statements.flatMap((statement) => {
      if (!ts.isExportDeclaration(statement)) return [];
      const { exportClause } = statement;
      if (!exportClause || !ts.isNamedExports(exportClause)) {
        throw new Error(
          `${file} exports all names of another module (\`export *\`), which this check cannot resolve.`,
        );
      }
      return exportClause.elements.map(({ name }) => name.text);
    }),
  );
}

/**
 * Returns for each entry point the values that only its declarations have, and the values that only its module has.
 *
 * @param {readonly Entry[]} entries
 */
function compareValues(entries) {
  const program = ts.createProgram(
    entries.map(({ types }) => types),
    OPTIONS,
  );
  return entries.map(({ specifier, types, module }) => {
    const values = exportsOf(program, types).filter(({ target }) => kindOf(target) !== 'type');
    const declared = new Set(values.map(({ name }) => name));
    const exported = readModuleExports(module);
    return {
      specifier,
      missing: [...declared].filter((name) => !exported.has(name)),
      undeclared: [...exported].filter((name) => !declared.has(name)),
    };
  });
}

/** @param {readonly Entry[]} entries @param {string} text the expected document */
function check(entries, text) {
  const tally = emptyTally();
  /** @param {boolean} isCorrect @param {string} problem */
  const count = (isCorrect, problem) => {
    tally[isCorrect ? 'passed' : 'failed'] += 1;
    if (!isCorrect) console.log(problem);
  };
  const path = join(ROOT, DOCUMENT);
  const written = existsSync(path) ? readFileSync(path, 'utf8') : '';
  count(written === text, `${DOCUMENT} is out of date: \`npm run api\`, and commit it.`);
  const undescribed = text.split('\n').filter((line) => line.endsWith('|  |'));
  count(undescribed.length === 0, `Without a doc comment:\n${undescribed.join('\n')}`);
  if (entries.every(({ types, module }) => existsSync(types) && existsSync(module))) {
    for (const { specifier, missing, undeclared } of compareValues(entries)) {
      count(
        missing.length + undeclared.length === 0,
        `${specifier}: declared and not exported: ${missing.join(', ') || 'none'}; exported and not declared: ${undeclared.join(', ') || 'none'}`,
      );
    }
  } else
    count(false, 'The modules or their declarations are missing: `npm run build` writes them.');
  writeTally(tally);
  console.log(formatTally(tally));
  process.exit(tally.failed === 0 ? 0 : 1);
}

const entries = readEntries();
const text = describe(readNames(entries));
if (process.argv.includes('--check')) check(entries, text);
else writeFileSync(join(ROOT, DOCUMENT), text);
