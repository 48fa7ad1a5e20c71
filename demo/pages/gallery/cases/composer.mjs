/** @import { Case } from '../cases.mjs' */
/** @import { Service } from '../kit/backend.mjs' */
/** @import { Scene } from '../kit/make.mjs' */
import { riverTalk } from '../fixtures/talks.mjs';
import { running } from '../kit/live.mjs';
import { converse, find, make, makeBoard, press } from '../kit/make.mjs';

/**
 * @param {string} name @param {string} title @param {Service} service @param {Scene} [scene] @param {Case['act']} [act]
 * @returns {Case}
 */
const field = (name, title, service, scene, act) => ({
  name: `composer-${name}`,
  title,
  make: async (look) => make('ubik-composer', look, { controller: await converse(service, scene) }),
  ...(act && { act }),
});

/** @param {string} text @returns {Scene} */
const written = (text) => ({
  then: (controller) => {
    controller.setDraft({ text, attachments: [] });
  },
});

/** Drops files on the element. @param {string[]} names */
const drop =
  (...names) =>
  async (/** @type {Element} */ element) => {
    await find(element, '.attach');
    const dataTransfer = new DataTransfer();
    for (const name of names) dataTransfer.items.add(new File(['x'.repeat(2000)], name));
    element.dispatchEvent(
      new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, composed: true }),
    );
  };

/** Types a text into the field and opens its suggestions. @param {string} text */
const type = (text) => async (/** @type {Element} */ element) => {
  const area = /** @type {HTMLTextAreaElement} */ (await find(element, 'textarea'));
  area.focus();
  // The code of the field’s features is loaded with the focus.
  await find(element, '.count');
  area.value = text;
  area.dispatchEvent(new InputEvent('input', { bubbles: true }));
};

/**
 * A composer with properties of the host page.
 *
 * @param {string} name @param {string} title @param {Partial<HTMLElementTagNameMap['ubik-composer']>} wanted @param {string} text
 * @returns {Case}
 */
const wanting = (name, title, wanted, text) => ({
  ...field(name, title, { messages: [] }, {}, type(text)),
  make: async (look) =>
    make('ubik-composer', look, { controller: await converse({ messages: [] }), ...wanted }),
});

/** The onboarding of a service whose agent can reason and has one input. */
const OPTIONS = {
  type: 'object',
  properties: {
    deepThinking: { type: 'boolean', default: true },
    model: { type: 'string', enum: ['small', 'large'], default: 'small' },
    brief: { type: 'boolean', title: 'Short answers' },
  },
};

const INPUTS = {
  inputs: {
    type: 'object',
    properties: {
      river: { type: 'string', title: 'River', description: 'The one that questions are about.' },
      since: { type: 'integer', title: 'First year' },
    },
    required: ['river'],
  },
};

/**
 * A composer with context and options.
 *
 * @param {string} name @param {string} title @param {string} shown what is loaded last @param {Service} service
 * @param {Partial<HTMLElementTagNameMap['ubik-composer']>} [wanted]
 * @returns {Case}
 */
const sendingWith = (name, title, shown, service, wanted = {}) => ({
  ...field(name, title, service, {}, async (element) => {
    await find(element, shown);
  }),
  make: async (look) =>
    make('ubik-composer', look, { controller: await converse(service), ...wanted }),
});

const LONG = 'How long is the Danube, and through which countries does it flow?';

const ABLE = /** @type {const} */ (['upload', 'documents']);

/** @type {readonly Case[]} */
export const composer = [
  field('empty', 'Empty', { messages: [], able: ABLE }),
  field('plain', 'Without files', { messages: [] }),
  field('written', 'With a text', { messages: [] }, written('How long is the Danube?')),
  field(
    'lines',
    'More lines than it shows',
    { messages: [] },
    written(Array.from({ length: 12 }, (_, at) => `Line ${at + 1}`).join('\n')),
  ),
  field('running', 'While the agent works', { messages: [], run: running() }, { send: 'Go.' }),
  field(
    'files',
    'Files on their way',
    { messages: [], able: ABLE },
    written('What do these say?'),
    drop('rivers.csv', 'A report about the rivers of Europe, their lengths and countries.pdf'),
  ),
  field(
    'refused-file',
    'A file that did not arrive',
    { messages: [], able: ABLE },
    {},
    drop('refused.csv'),
  ),
  wanting('near', 'Near the longest message', { maxLength: LONG.length + 12 }, LONG),
  wanting('over', 'Longer than a message may be', { maxLength: LONG.length - 12 }, LONG),
  {
    ...field('follow-ups', 'What could be asked next', {}),
    make: async (look) =>
      make('ubik-composer', look, {
        controller: await converse({ messages: riverTalk() }),
        followUps: ['Why is that so?', 'Which sources say otherwise?', 'And in French?'],
      }),
  },
  sendingWith(
    'context',
    'With a context of the page',
    '.context .chip',
    { messages: [], able: ['context', ...ABLE] },
    { context: { title: 'Danube', data: null } },
  ),
  sendingWith(
    'long-context',
    'With a context whose title is too long',
    '.context .chip',
    { messages: [], able: ['context'] },
    {
      context: {
        title: 'Rivers of Europe that flow through more than one country. '.repeat(4),
        data: null,
      },
    },
  ),
  sendingWith('options', 'With options of the service', '.option', {
    messages: [],
    onboarding: { greeting: null, starters: [], messageOptions: OPTIONS },
  }),
  sendingWith('inputs', 'With inputs of the agent, before the first message', '.inputs[open]', {
    messages: [],
    onboarding: {
      greeting: null,
      starters: [],
      messageOptions: { ...OPTIONS, properties: { ...OPTIONS.properties, ...INPUTS } },
    },
  }),
  sendingWith('inputs-closed', 'With inputs of the agent, later', '.inputs:not([open])', {
    messages: riverTalk(),
    onboarding: { greeting: null, starters: [], messageOptions: { properties: INPUTS } },
  }),
  field('focus', 'With the focus', { messages: [] }, {}, async (element) => {
    (await find(element, 'textarea')).focus();
  }),
  {
    ...wanting(
      'commands',
      'Commands to choose from',
      {
        commands: [
          { name: 'summary', description: 'The conversation in five lines' },
          { name: 'search', description: 'Looks into all documents of this conversation' },
          { name: 'clear', description: 'A new conversation' },
        ],
      },
      '/',
    ),
    alone: 'modal',
  },
  {
    ...wanting(
      'mentions',
      'Names to choose from, found by the page',
      {
        mentions: () =>
          Promise.resolve([
            { name: 'Ada', description: 'Rivers and lakes' },
            { name: 'أمينة', description: 'Maps' },
            { name: 'Maximiliane von und zu der hohen Donauquelle' },
          ]),
      },
      'Is that right, @a',
    ),
    alone: 'modal',
  },
  {
    name: 'composer-helps',
    title: 'Dictating, not allowed to listen, a long text that was pasted',
    make: async (look) => {
      const makeField = async (
        /** @type {Partial<HTMLElementTagNameMap['ubik-composer']>} */ wanted,
      ) =>
        make('ubik-composer', look, {
          controller: await converse({ messages: [], able: ABLE }),
          ...wanted,
        });
      return makeBoard(
        'column',
        await makeField({ speech: true }),
        await makeField({ speech: true }),
        await makeField({ longPaste: 100 }),
      );
    },
    act: async (board) => {
      const [heard, refused, pasted] = [...board.children].flatMap(({ children }) => [...children]);
      if (!heard || !refused || !pasted) return;
      Object.assign(window, { SpeechRecognition: Recognition });
      Recognition.started = 0;
      for (const field of [heard, refused]) {
        (await find(field, 'textarea')).focus();
        await press(field, '[part=dictate]');
      }
      await find(refused, '.error-text:not(:empty)');
      await paste(pasted, 'A line of a report about rivers.\n'.repeat(12));
      await find(pasted, '.chip, [part=document]');
    },
  },
];

/** Simulates speech recognition: it has recognized some words, or the microphone was not permitted. */
class Recognition {
  /** @type {((event: object) => void) | null} */
  onresult = null;
  /** @type {((event: object) => void) | null} */
  onerror = null;
  /** @type {(() => void) | null} */
  onend = null;

  start() {
    Recognition.started += 1;
    if (Recognition.started % 2) {
      this.onresult?.({ results: [[{ transcript: 'How long is the Danube' }]] });
      return;
    }
    this.onerror?.({ error: 'not-allowed' });
    this.onend?.();
  }

  stop() {
    this.onend?.();
  }

  abort() {
    this.onend?.();
  }
}
Recognition.started = 0;

/** Pastes a text into the field. @param {Element} element @param {string} text */
async function paste(element, text) {
  const area = await find(element, 'textarea');
  area.focus();
  await find(element, '.count');
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  area.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }),
  );
}
