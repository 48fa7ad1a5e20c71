/** @import { Case } from '../cases.mjs' */
/** @import * as Ubik from 'ubik-elements/controller.js' */
/** @import { Service } from '../kit/backend.mjs' */
/** @import { Scene } from '../kit/make.mjs' */
import { search } from '../fixtures/thread-messages.mjs';
import { neverSettle } from '../kit/backend.mjs';
import {
  requestActivity,
  broken,
  ended,
  incomplete,
  parts,
  runActivity,
  running,
  stepActivity,
  toolActivity,
} from '../kit/live.mjs';
import { makeChat } from '../kit/make.mjs';
import { inputRequest, error, checkpoint, say, step, tool } from '../kit/write.mjs';

const QUESTION = 'Which countries does the Danube flow through?';
const HALF = say('The **Danube** flows through ten countries, more than any oth');

const live = tool('search_documents', { query: 'length of the Danube' }, null, {
  state: 'running',
});

/** A run with one completed step and one active step, of three. */
const AT_WORK = [
  parts([
    step(1, 'Look at the question', [say('I need the table of rivers.')]),
    checkpoint('looked'),
    step(2, 'Search the documents', [live], { state: 'running' }),
  ]),
  stepActivity(1, {
    state: 'completed',
    endedAt: Date.now() - 10_800,
    results: { found: ['rivers'] },
  }),
  stepActivity(2, { progress: 40, status: 'Reading 3 of 7 documents' }),
  toolActivity(live, { message: 'Reading rivers.csv' }),
  runActivity({ step: 2, totalSteps: 3, progress: 40 }),
];

/** @type {Ubik.PartTree} */
const open = {
  kind: 'thinking',
  key: 'open',
  state: 'open',
  text: 'The person wants countries. The table of rivers has a column for them, so I look there',
};

/**
 * @param {string} name @param {string} title @param {Service} service @param {Scene} [scene]
 * @returns {Case}
 */
const run = (name, title, service, scene) => ({
  name: `run-${name}`,
  title,
  size: 'chat',
  make: (look) => makeChat(look, service, { send: QUESTION, ...scene }),
});

/** @type {readonly Case[]} */
export const runs = [
  run('sending', 'Sending the message', {}),
  run('begun', 'Run started, no content yet', { run: running() }),
  run('thinking', 'Thinking', { run: running(parts([open])) }),
  run('steps', 'Step with a running tool', { run: running(...AT_WORK) }),
  run('writing', 'Writing the answer', {
    run: running(parts([step(1, 'Look at the question'), step(2, 'Search', [search()]), HALF])),
  }),
  run('waiting', 'Waiting for an answer to an input request', {
    run: ended(
      'waiting',
      parts([step(1, 'Ask for the year', [say('I need one more thing.')])]),
      requestActivity('Which year is meant?', { deadline: Date.now() + 90_000 }),
    ),
  }),
  run(
    'stopping',
    'Stopping',
    { run: running(...AT_WORK) },
    { act: (controller) => controller.stop() },
  ),
  run('stopped', 'Stopped run', { run: ended('stopped', parts([HALF])) }),
  run('failed', 'Failed run', {
    run: ended(
      'failed',
      parts([
        step(1, 'Read the table', [say('Reading 1,204 rows.')], { state: 'running' }),
        error('The table of rivers does not exist.', '{ "sql": "SELECT * FROM nowhere" }'),
      ]),
    ),
  }),
  run(
    'stalled',
    'Stalled stream',
    { run: running(parts([HALF])), rejoin: silentStream },
    { wait: 46_000 },
  ),
  run('broken', 'Connection lost; next attempt to rejoin is scheduled', {
    run: broken(parts([HALF])),
  }),
  run(
    'interrupted',
    'Interrupted run: rejoining was given up',
    { run: running(parts([HALF])) },
    { act: (controller) => controller.detach() },
  ),
  run(
    'cut-off',
    'Interrupted run with an incomplete tool result',
    {
      run: running(
        parts([HALF, live]),
        incomplete(live, '{ "rows": [{ "name": "Volga", "km": 3530 }, { "name": "Dan'),
        incomplete(null, '<<CITATION_START:{"id":'),
      ),
    },
    { act: (controller) => controller.detach() },
  ),
  run(
    'queue',
    'Queued messages',
    { run: running(...AT_WORK) },
    {
      act: async (controller) => {
        void controller.enqueue({ text: 'And the Rhine?', attachments: [] });
        void controller.enqueue({ text: 'Then compare both, please.', attachments: [] });
        await neverSettle();
      },
    },
  ),
  run('answered', 'Run continues after an input request', {
    run: running(parts([inputRequest('Which year?', '{"input":"2024","type":"text"}'), HALF])),
  }),
];

/** A connection without data. */
async function* silentStream() {
  yield await neverSettle();
}
