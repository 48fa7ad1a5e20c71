/** @import { Case } from '../cases.mjs' */
import { longerRiverMessages, manyMessages, riverMessages } from '../fixtures/thread-messages.mjs';
import { fail, neverSettle } from '../kit/backend.mjs';
import { requestActivity, ended, parts, running } from '../kit/live.mjs';
import { find, makeChat, makeStartingChat, press, waitUntilStable, until } from '../kit/make.mjs';
import { say } from '../kit/write.mjs';

const CAPABILITIES = /** @type {const} */ ([
  'threads',
  'edit',
  'regenerate',
  'branches',
  'checkpoints',
  'upload',
]);

const onboarding = {
  greeting: 'Ask about the documents of this project, or about the rivers of Europe.',
  starters: [
    'How does an answer survive a broken network?',
    'Which countries does the Danube flow through?',
    'Which is the biggest river in Europe?',
  ],
};

const GREETING = `# Hello! What would you like to know?

I know the **rivers of Europe** and the [documents](https://example.org/documents) of this project:

- lengths, countries and cities
- how an answer survives a broken network`;

const gate = {
  title: 'Before you start',
  text: 'This assistant is a machine. Its answers **can be wrong**, and the conversation is stored for 30 days. See the [privacy policy](https://example.org/privacy).',
  accept: 'I agree',
};

const gateFields = {
  type: 'object',
  required: ['name', 'topic'],
  properties: {
    name: { type: 'string', title: 'Your name' },
    topic: { title: 'What is it about?', enum: ['Rivers', 'Lakes', 'Something else'] },
  },
};

/** The changes of an answer that arrives. */
const NEW = parts([say('The **Rhine** is 1,233 km long and flows through six countries.')]);

/** Scrolls like a user with a wheel. @param {Element} element @param {number} by */
async function scrollUp(element, by) {
  const scroller = await find(element, '.scroller');
  scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
  scroller.scrollTop -= by;
  await waitUntilStable(element);
}

/** @type {readonly Case[]} */
export const chat = [
  {
    name: 'chat-empty',
    title: 'New conversation with a greeting and starters',
    size: 'chat',
    make: (look) => makeChat(look, { onboarding, capabilities: CAPABILITIES }),
  },
  {
    name: 'chat-plain',
    title: 'New conversation without a greeting',
    size: 'chat',
    make: (look) => makeChat(look, {}),
  },
  {
    name: 'chat-greeting',
    title: 'New conversation with a greeting in Markdown',
    size: 'chat',
    make: (look) => makeChat(look, { onboarding: { ...onboarding, greeting: GREETING } }),
  },
  {
    name: 'chat-gate',
    title: 'Gate: a disclaimer before the chat starts',
    size: 'chat',
    make: async (look) => Object.assign(await makeChat(look, {}), { gate }),
    act: (element) => find(element, '.gate strong'),
  },
  {
    name: 'chat-gate-form',
    title: 'Gate: a short form with a missing value',
    size: 'phone',
    make: async (look) =>
      Object.assign(await makeChat(look, {}), {
        gate: { title: 'Who are you?', schema: gateFields },
      }),
    act: async (element) => {
      await press(element, '.gate .primary');
      await find(element, '.gate .error-text:not(:empty)');
    },
  },
  {
    name: 'chat-conversation',
    title: 'Conversation of two turns, with all actions',
    size: 'chat',
    make: (look) => makeChat(look, { messages: longerRiverMessages(), capabilities: CAPABILITIES }),
  },
  {
    name: 'chat-loading',
    title: 'Conversation that is loading',
    size: 'chat',
    make: (look) => makeStartingChat(look, { threadResult: neverSettle() }),
  },
  {
    name: 'chat-unreachable',
    title: 'Conversation that could not be loaded (network error)',
    size: 'chat',
    make: (look) => makeStartingChat(look, { threadResult: fail('network') }),
  },
  {
    name: 'chat-gone',
    title: 'Conversation that no longer exists',
    size: 'chat',
    make: (look) => makeStartingChat(look, { threadResult: fail('not-found') }),
  },
  {
    name: 'chat-debug',
    title: 'Debug panel',
    size: 'chat',
    make: async (look) =>
      Object.assign(
        await makeChat(look, { messages: riverMessages(), capabilities: CAPABILITIES }),
        {
          debug: true,
        },
      ),
    act: async (element) => {
      await find(element, '.debug');
    },
  },
  {
    name: 'chat-offline',
    title: 'Offline',
    size: 'chat',
    alone: 'offline',
    make: (look) => makeChat(look, { messages: riverMessages(), capabilities: CAPABILITIES }),
  },
  {
    name: 'chat-refused',
    title: 'Message rejected by the service (rate limit)',
    size: 'chat',
    make: (look) =>
      makeChat(look, {
        messages: riverMessages(),
        run: async function* run() {
          await fail('rate-limited');
        },
      }),
    act: async (element) => {
      await find(element, '.message');
      await /** @type {HTMLElementTagNameMap['ubik-chat']} */ (element).send('And the Rhine?');
      await find(element, '.composer .error-text:not(:empty)');
    },
  },
  {
    name: 'chat-passage',
    title: 'Passage of a citation in the details area',
    size: 'chat',
    make: (look) =>
      makeChat(look, {
        messages: riverMessages(),
        capabilities: ['documents'],
        passage: {
          id: 'passage-1',
          documentId: 'd1',
          documentName: 'rivers.csv',
          text: 'Danube, 2850 km. It rises in the Black Forest.',
          page: 1,
        },
      }),
    act: (element) => press(element, '.cite'),
  },
  {
    name: 'chat-new-messages',
    title: 'New content while scrolled up: button that scrolls to the end',
    size: 'phone',
    make: (look) => makeChat(look, { messages: manyMessages(14), run: running(NEW) }),
    act: async (element) => {
      const chat = /** @type {HTMLElementTagNameMap['ubik-chat']} */ (element);
      await find(element, '.message');
      await waitUntilStable(element);
      await scrollUp(element, 400);
      const latest = await find(element, '.scroll-to-end:not([hidden])');
      const { textContent: before } = latest;
      await chat.controller?.send({ text: 'And the Rhine?', attachments: [] });
      await until(() => latest.textContent !== before);
    },
  },
  {
    name: 'chat-pinned',
    title: 'Pinned question (pinQuestion) while its answer grows',
    size: 'chat',
    make: async (look) =>
      Object.assign(await makeChat(look, { messages: longerRiverMessages(), run: running(NEW) }), {
        pinQuestion: true,
      }),
    act: async (element) => {
      const chat = /** @type {HTMLElementTagNameMap['ubik-chat']} */ (element);
      await find(element, '.message');
      await waitUntilStable(element);
      void chat.send('And how long is the Rhine?');
      await find(element, '.message:last-child .text');
      await waitUntilStable(element);
    },
  },
  {
    name: 'chat-keys',
    title: 'Keyboard shortcuts in a dialog',
    size: 'chat',
    alone: 'modal',
    make: (look) => makeChat(look, { messages: riverMessages(), capabilities: CAPABILITIES }),
    act: async (element) => {
      const scroller = await find(element, '.scroller');
      scroller.focus();
      // The code that handles the key is loaded with the first focus.
      await until(() => {
        const opened = element.shadowRoot?.querySelector('dialog h2');
        const init = { key: '?', bubbles: true, composed: true };
        if (!opened) scroller.dispatchEvent(new KeyboardEvent('keydown', init));
        return opened;
      });
    },
  },
  {
    name: 'chat-menu',
    title: 'Menu of an answer',
    size: 'chat',
    alone: 'modal',
    make: (look) => makeChat(look, { messages: riverMessages(), capabilities: CAPABILITIES }),
    act: async (element) => {
      await find(element, '.ubik-table');
      await press(element, '.message.assistant .more');
      await find(element, '.message-menu [role=menuitem]');
    },
  },
  {
    name: 'chat-passage-unreachable',
    title: 'Passage of a citation that could not be loaded',
    size: 'chat',
    make: (look) => makeChat(look, { messages: riverMessages(), capabilities: ['documents'] }),
    act: async (element) => {
      await press(element, '.cite');
      await find(element, '.passage [role=alert], .passage .error-text');
    },
  },
  {
    name: 'chat-waiting-out-of-sight',
    title: 'Bar for an input request that is scrolled out of view',
    size: 'phone',
    make: (look) =>
      makeChat(
        look,
        { messages: longerRiverMessages(), run: ended('waiting', requestActivity('Which year?')) },
        { send: 'How long is it?' },
      ),
    act: async (element) => {
      const scroller = await find(element, '.scroller');
      await find(element, '.ubik-table');
      await find(element, '.request form');
      await waitUntilStable(element);
      await scrollUp(element, scroller.scrollTop);
      await find(element, '.request-bar');
    },
  },
];
