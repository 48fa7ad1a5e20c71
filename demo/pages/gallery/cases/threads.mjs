/** @import { Case } from '../cases.mjs' */
/** @import { Service } from '../kit/backend.mjs' */
import { THREADS } from '../fixtures/threads.mjs';
import { fail, forEver } from '../kit/backend.mjs';
import { ask, ended } from '../kit/live.mjs';
import { converse, find, make, press } from '../kit/make.mjs';

const ABLE = /** @type {const} */ (['threads', 'rename', 'delete']);

/** @param {string} name @param {string} title @param {Service} service @param {Case['act']} [act] @returns {Case} */
const list = (name, title, service, act) => ({
  name: `threads-${name}`,
  title,
  size: 'side',
  make: async (look) =>
    make('ubik-thread-list', look, {
      controller: await converse({ messages: [], able: ABLE, ...service }),
    }),
  ...(act && { act }),
});

/** The states of threads that this page has not opened. */
const LISTED = [
  {},
  { isRunning: true, isUnread: true },
  { isUnread: true },
  { isUnread: true, hasFailed: true },
  { isUnread: false, hasFailed: true },
];

/** @param {Element} element */
const unfold = async (element) => {
  await press(element, '.thread-more');
};

/** @type {readonly Case[]} */
export const threads = [
  list('all', 'Conversations by their dates', { threads: THREADS }),
  list('listed-states', 'States that the service lists', {
    threads: THREADS.map((thread, at) => ({ ...thread, ...LISTED[at] })),
  }),
  list('none', 'No conversation yet', { threads: [] }),
  list('loading', 'Being read', { threads: forEver() }),
  list('unreachable', 'Could not be read', { threads: fail('network') }),
  list('more', 'What can be done with one', { threads: THREADS }, unfold),
  list('rename', 'Getting another title', { threads: THREADS }, async (element) => {
    await unfold(element);
    await press(element, '.buttons > :first-child');
  }),
  list('deleted', 'Deleted, and the way back', { threads: THREADS }, async (element) => {
    await unfold(element);
    await press(element, '.buttons > :last-child');
  }),
  list('search', 'Found by a word', { threads: THREADS }, async (element) => {
    await write(element, 'danube');
  }),
  list('not-found', 'Nothing found', { threads: THREADS }, async (element) => {
    await write(element, 'mountain');
  }),
  {
    name: 'threads-waiting',
    title: 'A conversation that waits for the person',
    size: 'side',
    make: async (look) =>
      make('ubik-thread-list', look, {
        controller: await converse(
          {
            messages: [],
            able: ABLE,
            threads: THREADS,
            run: ended('waiting', ask('Which year?')),
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
