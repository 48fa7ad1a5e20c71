import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { listPendingRequests } from '../../../src/model/pending-requests.js';
import type { Change } from '../../../src/model/change.js';
import { pathTo } from '../../../src/model/thread.js';
import { printEvents } from '../../backends/ubik/support/ubik-session.js';
import { codeOf, textOf } from '../setup-controller.js';
import {
  sendBrokenStream,
  sendJson,
  sendStream,
  setupHttpController,
  type RouteHandler,
} from './setup-http-controller.js';

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
const yearAnswer = { id: 'm3', role: 'user', content: '2026', parent_id: 'm2', created_at: at(2) };
const finalAnswer = {
  id: 'm4',
  role: 'assistant',
  content: 'Forty orders.',
  parent_id: 'm3',
  task_id: 't2',
  created_at: at(3),
};
const ASKED_BY_AGENT = answerOf(
  '<<INPUT_REQUIRED_START>>\nWhich year?\ncheckpoint_name: year\n<<INPUT_REQUIRED_END>>',
);
const YEAR_CHECKPOINT = { checkpoint_name: 'year', task_id: 't1', created_at: at(1) };
const ASKED_BY_TOOL = answerOf('<<TOOL_STEP_START/search:x1>>\n');

/** The open thread `s1`. `set` replaces its stored messages, or (null) deletes it; after `answer`, its tool no longer waits. */
async function setup(context: TestContext, first: readonly object[], routes = {}) {
  let record: readonly object[] | null = first;
  let waits = true;
  const messages: RouteHandler = (response) => {
    if (record) sendJson(response, { items: record });
    else sendJson(response, { detail: 'Not found' }, 404);
  };
  const fixture = await setupHttpController(context, {
    'GET /s1/messages': messages,
    'GET /s1/checkpoints': (response) => sendJson(response, { checkpoints: [YEAR_CHECKPOINT] }),
    'GET /v1/tool-executions/x1': (response) => {
      sendJson(response, { id: 'x1', status: waits ? 'waiting_for_input' : 'completed' });
    },
    ...routes,
  });
  await fixture.controller.openThread('s1');
  await fixture.settleNetwork();
  const { controller, received } = fixture;
  return {
    ...fixture,
    set: (next: readonly object[] | null) => (record = next),
    answer: () => (waits = false),
    texts: () => (controller.thread ? pathTo(controller.thread).map(textOf) : []),
    reads: () => received.filter((name) => name === 'GET /s1/messages').length,
    last: () => {
      const message = controller.thread && pathTo(controller.thread).at(-1);
      assert.ok(message);
      return message;
    },
  };
}

test('what follows a request of the agent that was answered elsewhere is shown', async (context) => {
  const fixture = await setup(context, [question, ASKED_BY_AGENT]);
  const { page, settleNetwork, reads, last } = fixture;
  assert.equal(last().status, 'waiting');
  const count = reads();
  fixture.set([question, ASKED_BY_AGENT, yearAnswer, finalAnswer]);
  page.wake('visible');
  await settleNetwork();
  assert.equal(fixture.texts().at(-1), 'Forty orders.');
  assert.equal(reads(), count + 1);
});

test('the run that continues after a request of the agent was answered elsewhere is joined', async (context) => {
  let stream: ServerResponse | undefined;
  const fixture = await setup(context, [question, ASKED_BY_AGENT], {
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
  fixture.set([question, ASKED_BY_AGENT, yearAnswer]);
  fixture.page.wake('visible');
  await fixture.settleNetwork();
  assert.ok(stream);
  assert.equal(fixture.texts().at(-1), 'Forty orders.');
});

for (const [who, asking] of [
  ['the agent', ASKED_BY_AGENT],
  ['a tool', ASKED_BY_TOOL],
] as const) {
  test(`a pending request of ${who} stays unchanged and is checked once a minute`, async (context) => {
    const fixture = await setup(context, [question, asking]);
    const { controller, page, advance, settleNetwork, reads, last } = fixture;
    assert.equal(last().status, 'waiting');
    let changes = 0;
    controller.onBatch(() => (changes += 1));
    const count = reads();
    for (const reason of ['visible', 'online', 'visible'] as const) {
      page.wake(reason);
      await settleNetwork();
      await advance(1_000);
    }
    assert.equal(reads(), count + 1);
    await advance(MINUTE);
    page.wake('visible');
    await settleNetwork();
    assert.equal(reads(), count + 2);
    assert.equal(changes, 0);
  });
}

for (const [who, asking, route] of [
  ['the agent', ASKED_BY_AGENT, 'GET /s1/checkpoints'],
  ['a tool', ASKED_BY_TOOL, 'GET /v1/tool-executions/x1'],
] as const) {
  /** A thread with a request whose look-up fails with `status` from now on. */
  const setupFailure = async (context: TestContext, status: number) => {
    let fails = false;
    const lookUp: RouteHandler = (response) => {
      if (fails && status < 300) response.setHeader('content-type', 'text/html').end('<p>Sign in');
      else if (fails) sendJson(response, { detail: 'Unavailable' }, status);
      else if (who === 'a tool') sendJson(response, { id: 'x1', status: 'waiting_for_input' });
      else sendJson(response, { checkpoints: [YEAR_CHECKPOINT] });
    };
    const fixture = await setup(context, [question, asking], { [route]: lookUp });
    assert.equal(fixture.last().status, 'waiting');
    fails = true;
    return fixture;
  };

  for (const [what, status] of [
    ['the service is unavailable', 503],
    ['another server, such as a captive portal, responds', 200],
  ] as const) {
    test(`a pending request of ${who} stays when ${what} after the user returns to the page or a change in another tab`, async (context) => {
      const fixture = await setupFailure(context, status);
      const { controller, page, settleNetwork, reads, last } = fixture;
      const count = reads();
      const before = last();
      let changes = 0;
      controller.onBatch(() => (changes += 1));
      page.wake('visible');
      await settleNetwork();
      controller.backend.onExternalChange?.('s1');
      await settleNetwork();
      assert.equal(reads(), count + 2);
      assert.deepEqual([last(), changes], [before, 0]);
    });
  }

  for (const status of [403, 404, 422]) {
    test(`a pending request of ${who} is closed when the service refuses the look-up (${String(status)})`, async (context) => {
      const { page, settleNetwork, last } = await setupFailure(context, status);
      page.wake('visible');
      await settleNetwork();
      assert.deepEqual(listPendingRequests(last()), []);
    });
  }
}

test('a request of the agent stays and shows the error when its thread was deleted elsewhere', async (context) => {
  const fixture = await setup(context, [question, ASKED_BY_AGENT]);
  const { page, advance, settleNetwork, reads, texts, last } = fixture;
  const count = reads();
  const shown = texts();
  fixture.set(null);
  page.wake('visible');
  await settleNetwork();
  await advance(MINUTE);
  assert.deepEqual(texts(), shown);
  assert.deepEqual([last().status, last().failure?.code], ['interrupted', 'not-found']);
  assert.equal(reads(), count + 1);
});

test('a pending request is not checked after close', async (context) => {
  const { controller, requestCount, page, advance } = await setup(context, [
    question,
    ASKED_BY_AGENT,
  ]);
  const count = requestCount();
  controller.close();
  page.wake('visible');
  await advance(2 * MINUTE);
  assert.equal(requestCount(), count);
});

/** The events of a run that waits for an answer to a tool. */
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
const CONTINUATION = [
  { type: 'response_chunk', content: 'Forty orders.' },
  { type: 'agent_processing_complete', content: 'Hm. Forty orders.' },
];

/** A run whose stream has ended with the request of a tool. The service stores the run only after its end. */
async function setupToolRequest(context: TestContext, rejoined: readonly object[]) {
  const fixture = await setup(context, [], {
    'POST /s1/messages': (response: ServerResponse) => sendStream(response, printEvents(TOOL_ASKS)),
    'GET /s1/stream': (response: ServerResponse) => sendStream(response, printEvents(rejoined)),
  });
  await fixture.controller.send({ text: 'Question', attachments: [] });
  await fixture.settleNetwork();
  assert.equal(fixture.controller.thread?.run.state, 'waiting');
  fixture.set([{ ...question, task_id: 't1' }]);
  return fixture;
}

test('a run whose tool request is still pending stays unchanged and is checked once a minute', async (context) => {
  const fixture = await setupToolRequest(context, TOOL_ASKS);
  const { controller, page, advance, settleNetwork, received } = fixture;
  const countStreams = () => received.filter((name) => name === 'GET /s1/stream').length;
  const before = fixture.last();
  const partChanges: Change[] = [];
  const states = new Set<string>();
  controller.onBatch(({ changes }) => {
    partChanges.push(...changes.filter((change) => 'part' in change && change.part !== null));
    states.add(`${controller.thread?.run.state} ${fixture.last().status}`);
  });
  for (const reason of ['visible', 'online', 'visible'] as const) {
    page.wake(reason);
    await settleNetwork();
    await advance(1_000);
  }
  assert.equal(countStreams(), 1);
  assert.equal(controller.thread?.run.state, 'waiting');
  assert.deepEqual(fixture.last(), before);
  assert.deepEqual(partChanges, []);
  // The replay has only known events, so the backend repeats the status of the run and nothing else.
  assert.deepEqual([...states], ['waiting waiting']);
  await advance(MINUTE);
  page.wake('visible');
  await settleNetwork();
  assert.equal(countStreams(), 2);
});

test('a run whose tool request was answered elsewhere continues in its message', async (context) => {
  const fixture = await setupToolRequest(context, [...TOOL_ASKS, ...CONTINUATION]);
  fixture.answer();
  const { key } = fixture.last();
  fixture.page.wake('visible');
  await fixture.settleNetwork();
  assert.equal(fixture.controller.thread?.run.state, 'complete');
  assert.equal(fixture.last().key, key);
  assert.equal(textOf(fixture.last()), 'Hm. Forty orders.');
});

test('a run that this page knows only from its stored message is joined when its tool request was answered elsewhere', async (context) => {
  let streams = 0;
  const fixture = await setup(context, [question, ASKED_BY_TOOL], {
    'GET /s1/stream': (response: ServerResponse, _nth: number, { url = '' }: IncomingMessage) => {
      // Loading the thread reads this stream, too, without chunks of text, to complete the fields of its pending request.
      const isRun = !url.includes('include_chunks');
      if (isRun) streams += 1;
      sendStream(response, printEvents(isRun ? [...TOOL_ASKS, ...CONTINUATION] : TOOL_ASKS));
    },
  });
  const { controller, page, advance, last, settleNetwork } = fixture;
  const { key, status } = last();
  assert.equal(status, 'waiting');
  fixture.answer();
  page.wake('visible');
  await settleNetwork();
  assert.equal(controller.thread?.run.state, 'complete');
  assert.deepEqual([last().key, textOf(last())], [key, 'Hm. Forty orders.']);
  await advance(MINUTE);
  page.wake('visible');
  await settleNetwork();
  assert.equal(streams, 1);
});

test('a run whose page is hidden while its request is looked up shows text and request after the page is restored', async (context) => {
  const broken = [...TOOL_ASKS.slice(0, 1), { type: 'response_chunk', content: 'Well. ' }];
  const lookups: ServerResponse[] = [];
  const fixture = await setup(context, [], {
    'POST /s1/messages': (response: ServerResponse) =>
      sendBrokenStream(response, printEvents(broken)),
    'GET /s1/stream': (response: ServerResponse) =>
      sendStream(response, printEvents([...broken, ...TOOL_ASKS.slice(1)])),
    'GET /v1/tool-executions/x1': (response: ServerResponse) => {
      lookups.push(response);
      if (lookups.length > 1) sendJson(response, { id: 'x1', status: 'waiting_for_input' });
    },
  });
  const { controller, environment, page, last, settleNetwork } = fixture;
  await controller.send({ text: 'Question', attachments: [] });
  while (lookups.length === 0) await environment.advance(100);
  page.hide();
  await settleNetwork();
  page.wake('pageshow');
  await settleNetwork();
  assert.equal(textOf(last()), 'Well. Hm. ');
  assert.equal(listPendingRequests(last()).length, 1);
  assert.equal(controller.thread?.run.state, 'waiting');
});

test('an answer to a tool after a reload of the page continues its run when the stream fails at first', async (context) => {
  const streams: string[] = [];
  const fixture = await setup(context, [question, ASKED_BY_TOOL], {
    'POST /v1/tool-executions/x1/provide-input': (response: ServerResponse) =>
      response.writeHead(202).end(),
    'GET /s1/stream': (response: ServerResponse, _nth: number, { url = '' }: IncomingMessage) => {
      // Loading the thread reads this stream, too, without chunks of text, to complete the fields of its pending request.
      const isRun = !url.includes('include_chunks');
      if (isRun) streams.push(new URL(url, 'http://x').search);
      if (isRun && streams.length === 1) sendJson(response, { detail: 'Unavailable' }, 503);
      else sendStream(response, printEvents(isRun ? [...TOOL_ASKS, ...CONTINUATION] : TOOL_ASKS));
    },
  });
  const { controller, advance, last, settleNetwork } = fixture;
  assert.equal(last().status, 'waiting');
  const { key } = last();
  const [request] = listPendingRequests(last());
  assert.ok(request);
  fixture.answer();
  const outcome = codeOf(controller.provideInput(key, request.key, { type: 'text', text: '2026' }));
  await settleNetwork();
  await advance(2_000);
  assert.equal(await outcome, 'none');
  assert.deepEqual(streams, ['?task_id=t1', '?task_id=t1']);
  assert.equal(controller.thread?.run.state, 'complete');
  assert.deepEqual([last().key, textOf(last())], [key, 'Hm. Forty orders.']);
});
