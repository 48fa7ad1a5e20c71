/**
 * The import table of `docs/architecture.md` as ESLint rules: who may know whom, and who may touch what of the platform.
 */

/** Rooms of ours that a room may import from, and packages it may use. */
const ROOMS = {
  model: { rooms: ['errors'], packages: [] },
  stream: { rooms: ['errors'], packages: ['eventsource-parser'] },
  backends: { rooms: ['model', 'stream', 'errors'], packages: [] },
  conversation: { rooms: ['model', 'stream', 'errors', 'backends/backend'], packages: [] },
  internal: { rooms: [], packages: [] },
  locales: { rooms: [], packages: [] },
  markdown: { rooms: ['internal'], packages: ['marked'] },
  parts: { rooms: ['model', 'markdown', 'locales', 'internal', 'errors'], packages: ['lit'] },
  elements: {
    rooms: [
      'conversation',
      'parts',
      'markdown',
      'events',
      'locales',
      'internal',
      'errors',
      'model',
      'stream/environment',
      'backends/backend',
    ],
    packages: ['lit'],
  },
};

const TOP = ['index', 'define', 'events', 'errors'];
const PACKAGES = ['lit', 'marked', 'eventsource-parser', 'dompurify', 'highlight.js', 'temml'];

/** A path of an import that leads into a room or to a file at the top of `src`. */
const into = (place) => `(^|/)\\.\\./(.*/)?${place}(/|\\.js$)`;

function rulesFor(room, { rooms, packages }) {
  const all = [...Object.keys(ROOMS), ...TOP];
  const allowed = new Set([room, ...rooms.map((place) => place.split('/')[0])]);
  const patterns = all
    .filter((place) => !allowed.has(place))
    .map((place) => ({
      regex: into(place),
      message: `src/${room} may not know src/${place} (docs/architecture.md, "Arrows").`,
    }));
  for (const place of rooms.filter((name) => name.includes('/'))) {
    const [folder, file] = place.split('/');
    patterns.push({
      regex: `(^|/)\\.\\./(.*/)?${folder}/(?!${file}\\.js$)`,
      message: `Of src/${folder}, src/${room} may know ${file} only (docs/architecture.md, "Arrows").`,
    });
  }
  for (const name of PACKAGES.filter((name) => !packages.includes(name))) {
    patterns.push({ regex: `^${name}(/|$)`, message: `${name} does not belong into src/${room}.` });
  }
  patterns.push({ regex: '^node:', message: 'src runs in browsers.' });
  return {
    files: [`src/${room}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

const outside = (files, regex, message) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] },
});

/** One block of ESLint configuration a room. */
export const roomRules = [
  ...Object.entries(ROOMS).map(([room, table]) => rulesFor(room, table)),
  outside(['server/**/*.ts'], '^(?!node:|\\.{1,2}/(?!.*(src|demo)/))', 'server knows Node alone.'),
  outside(
    ['demo/**/*.ts'],
    '(^|/)\\.\\./(.*/)?src/',
    'The local agent is the other side: it reads the protocol for itself.',
  ),
];

const environment = 'Time, chance and network come from the injected environment.';

/** Names that only the environment and the frame scheduler may use. */
export const restrictedGlobals = [
  'fetch',
  'XMLHttpRequest',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'requestIdleCallback',
  'localStorage',
  'sessionStorage',
  'performance',
  'EventSource',
  'WebSocket',
].map((name) => ({ name, message: environment }));

/** The same as members. */
export const restrictedProperties = [
  { object: 'Date', property: 'now', message: environment },
  { object: 'Math', property: 'random', message: environment },
  { object: 'crypto', property: 'randomUUID', message: environment },
  { object: 'crypto', property: 'getRandomValues', message: environment },
  { object: 'window', property: 'fetch', message: environment },
  { object: 'window', property: 'setTimeout', message: environment },
  { object: 'window', property: 'requestAnimationFrame', message: environment },
  { object: 'globalThis', property: 'fetch', message: environment },
  { object: 'document', property: 'write', message: 'No string of HTML: build nodes.' },
];
