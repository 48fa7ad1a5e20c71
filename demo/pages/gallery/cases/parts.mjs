/** @import { Case } from '../cases.mjs' */
/** @import * as Ubik from 'ubik-elements/controller.js' */
import { search } from '../fixtures/thread-messages.mjs';
import { CODE, RIVERS } from '../fixtures/texts.mjs';
import { make, makeTranscript, press } from '../kit/make.mjs';
import {
  answer,
  inputRequest,
  checkpoint,
  error,
  question,
  say,
  step,
  think,
} from '../kit/write.mjs';

/**
 * @param {string} name @param {string} title @param {readonly Ubik.PartTree[]} parts @param {Case['act']} [act]
 * @param {Partial<Ubik.StoredMessage['fields']>} [fields] @returns {Case}
 */
const part = (name, title, parts, act, fields) => ({
  name: `part-${name}`,
  title,
  make: (look) => makeTranscript(look, [answer(parts, fields)], { capabilities: ['checkpoints'] }),
  ...(act && { act }),
});

/** Expands the first disclosure. @param {Element} element */
const expand = async (element) => {
  await press(element, 'summary');
};

/** Opens the details of an error, whose code is loaded with the first error. @param {Element} element */
const openErrorDetails = async (element) => {
  await press(element, '.error-details summary');
};

const failedMessages = () => [
  question('Which countries does the Danube flow through?'),
  answer(
    [
      say('I look into the table of rivers.'),
      error('The model call failed.', '{ "trace": "timeout" }', {
        code: 'AgentAPP.Agent.ModelExecption',
        advice: 'Try again later, or choose another model.',
      }),
    ],
    { status: 'failed', failure: { code: 'run-failed', message: 'The model call failed.' } },
  ),
];

/** @type {readonly Case[]} */
export const parts = [
  part('text', 'Text', [say(RIVERS), say(CODE)]),
  part('thinking', 'Thinking, collapsed', [
    think('The person wants countries. The table has a column for them.'),
    say('Ten countries.'),
  ]),
  part(
    'thinking-open',
    'Thinking, expanded',
    [think('The person wants *countries*.\n\nThe table has a column for them.'), say('Ten.')],
    expand,
  ),
  part('step', 'Completed steps, collapsed', [
    step(1, 'Look at the question'),
    step(2, 'Search the documents', [search()]),
    say('Ten countries.'),
  ]),
  part(
    'step-open',
    'Completed step, expanded',
    [
      step(1, 'Search the documents', [
        think('Where?'),
        say('I look into two documents.'),
        search(),
        search(),
      ]),
      say('Ten.'),
    ],
    expand,
  ),
  part('step-single', 'Single step', [
    step(1, 'Answer', [say('Ten countries.')], { single: true }),
  ]),
  part(
    'step-cut',
    'Step of a stopped run',
    [step(1, 'Read the table', [say('Reading 1,204 rows.')], { state: 'open-ended' })],
    undefined,
    { status: 'stopped' },
  ),
  part('checkpoint', 'Checkpoint', [
    say('Found.'),
    checkpoint('after_search'),
    say('Ten countries.'),
  ]),
  part('asked', 'Input request in a stored answer, unanswered', [inputRequest('Which year?')]),
  part('answered', 'Input requests in a stored answer: two answered, one declined', [
    inputRequest('Which year is meant?', '{"input":"2024","type":"text"}'),
    inputRequest('May I delete it?', '{"input":true,"type":"json"}'),
    inputRequest('Your address?', '{"input":null,"type":"declined"}'),
    say('Thank you.'),
  ]),
  part('error', 'Error', [error('The table of rivers does not exist.')]),
  {
    name: 'part-error-advice',
    title: 'Error with advice, details and a button to try again',
    make: (look) => makeTranscript(look, failedMessages(), { capabilities: ['regenerate'] }),
    act: openErrorDetails,
  },
  part('error-code', 'Error of which only the code is known', [
    error('', null, { code: 'AgentExecutor.DolphinSDKException.ModelExecption' }),
  ]),
  {
    name: 'part-error-details',
    title: 'Error with expanded details',
    make: async (look) => {
      const element = await makeTranscript(look, [
        answer([
          error(
            'The table of rivers does not exist.',
            '{ "error": "no such table: nowhere", "sql": "SELECT * FROM nowhere" }',
          ),
        ]),
      ]);
      element.errorDetails = true;
      return element;
    },
    act: openErrorDetails,
  },
  part('unknown', 'Unknown kind of part', [
    {
      kind: 'unknown',
      key: 'unknown',
      name: 'FORECAST',
      text: 'river = Danube\nlevel = 3.2 m',
    },
  ]),
  {
    name: 'part-html',
    title: 'Raw HTML as text and sanitized',
    make: (look) => {
      const box = document.createElement('div');
      const content = 'A <b>bold</b> word, <kbd>Ctrl</kbd> and <img src="x" alt="a picture">.';
      box.append(
        make('ubik-message', look, { content }),
        make('ubik-message', look, { content, html: 'sanitized' }),
      );
      return box;
    },
  },
];
