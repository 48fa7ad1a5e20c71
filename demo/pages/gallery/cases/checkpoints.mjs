/** @import { Case } from '../cases.mjs' */
/** @import { Service } from '../kit/backend.mjs' */
import { POINTS, checkpointMessages } from '../fixtures/branches.mjs';
import { fail, neverSettle } from '../kit/backend.mjs';
import { converse, find, make, makeChat, press } from '../kit/make.mjs';

const CAPABILITIES = /** @type {const} */ (['checkpoints', 'edit', 'branches']);

/** @param {string} name @param {string} title @param {Service} service @returns {Case} */
const panel = (name, title, service) => ({
  name: `checkpoints-${name}`,
  title,
  size: 'side',
  make: async (look) =>
    make('ubik-checkpoints', look, {
      controller: await converse({
        messages: checkpointMessages(),
        capabilities: CAPABILITIES,
        ...service,
      }),
    }),
});

/** @type {readonly Case[]} */
export const checkpoints = [
  panel('all', 'Timeline', { checkpoints: POINTS }),
  panel('none', 'Timeline without checkpoints', { messages: [], checkpoints: [] }),
  panel('loading', 'Timeline that is loading', { checkpoints: neverSettle() }),
  panel('unreachable', 'Timeline that could not be loaded', { checkpoints: fail('network') }),
  {
    name: 'checkpoints-dialog',
    title: 'Dialog that restores a checkpoint, with a field for the hint',
    size: 'chat',
    alone: 'modal',
    make: (look) =>
      makeChat(look, {
        messages: checkpointMessages(),
        checkpoints: POINTS,
        capabilities: CAPABILITIES,
      }),
    act: async (element) => {
      await press(element, '.divider button');
      await find(element, 'dialog h2');
    },
  },
];
