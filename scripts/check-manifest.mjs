/**
 * `custom-elements.json` is what editors, framework bindings and the reference are made from. It is committed; here it must be the
 * one that the code gives now, and it must name every event, part and custom property that the code knows, and no others.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runCommand } from './run-command.mjs';
import { emptyTally, printTally, writeTally } from './tally.mjs';

/**
 * As much of the manifest as is read here.
 *
 * @typedef {{ name: string, description?: string }} Described
 * @typedef {{ customElement?: boolean, tagName?: string, name: string, description?: string }} Heading
 * @typedef {{ events?: Described[], cssParts?: Described[], cssProperties?: Described[] }} Lists
 * @typedef {{ modules: { declarations?: (Heading & Lists)[] }[] }} Manifest
 */

const MANIFEST = 'custom-elements.json';
const FRESH = '.cache/manifest';

/** @param {string} path @returns {string} */
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

function readSources() {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: read(join('src', file)) }));
}

/**
 * Everything that the first group of the expression finds.
 *
 * @param {readonly { text: string }[]} sources
 * @param {RegExp} expression
 */
const findAll = (sources, expression) =>
  new Set(
    sources.flatMap(({ text }) => [...text.matchAll(expression)].map((match) => match[1] ?? '')),
  );

/** Names of the events that the code makes, by way of their classes. @param {readonly { file: string, text: string }[]} sources */
function findEvents(sources) {
  const isCatalogue = (/** @type {{ file: string }} */ { file }) => file.startsWith('events/');
  const catalogue = sources.filter(isCatalogue).map(({ text }) => text);
  const classes = catalogue.flatMap((text) => [
    ...text.matchAll(/class (Ubik\w+Event)\b[^}]*?'(ubik-[\w-]+)'/g),
  ]);
  const others = sources.filter((source) => !isCatalogue(source));
  const made = findAll(others, /(?:new|:) (Ubik\w+Event)\b/g);
  return new Set(classes.filter(([, name = '']) => made.has(name)).map(([, , type = '']) => type));
}

/** @param {readonly { text: string }[]} sources */
function findParts(sources) {
  const named = [
    ...findAll(sources, /\spart="([^"$]*)"/g),
    ...findAll(sources, /setAttribute\('part', '([^']*)'\)/g),
  ].flatMap((names) => names.split(/\s+/));
  const added = [...findAll(sources, /\.part\.add\(([^)]*)\)/g)].flatMap((names) =>
    [...names.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? ''),
  );
  // A view whose base class takes the name of its part.
  const given = findAll(sources, /super\(\s*part,\s*scope,(?:\s*element\([^)]*\),)?\s*'([\w-]+)'/g);
  return new Set([...named, ...added, ...given].filter((name) => name !== ''));
}

/**
 * What the code has and the manifest lacks, and the other way round.
 *
 * @param {string} what
 * @param {string} tag
 * @param {ReadonlySet<string>} inCode
 * @param {ReadonlySet<string>} documented
 */
const compare = (what, tag, inCode, documented) => [
  ...[...inCode]
    .filter((name) => !documented.has(name))
    .map((name) => `The ${what} ${name} is in the code; no element says ${tag}.`),
  ...[...documented]
    .filter((name) => !inCode.has(name))
    .map((name) => `An element says ${tag} ${name}; no code has this ${what}.`),
];

/** @returns {Promise<string[]>} */
async function checkFreshness() {
  const { code, output } = await runCommand([
    'cem',
    'analyze',
    '--config',
    'custom-elements-manifest.config.mjs',
    '--outdir',
    FRESH,
  ]);
  if (code !== 0) return [output];
  const committed = existsSync(join(ROOT, MANIFEST)) ? read(MANIFEST) : '';
  return read(join(FRESH, MANIFEST)) === committed
    ? []
    : [`${MANIFEST} is not the one of this code: \`npm run manifest\`, and commit it.`];
}

function checkCompleteness() {
  const manifest = /** @type {Manifest} */ (JSON.parse(read(join(FRESH, MANIFEST))));
  const elements = manifest.modules
    .flatMap((module) => module.declarations ?? [])
    // Those that they are derived from have no tag.
    .filter(({ customElement, name }) => customElement && name.startsWith('Ubik'));
  const sources = readSources();
  const names = (/** @type {'events' | 'cssParts' | 'cssProperties'} */ list) =>
    new Set(elements.flatMap((element) => element[list] ?? []).map(({ name }) => name));
  const undescribed = elements.flatMap(({ name, tagName, description, events = [], ...lists }) => [
    ...(tagName ? [] : [`${name} has no @tagname.`]),
    ...(description ? [] : [`${name} has no doc comment.`]),
    ...[...events, ...(lists.cssParts ?? []), ...(lists.cssProperties ?? [])]
      .filter((entry) => !entry.description)
      .map((entry) => `${name}: ${entry.name} is named without a word about it.`),
  ]);
  return {
    described: elements.length > 0 ? undescribed : ['There are no elements.'],
    events: compare('event', '@fires', findEvents(sources), names('events')),
    parts: compare('part', '@csspart', findParts(sources), names('cssParts')),
    properties: compare(
      'custom property',
      '@cssprop',
      findAll(sources, /var\(\s*(--ubik-[\w-]+)/g),
      names('cssProperties'),
    ),
  };
}

const tally = emptyTally();
const checks = { fresh: await checkFreshness(), ...checkCompleteness() };
for (const [check, problems] of Object.entries(checks)) {
  tally[problems.length > 0 ? 'failed' : 'passed'] += 1;
  if (problems.length > 0) console.log(`── ${check}\n${problems.join('\n')}`);
}
writeTally(tally);
console.log(printTally(tally));
process.exit(tally.failed > 0 ? 1 : 0);
