import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import type { Change } from '../../../src/model/change.js';
import { pathTo } from '../../../src/model/thread.js';
import { printEvents } from '../../backends/ubik/support/ubik-session.js';
import { textOf } from '../setup-conversation.js';
import { sendJson, sendStream, setupHttpConversation, type Respond } from './service.js';

const MINUTE = 60_000;

const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
const question = { id: 'm1', role: 'user', content: 'Question', created_at: at(0) };
const answerOf = (content: string) => ({
  id: 'm2',
  role: 'assistant',
  content,
  parent_id: 'm1',
  task_id: 't1',
  created_at: at(1),
});
const year = { id: 'm3', role: 'user', content: '2026', parent_id: 'm2', created_at: at(2) };
const done = {
  id: 'm4',
  role: 'assistant',
  content: 'Forty orders.',
  parent_id: 'm3',
  task_id: 't2',
  created_at: at(3),
};
const ASKS_BY_AGENT = answerOf(
  '<<INPUT_REQUIRED_START>>\nWhich year?\ncheckpoint_name: year\n<<INPUT_REQUIRED_END>>',
);
const ASKS_BY_TOOL = answerOf('<<TOOL_STEP_START/search:x1>>\n');

/** A service whose record of the thread the test changes. */
async function setup(context: TestContext, first: readonly object[], routes = {}) {
  let record: readonly object[] | null = first;
  let waits = true;
  const messages: Respond = (response) => {
    if (record) sendJson(response, { items: record });
    else sendJson(response, { detail: 'Not found' }, 404);
  };
  const conversation = await setupHttpConversation(context, {
    'GET /s1/messages': messages,
    'GET /s1/checkpoints': (response) =>
      sendJson(response, {
        checkpoints: [{ checkpoint_name: 'year', task_id: 't1', created_at: at(1) }],
      }),
    'GET /v1/tool-executions/x1': (response) => {
      sendJson(response, { id: 'x1', status: waits ? 'waiting_for_input' : 'completed' });
    },
    ...routes,
  });
  await conversation.controller.openThread('s1');
  await conversation.quiet();
  const { controller, sent } = conversation;
  return {
    ...conversation,
    set: (next: readonly object[] | null) => (record = next),
    answer: () => (waits = false),
    texts: () => (controller.thread ? pathTo(controller.thread).map(textOf) : []),
    reads: () => sent.filter((name) => name === 'GET /s1/messages').length,
    last: () => {
      const message = controller.thread && pathTo(controller.thread).at(-1);
      assert.ok(message);
      return message;
    },
  };
}

test('a question of the agent that was answered elsewhere shows what came of it', async (context) => {
  const conversation = await setup(context, [question, ASKS_BY_AGENT]);
  const { page, quiet, reads, last } = conversation;
  assert.equal(last().status, 'waiting');
  const count = reads();
  conversation.set([question, ASKS_BY_AGENT, year, done]);
  page.wake('visible');
  await quiet();
  assert.equal(conversation.texts().at(-1), 'Forty orders.');
  assert.equal(reads(), count + 1);
});

test('a question of the agent that was answered elsewhere joins the run that goes on', async (context) => {
  let stream: ServerResponse | undefined;
  const conversation = await setup(context, [question, ASKS_BY_AGENT], {
    'GET /s1/stream': (response: ServerResponse) => {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        printEvents([
          { type: 'connection_established', task_id: 't2' },
          { type: 'response_chunk', content: 'Forty orders.' },
          { type: 'agent_processing_complete', content: 'Forty orders.' },
        ]),
      );
    },
  });
  conversation.set([question, ASKS_BY_AGENT, year]);
  conversation.page.wake('visible');
  await conversation.quiet();
  assert.ok(stream);
  assert.equal(conversation.texts().at(-1), 'Forty orders.');
});

for (const [who, asking] of [
  ['the agent', ASKS_BY_AGENT],
  ['a tool', ASKS_BY_TOOL],
] as const) {
  test(`a question of ${who} that is still open changes nothing, and is checked once a minute`, async (context) => {
    const conversation = await setup(context, [question, asking]);
    const { controller, page, pass, quiet, reads, last } = conversation;
    assert.equal(last().status, 'waiting');
    let changes = 0;
    controller.onBatch(() => (changes += 1));
    const count = reads();
    for (const reason of ['visible', 'online', 'visible'] as const) {
      page.wake(reason);
      await quiet();
      await pass(1_000);
    }
    assert.equal(reads(), count + 1);
    await pass(MINUTE);
    page.wake('visible');
    await quiet();
    assert.equal(reads(), count + 2);
    assert.equal(changes, 0);
  });
}

test('a question in a thread that was deleted meanwhile says so and stays', async (context) => {
  const conversation = await setup(context, [question, ASKS_BY_AGENT]);
  const { page, pass, quiet, reads, texts, last } = conversation;
  const count = reads();
  const shown = texts();
  conversation.set(null);
  page.wake('visible');
  await quiet();
  await pass(MINUTE);
  assert.deepEqual(texts(), shown);
  assert.deepEqual([last().status, last().failure?.code], ['interrupted', 'not-found']);
  assert.equal(reads(), count + 1);
});

test('a question is not checked after close', async (context) => {
  const { controller, made, page, pass } = await setup(context, [question, ASKS_BY_AGENT]);
  const count = made();
  controller.close();
  page.wake('visible');
  await pass(2 * MINUTE);
  assert.equal(made(), count);
});

/** The events of a run in which a tool has asked. */
const TOOL_ASKS = [
  { type: 'connection_established', task_id: 't1' },
  { type: 'response_chunk', content: 'Hm. ' },
  {
    type: 'tool_input_required',
    tool_id: 'x1',
    execution_id: 'x1',
    tool_name: 'search',
    question: 'Which year?',
    input_types: ['text'],
  },
];
const GOES_ON = [
  { type: 'response_chunk', content: 'Forty orders.' },
  { type: 'agent_processing_complete', content: 'Hm. Forty orders.' },
];

/** A run whose stream has ended with the question of a tool, which the service does not record before it is over. */
async function askByTool(context: TestContext, rejoined: readonly object[]) {
  const conversation = await setup(context, [], {
    'POST /s1/messages': (response: ServerResponse) => sendStream(response, printEvents(TOOL_ASKS)),
    'GET /s1/stream': (response: ServerResponse) => sendStream(response, printEvents(rejoined)),
  });
  await conversation.controller.send({ text: 'Question', attachments: [] });
  await conversation.quiet();
  assert.equal(conversation.controller.thread?.run.state, 'waiting');
  conversation.set([{ ...question, task_id: 't1' }]);
  return conversation;
}

test('a question of a run that is still open leaves the run as it was', async (context) => {
  const conversation = await askByTool(context, TOOL_ASKS);
  const { controller, page, pass, quiet, sent } = conversation;
  const looks = () => sent.filter((name) => name === 'GET /s1/stream').length;
  const before = conversation.last();
  const partChanges: Change[] = [];
  const states = new Set<string>();
  controller.onBatch(({ changes }) => {
    partChanges.push(...changes.filter((change) => 'part' in change && change.part !== null));
    states.add(`${controller.thread?.run.state} ${conversation.last().status}`);
  });
  for (const reason of ['visible', 'online', 'visible'] as const) {
    page.wake(reason);
    await quiet();
    await pass(1_000);
  }
  assert.equal(looks(), 1);
  assert.equal(controller.thread?.run.state, 'waiting');
  assert.deepEqual(conversation.last(), before);
  assert.deepEqual(partChanges, []);
  // The service repeats how the run stands; nothing else is ever shown.
  assert.deepEqual([...states], ['waiting waiting']);
  await pass(MINUTE);
  page.wake('visible');
  await quiet();
  assert.equal(looks(), 2);
});

test('a question of a run that was answered elsewhere goes on in its message', async (context) => {
  const conversation = await askByTool(context, [...TOOL_ASKS, ...GOES_ON]);
  conversation.answer();
  const { key } = conversation.last();
  conversation.page.wake('visible');
  await conversation.quiet();
  assert.equal(conversation.controller.thread?.run.state, 'complete');
  assert.equal(conversation.last().key, key);
  assert.equal(textOf(conversation.last()), 'Hm. Forty orders.');
});
