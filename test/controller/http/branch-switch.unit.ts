import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { printEvents } from '../../backends/ubik/support/ubik-session.js';
import { pathTo } from '../../../src/model/thread.js';
import { Deferred } from '../../helpers/deferred.js';
import { draftOf, textOf } from '../setup-controller.js';
import {
  sendJson,
  sendStream,
  setupHttpController,
  type HttpControllerFixture,
} from './setup-http-controller.js';

const CREATED = { created_at: '2026-01-01T00:00:00Z' };
const question = { id: 'u1', role: 'user', content: 'Question', ...CREATED };
const answer = (id: string) => ({
  id,
  role: 'assistant',
  content: `Version ${id}`,
  parent_id: 'u1',
  sibling_ids: ['a1', 'a2'],
  task_id: `t-${id}`,
  ...CREATED,
});
const next = (parent: string) => [
  { id: 'u9', role: 'user', content: 'Next', parent_id: parent, task_id: 't9', ...CREATED },
  { id: 'a9', role: 'assistant', content: 'Done', parent_id: 'u9', task_id: 't9', ...CREATED },
];
const RUN = printEvents([
  { type: 'connection_established', task_id: 't9', connection_id: 'c1' },
  { type: 'response_chunk', content: 'Done' },
  { type: 'agent_processing_complete', content: 'Done' },
]);

const shown = ({ controller }: HttpControllerFixture) =>
  controller.thread ? pathTo(controller.thread).map(textOf) : [];

test('a message sent during a branch switch is requested after it, and follows the new branch', async (context) => {
  const navigating = new Deferred<ServerResponse>();
  let head = 'a1';
  let more: ReturnType<typeof next> = [];
  const fixture = await setupHttpController(context, {
    'GET /s1/messages': (response) =>
      sendJson(response, {
        items: [question, answer(head), ...more],
        active_head_id: more.at(-1)?.id ?? head,
      }),
    'POST /s1/navigate': (response) => navigating.resolve(response),
    'POST /s1/messages': (response) => {
      more = next(head);
      sendStream(response, RUN);
    },
  });
  const { controller, environment, advance, settleNetwork, received } = fixture;
  await controller.openThread('s1');
  const switched = controller.switchBranch('a2');
  const answered = controller.send(draftOf('Next'));
  const response = await navigating.promise;
  await environment.settle();
  assert.equal(received.includes('POST /s1/messages'), false);
  head = 'a2';
  sendJson(response, {});
  await switched;
  await answered;
  await settleNetwork();
  await advance(2_000);
  assert.deepEqual(shown(fixture), ['Question', 'Version a2', 'Next', 'Done']);
  assert.equal(received.filter((request) => request === 'POST /s1/messages').length, 1);
});

test('a thread that was loaded before a branch switch does not switch back', async (context) => {
  const late = new Deferred<ServerResponse>();
  let head = 'a2';
  const storedThread = () => ({ items: [question, answer(head)], active_head_id: head });
  const fixture = await setupHttpController(context, {
    'GET /s1/messages': (response, nth) => {
      if (nth === 2) late.resolve(response);
      else sendJson(response, storedThread());
    },
    'POST /s1/navigate': (response) => {
      head = 'a1';
      sendJson(response, {});
    },
  });
  const { backend, controller, settleNetwork } = fixture;
  await controller.openThread('s1');
  backend.onExternalChange?.('s1');
  const response = await late.promise;
  const old = storedThread();
  await controller.switchBranch('a1');
  assert.deepEqual(shown(fixture), ['Question', 'Version a1']);
  sendJson(response, old);
  await settleNetwork();
  assert.deepEqual(shown(fixture), ['Question', 'Version a1']);
});
