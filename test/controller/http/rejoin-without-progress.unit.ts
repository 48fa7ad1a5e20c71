import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { pathTo } from '../../../src/model/thread.js';
import { printEvents } from '../../backends/ubik/support/ubik-session.js';
import { codeOf, draftOf, textOf } from '../setup-controller.js';
import {
  sendBrokenStream,
  sendJson,
  sendStream,
  setupHttpController,
} from './setup-http-controller.js';

const TWO_MINUTES = 120_000;

const hello = (connection: number) => ({
  type: 'connection_established',
  task_id: 't1',
  connection_id: `c${connection}`,
});
const chunk = (content: string, second = 1) => ({
  type: 'response_chunk',
  content,
  timestamp: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`,
});
const HALF = 'Half an answer';
const printHalf = (connection: number): string => printEvents([hello(connection), chunk(HALF)]);
const printWords = (count: number): string =>
  printEvents([
    hello(count),
    ...Array.from({ length: count }, (_, at) => chunk(`word ${at} `, 10 + at)),
  ]);

/** The content of each connection after the first one, which broke in the middle of an answer. */
const STREAMS: Readonly<Record<string, (response: ServerResponse, nth: number) => void>> = {
  'empty streams': (response) => sendStream(response, ''),
  'streams of comments': (response) => sendStream(response, ': still here\n\n: and here\n\n'),
  'identical replays': (response, nth) => sendStream(response, printHalf(nth)),
  'replays that break at the same place': (response, nth) =>
    sendBrokenStream(response, `${printHalf(nth)}data: {"type":"resp`),
  'replays that are split differently each time': (response, nth) =>
    sendStream(
      response,
      printEvents([hello(nth), chunk(HALF.slice(0, nth)), chunk(HALF.slice(nth))]),
    ),
  '200 responses that break before the first byte': (response) => sendBrokenStream(response, ''),
};

const setup = (context: TestContext, stream: (response: ServerResponse, nth: number) => void) =>
  setupHttpController(context, {
    'POST /s1/messages': (response) => sendBrokenStream(response, printHalf(0)),
    'GET /s1/stream': stream,
    'GET /s1/messages': (response) => sendJson(response, { items: [] }),
  });

for (const [what, stream] of Object.entries(STREAMS)) {
  test(`rejoining gives up after eight attempts that receive ${what}`, async (context) => {
    const { controller, received, settleNetwork, advance } = await setup(context, stream);
    await controller.send(draftOf('Question'));
    await settleNetwork();
    const before = received.length;
    await advance(TWO_MINUTES);
    const after = received.slice(before);
    // The attempts, and a few loads of the thread.
    assert.ok(after.length <= 12, `${after.length} requests in two minutes`);
    assert.equal(after.filter((name) => name === 'GET /s1/stream').length, 8);
    const { run, messages } = controller.thread ?? assert.fail('the thread is gone');
    assert.deepEqual([run.state, run.error?.code], ['interrupted', 'interrupted']);
    const texts = [...messages.values()].map(({ parts }) =>
      parts.get(parts.children(null)[0] ?? '')?.text?.read(),
    );
    assert.deepEqual(texts, ['Question', HALF], 'the shown text is kept');
    await advance(10 * TWO_MINUTES);
    assert.equal(received.filter((name) => name === 'GET /s1/stream').length, 8);
  });
}

test('rejoining slows down when each connection receives one event and ends', async (context) => {
  const { controller, received, settleNetwork, advance } = await setupHttpController(context, {
    'POST /s1/messages': (response) => sendStream(response, printWords(1)),
    'GET /s1/stream': (response, nth) => sendStream(response, printWords(nth + 1)),
  });
  await controller.send(draftOf('Question'));
  await settleNetwork();
  const before = received.length;
  await advance(TWO_MINUTES);
  const count = received.length - before;
  assert.ok(count <= 12, `${count} requests in two minutes`);
  assert.ok(count >= 8, 'attempts continue');
  await advance(5 * TWO_MINUTES);
  assert.equal(
    controller.thread?.run.state,
    'rejoining',
    'a run that makes progress is rejoined without limit',
  );
});

test('rejoining stops at once when the service answers 204', async (context) => {
  const { controller, received, settleNetwork, advance } = await setup(context, (response) => {
    response.writeHead(204).end();
  });
  await controller.send(draftOf('Question'));
  await settleNetwork();
  await advance(TWO_MINUTES);
  assert.equal(received.filter((name) => name === 'GET /s1/stream').length, 1);
  assert.equal(controller.thread?.run.state, 'interrupted');
});

test('a message that the service has stored stays when no stream of its run can be opened, and its answer is shown when it is stored', async (context) => {
  const question = {
    id: 'm1',
    role: 'user',
    content: 'Question',
    created_at: '2026-01-01T00:00:00Z',
  };
  const answer = { ...question, id: 'm2', role: 'assistant', content: 'Answer', parent_id: 'm1' };
  let stored: readonly object[] = [];
  const { controller, advance, settleNetwork } = await setupHttpController(context, {
    'POST /s1/messages': (response) => {
      stored = [question];
      sendJson(response, question);
    },
    'GET /s1/messages': (response) => sendJson(response, { items: stored }),
  });
  assert.equal(await codeOf(controller.send(draftOf('Question'))), 'none');
  await settleNetwork();
  assert.equal(controller.getDraft().text, '');
  stored = [question, answer];
  await advance(2_000);
  const shown = controller.thread ? pathTo(controller.thread).map(textOf) : [];
  assert.deepEqual(shown, ['Question', 'Answer']);
  assert.equal(controller.thread?.run.state, 'complete');
});
