import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { ACTIVITY } from '../../../src/model/part.js';
import { printEvents } from '../../backends/ubik/support/ubik-session.js';
import { draftOf } from '../setup-controller.js';
import {
  sendBrokenStream,
  sendJson,
  sendStream,
  setupHttpController,
  type HttpControllerFixture,
  type RouteHandler,
} from './setup-http-controller.js';

const TWO_MINUTES = 120_000;
const TOOL_START = 'Found: <<TOOL_STEP_START/search:c1>>';
const CUT = `${TOOL_START}<<TOOL_STEP_RESULT_START>>{"found":[1,2`;
const WHOLE = `${CUT}]}<<TOOL_STEP_RESULT_END>>`;

const hello = { type: 'connection_established', task_id: 't1', connection_id: 'c1' };
const chunk = (content: string, second: number) => ({
  type: 'response_chunk',
  content,
  timestamp: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`,
});
const end = {
  type: 'agent_processing_complete',
  content: '',
  timestamp: '2026-01-01T00:01:00Z',
};
const CUT_STREAM = printEvents([hello, chunk(CUT, 1)]);
const WHOLE_STREAM = printEvents([
  hello,
  chunk(CUT, 1),
  chunk(WHOLE.slice(CUT.length), 2),
  chunk(' That is all.', 3),
  end,
]);

/** Responds with a stream that sends this text and then stays open until the client closes it. */
const sendSilentStream = (response: ServerResponse, text: string): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text);
};

const setup = (
  context: TestContext,
  routes: {
    readonly post: RouteHandler;
    readonly stream: RouteHandler;
    readonly messages?: RouteHandler;
  },
) =>
  setupHttpController(context, {
    'POST /s1/messages': routes.post,
    'GET /s1/stream': routes.stream,
    'GET /s1/messages': routes.messages ?? ((response) => sendJson(response, { items: [] })),
  });

/** Status, text and incomplete text of each answer. */
function answers({ controller }: HttpControllerFixture) {
  const all = [...(controller.thread?.messages.values() ?? [])];
  return all
    .filter(({ role }) => role === 'assistant')
    .map(({ status, parts }) => ({
      status,
      text: parts
        .children(null)
        .map((key) => parts.get(key)?.text?.read() ?? '')
        .join('|'),
      incomplete: parts.children(ACTIVITY).flatMap((key) => {
        const part = parts.get(key);
        return part?.kind === 'incomplete-activity' ? [part.text?.read()] : [];
      }),
    }));
}

/** Waits for a state without advancing the clock, also while a stream stays open. */
async function waitFor(
  { environment }: HttpControllerFixture,
  isReached: () => boolean,
): Promise<void> {
  while (!isReached()) {
    await environment.settle();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const hasText = (fixture: HttpControllerFixture) =>
  answers(fixture).at(-1)?.text.startsWith('Found:') ?? false;
const isInterrupted = (fixture: HttpControllerFixture) =>
  answers(fixture).at(-1)?.status === 'interrupted';
const refuse: RouteHandler = (response) => sendJson(response, { detail: 'No' }, 403);

const INCOMPLETE = ['{"found":[1,2'];

test('the incomplete result of a tool is shown when all attempts to rejoin are used up', async (context) => {
  const fixture = await setup(context, {
    post: (response) => sendBrokenStream(response, CUT_STREAM),
    stream: (response) => sendJson(response, { detail: 'Down' }, 503),
  });
  await fixture.controller.send(draftOf('Question'));
  await fixture.settleNetwork();
  assert.deepEqual(
    answers(fixture)[0]?.incomplete,
    [],
    'it is withheld while the run is being rejoined',
  );
  await fixture.advance(TWO_MINUTES);
  assert.equal(answers(fixture)[0]?.status, 'interrupted');
  assert.deepEqual(answers(fixture)[0]?.incomplete, INCOMPLETE);
});

test('the incomplete result of a tool is shown when the stream has stalled and rejoining is rejected', async (context) => {
  const fixture = await setup(context, {
    post: (response) => sendSilentStream(response, CUT_STREAM),
    stream: refuse,
  });
  await fixture.controller.send(draftOf('Question'));
  await waitFor(fixture, () => hasText(fixture));
  await fixture.environment.advance(fixture.backend.idleTimeout);
  await waitFor(fixture, () => isInterrupted(fixture));
  assert.deepEqual(answers(fixture)[0]?.incomplete, INCOMPLETE);
});

test('the incomplete result of a tool is shown when the run is detached', async (context) => {
  const fixture = await setup(context, {
    post: (response) => sendSilentStream(response, CUT_STREAM),
    stream: refuse,
  });
  await fixture.controller.send(draftOf('Question'));
  await waitFor(fixture, () => hasText(fixture));
  assert.deepEqual(answers(fixture)[0]?.incomplete, []);
  fixture.controller.detach();
  assert.deepEqual([isInterrupted(fixture), answers(fixture)[0]?.incomplete], [true, INCOMPLETE]);
});

test('rejoining replaces the incomplete text by the whole result, and shows the text after it once', async (context) => {
  const fixture = await setup(context, {
    post: (response) => sendSilentStream(response, CUT_STREAM),
    stream: (response) => sendStream(response, WHOLE_STREAM),
  });
  await fixture.controller.send(draftOf('Question'));
  await waitFor(fixture, () => hasText(fixture));
  fixture.controller.detach();
  await fixture.controller.rejoin();
  await fixture.settleNetwork();
  const { parts } =
    [...(fixture.controller.thread?.messages.values() ?? [])].at(-1) ?? assert.fail();
  const tools = parts.children(null).flatMap((key) => {
    const part = parts.get(key);
    return part?.kind === 'tool' ? [part.result] : [];
  });
  assert.deepEqual(tools, ['{"found":[1,2]}']);
  const texts = answers(fixture)[0]?.text.split('That is all.');
  assert.equal(texts?.length, 2, 'the text is shown once');
  assert.deepEqual(answers(fixture)[0]?.incomplete, []);
  assert.equal(answers(fixture)[0]?.status, 'complete');
});

test('the incomplete text is replaced when a rejoined run receives more and its stream breaks again', async (context) => {
  const more = printEvents([hello, chunk(CUT, 1), chunk(',3', 2), chunk(',4', 3)]);
  const fixture = await setup(context, {
    post: (response) => sendSilentStream(response, CUT_STREAM),
    stream: (response, nth) =>
      nth === 1 ? sendBrokenStream(response, more) : sendJson(response, { detail: 'No' }, 403),
  });
  await fixture.controller.send(draftOf('Question'));
  await waitFor(fixture, () => hasText(fixture));
  fixture.controller.detach();
  await fixture.controller.rejoin();
  await fixture.advance(TWO_MINUTES);
  assert.equal(isInterrupted(fixture), true);
  assert.deepEqual(answers(fixture)[0]?.incomplete, ['{"found":[1,2,3,4']);
});

test('a new run keeps the incomplete text of the interrupted one', async (context) => {
  const fixture = await setup(context, {
    post: (response, nth) =>
      nth === 1
        ? sendSilentStream(response, CUT_STREAM)
        : sendStream(
            response,
            printEvents([
              { ...hello, task_id: 't2', connection_id: 'c2' },
              chunk('Second answer', 30),
              end,
            ]),
          ),
    stream: refuse,
  });
  await fixture.controller.send(draftOf('Question'));
  await waitFor(fixture, () => hasText(fixture));
  fixture.controller.detach();
  await fixture.controller.send(draftOf('Another question'));
  await waitFor(fixture, () => answers(fixture).at(-1)?.status === 'complete');
  assert.deepEqual(
    answers(fixture).map(({ status, incomplete }) => [status, incomplete]),
    [
      ['interrupted', INCOMPLETE],
      ['complete', []],
    ],
  );
});

test('the stored message replaces the incomplete text when the thread is reloaded', async (context) => {
  const question = { id: 'm1', role: 'user', content: 'Question', parent_id: null };
  const answer = {
    id: 'm2',
    role: 'assistant',
    content: `${WHOLE} That is all.`,
    parent_id: 'm1',
    task_id: 't1',
  };
  const fixture = await setup(context, {
    post: (response) => sendBrokenStream(response, CUT_STREAM),
    stream: refuse,
    messages: (response) => sendJson(response, { items: [question, answer] }),
  });
  await fixture.controller.send(draftOf('Question'));
  await fixture.advance(TWO_MINUTES);
  assert.match(answers(fixture)[0]?.text ?? '', /That is all\./);
  assert.deepEqual(answers(fixture)[0]?.incomplete, []);
});

test('a run is detached although `getIncompleteText` of the backend throws, which is a diagnostic', async (context) => {
  const fixture = await setup(context, {
    post: (response) => sendSilentStream(response, CUT_STREAM),
    stream: refuse,
  });
  const codes: string[] = [];
  fixture.controller.onNotice((notice) => {
    if (notice.type === 'diagnostic') codes.push(notice.error.code);
  });
  fixture.backend.getIncompleteText = () => {
    throw new TypeError('No');
  };
  await fixture.controller.send(draftOf('Question'));
  await waitFor(fixture, () => hasText(fixture));
  fixture.controller.detach();
  assert.deepEqual([isInterrupted(fixture), answers(fixture)[0]?.incomplete], [true, []]);
  assert.deepEqual(codes, ['malformed-event']);
});
