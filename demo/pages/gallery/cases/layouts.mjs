/** @import { Case } from '../cases.mjs' */
/** @import { Look } from '../axes.mjs' */
import { DOCUMENTS } from '../fixtures/documents.mjs';
import { longerRiverMessages, riverMessages } from '../fixtures/thread-messages.mjs';
import { THREADS } from '../fixtures/threads.mjs';
import { fail } from '../kit/backend.mjs';
import { find, make, makeChat, makeStartingChat, press } from '../kit/make.mjs';

const CAPABILITIES = /** @type {const} */ ([
  ...['threads', 'rename', 'delete', 'documents', 'upload', 'link', 'star'],
  ...['edit', 'regenerate', 'branches', 'checkpoints'],
]);

/** A chat with the thread list at its start and the documents at its end. @param {Look} look */
async function makePage(look) {
  const chat = await makeChat(look, {
    messages: longerRiverMessages(),
    threads: THREADS,
    documents: DOCUMENTS,
    capabilities: CAPABILITIES,
  });
  return addSides(chat, look);
}

/** @param {HTMLElementTagNameMap['ubik-chat']} chat @param {Look} look */
function addSides(chat, look) {
  chat.layout = 'page';
  chat.append(
    make('ubik-thread-list', look, { slot: 'start' }),
    make('ubik-documents', look, { slot: 'end', ariaLabel: 'Documents' }),
  );
  return chat;
}

/** @type {readonly Case[]} */
export const layouts = [
  {
    name: 'layout-page',
    title: 'Page layout with thread list and documents',
    size: 'page',
    make: makePage,
  },
  {
    name: 'layout-folded',
    title: 'Page layout with one column collapsed and one resized',
    size: 'page',
    make: makePage,
    act: async (element) => {
      await press(element, '.side.start .side-collapse');
      const edge = await find(element, '.side.end .side-edge');
      const key = getComputedStyle(element).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
      for (let times = 0; times < 6; times += 1) {
        edge.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
      }
    },
  },
  {
    name: 'layout-page-unreachable',
    title: 'Page layout when the service is unreachable',
    size: 'page',
    make: async (look) => {
      const chat = makeStartingChat(look, {
        threadResult: fail('network'),
        threads: fail('network'),
        documents: [],
        capabilities: CAPABILITIES,
      });
      return addSides(chat, look);
    },
  },
  {
    name: 'layout-page-phone',
    title: 'Page layout on a phone',
    size: 'phone',
    make: makePage,
  },
  {
    name: 'layout-drawer',
    title: 'Thread list as a drawer on a phone',
    size: 'phone',
    make: makePage,
    act: (element) => press(element, '.side-toggle-start'),
  },
  {
    name: 'layout-inline-phone',
    title: 'Inline layout on a phone',
    size: 'phone',
    make: (look) => makeChat(look, { messages: riverMessages(), capabilities: CAPABILITIES }),
  },
  {
    name: 'layout-compact',
    title: 'Compact density',
    size: 'chat',
    make: (look) =>
      makeChat(
        { ...look, density: 'compact' },
        { messages: longerRiverMessages(), capabilities: CAPABILITIES },
      ),
  },
];
