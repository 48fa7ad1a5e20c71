/** @import { Case } from '../cases.mjs' */
/** @import { Service } from '../kit/backend.mjs' */
import { THREADS } from '../fixtures/threads.mjs';
import { fail, neverSettle } from '../kit/backend.mjs';
import { requestActivity, ended } from '../kit/live.mjs';
import { converse, find, make, press } from '../kit/make.mjs';

const CAPABILITIES = /** @type {const} */ (['threads', 'rename', 'delete']);

/** @param {string} name @param {string} title @param {Service} service @param {Case['act']} [act] @returns {Case} */
const list = (name, title, service, act) => ({
  name: `threads-${name}`,
  title,
  size: 'side',
  make: async (look) =>
    make('ubik-thread-list', look, {
      controller: await converse({ messages: [], capabilities: CAPABILITIES, ...service }),
    }),
  ...(act && { act }),
});

/** The states of threads that this page has not opened, as the service lists them. */
const LISTED = [
  {},
  { isRunning: true, isUnread: true },
  { isUnread: true },
  { isUnread: true, hasFailed: true },
  { isUnread: false, hasFailed: true },
];

/** @param {Element} element */
const openMenu = async (element) => {
  await press(element, '.thread-more');
};

/** @type {readonly Case[]} */
export const threads = [
  list('all', 'Conversations grouped by date', { threads: THREADS }),
  list('listed-states', 'States listed by the service: running, unread, failed', {
    threads: THREADS.map((thread, at) => ({ ...thread, ...LISTED[at] })),
  }),
  list('none', 'List without conversations', { threads: [] }),
  list('loading', 'List that is loading', { threads: neverSettle() }),
  list('unreachable', 'List that could not be loaded', { threads: fail('network') }),
  list('more', 'Menu of a conversation', { threads: THREADS }, openMenu),
  list('rename', 'Renaming a conversation', { threads: THREADS }, async (element) => {
    await openMenu(element);
    await press(element, '.buttons > :first-child');
  }),
  list('deleted', 'Deleted conversation, with Undo', { threads: THREADS }, async (element) => {
    await openMenu(element);
    await press(element, '.buttons > :last-child');
  }),
  list('search', 'Search with results', { threads: THREADS }, async (element) => {
    await write(element, 'danube');
  }),
  list('not-found', 'Search without results', { threads: THREADS }, async (element) => {
    await write(element, 'mountain');
  }),
  {
    name: 'threads-waiting',
    title: 'Conversation that waits for the user',
    size: 'side',
    make: async (look) =>
      make('ubik-thread-list', look, {
        controller: await converse(
          {
            messages: [],
            capabilities: CAPABILITIES,
            threads: THREADS,
            run: ended('waiting', requestActivity('Which year?')),
          },
          { send: 'Go.' },
        ),
      }),
  },
];

/** @param {Element} element @param {string} text */
async function write(element, text) {
  await find(element, '.thread');
  const field = await find(element, 'input');
  /** @type {HTMLInputElement} */ (field).value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
