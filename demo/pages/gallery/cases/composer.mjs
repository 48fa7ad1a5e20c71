/** @import { Case } from '../cases.mjs' */
/** @import { Service } from '../kit/backend.mjs' */
/** @import { Scene } from '../kit/make.mjs' */
import { riverMessages } from '../fixtures/thread-messages.mjs';
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
  act: (controller) => {
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

/** Types a text into the field, which opens its suggestions, if any. @param {string} text */
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
 * @param {string} name @param {string} title @param {Partial<HTMLElementTagNameMap['ubik-composer']>} properties @param {string} text
 * @returns {Case}
 */
const withProperties = (name, title, properties, text) => ({
  ...field(name, title, { messages: [] }, {}, type(text)),
  make: async (look) =>
    make('ubik-composer', look, { controller: await converse({ messages: [] }), ...properties }),
});

/** Options of messages, as a service describes them in a JSON schema. */
const OPTIONS = {
  type: 'object',
  properties: {
    deepThinking: { type: 'boolean', default: true },
    model: { type: 'string', enum: ['small', 'large'], default: 'small' },
    brief: { type: 'boolean', title: 'Short answers' },
  },
};

/** Inputs of an agent, which are asked for before the first message. */
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
 * A composer with context, options or inputs.
 *
 * @param {string} name @param {string} title @param {string} awaited selector of what is loaded last @param {Service} service
 * @param {Partial<HTMLElementTagNameMap['ubik-composer']>} [properties]
 * @returns {Case}
 */
const withSettings = (name, title, awaited, service, properties = {}) => ({
  ...field(name, title, service, {}, async (element) => {
    await find(element, awaited);
  }),
  make: async (look) =>
    make('ubik-composer', look, { controller: await converse(service), ...properties }),
});

const LONG = 'How long is the Danube, and through which countries does it flow?';

const CAPABILITIES = /** @type {const} */ (['upload', 'documents']);

/** @type {readonly Case[]} */
export const composer = [
  field('empty', 'Empty field', { messages: [], capabilities: CAPABILITIES }),
  field('plain', 'Service without uploads', { messages: [] }),
  field('written', 'Draft', { messages: [] }, written('How long is the Danube?')),
  field(
    'lines',
    'Draft with more lines than the field shows',
    { messages: [] },
    written(Array.from({ length: 12 }, (_, at) => `Line ${at + 1}`).join('\n')),
  ),
  field('running', 'Active run: stop button', { messages: [], run: running() }, { send: 'Go.' }),
  field(
    'files',
    'Files that are uploading',
    { messages: [], capabilities: CAPABILITIES },
    written('What do these say?'),
    drop('rivers.csv', 'A report about the rivers of Europe, their lengths and countries.pdf'),
  ),
  field(
    'refused-file',
    'Failed upload',
    { messages: [], capabilities: CAPABILITIES },
    {},
    drop('refused.csv'),
  ),
  withProperties('near', 'Character count near the limit', { maxLength: LONG.length + 12 }, LONG),
  withProperties('over', 'Message over the character limit', { maxLength: LONG.length - 12 }, LONG),
  {
    ...field('follow-ups', 'Follow-up questions', {}),
    make: async (look) =>
      make('ubik-composer', look, {
        controller: await converse({ messages: riverMessages() }),
        followUps: ['Why is that so?', 'Which sources say otherwise?', 'And in French?'],
      }),
  },
  withSettings(
    'context',
    'Context of the host page',
    '.context .chip',
    { messages: [], capabilities: ['context', ...CAPABILITIES] },
    { context: { title: 'Danube', data: null } },
  ),
  withSettings(
    'long-context',
    'Context with a long title',
    '.context .chip',
    { messages: [], capabilities: ['context'] },
    {
      context: {
        title: 'Rivers of Europe that flow through more than one country. '.repeat(4),
        data: null,
      },
    },
  ),
  withSettings('options', 'Message options of the service', '.option', {
    messages: [],
    onboarding: { greeting: null, starters: [], messageOptions: OPTIONS },
  }),
  withSettings('inputs', 'Inputs of the agent before the first message', '.inputs[open]', {
    messages: [],
    onboarding: {
      greeting: null,
      starters: [],
      messageOptions: { ...OPTIONS, properties: { ...OPTIONS.properties, ...INPUTS } },
    },
  }),
  withSettings(
    'inputs-closed',
    'Inputs of the agent after the first message, collapsed',
    '.inputs:not([open])',
    {
      messages: riverMessages(),
      onboarding: { greeting: null, starters: [], messageOptions: { properties: INPUTS } },
    },
  ),
  field('focus', 'Focused field', { messages: [] }, {}, async (element) => {
    (await find(element, 'textarea')).focus();
  }),
  {
    ...withProperties(
      'commands',
      'Suggestions: slash commands',
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
    ...withProperties(
      'mentions',
      'Suggestions: mentions from a function of the host page',
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
    name: 'composer-dictation-paste',
    title: 'Dictation, dictation without permission, long pasted text as a file',
    make: async (look) => {
      const makeField = async (
        /** @type {Partial<HTMLElementTagNameMap['ubik-composer']>} */ properties,
      ) =>
        make('ubik-composer', look, {
          controller: await converse({ messages: [], capabilities: CAPABILITIES }),
          ...properties,
        });
      return makeBoard(
        'column',
        await makeField({ speech: true }),
        await makeField({ speech: true }),
        await makeField({ longPaste: 100 }),
      );
    },
    act: async (board) => {
      const [dictated, refused, pasted] = [...board.children].flatMap(({ children }) => [
        ...children,
      ]);
      if (!dictated || !refused || !pasted) return;
      Object.assign(window, { SpeechRecognition: Recognition });
      Recognition.started = 0;
      for (const field of [dictated, refused]) {
        (await find(field, 'textarea')).focus();
        await press(field, '[part=dictate]');
      }
      await find(refused, '.error-text:not(:empty)');
      await paste(pasted, 'A line of a report about rivers.\n'.repeat(12));
      await find(pasted, '.chip, [part=document]');
    },
  },
];

/** Simulates speech recognition: the first start recognizes some words, the second is refused the microphone. */
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
