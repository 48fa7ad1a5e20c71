import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRef } from '../../src/backends/backend.js';
import type { Change } from '../../src/model/change.js';
import { contentOf, stored } from './scripted-backend.js';
import { ANY_REJOIN_DELAY, draftOf, setupController } from './setup-controller.js';

const SECOND = 1_000;

for (const how of ['is silent', 'receives keep-alives only'] as const) {
  test(`an accepted stop ends the run when the stream ${how}`, async () => {
    const { backend, controller, environment, start, runNotices } = setupController();
    await start();
    const stopped = controller.stop();
    await environment.settle();
    for (let second = 0; second < 60; second += 1) {
      await environment.advance(SECOND);
      if (how === 'receives keep-alives only') backend.stream.sendHeartbeat();
    }
    assert.equal(controller.thread?.run.state, 'stopped');
    await stopped;
    assert.deepEqual(runNotices(), ['run-started', 'run-stopped']);
    assert.equal(backend.stream.signal.aborted, true);
  });
}

test('an accepted stop waits as long as the run emits new content', async () => {
  const { backend, controller, environment, start } = setupController();
  await start();
  void controller.stop();
  for (let count = 0; count < 5; count += 1) {
    await environment.advance(20 * SECOND);
    backend.stream.append(count, '.');
  }
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'stopping');
});

test('a stop counts as accepted only after the response of the service', async () => {
  const { backend, controller, environment, start } = setupController();
  await start();
  backend.responses.set('stop', () => new Promise(() => undefined));
  void controller.stop().catch(() => undefined);
  for (let second = 0; second < 120; second += 1) {
    await environment.advance(SECOND);
    backend.stream.sendHeartbeat();
  }
  assert.equal(controller.thread?.run.state, 'stopping');
});

for (const flap of ['becomes visible', 'goes offline and online'] as const) {
  test(`a page that ${flap} every second makes at most 12 requests in two minutes`, async () => {
    const { backend, environment, page, start } = setupController();
    await start();
    backend.stream.fail();
    await environment.settle();
    for (let second = 0; second < 120; second += 1) {
      if (flap === 'goes offline and online') page.online = false;
      backend.stream.fail();
      await environment.advance(SECOND / 2);
      page.online = true;
      page.wake(flap === 'becomes visible' ? 'visible' : 'online');
      await environment.settle();
      backend.stream.fail();
      await environment.advance(SECOND / 2);
    }
    const count = backend.count('rejoin');
    assert.ok(count >= 2 && count <= 12, `${count} requests`);
  });
}

test('a page that goes online soon after an attempt rejoins the run without another event', async () => {
  const { backend, controller, environment, page, start } = setupController();
  await start();
  page.online = false;
  backend.stream.fail();
  for (let count = 0; count < 2; count += 1) {
    await environment.settle();
    page.online = true;
    page.wake('online');
    await environment.settle();
    if (count === 0) {
      page.online = false;
      backend.stream.fail();
    }
  }
  await environment.advance(SECOND);
  assert.equal(backend.count('rejoin'), 2);
  backend.stream.sendHeartbeat();
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'streaming');
});

test('an error of a listener or of reportError does not break the stream', async () => {
  const { backend, controller, environment, start, states } = setupController({
    reportError: () => {
      throw new Error('reporter');
    },
  });
  await start();
  controller.onBatch(() => {
    throw new Error('listener');
  });
  backend.stream.append(0, 'Answer');
  await environment.settle();
  assert.equal(states.at(-1), 'streaming');
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'complete');
  assert.equal(backend.count('rejoin'), 0);
});

test('a batch that cannot be applied is a diagnostic and does not break the stream', async () => {
  const { backend, controller, environment, notices, start, texts } = setupController();
  await start();
  backend.stream.push(null as unknown as Change);
  backend.stream.append(0, 'Answer');
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'complete');
  assert.deepEqual(texts(), ['Question', 'Answer']);
  assert.equal(backend.count('rejoin'), 0);
  const codes = notices.flatMap((one) => (one.type === 'diagnostic' ? one.error.code : []));
  assert.deepEqual(codes, ['malformed-event']);
});

test('the run of an equal user message with another parent is not joined', async () => {
  const { backend, controller, environment } = setupController();
  const first = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', 'Hi', { runId: 't1' })];
  backend.threads.set('a', contentOf('a', first));
  await controller.openThread('a');
  void controller.send(draftOf('Again')).catch(() => undefined);
  await environment.settle();
  // Another client has sent a message, received an answer, and then sent the same text.
  const other = [
    stored('m3', 'user', 'Other'),
    stored('m4', 'assistant', 'Sure', { runId: 't2' }),
    stored('m5', 'user', 'Again', { runId: 't3' }),
  ];
  backend.threads.set('a', contentOf('a', [...first, ...other]));
  backend.stream.fail();
  await environment.advance(ANY_REJOIN_DELAY);
  const [, ref] = backend.stream.args as [string, RunRef];
  assert.equal(backend.stream.method, 'rejoin');
  assert.equal(ref.id, null);
  assert.ok(ref.otherRunIds.includes('t3'));
});
