/** @import { Case } from '../cases.mjs' */
import { branchedThread, branchPair } from '../fixtures/branches.mjs';
import { converse, find, make, makeChat, press, waitUntilStable } from '../kit/make.mjs';

const CAPABILITIES = /** @type {const} */ (['edit', 'regenerate', 'branches', 'checkpoints']);

/** @type {readonly Case[]} */
export const branches = [
  {
    name: 'branches-pager',
    title: 'Version pager of a question with three versions',
    size: 'chat',
    make: (look) => makeChat(look, { ...branchedThread(), capabilities: CAPABILITIES }),
  },
  {
    name: 'branches-map',
    title: 'Branch map',
    size: 'side',
    make: async (look) =>
      make('ubik-branch-map', look, {
        controller: await converse({ ...branchedThread(), capabilities: CAPABILITIES }),
      }),
  },
  {
    name: 'branches-map-none',
    title: 'Branch map without branches',
    size: 'side',
    make: async (look) =>
      make('ubik-branch-map', look, { controller: await converse({ messages: [] }) }),
  },
  {
    name: 'branches-dialog',
    title: 'Branch map in a dialog',
    size: 'chat',
    alone: 'modal',
    make: (look) => makeChat(look, { ...branchedThread(), capabilities: CAPABILITIES }),
    act: async (element) => {
      await press(element, '.map-button');
      await find(element, 'dialog');
    },
  },
  {
    name: 'branches-compare',
    title: 'Comparison of two branches in a dialog',
    size: 'chat',
    alone: 'modal',
    make: (look) =>
      makeChat(
        look,
        { ...branchPair(), capabilities: CAPABILITIES },
        {
          act: (controller) => {
            const shown = [...(controller.thread?.messages.values() ?? [])].at(-1);
            return shown && controller.loadVersion(shown.key, 'a1');
          },
        },
      ),
    act: async (element) => {
      await press(element, '.message-header [aria-haspopup=dialog]');
      await find(element, 'dialog .message');
      await waitUntilStable(element);
    },
  },
];
