import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printEvents } from '../../backends/ubik/support/ubik-session.js';
import { pathTo } from '../../../src/model/thread.js';
import { draftOf, textOf } from '../setup-conversation.js';
import { sendJson, sendStream, setupHttpConversation, type HttpConversation } from './service.js';

const CREATED = { created_at: '2026-01-01T00:00:00Z' };

/** A question and its answer as the service stores them. */
function exchange(name: string, parent: string | null): readonly object[] {
  const task = { task_id: `t-${name}`, ...CREATED };
  return [
    { id: `u-${name}`, role: 'user', content: `Ask ${name}`, parent_id: parent, ...task },
    { id: `a-${name}`, role: 'assistant', content: `Say ${name}`, parent_id: `u-${name}`, ...task },
  ];
}

function printRun(name: string): string {
  return printEvents([
    { type: 'connection_established', task_id: `t-${name}`, connection_id: 'c1' },
    { type: 'response_chunk', content: `Say ${name}` },
    { type: 'agent_processing_complete', message_id: `a-${name}`, content: `Say ${name}` },
  ]);
}

const shown = ({ controller }: HttpConversation): string[] =>
  controller.thread ? pathTo(controller.thread).map(textOf) : [];

const countReads = ({ sent }: HttpConversation): number =>
  sent.filter((request) => request === 'GET /s1/messages').length;

test('a run shows what another client did before it', async (context) => {
  let items = exchange('one', null);
  const conversation = await setupHttpConversation(context, {
    'GET /s1/messages': (response) => sendJson(response, { items }),
    'POST /s1/messages': (response) => {
      items = [...items, ...exchange('theirs', 'a-one'), ...exchange('ours', 'a-theirs')];
      sendStream(response, printRun('ours'));
    },
  });
  const { controller, quiet } = conversation;
  await controller.openThread('s1');
  await controller.send(draftOf('Ask ours'));
  await quiet();
  assert.deepEqual(shown(conversation), [
    'Ask one',
    'Say one',
    'Ask theirs',
    'Say theirs',
    'Ask ours',
    'Say ours',
  ]);
  const [answer, question] = [...pathTo(controller.thread ?? assert.fail())].reverse();
  assert.deepEqual([question?.id, answer?.id], ['u-ours', 'a-ours']);
});

test('a run that follows what is shown reads the messages once', async (context) => {
  let items = exchange('one', null);
  let last = 'one';
  const conversation = await setupHttpConversation(context, {
    'GET /s1/messages': (response) => sendJson(response, { items }),
    'POST /s1/messages': (response, nth) => {
      const name = `run ${nth}`;
      items = [...items, ...exchange(name, `a-${last}`)];
      last = name;
      sendStream(response, printRun(name));
    },
  });
  const { controller, quiet } = conversation;
  await controller.openThread('s1');
  for (const name of ['run 1', 'run 2', 'run 3']) {
    const before = countReads(conversation);
    await controller.send(draftOf(`Ask ${name}`));
    await quiet();
    assert.equal(countReads(conversation), before + 1);
  }
});

test('a message that is refused because another client has a run on shows that run', async (context) => {
  const [question, answer] = exchange('theirs', 'a-one');
  let items = exchange('one', null);
  const conversation = await setupHttpConversation(context, {
    'GET /s1/messages': (response) => sendJson(response, { items }),
    'POST /s1/messages': (response) => {
      items = [...items, question ?? assert.fail()];
      sendJson(response, { detail: 'A run is on' }, 409);
    },
    'GET /s1/stream': (response) => {
      items = [...items, answer ?? assert.fail()];
      sendStream(response, printRun('theirs'));
    },
  });
  const { controller, quiet, sent } = conversation;
  await controller.openThread('s1');
  await assert.rejects(controller.send(draftOf('Ask ours')), { code: 'busy' });
  await quiet();
  assert.deepEqual(shown(conversation), ['Ask one', 'Say one', 'Ask theirs', 'Say theirs']);
  assert.equal(controller.draft().text, 'Ask ours');
  assert.equal(sent.filter((request) => request === 'POST /s1/messages').length, 1);
});
