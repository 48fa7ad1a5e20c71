/**
 * Checks `custom-elements.json`, which editors and the types for frameworks use. The committed file must be up to date, and must
 * list exactly the events, parts and custom properties of the code.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runCommand } from './run-command.mjs';
import { emptyTally, formatTally, writeTally } from './tally.mjs';

/**
 * The manifest, with the fields that are used.
 *
 * @typedef {{ name: string, description?: string }} Described
 * @typedef {{ customElement?: boolean, tagName?: string, name: string, description?: string }} Heading
 * @typedef {{ members?: Described[], events?: Described[], cssParts?: Described[], cssProperties?: Described[] }} Lists
 * @typedef {{ modules: { declarations?: (Heading & Lists)[] }[] }} Manifest
 */

const MANIFEST = 'custom-elements.json';
/** Folder of the manifest that is generated for the comparison. */
const FRESH = '.cache/manifest';

/** @param {string} path @returns {string} */
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

function readSources() {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: read(join('src', file)) }));
}

/**
 * Returns all matches of the first group of a regular expression.
 *
 * @param {readonly { text: string }[]} sources
 * @param {RegExp} expression
 */
const findAll = (sources, expression) =>
  new Set(
    sources.flatMap(({ text }) => [...text.matchAll(expression)].map((match) => match[1] ?? '')),
  );

/** Returns the names of the events whose classes the code uses. @param {readonly { file: string, text: string }[]} sources */
function findEvents(sources) {
  const isDefinition = (/** @type {{ file: string }} */ { file }) => file.startsWith('events/');
  const definitions = sources.filter(isDefinition).map(({ text }) => text);
  const classes = definitions.flatMap((text) => [
    ...text.matchAll(/class (Ubik\w+Event)\b[^}]*?'(ubik-[\w-]+)'/g),
  ]);
  const others = sources.filter((source) => !isDefinition(source));
  // Used: the class is instantiated, or is the type of a value.
  const used = findAll(others, /(?:new|:) (Ubik\w+Event)\b/g);
  return new Set(classes.filter(([, name = '']) => used.has(name)).map(([, , type = '']) => type));
}

/** @param {readonly { text: string }[]} sources */
function findParts(sources) {
  const named = [
    ...findAll(sources, /\spart="([^"$]*)"/g),
    ...findAll(sources, /setAttribute\('part', '([^']*)'\)/g),
  ].flatMap((names) => names.split(/\s+/));
  // In `part.add(kind === 'a' ? 'b' : 'c')`, 'a' is not the name of a part.
  const added = [...findAll(sources, /\.part\.add\(([^)]*)\)/g)].flatMap((names) =>
    [...names.matchAll(/(=== )?'([^']+)'/g)].flatMap(([, compared, name]) =>
      compared === undefined ? (name ?? '') : [],
    ),
  );
  // Views pass the name of their part to the constructor of their base class.
  const passed = findAll(
    sources,
    /super\(\s*part,\s*scope,(?:\s*element\([^)]*\),)?\s*'([\w-]+)'/g,
  );
  return new Set([...named, ...added, ...passed].filter((name) => name !== ''));
}

/**
 * Returns the differences between the names in the code and in the manifest.
 *
 * @param {string} what
 * @param {string} tag
 * @param {ReadonlySet<string>} inCode
 * @param {ReadonlySet<string>} documented
 */
const compare = (what, tag, inCode, documented) => [
  ...[...inCode]
    .filter((name) => !documented.has(name))
    .map((name) => `The ${what} ${name} is in the code, but no element has an ${tag} for it.`),
  ...[...documented]
    .filter((name) => !inCode.has(name))
    .map((name) => `An element has ${tag} ${name}, but the code has no such ${what}.`),
];

/**
 * Returns the events of the controller that an element with a controller does not list. The element that connects first dispatches these
 * events, and each element can be the first.
 *
 * @param {readonly (Heading & Lists)[]} elements
 * @param {readonly { file: string, text: string }[]} sources
 */
function compareControllerEvents(elements, sources) {
  const dispatched = findEvents(
    sources.filter(({ file }) => /^events\/|^elements\/base\/controller-events\.ts$/.test(file)),
  );
  return elements.flatMap(({ name: element, members = [], events = [] }) =>
    [...dispatched]
      .filter(() => members.some(({ name }) => name === 'controller'))
      .filter((type) => !events.some(({ name }) => name === type))
      .map((type) => `${element} has no @fires for ${type}, an event of its controller.`),
  );
}

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
    : [`${MANIFEST} is out of date: run \`npm run manifest\` and commit it.`];
}

function checkCompleteness() {
  const manifest = /** @type {Manifest} */ (JSON.parse(read(join(FRESH, MANIFEST))));
  const elements = manifest.modules
    .flatMap((module) => module.declarations ?? [])
    // Base classes have no tag name.
    .filter(({ customElement, name }) => customElement && name.startsWith('Ubik'));
  const sources = readSources();
  const names = (/** @type {'events' | 'cssParts' | 'cssProperties'} */ list) =>
    new Set(elements.flatMap((element) => element[list] ?? []).map(({ name }) => name));
  const undescribed = elements.flatMap(({ name, tagName, description, events = [], ...lists }) => [
    ...(tagName ? [] : [`${name} has no @tagname.`]),
    ...(description ? [] : [`${name} has no doc comment.`]),
    ...[...events, ...(lists.cssParts ?? []), ...(lists.cssProperties ?? [])]
      .filter((entry) => !entry.description)
      .map((entry) => `${name}: ${entry.name} has no description.`),
  ]);
  return {
    described: elements.length > 0 ? undescribed : ['There are no elements.'],
    events: compare('event', '@fires', findEvents(sources), names('events')),
    ofController: compareControllerEvents(elements, sources),
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
console.log(formatTally(tally));
process.exit(tally.failed > 0 ? 1 : 0);
