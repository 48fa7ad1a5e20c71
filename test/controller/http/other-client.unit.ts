import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printEvents } from '../../backends/ubik/support/ubik-session.js';
import { pathTo } from '../../../src/model/thread.js';
import { draftOf, textOf } from '../setup-controller.js';
import {
  sendJson,
  sendStream,
  setupHttpController,
  type HttpControllerFixture,
} from './setup-http-controller.js';

const CREATED = { created_at: '2026-01-01T00:00:00Z' };

/** A stored user message and its answer. */
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

/** Repeats a request whose connection broke, as browsers do with a reused connection. */
const repeatBroken: typeof fetch = (...args) => fetch(...args).catch(() => fetch(...args));

const shown = ({ controller }: HttpControllerFixture): string[] =>
  controller.thread ? pathTo(controller.thread).map(textOf) : [];

const countReads = ({ received }: HttpControllerFixture): number =>
  received.filter((request) => request === 'GET /s1/messages').length;

test('a run shows what another client did before it', async (context) => {
  let items = exchange('one', null);
  const fixture = await setupHttpController(context, {
    'GET /s1/messages': (response) => sendJson(response, { items }),
    'POST /s1/messages': (response) => {
      items = [...items, ...exchange('theirs', 'a-one'), ...exchange('ours', 'a-theirs')];
      sendStream(response, printRun('ours'));
    },
  });
  const { controller, settleNetwork } = fixture;
  await controller.openThread('s1');
  await controller.send(draftOf('Ask ours'));
  await settleNetwork();
  assert.deepEqual(shown(fixture), [
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

test('a run that follows what is shown loads the messages once', async (context) => {
  let items = exchange('one', null);
  let last = 'one';
  const fixture = await setupHttpController(context, {
    'GET /s1/messages': (response) => sendJson(response, { items }),
    'POST /s1/messages': (response, nth) => {
      const name = `run ${nth}`;
      items = [...items, ...exchange(name, `a-${last}`)];
      last = name;
      sendStream(response, printRun(name));
    },
  });
  const { controller, settleNetwork } = fixture;
  await controller.openThread('s1');
  for (const name of ['run 1', 'run 2', 'run 3']) {
    const before = countReads(fixture);
    await controller.send(draftOf(`Ask ${name}`));
    await settleNetwork();
    assert.equal(countReads(fixture), before + 1);
  }
});

test('a run of another client is shown when a message is rejected because of it', async (context) => {
  const [question, answer] = exchange('theirs', 'a-one');
  let items = exchange('one', null);
  const fixture = await setupHttpController(context, {
    'GET /s1/messages': (response) => sendJson(response, { items }),
    'POST /s1/messages': (response) => {
      items = [...items, question ?? assert.fail()];
      sendJson(response, { detail: 'A run is active' }, 409);
    },
    'GET /s1/stream': (response) => {
      items = [...items, answer ?? assert.fail()];
      sendStream(response, printRun('theirs'));
    },
  });
  const { controller, settleNetwork, received } = fixture;
  await controller.openThread('s1');
  await assert.rejects(controller.send(draftOf('Ask ours')), { code: 'busy' });
  await settleNetwork();
  assert.deepEqual(shown(fixture), ['Ask one', 'Say one', 'Ask theirs', 'Say theirs']);
  assert.equal(controller.getDraft().text, 'Ask ours');
  assert.equal(received.filter((request) => request === 'POST /s1/messages').length, 1);
});

for (const isDelivered of [true, false]) {
  test(`a message whose request breaks, is repeated and is rejected as busy ${isDelivered ? 'does not become the draft when it was delivered' : 'becomes the draft when it was not delivered'}`, async (context) => {
    const [question, answer] = exchange('ours', 'a-one');
    let items = exchange('one', null);
    const fixture = await setupHttpController(
      context,
      {
        'GET /s1/messages': (response) => sendJson(response, { items }),
        'POST /s1/messages': (response, nth) => {
          if (nth > 1) return sendJson(response, { detail: 'A run is active' }, 409);
          if (isDelivered) items = [...items, question ?? assert.fail()];
          response.destroy();
        },
        'GET /s1/stream': (response) => {
          if (!isDelivered) return sendJson(response, { detail: 'Not found' }, 404);
          items = [...items, answer ?? assert.fail()];
          sendStream(response, printRun('ours'));
        },
      },
      {},
      {},
      repeatBroken,
    );
    const { controller, settleNetwork, received } = fixture;
    await controller.openThread('s1');
    controller.setDraft(draftOf('Ask ours'));
    await assert.rejects(controller.send(draftOf('Ask ours')), { code: 'busy' });
    await settleNetwork();
    assert.equal(received.filter((request) => request === 'POST /s1/messages').length, 2);
    const more = isDelivered ? ['Ask ours', 'Say ours'] : [];
    assert.deepEqual(shown(fixture), ['Ask one', 'Say one', ...more]);
    assert.equal(controller.getDraft().text, isDelivered ? '' : 'Ask ours');
  });
}

test('a text typed while a message is sent stays when the message is rejected as busy although it was delivered', async (context) => {
  const [question] = exchange('ours', 'a-one');
  let items = exchange('one', null);
  const fixture = await setupHttpController(context, {
    'GET /s1/messages': (response) => sendJson(response, { items }),
    'POST /s1/messages': (response) => {
      items = [...items, question ?? assert.fail()];
      sendJson(response, { detail: 'A run is active' }, 409);
    },
  });
  const { controller, settleNetwork } = fixture;
  await controller.openThread('s1');
  const sending = assert.rejects(controller.send(draftOf('Ask ours')), { code: 'busy' });
  controller.setDraft(draftOf('Next'));
  await sending;
  await settleNetwork();
  assert.equal(controller.getDraft().text, 'Next');
});
