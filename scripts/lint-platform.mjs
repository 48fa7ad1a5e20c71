/**
 * ESLint rules for platform APIs that the code must not use directly. Time, randomness and network come from the injected environment, so
 * that a host can replace them and a test can control them. Strings of HTML are never parsed.
 */

const ENVIRONMENT = 'Use the injected environment (src/transport/environment.ts).';
const FRAMES = 'Use the frame scheduler (src/dom/frames.ts).';
const MARKUP = 'Do not parse HTML strings: create nodes.';

const NETWORK = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket'];
const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'];
const STORES = ['localStorage', 'sessionStorage', 'indexedDB'];
const FRAME_CALLS = ['requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback'];

/** @param {readonly string[]} names @param {string} message */
const forbid = (names, message) => names.map((name) => ({ name, message }));

const globals = [
  ...forbid([...NETWORK, ...TIMERS, ...STORES, 'performance'], ENVIRONMENT),
  ...forbid(FRAME_CALLS, FRAMES),
];

/** @param {{ name: string, message: string }[]} names */
const restrictGlobals = (names) => ({
  'no-restricted-globals': [
    'error',
    { globals: names, checkGlobalObject: true, globalObjects: ['window', 'self'] },
  ],
});

const properties = [
  ['Date', 'now'],
  ['Math', 'random'],
  ['performance', 'now'],
  ['crypto', 'randomUUID'],
  ['crypto', 'getRandomValues'],
].map(([object, property]) => ({ object, property, message: ENVIRONMENT }));

const markup = [
  {
    selector: 'AssignmentExpression > MemberExpression.left[property.name=/^(inner|outer)HTML$/]',
    message: MARKUP,
  },
  {
    selector:
      'CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTML|setHTMLUnsafe|parseFromString|createContextualFragment)$/]',
    message: MARKUP,
  },
  {
    selector: 'CallExpression[callee.object.name="document"][callee.property.name=/^write/]',
    message: MARKUP,
  },
  {
    selector: 'MemberExpression[object.name="document"][property.name="cookie"]',
    message: 'Do not use cookies: they belong to the host page.',
  },
];

const clock = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message: ENVIRONMENT,
  },
  { selector: 'CallExpression[callee.name="Date"]', message: ENVIRONMENT },
];

/** Rules for all code that runs in pages. Later entries override earlier ones. */
export const platformRules = [
  {
    files: ['src/**/*.ts'],
    // Required for ESLint to detect that `window.fetch` is `fetch`.
    languageOptions: { globals: { window: 'readonly', self: 'readonly' } },
    rules: {
      ...restrictGlobals(globals),
      'no-restricted-properties': ['error', ...properties],
      'no-restricted-syntax': ['error', ...markup, ...clock],
    },
  },
  {
    files: ['src/model/**/*.ts'],
    rules: restrictGlobals([
      ...globals,
      {
        name: 'Date',
        message: 'The model is pure: pass times as numbers.',
      },
    ]),
  },
  {
    files: ['src/markdown/**/*.ts'],
    rules: restrictGlobals([
      ...globals,
      ...forbid(['document', 'window'], 'Use the document of the options: tests pass another one.'),
    ]),
  },
  {
    // The two files that may use these globals. `transport/tab-id.ts` and `mermaid/drawing-frame.ts` reach one through an object that they get.
    files: ['src/transport/environment.ts', 'src/dom/frames.ts'],
    rules: {
      'no-restricted-globals': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', ...markup],
    },
  },
];
