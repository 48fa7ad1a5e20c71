/**
 * Checks the samples in README.md and `docs/`, so that a reader can copy them: JavaScript and TypeScript are compiled against the types
 * in `dist/`, and elements in markup must have the attributes, properties and events that the sample uses. Samples that import a
 * framework are compiled by `npm run test:hosts`. `test/elements/guides.test.ts` runs the samples of some guides.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runCommand, TSC } from './run-command.mjs';
import { emptyTally, formatTally, writeTally } from './tally.mjs';

/** A folder inside the package, where the package can be imported by its own name. */
const FOLDER = '.cache/samples';

/** Declares what the samples expect of the host page. Functions of the page's own code have the type `any`. */
const HOST_PAGE = `
declare const chat: import('ubik-elements').UbikChat;
declare const controller: import('ubik-elements/controller.js').StreamController;
declare const UbikElements: typeof import('ubik-elements/define.js');
declare const getToken: () => Promise<string>;
declare const baseUrl: string;
declare const threadId: string;
declare const userKey: string;
declare const file: File;
declare const apiKey: string;
declare const getUser: import('ubik-elements/server.js').GetUser;
declare const sessionOf: any, servePage: any, renderProgress: any, suggest: any, deselect: any, askInMyDialog: any, navigate: any;
`;

/**
 * A fenced block of a document.
 *
 * @typedef {object} Sample
 * @property {string} document
 * @property {number} line of its first line of code
 * @property {string} language
 * @property {string | undefined} name of the file, if the line before the block ends with one in backticks and a colon
 * @property {string} code
 */

/** Documents with samples of the current version. @returns {string[]} */
function listDocuments() {
  const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md') && !file.startsWith('docs/decisions/'));
  return ['README.md', ...documents.sort()];
}

/** @param {string} document @returns {Sample[]} */
function readSamples(document) {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/([^\n]*)\n+```([a-z]+)\n([^]*?)\n```/g)].map((match) => {
    const [, before = '', language = '', code = ''] = match;
    const [, name] = /`([\w-]+\.[jt]s)`:$/.exec(before) ?? [];
    const start = match.index + match[0].length - code.length - '\n```'.length;
    return { document, line: text.slice(0, start).split('\n').length, language, name, code };
  });
}

/** Whether a sample imports a package that is not installed in the repository. @param {Sample} sample */
const needsFramework = ({ code }) =>
  [...code.matchAll(/\bfrom '(?!ubik-elements['/]|node:|\.)((?:@[^/']+\/)?[^/']+)/g)].some(
    ([, name = '']) => !existsSync(join(ROOT, 'node_modules', name)),
  );

/**
 * Compiles samples of one language in a separate folder. Returns the messages of the compiler, with locations in the documents.
 *
 * @param {'js' | 'ts'} language
 * @param {readonly Sample[]} samples
 */
async function compile(language, samples) {
  const folder = join(ROOT, FOLDER, language);
  /** @type {Map<string, Sample>} */
  const files = new Map();
  for (const sample of samples) {
    const [path] = sample.document.replaceAll('/', '-').split('.md');
    const subfolder = join(folder, path ?? '');
    mkdirSync(subfolder, { recursive: true });
    const file = sample.name ?? `line-${String(sample.line)}.${language}`;
    files.set(`${path ?? ''}/${file}`, sample);
    // Each sample is a module, so that its names do not collide with those of other samples.
    writeFileSync(join(subfolder, file), `${sample.code}\nexport {};\n`);
  }
  writeFileSync(join(folder, 'host-page.d.ts'), HOST_PAGE);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        module: 'NodeNext',
        lib: ['ES2023', 'DOM', 'DOM.Iterable'],
        types: ['node'],
        // Plain JavaScript cannot declare that a value is not null, or the type of a parameter.
        strict: language === 'ts',
        checkJs: language === 'js',
        skipLibCheck: true,
        noEmit: true,
      },
      include: ['.'],
    }),
  );
  const { code, output } = await runCommand([...TSC, '-p', `${FOLDER}/${language}`]);
  if (code === 0) return [];
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) =>
      line.replace(/^.*?([\w-]+\/[\w.-]+)\((\d+),\d+\)/, (whole, file, row) => {
        const sample = files.get(file);
        return sample ? `${sample.document}:${String(sample.line + Number(row) - 1)}` : whole;
      }),
    );
}

/** @typedef {{ tagName?: string, attributes?: { name: string }[], members?: { name: string }[], events?: { name: string }[] }} Declaration */

/** The attributes, properties and events of each element, by its tag name. */
function readElements() {
  /** @type {{ modules: { declarations?: Declaration[] }[] }} */
  const manifest = JSON.parse(readFileSync(join(ROOT, 'custom-elements.json'), 'utf8'));
  const names = (/** @type {{ name: string }[] | undefined} */ list) =>
    new Set((list ?? []).map(({ name }) => name));
  return new Map(
    manifest.modules
      .flatMap(({ declarations = [] }) => declarations)
      .map(({ tagName = '', attributes, members, events }) => {
        const declared = {
          attributes: names(attributes),
          properties: names(members),
          events: names(events),
        };
        return [tagName, declared];
      }),
  );
}

/** Attributes that every element has, and directives of Vue. */
const GLOBAL = new Set(['class', 'id', 'slot', 'style', 'lang', 'dir', 'v-if', 'v-for']);

/**
 * The names that a start tag uses, by their kind, in the spelling of HTML, React, Svelte, Vue and Angular.
 *
 * @param {string} tag
 * @returns {{ kind: 'attribute' | 'property' | 'event', name: string }[]}
 */
function listNames(tag) {
  // Values are removed first: in quotes, or in braces with at most one level of braces inside.
  const bare = tag
    .replaceAll(/=(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\})/g, ' ')
    // An attachment of Svelte is neither an attribute nor a property.
    .replaceAll(/\{@attach \w+\}/g, ' ')
    // The shorthand of Svelte for `name={name}`.
    .replaceAll(/\{(\w+)\}/g, '$1');
  return [...bare.matchAll(/(?<=\s)[^\s/>=]+/g)].map(([word]) => {
    const [, event] = /^(?:on|@|\()(ubik-[\w-]+)\)?$/.exec(word) ?? [];
    if (event) return { kind: 'event', name: event };
    const [, property] = (/^(?:\[(\w+)\]|:(\w+)\.prop)$/.exec(word) ?? []).filter(Boolean);
    return property ? { kind: 'property', name: property } : { kind: 'attribute', name: word };
  });
}

const elements = readElements();

/** @param {Sample} sample @returns {string[]} */
function checkMarkup({ document, line, code }) {
  const tags = code.matchAll(/<(ubik-[\w-]+)((?:"[^"]*"|\{(?:[^{}]|\{[^{}]*\})*\}|[^>"{])*)>/g);
  return [...tags].flatMap(([, tagName = '', rest = '']) => {
    const element = elements.get(tagName);
    const at = `${document}:${String(line)}: <${tagName}>`;
    if (!element) return [`${at} is no element of the package.`];
    return listNames(rest).flatMap(({ kind, name }) => {
      const { attributes, properties, events } = element;
      const isKnown =
        kind === 'event'
          ? events.has(name)
          : properties.has(name) ||
            (kind === 'attribute' && (attributes.has(name) || GLOBAL.has(name)));
      return isKnown ? [] : [`${at} has no ${kind} ${name}.`];
    });
  });
}

rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
const samples = listDocuments().flatMap(readSamples);
const scripts = samples.filter((sample) => !needsFramework(sample));
const problems = [
  ...(await compile(
    'js',
    scripts.filter(({ language }) => language === 'js'),
  )),
  ...(await compile(
    'ts',
    scripts.filter(({ language }) => language === 'ts'),
  )),
  ...samples.filter(({ code }) => code.includes('<ubik-')).flatMap(checkMarkup),
];
if (problems.length > 0) console.log(problems.join('\n'));
const tally = emptyTally();
const failing = new Set(problems.map((problem) => problem.split(':', 1)[0]));
for (const document of new Set(samples.map((sample) => sample.document))) {
  tally[failing.has(document) ? 'failed' : 'passed'] += 1;
}
// A message without a location in a document is a failure too.
if (problems.length > 0 && tally.failed === 0) tally.failed = 1;
writeTally(tally);
console.log(formatTally(tally));
process.exit(tally.failed > 0 ? 1 : 0);
