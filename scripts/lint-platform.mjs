/**
 * What of the platform the code may not touch by itself. Time, chance and network come from the injected environment, so that a
 * host can replace them and a test can own them; markup is never a string.
 */

const ENVIRONMENT = 'It comes from the injected environment (src/transport/environment.ts).';
const FRAMES = 'It comes from the frame scheduler (src/dom/frames.ts).';
const MARKUP = 'No string of HTML: build nodes.';

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
    message: 'Cookies belong to the page.',
  },
];

const clock = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message: ENVIRONMENT,
  },
  { selector: 'CallExpression[callee.name="Date"]', message: ENVIRONMENT },
];

/** Rules of all that runs in pages, in the order in which ESLint lets the later ones win. */
export const platformRules = [
  {
    files: ['src/**/*.ts'],
    // Without these ESLint does not see that `window.fetch` is `fetch`.
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
        message: 'The model is pure: an instant is a number that somebody hands in.',
      },
    ]),
  },
  {
    files: ['src/markdown/**/*.ts'],
    rules: restrictGlobals([
      ...globals,
      ...forbid(['document', 'window'], 'The document is handed in: a small stand-in must do.'),
    ]),
  },
  {
    // The two places where the platform enters.
    files: ['src/transport/environment.ts', 'src/dom/frames.ts'],
    rules: {
      'no-restricted-globals': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', ...markup],
    },
  },
];
