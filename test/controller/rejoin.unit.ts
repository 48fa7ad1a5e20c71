import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import { recordKey } from './setup-queue.js';
import { contentOf, IDLE_TIMEOUT, stored } from './scripted-backend.js';
import { ANY_REJOIN_DELAY, codeOf, draftOf, setupController } from './setup-controller.js';

test('rejoining continues a broken stream where it was', async () => {
  const { backend, environment, states, start, texts, runNotices } = setupController();
  await start();
  backend.stream.append(0, 'Half');
  backend.stream.fail();
  await environment.settle();
  assert.deepEqual(states.slice(-2), ['broken', 'rejoining']);
  await environment.advance(ANY_REJOIN_DELAY);
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.append(4, ' done');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(states.slice(3), ['broken', 'rejoining', 'streaming', 'complete']);
  assert.deepEqual(texts(), ['Question', 'Half done']);
  assert.deepEqual(runNotices(), ['run-started', 'run-completed']);
  assert.equal(backend.count('send'), 1);
});

test('a stream that ends without the end of its run counts as broken', async () => {
  const { backend, environment, start, states, last } = setupController();
  await start();
  backend.stream.end();
  await environment.settle();
  assert.equal(states.at(-1), 'rejoining');
  assert.equal(last().status, 'streaming');
});

test('rejoining waits up to 0.5, 1, 2, 4 … 30 s between attempts and gives up after eight', async () => {
  const { backend, environment, start, runNotices, last, controller } = setupController();
  await start();
  backend.stream.fail();
  const gaps: number[] = [];
  for (let count = 1; count <= 8; count += 1) {
    const broken = environment.monotonic();
    await environment.advance(ANY_REJOIN_DELAY);
    assert.equal(backend.count('rejoin'), count);
    gaps.push(Math.round((backend.stream.openedAt - broken) / 100) / 10);
    backend.stream.fail();
    await environment.settle();
  }
  assert.deepEqual(gaps, [0.5, 1, 2, 4, 8, 16, 30, 30]);
  assert.deepEqual(runNotices(), ['run-started', 'run-interrupted']);
  assert.equal(controller.thread?.run.state, 'interrupted');
  assert.equal(last().status, 'interrupted');
  assert.equal(last().failure?.code, 'interrupted');
  await environment.advance(600_000);
  assert.equal(backend.count('rejoin'), 8);
  assert.equal(backend.count('send'), 1);
});

test('rejoining shows the number of the attempt and when it is due', async () => {
  const { backend, environment, start, controller } = setupController();
  await start();
  backend.stream.fail();
  await environment.settle();
  const run = controller.thread?.run;
  assert.equal(run?.state, 'rejoining');
  assert.equal(run.attempt, 1);
  assert.equal(Math.round((run.retryAt ?? 0) - environment.now()), 500);
});

test('new content resets the attempts, a connection alone does not', async () => {
  const { backend, environment, start, controller } = setupController();
  await start();
  for (let count = 0; count < 3; count += 1) {
    backend.stream.sendHeartbeat();
    backend.stream.fail();
    await environment.advance(ANY_REJOIN_DELAY);
  }
  backend.stream.fail();
  await environment.settle();
  assert.equal(controller.thread?.run.attempt, 4);
  await environment.advance(ANY_REJOIN_DELAY);
  backend.stream.append(0, 'New');
  backend.stream.fail();
  await environment.settle();
  assert.equal(controller.thread.run.attempt, 1);
});

test('a repeated status does not reset the attempts', async () => {
  const { backend, environment, start, controller } = setupController();
  await start();
  for (let count = 0; count < 8; count += 1) {
    backend.stream.fail();
    await environment.advance(ANY_REJOIN_DELAY);
    const message = backend.stream.keys.answer;
    backend.stream.push(
      { type: 'set', message, part: null, path: ['status'], value: 'streaming' },
      { type: 'thread', set: { run: { state: 'streaming', id: 'run-1' } } },
    );
    await environment.settle();
  }
  assert.equal(controller.thread?.run.state, 'streaming');
  backend.stream.fail();
  await environment.settle();
  assert.equal(controller.thread.run.state, 'interrupted');
});

test('the delay is reset after a connection that lasted', async () => {
  const { backend, environment, start } = setupController();
  await start();
  let length = 0;
  const waitAfter = async (lasted: number): Promise<number> => {
    await environment.advance(lasted);
    backend.stream.append(length++, '+');
    backend.stream.fail();
    await environment.settle();
    const broken = environment.monotonic();
    const count = backend.streams.length;
    while (backend.streams.length === count) await environment.advance(100);
    return Math.round((backend.stream.openedAt - broken) / 100) / 10;
  };
  const waits: number[] = [];
  for (const lasted of [0, 0, 9_900, 0, 10_000, 0]) waits.push(await waitAfter(lasted));
  assert.deepEqual(waits, [0.5, 1, 2, 4, 0.5, 1]);
});

test('rejoining a run that the service does not have (204) removes the empty answer and keeps the question', async () => {
  const { controller, backend, environment, runNotices } = setupController();
  backend.threads.set('old', contentOf('old', [stored('m1', 'user', 'Question')], 'run-1'));
  await controller.openThread('old');
  await environment.settle();
  backend.stream.fail(new UbikError('interrupted', { status: 204 }));
  await environment.advance(ANY_REJOIN_DELAY);
  assert.equal(backend.count('rejoin'), 1);
  assert.deepEqual(runNotices(), []);
  assert.equal(controller.thread?.messages.size, 1);
});

test('a run whose stream only sends keep-alives is interrupted after all attempts when it was never confirmed', async () => {
  const { backend, controller, environment, texts } = setupController();
  backend.threads.set('old', contentOf('old', [stored('m1', 'user', 'Question')], 'run-1'));
  await controller.openThread('old');
  await environment.settle();
  for (let count = 0; count < 120; count += 1) {
    backend.stream.sendHeartbeat();
    await environment.advance(10_000);
  }
  assert.equal(controller.thread?.run.state, 'interrupted');
  assert.equal(texts()[0], 'Question');
});

for (const reason of ['visible', 'online', 'resume'] as const) {
  test(`rejoining waits for the Retry-After of the service when the page wakes (${reason})`, async () => {
    const { backend, environment, page, start } = setupController();
    await start();
    backend.stream.fail(new UbikError('rate-limited', 'slow', { retryAfter: 30_000 }));
    await environment.advance(20_000);
    page.hide();
    page.wake(reason);
    await environment.advance(9_999);
    assert.equal(backend.count('rejoin'), 0);
    await environment.advance(1);
    assert.equal(backend.count('rejoin'), 1);
  });
}

test('rejoining waits for the Retry-After of the service up to a minute', async () => {
  const { backend, environment, start } = setupController();
  await start();
  backend.stream.fail(new UbikError('rate-limited', 'slow', { retryAfter: 60_000 }));
  await environment.advance(59_999);
  assert.equal(backend.count('rejoin'), 0);
  await environment.advance(1);
  assert.equal(backend.count('rejoin'), 1);
});

test('a Retry-After of more than a minute interrupts the run', async () => {
  const { backend, environment, start, notices } = setupController();
  await start();
  backend.stream.fail(new UbikError('rate-limited', 'slow', { retryAfter: 60_001 }));
  await environment.advance(120_000);
  assert.equal(backend.count('rejoin'), 0);
  const notice = notices.find(({ type }) => type === 'run-interrupted');
  assert.equal(notice && 'error' in notice && notice.error.retryAfter, 60_001);
});

test('rejoining stops after an error that no retry can fix, such as 401', async () => {
  const { backend, environment, start, notices, runNotices } = setupController();
  await start();
  backend.stream.fail();
  await environment.advance(ANY_REJOIN_DELAY);
  backend.stream.fail(new UbikError('unauthorized', 'no'));
  await environment.advance(ANY_REJOIN_DELAY);
  assert.equal(backend.count('rejoin'), 1);
  assert.deepEqual(runNotices(), ['run-started', 'run-interrupted']);
  assert.equal(notices.filter(({ type }) => type === 'auth-required').length, 1);
});

test('rejoin joins an interrupted run with all attempts available', async () => {
  const { backend, environment, start, runNotices, controller, texts } = setupController();
  await start();
  backend.stream.fail(new UbikError('forbidden', 'no'));
  await environment.settle();
  const joined = controller.rejoin();
  await environment.settle();
  backend.stream.append(0, 'Back');
  await joined;
  assert.equal(controller.thread?.run.state, 'streaming');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(runNotices(), [
    'run-started',
    'run-interrupted',
    'run-started',
    'run-completed',
  ]);
  assert.equal(controller.thread.run.resumed, true);
  assert.deepEqual(texts(), ['Question', 'Back']);
  assert.equal(await codeOf(controller.rejoin()), 'misuse');
});

test('rejoin does not wait for the backoff', async () => {
  const { backend, environment, start, controller } = setupController();
  await start();
  backend.stream.fail();
  await environment.settle();
  const joined = controller.rejoin();
  assert.equal(backend.count('rejoin'), 1);
  backend.stream.sendHeartbeat();
  await joined;
  await environment.advance(ANY_REJOIN_DELAY);
  assert.equal(backend.count('rejoin'), 1);
});

for (const reason of ['visible', 'online', 'pageshow', 'resume'] as const) {
  test(`rejoining starts at once when the page wakes (${reason})`, async () => {
    const { backend, environment, start, page } = setupController();
    await start();
    backend.stream.fail();
    await environment.settle();
    page.wake(reason);
    await environment.settle();
    assert.equal(backend.count('rejoin'), 1);
    backend.stream.sendHeartbeat();
    await environment.advance(ANY_REJOIN_DELAY);
    assert.equal(backend.count('rejoin'), 1);
  });
}

test('rejoining slows down while the page is offline, uses up no attempts, and starts at once when it is online', async () => {
  const { backend, environment, start, page, controller } = setupController();
  await start();
  page.online = false;
  const gaps: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    const broken = environment.monotonic();
    const { stream } = backend;
    stream.fail();
    await environment.settle();
    while (backend.stream === stream) await environment.advance(100);
    gaps.push(backend.stream.openedAt - broken);
  }
  assert.ok((gaps[0] ?? 0) <= 1000, `${gaps[0]}`);
  assert.deepEqual(
    gaps.slice(0, 8),
    gaps.slice(0, 8).toSorted((one, other) => one - other),
  );
  assert.ok((gaps.at(-1) ?? 0) >= 29_000 && Math.max(...gaps) <= 30_000, gaps.join());
  assert.equal(controller.thread?.run.state, 'rejoining');
  backend.stream.fail();
  await environment.settle();
  const before = backend.count('rejoin');
  page.online = true;
  page.wake('online');
  await environment.settle();
  assert.equal(backend.count('rejoin'), before + 1);
});

test('rejoining works although the page wrongly reports that it is offline', async () => {
  const { backend, environment, start, page, controller } = setupController();
  await start();
  page.online = false;
  backend.stream.fail();
  await environment.advance(1000);
  backend.stream.sendHeartbeat();
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'streaming');
});

test('failed attempts on wake do not count towards the limit', async () => {
  const { backend, environment, start, page, controller } = setupController();
  await start();
  backend.stream.fail();
  await environment.settle();
  for (let count = 1; count <= 20; count += 1) {
    // Without this, the scheduled attempts would be made in the minute between two attempts on wake.
    page.hide();
    environment.jump(60_000);
    page.wake('pageshow');
    assert.equal(backend.count('rejoin'), count);
    backend.stream.fail();
    await environment.settle();
  }
  assert.equal(controller.thread?.run.state, 'rejoining');
  assert.equal(controller.thread.run.attempt, 1);
});

test('a silent stream is stalled and joined again at once', async () => {
  const { backend, environment, start, states } = setupController();
  await start();
  for (let count = 0; count < 5; count += 1) {
    await environment.advance(IDLE_TIMEOUT - 1);
    backend.stream.sendHeartbeat();
    await environment.settle();
  }
  assert.equal(backend.count('rejoin'), 0);
  await environment.advance(IDLE_TIMEOUT);
  assert.equal(backend.count('rejoin'), 1);
  assert.deepEqual(states.slice(-2), ['stalled', 'rejoining']);
  assert.equal(backend.streams[0]?.signal.aborted, true);
});

test('a stall whose rejoined stream has nothing new uses up no attempt and doubles the idle timeout up to five minutes', async () => {
  const { backend, environment, start } = setupController();
  await start();
  const gaps: number[] = [];
  for (let count = 1; count <= 12; count += 1) {
    const since = environment.monotonic();
    while (backend.count('rejoin') < count) await environment.advance(5_000);
    gaps.push((backend.stream.openedAt - since) / 1000);
    backend.stream.sendHeartbeat();
    await environment.settle();
  }
  assert.deepEqual(gaps.slice(0, 6), [45, 90, 180, 300, 300, 300]);
  assert.equal(backend.count('rejoin'), 12);
});

test('new content resets the idle timeout', async () => {
  const { backend, environment, start } = setupController();
  await start();
  await environment.advance(IDLE_TIMEOUT);
  backend.stream.sendHeartbeat();
  // Less than the doubled timeout.
  await environment.advance(2 * IDLE_TIMEOUT - 1);
  assert.equal(backend.count('rejoin'), 1);
  backend.stream.append(0, 'New');
  await environment.advance(IDLE_TIMEOUT);
  assert.equal(backend.count('rejoin'), 2);
});

test('a connection that receives nothing counts as a failed attempt', async () => {
  const { backend, environment, start, runNotices } = setupController();
  await start();
  await environment.advance(IDLE_TIMEOUT);
  for (let count = 0; count < 8; count += 1)
    await environment.advance(IDLE_TIMEOUT + ANY_REJOIN_DELAY);
  // The attempt after the stall, and the eight that receive nothing.
  assert.equal(backend.count('rejoin'), 1 + 8);
  assert.deepEqual(runNotices(), ['run-started', 'run-interrupted']);
});

test('a hidden page reports no stall until it is visible again', async () => {
  const { backend, environment, start, page } = setupController();
  await start();
  page.visible = false;
  await environment.advance(600_000);
  assert.equal(backend.count('rejoin'), 0);
  page.visible = true;
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 1);
});

test('a hidden page keeps a stream that still receives batches', async () => {
  const { backend, environment, start, page, texts } = setupController();
  await start();
  page.visible = false;
  await environment.advance(600_000);
  backend.stream.append(0, 'Heard');
  await environment.settle();
  page.visible = true;
  page.wake('visible');
  await environment.advance(IDLE_TIMEOUT - 1_000);
  assert.equal(backend.count('rejoin'), 0);
  assert.deepEqual(texts(), ['Question', 'Heard']);
  await environment.advance(2_000);
  assert.equal(backend.count('rejoin'), 1);
});

test('a stall during sleep is noticed on wake', async () => {
  const { backend, environment, start, page } = setupController();
  await start();
  environment.jump(7_200_000);
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 1);
});

test('a stream is joined again after a freeze unless something arrives within a second', async () => {
  const { backend, environment, start, page } = setupController();
  await start();
  page.wake('resume');
  await environment.advance(999);
  assert.equal(backend.count('rejoin'), 0);
  backend.stream.sendHeartbeat();
  await environment.advance(1_000);
  assert.equal(backend.count('rejoin'), 0);
  page.wake('resume');
  await environment.advance(1_000);
  assert.equal(backend.count('rejoin'), 1);
});

test('a stream is closed when the page is hidden and joined when it is shown again', async () => {
  const { backend, environment, start, page, states } = setupController();
  await start();
  page.hide();
  assert.equal(backend.stream.signal.aborted, true);
  assert.equal(environment.timers, 0);
  backend.stream.append(0, 'late');
  await environment.advance(600_000);
  assert.equal(backend.count('rejoin'), 0);
  assert.equal(states.at(-1), 'broken');
  page.wake('pageshow');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 1);
  backend.stream.append(0, 'Back');
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(states.at(-1), 'complete');
});

test('a page that is hidden between two attempts makes none until it is shown again', async () => {
  const { backend, environment, start, page } = setupController();
  await start();
  backend.stream.fail();
  await environment.settle();
  page.hide();
  assert.equal(environment.timers, 0);
  await environment.advance(600_000);
  assert.equal(backend.count('rejoin'), 0);
  page.wake('pageshow');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 1);
});

test('batches of an abandoned connection change nothing', async () => {
  const { backend, environment, start, texts, runNotices } = setupController();
  await start();
  const [old] = backend.streams;
  await environment.advance(IDLE_TIMEOUT);
  backend.stream.sendHeartbeat();
  await environment.settle();
  old?.append(0, 'late');
  old?.finish('failed');
  await environment.settle();
  assert.deepEqual(texts(), ['Question', '']);
  assert.deepEqual(runNotices(), ['run-started']);
});

for (const [what, error] of [
  ['no response', new UbikError('network', 'cut')],
  ['5xx', new UbikError('server', 'bad gateway', { status: 502 })],
  ['an HTML page instead of the API', new UbikError('not-an-api', 'html')],
  ['an unexpected error', new TypeError('odd')],
] as const) {
  test(`send locates the run instead of repeating the request after ${what}`, async () => {
    const { controller, backend, environment, texts } = setupController();
    const sent = controller.send(draftOf('Question'));
    await environment.settle();
    backend.stream.fail(error);
    await environment.advance(ANY_REJOIN_DELAY);
    assert.equal(backend.count('send'), 1);
    assert.equal(backend.stream.method, 'rejoin');
    backend.stream.begin();
    await sent;
    assert.deepEqual(texts(), ['Question', '']);
    assert.equal(controller.thread?.run.state, 'streaming');
    assert.equal(controller.getDraft().text, '');
  });
}

test('send is not repeated when the service never responds', async () => {
  const { controller, backend, environment } = setupController();
  const sent = controller.send(draftOf('Question'));
  await environment.settle();
  const code = codeOf(sent);
  for (let count = 0; count < 12; count += 1) {
    await environment.advance(IDLE_TIMEOUT + ANY_REJOIN_DELAY);
  }
  assert.equal(await code, 'interrupted');
  assert.equal(backend.count('send'), 1);
  assert.equal(backend.count('rejoin'), 8);
});

test('send reverts the message when locating the run shows that none was started', async () => {
  const { controller, backend, environment, texts, runNotices } = setupController();
  const sent = controller.send(draftOf('Question'));
  await environment.settle();
  backend.stream.fail();
  await environment.advance(ANY_REJOIN_DELAY);
  backend.stream.fail(new UbikError('not-sent', 'only an old run is there'));
  assert.equal(await codeOf(sent), 'not-sent');
  assert.deepEqual(texts(), []);
  assert.equal(controller.getDraft().text, 'Question');
  assert.deepEqual(runNotices(), []);
});

test('detach does not stop the run, and rejoin joins it', async () => {
  const { controller, backend, environment, start, runNotices } = setupController();
  await start();
  controller.detach();
  assert.equal(backend.stream.signal.aborted, true);
  assert.equal(controller.thread?.run.state, 'interrupted');
  await environment.advance(600_000);
  assert.equal(backend.count('stop') + backend.count('rejoin'), 0);
  const joined = controller.rejoin();
  backend.stream.sendHeartbeat();
  await joined;
  assert.deepEqual(runNotices(), ['run-started', 'run-interrupted', 'run-started']);
});

test('a page that is shown again interrupts the run when the backend cannot rejoin', async () => {
  const { controller, backend, environment, notices, start, page, states } = setupController();
  Object.assign(backend, { rejoin: undefined });
  await start();
  page.hide();
  assert.equal(states.at(-1), 'broken');
  page.wake('pageshow');
  await environment.settle();
  assert.equal(controller.thread?.run.error?.code, 'interrupted');
  assert.deepEqual(states.slice(-2), ['broken', 'interrupted']);
  const end = notices.findLast(({ type }) => type === 'run-interrupted');
  assert.equal(end?.type === 'run-interrupted' && end.error.code, 'interrupted');
  assert.equal(environment.timers, 0);
});

test('rejoin rejects with unsupported and changes nothing when the backend cannot rejoin', async () => {
  const { controller, backend, notices, start, states } = setupController();
  Object.assign(backend, { rejoin: undefined });
  await start();
  controller.detach();
  const before = [states.length, notices.length];
  assert.equal(await codeOf(controller.rejoin()), 'unsupported');
  assert.deepEqual([states.length, notices.length], before);
});

test('openThread joins no run when the backend cannot rejoin', async () => {
  const { controller, backend, environment, notices } = setupController();
  Object.assign(backend, { rejoin: undefined });
  backend.threads.set('old', contentOf('old', [stored('m1', 'user', 'Question')], 'run-1'));
  await controller.openThread('old');
  await environment.advance(ANY_REJOIN_DELAY);
  assert.equal(controller.thread?.run.state, 'idle');
  assert.equal(controller.thread.messages.size, 1);
  assert.deepEqual(
    notices.filter(({ type }) => type === 'error' || type.startsWith('run-')),
    [],
  );
});

test('openThread omits the joined run from otherRunIds, although its user message has the same run id', async () => {
  const { controller, backend, environment } = setupController();
  const messages = [
    stored('m1', 'user', 'First', { runId: 'run-1' }),
    stored('m2', 'assistant', 'Answer', { runId: 'run-1' }),
    stored('m3', 'user', 'Second', { runId: 'run-2' }),
  ];
  backend.threads.set('old', contentOf('old', messages, 'run-2'));
  await controller.openThread('old');
  await environment.settle();
  const [, run] = backend.stream.args as [string, { id: string; otherRunIds: string[] }];
  assert.equal(run.id, 'run-2');
  assert.deepEqual(run.otherRunIds, ['run-1']);
});

test('openThread ignores the run id of a stored record that is not a string', async () => {
  const { controller, backend, environment } = setupController();
  backend.threads.set('thread-id-1', contentOf('thread-id-1', [stored('m1', 'user', 'Question')]));
  await environment.storage.set(recordKey('run'), '{"task":{"toString":1}}');
  await controller.openThread('thread-id-1');
  await environment.settle();
  const [, run] = backend.stream.args as [string, { id: unknown }];
  assert.equal(run.id, null);
});

test('a run shows the number of its attempt and its last error until it is connected again', async () => {
  const { backend, controller, environment, start } = setupController();
  await start();
  const shown: string[] = [];
  controller.subscribe({ thread: true }, () => {
    const { state, attempt, error } = controller.thread?.run ?? {};
    const line = `${state} ${attempt} ${error?.code ?? '-'}`;
    if (line !== shown.at(-1)) shown.push(line);
  });
  backend.stream.fail();
  await environment.advance(ANY_REJOIN_DELAY);
  backend.stream.fail(new UbikError('server'));
  await environment.advance(ANY_REJOIN_DELAY);
  backend.stream.sendHeartbeat();
  await environment.settle();
  assert.deepEqual(shown, [
    'broken 0 network',
    'rejoining 1 network',
    'broken 1 server',
    'rejoining 2 server',
    'streaming 0 -',
  ]);
});

test('a batch that has new content besides a status resets the attempts', async () => {
  const { backend, environment, start, controller } = setupController();
  await start();
  for (let count = 0; count < 3; count += 1) {
    backend.stream.fail();
    await environment.advance(ANY_REJOIN_DELAY);
  }
  const message = backend.stream.keys.answer;
  backend.stream.push(
    { type: 'set', message, part: null, path: ['status'], value: 'streaming' },
    { type: 'text', message, part: '/0:text', at: 0, text: 'New' },
  );
  backend.stream.fail();
  await environment.settle();
  assert.equal(controller.thread?.run.attempt, 1);
});

for (const [code, isRecorded] of [
  ['not-found', false],
  ['unauthorized', true],
] as const) {
  test(`an interrupted run ${isRecorded ? 'stays' : 'is not'} recorded after ${code}`, async () => {
    const { backend, environment, start, runNotices } = setupController();
    await start();
    backend.stream.fail();
    await environment.advance(ANY_REJOIN_DELAY);
    backend.stream.fail(new UbikError(code));
    await environment.settle();
    assert.deepEqual(runNotices(), ['run-started', 'run-interrupted']);
    const record = await environment.storage.get(recordKey('run'));
    assert.equal(record !== null, isRecorded);
  });
}

test('a queued message is reported as sent once, also when its stream is joined again', async () => {
  const { backend, controller, environment, notices, start } = setupController();
  await start();
  await controller.enqueue(draftOf('Second'));
  backend.stream.finish('complete');
  await environment.settle();
  backend.stream.begin('task-2');
  await environment.settle();
  backend.stream.fail();
  await environment.advance(ANY_REJOIN_DELAY);
  backend.stream.append(0, 'Answer');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'streaming');
  assert.equal(notices.filter(({ type }) => type === 'queued-sent').length, 1);
});
