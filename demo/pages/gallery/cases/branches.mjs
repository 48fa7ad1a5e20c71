/** @import { Case } from '../cases.mjs' */
import { branchTalk } from '../fixtures/ways.mjs';
import { converse, find, make, makeChat, press } from '../kit/make.mjs';

const ABLE = /** @type {const} */ (['edit', 'regenerate', 'branches', 'checkpoints']);

/** @type {readonly Case[]} */
export const branches = [
  {
    name: 'branches-pager',
    title: 'A question with three versions',
    size: 'chat',
    make: (look) => makeChat(look, { ...branchTalk(), able: ABLE }),
  },
  {
    name: 'branches-map',
    title: 'The map of versions',
    size: 'side',
    make: async (look) =>
      make('ubik-branch-map', look, {
        controller: await converse({ ...branchTalk(), able: ABLE }),
      }),
  },
  {
    name: 'branches-map-none',
    title: 'A map without versions',
    size: 'side',
    make: async (look) =>
      make('ubik-branch-map', look, { controller: await converse({ messages: [] }) }),
  },
  {
    name: 'branches-dialog',
    title: 'The map over a chat',
    size: 'chat',
    alone: 'modal',
    make: (look) => makeChat(look, { ...branchTalk(), able: ABLE }),
    act: async (element) => {
      await press(element, 'button', 'All versions');
      await find(element, 'dialog');
    },
  },
];
