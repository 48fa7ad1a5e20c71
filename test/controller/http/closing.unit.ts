import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import type { StreamController } from '../../../src/controller/controller-types.js';
import { printEvents } from '../../backends/ubik/support/ubik-session.js';
import { codeOf, draftOf } from '../setup-controller.js';
import {
  sendJson,
  sendStream,
  setupHttpController,
  type RouteHandler,
} from './setup-http-controller.js';

const TWO_MINUTES = 120_000;
const PAGE = { page: 1, limit: 20 };
/** Ends a test that hangs: a request that is not aborted stays open. */
const TEST_TIMEOUT = { timeout: 60_000 };

const question = {
  id: 'm1',
  role: 'user',
  content: 'Question',
  created_at: '2026-01-01T00:00:00Z',
};
const answer = (content: string) => ({
  id: 'm2',
  role: 'assistant',
  content,
  parent_id: 'm1',
  sibling_ids: ['m3'],
  task_id: 't1',
  created_at: '2026-01-01T00:00:01Z',
});
const sendMessages =
  (content: string): RouteHandler =>
  (response) =>
    sendJson(response, { items: [question, answer(content)], active_head_id: 'm2' });
const PLAIN = sendMessages('Answer');
const ASKED_BY_TOOL = sendMessages('<<TOOL_STEP_START/search:x1>>\n');
const ASKED_BY_AGENT = sendMessages(
  '<<INPUT_REQUIRED_START>>\nWhich year?\ncheckpoint_name: year\n<<INPUT_REQUIRED_END>>',
);
const NO_CHECKPOINTS: RouteHandler = (response) => sendJson(response, { checkpoints: [] });
/** A thread without a title is reloaded after its first run. */
const UNTITLED: RouteHandler = (response) => sendJson(response, { id: 's1', title: '' });
const done: RouteHandler = (response) => sendJson(response, {});
const sendAnswer: RouteHandler = (response) =>
  sendStream(
    response,
    printEvents([
      { type: 'connection_established', task_id: 't1', connection_id: 'c1' },
      { type: 'response_chunk', content: 'Answer' },
      { type: 'agent_processing_complete', content: 'Answer' },
    ]),
  );

/** An action that loads something, and the request during which the controller is closed. */
interface Read {
  readonly request: string;
  readonly routes?: Readonly<Record<string, RouteHandler>>;
  /** The thread is opened before the action. */
  readonly opened?: boolean;
  /** The number of the request of this name that gets no response, from 1. */
  readonly nth?: number;
  read(controller: StreamController): unknown;
}

const open = (controller: StreamController) => controller.openThread('s1');
const READS: Readonly<Record<string, Read>> = {
  'the messages of a thread': { request: 'GET /s1/messages', read: open },
  'the session of a thread': { request: 'GET /s1', read: open },
  'the execution of a tool that may wait': {
    request: 'GET /v1/tool-executions/x1',
    routes: { 'GET /s1/messages': ASKED_BY_TOOL },
    read: open,
  },
  'the checkpoints for a request of the agent': {
    request: 'GET /s1/checkpoints',
    routes: { 'GET /s1/messages': ASKED_BY_AGENT },
    read: open,
  },
  'the list of threads': { request: 'GET ', read: (controller) => controller.listThreads(PAGE) },
  'the list of checkpoints': {
    request: 'GET /s1/checkpoints',
    opened: true,
    // The first one is sent with the thread: an answer with several versions may have been restored.
    nth: 2,
    read: (controller) => controller.listCheckpoints(),
  },
  'the list of documents': {
    request: 'GET /s1/documents',
    opened: true,
    read: (controller) => controller.listDocuments(PAGE),
  },
  'the state of a document': {
    request: 'GET /v1/documents/d1',
    opened: true,
    read: (controller) => controller.loadDocument('d1'),
  },
  'another version of a message': {
    request: 'GET /s1/messages/m3',
    opened: true,
    read: (controller) =>
      controller.loadVersion([...(controller.thread?.messages.keys() ?? [])].at(-1) ?? '', 'm3'),
  },
  'the branch after a navigation': {
    request: 'GET /s1/messages',
    routes: { 'POST /s1/navigate': done },
    opened: true,
    nth: 2,
    read: (controller) => controller.switchBranch('m3'),
  },
  'a thread that was changed elsewhere': {
    request: 'GET /s1/messages',
    opened: true,
    nth: 2,
    read: ({ backend }) => backend.onExternalChange?.('s1'),
  },
  'a thread again after a run': {
    request: 'GET /s1/messages',
    routes: { 'GET /s1': UNTITLED, 'POST /s1/messages': sendAnswer },
    opened: true,
    // The second one reloads the id of the answer after the run.
    nth: 3,
    read: (controller) => controller.send(draftOf('Question')),
  },
};

/** A controller with one request without a response; `pendingResponse` resolves when the server has received it. */
async function setup(context: TestContext, { request, routes, nth = 1 }: Read) {
  let arrive: (response: ServerResponse) => void;
  const pendingResponse = new Promise<ServerResponse>((resolve) => (arrive = resolve));
  const known: Readonly<Record<string, RouteHandler>> = {
    'GET /s1': (response) => sendJson(response, { id: 's1', title: 'Title' }),
    'GET /s1/messages': PLAIN,
    'GET /s1/checkpoints': NO_CHECKPOINTS,
    ...routes,
  };
  const fixture = await setupHttpController(context, {
    ...known,
    [request]: (response, count, incoming) => {
      if (count === nth) arrive(response);
      else known[request]?.(response, count, incoming);
    },
  });
  return { ...fixture, pendingResponse };
}

for (const [what, read] of Object.entries(READS)) {
  test(
    `close aborts loading ${what} and sends no further request`,
    TEST_TIMEOUT,
    async (context) => {
      const { controller, pendingResponse, requestCount, settleNetwork, advance } = await setup(
        context,
        read,
      );
      if (read.opened) {
        await open(controller);
        await settleNetwork();
      }
      const code = codeOf(Promise.resolve(read.read(controller)));
      const response = await pendingResponse;
      const count = requestCount();
      const closed = once(response, 'close');
      controller.close();
      await closed;
      assert.equal(response.writableFinished, false);
      await settleNetwork();
      assert.match(await code, /^(aborted|none)$/);
      await advance(TWO_MINUTES);
      assert.equal(requestCount(), count);
    },
  );
}

test('close prevents the reload after a run', async (context) => {
  const { controller, requestCount, settleNetwork, advance } = await setupHttpController(context, {
    'GET /s1': UNTITLED,
    'GET /s1/messages': PLAIN,
    'GET /s1/checkpoints': NO_CHECKPOINTS,
    'POST /s1/messages': sendAnswer,
  });
  await open(controller);
  await controller.listCheckpoints();
  const ended = new Promise<number>((resolve) => {
    controller.onNotice(({ type }) => {
      if (type !== 'run-completed') return;
      controller.close();
      resolve(requestCount());
    });
  });
  await controller.send(draftOf('Question'));
  const count = await ended;
  await settleNetwork();
  await advance(TWO_MINUTES);
  assert.equal(requestCount(), count);
});
