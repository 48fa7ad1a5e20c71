/** @import { Case } from '../cases.mjs' */
/** @import * as Ubik from 'ubik-elements/controller.js' */
import { requestActivity, ended } from '../kit/live.mjs';
import { converse, make, makeTranscript, press } from '../kit/make.mjs';

const TRIP = {
  type: 'object',
  required: ['river', 'days'],
  properties: {
    river: { type: 'string', title: 'River', enum: ['Danube', 'Rhine'], description: 'Where to?' },
    days: { type: 'integer', title: 'Days', minimum: 1, maximum: 14 },
    start: { type: 'string', title: 'First day', format: 'date' },
    bike: { type: 'boolean', title: 'With bicycles', default: false },
    meals: { type: 'array', title: 'Meals', items: { enum: ['breakfast', 'lunch', 'dinner'] } },
  },
};

/**
 * @param {string} name @param {string} title @param {string} prompt @param {Partial<Ubik.FieldsOf<'request-activity'>>} more
 * @param {Case['act']} [act] @returns {Case}
 */
const request = (name, title, prompt, more, act) => ({
  name: `request-${name}`,
  title,
  make: (look) =>
    makeTranscript(look, [], { send: 'Go.', run: ended('waiting', requestActivity(prompt, more)) }),
  ...(act && { act }),
});

/** @type {readonly Case[]} */
export const requests = [
  request('text', 'Text', 'Which year is meant?', {}),
  request('deadline', 'Text with a deadline', 'Which year is meant?', {
    deadline: Date.now() + 90_000,
  }),
  request('choice', 'Single choice', 'Which river?', { options: ['Danube', 'Rhine', 'Elbe'] }),
  request('choices', 'Multiple choice', 'Which rivers?', {
    options: ['Danube', 'Rhine', 'Elbe'],
    inputTypes: ['choices'],
  }),
  request('yes-no', 'Yes or no, asked by a tool', 'May I remove the document “rivers.csv”?', {
    inputTypes: ['boolean'],
    level: 'tool',
    toolName: 'remove_document',
    executionId: 'e1',
  }),
  request('number', 'Number', 'How many?', { inputTypes: ['number'] }),
  request('date', 'Date', 'When?', { inputTypes: ['date'] }),
  request('long', 'Long text', 'Describe the journey.', { inputTypes: ['long_text'] }),
  request('file', 'File with a text', 'Which document?', { inputTypes: ['file', 'text'] }),
  request('json', 'JSON', 'Which settings?', { inputTypes: ['json'] }),
  request('form', 'Form from a JSON schema', 'Plan the journey.', {
    schema: TRIP,
    inputTypes: ['json'],
  }),
  request(
    'complaints',
    'Form with validation errors',
    'Plan the journey.',
    { schema: TRIP, inputTypes: ['json'] },
    async (element) => {
      await press(element, '.request form .primary');
    },
  ),
  request('expired', 'Expired', 'Which year is meant?', { deadline: Date.now() - 1 }),
  request('closed', 'Closed without an answer', 'Which year is meant?', { state: 'closed' }),
  request('answered', 'Answered', 'Which year is meant?', {
    state: 'answered',
    answer: '{"input":"2024","type":"text"}',
  }),
  request('prompt', 'Long prompt', `${'Please give your address. '.repeat(8)}`, {}),
  {
    name: 'request-alone',
    title: 'The element <ubik-input-request>',
    make: async (look) =>
      make('ubik-input-request', look, {
        controller: await converse(
          { messages: [], run: ended('waiting', requestActivity('Which year is meant?')) },
          { send: 'Go.' },
        ),
      }),
  },
];
