/** @import { Case } from '../cases.mjs' */
/** @import { Look } from '../axes.mjs' */
/** @import { Service } from '../kit/backend.mjs' */
import { riverMessages } from '../fixtures/thread-messages.mjs';
import { ended, parts } from '../kit/live.mjs';
import { find, makeBoard, makeChat, press, waitUntilStable } from '../kit/make.mjs';
import { say } from '../kit/write.mjs';

const CAPABILITIES = /** @type {const} */ (['threads', 'edit', 'regenerate']);

/** @typedef {HTMLElementTagNameMap['ubik-chat']} Chat */

/**
 * A chat whose window is positioned in its container as it would be in a page.
 *
 * @param {Look} look @param {'bubble' | 'panel'} layout @param {boolean} open @param {Service} [service]
 */
async function makeWindow(look, layout, open, service = {}) {
  const chat = await makeChat(look, {
    messages: riverMessages(),
    capabilities: CAPABILITIES,
    ...service,
  });
  return Object.assign(chat, { layout, open, ariaLabel: 'Ask the almanac' });
}

/** Adds an answer while the window is closed. @param {Element} board */
async function missAnswer(board) {
  const chat = /** @type {Chat} */ (board.children[1]?.firstElementChild);
  // The chat connects to its thread when it is opened, not before.
  await press(chat, '.launcher');
  await find(chat, '.message');
  await press(chat, '.window-close');
  await chat.controller?.send({ text: 'And the Rhine?', attachments: [] });
  await find(chat, '.badge:not(:empty)');
}

/** @type {readonly Case[]} */
export const windows = [
  {
    name: 'window-bubble',
    title: 'Bubble: closed, closed with an unread answer, open',
    size: 'chat',
    make: async (look) =>
      makeBoard(
        'corner',
        await makeWindow(look, 'bubble', false),
        await makeWindow(look, 'bubble', false, { run: ended('complete', parts([say('Six.')])) }),
        await makeWindow(look, 'bubble', true),
      ),
    act: async (board) => {
      await missAnswer(board);
      const open = /** @type {Chat} */ (board.children[2]?.firstElementChild);
      await find(open, '.window-head');
      await waitUntilStable(open);
    },
  },
  {
    name: 'window-panel',
    title: 'Panel: closed with its button, and open at the side of a page',
    size: 'chat',
    make: async (look) =>
      makeBoard(
        'corner',
        await makeWindow(look, 'panel', false),
        await makeWindow(look, 'panel', true),
      ),
    act: async (board) => {
      await find(/** @type {Chat} */ (board.children[1]?.firstElementChild), '.window-head');
    },
  },
];
