import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import { noteKey } from './queue-stage.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, draftOf, setupConversation } from './setup-conversation.js';

/** Long enough for any wait of the backoff. */
const LONG = 31_000;

test('joins a broken stream again and goes on where it was', async () => {
  const { backend, environment, states, start, texts, told } = setupConversation();
  await start();
  backend.stream.say(0, 'Half');
  backend.stream.fail();
  await environment.settle();
  assert.deepEqual(states.slice(-2), ['broken', 'rejoining']);
  await environment.advance(LONG);
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.say(4, ' done');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(states.slice(3), ['broken', 'rejoining', 'streaming', 'complete']);
  assert.deepEqual(texts(), ['Question', 'Half done']);
  assert.deepEqual(told(), ['run-started', 'run-ended']);
  assert.equal(backend.count('send'), 1);
});

test('takes a stream that ends without its end for a break, never for complete', async () => {
  const { backend, environment, start, states, last } = setupConversation();
  await start();
  backend.stream.end();
  await environment.settle();
  assert.equal(states.at(-1), 'rejoining');
  assert.equal(last().status, 'streaming');
});

test('waits up to 0.5, 1, 2, 4 … 30 s between tries and gives up after eight', async () => {
  const { backend, environment, start, told, last, controller } = setupConversation();
  await start();
  backend.stream.fail();
  const gaps: number[] = [];
  for (let count = 1; count <= 8; count += 1) {
    const broken = environment.monotonic();
    await environment.advance(LONG);
    assert.equal(backend.count('rejoin'), count);
    gaps.push(Math.round((backend.stream.openedAt - broken) / 100) / 10);
    backend.stream.fail();
    await environment.settle();
  }
  assert.deepEqual(gaps, [0.5, 1, 2, 4, 8, 16, 30, 30]);
  assert.deepEqual(told(), ['run-started', 'run-interrupted']);
  assert.equal(controller.thread?.run.state, 'interrupted');
  assert.equal(last().status, 'interrupted');
  assert.equal(last().failure?.code, 'interrupted');
  await environment.advance(600_000);
  assert.equal(backend.count('rejoin'), 8);
  assert.equal(backend.count('send'), 1);
});

test('shows the number of the try and when it is due', async () => {
  const { backend, environment, start, controller } = setupConversation();
  await start();
  backend.stream.fail();
  await environment.settle();
  const run = controller.thread?.run;
  assert.equal(run?.attempt, 1);
  assert.equal(Math.round((run.retryAt ?? 0) - environment.now()), 500);
});

test('counts from the start again after something new, not after a mere connection', async () => {
  const { backend, environment, start, controller } = setupConversation();
  await start();
  for (let count = 0; count < 3; count += 1) {
    backend.stream.beat();
    backend.stream.fail();
    await environment.advance(LONG);
  }
  backend.stream.fail();
  await environment.settle();
  assert.equal(controller.thread?.run.attempt, 4);
  await environment.advance(LONG);
  backend.stream.say(0, 'New');
  backend.stream.fail();
  await environment.settle();
  assert.equal(controller.thread.run.attempt, 1);
});

test('a repeated status is no progress', async () => {
  const { backend, environment, start, controller } = setupConversation();
  await start();
  for (let count = 0; count < 8; count += 1) {
    backend.stream.fail();
    await environment.advance(LONG);
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

test('the wait starts from half a second again after a connection that lasted', async () => {
  const { backend, environment, start } = setupConversation();
  await start();
  let length = 0;
  const waitAfter = async (lasted: number): Promise<number> => {
    await environment.advance(lasted);
    backend.stream.say(length++, '+');
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

test('a run that was looked for is taken back when the service has no stream of it (204)', async () => {
  const { controller, backend, environment, told } = setupConversation();
  backend.threads.set('old', contentOf('old', [stored('m1', 'user', 'Question')], 'run-1'));
  await controller.openThread('old');
  await environment.settle();
  backend.stream.fail(new UbikError('interrupted', { status: 204 }));
  await environment.advance(LONG);
  assert.equal(backend.count('rejoin'), 1);
  assert.deepEqual(told(), []);
  assert.equal(controller.thread?.messages.size, 1);
});

test('waits as long as the service asks, up to a minute', async () => {
  const { backend, environment, start } = setupConversation();
  await start();
  backend.stream.fail(new UbikError('rate-limited', 'slow', { retryAfter: 60_000 }));
  await environment.advance(59_999);
  assert.equal(backend.count('rejoin'), 0);
  await environment.advance(1);
  assert.equal(backend.count('rejoin'), 1);
});

test('leaves a longer wait to the person', async () => {
  const { backend, environment, start, notices } = setupConversation();
  await start();
  backend.stream.fail(new UbikError('rate-limited', 'slow', { retryAfter: 60_001 }));
  await environment.advance(120_000);
  assert.equal(backend.count('rejoin'), 0);
  const notice = notices.find(({ type }) => type === 'run-interrupted');
  assert.equal(notice && 'error' in notice && notice.error.retryAfter, 60_001);
});

test('does not ask again what has been answered for good', async () => {
  const { backend, environment, start, notices, told } = setupConversation();
  await start();
  backend.stream.fail();
  await environment.advance(LONG);
  backend.stream.fail(new UbikError('unauthorized', 'no'));
  await environment.advance(LONG);
  assert.equal(backend.count('rejoin'), 1);
  assert.deepEqual(told(), ['run-started', 'run-interrupted']);
  assert.equal(notices.filter(({ type }) => type === 'auth-required').length, 1);
});

test('joins an interrupted run again when asked, with all tries before it', async () => {
  const { backend, environment, start, told, controller, texts } = setupConversation();
  await start();
  backend.stream.fail(new UbikError('forbidden', 'no'));
  await environment.settle();
  const joined = controller.rejoin();
  await environment.settle();
  backend.stream.say(0, 'Back');
  await joined;
  assert.equal(controller.thread?.run.state, 'streaming');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(told(), ['run-started', 'run-interrupted', 'run-started', 'run-ended']);
  assert.equal(controller.thread.run.resumed, true);
  assert.deepEqual(texts(), ['Question', 'Back']);
  assert.equal(await codeOf(controller.rejoin()), 'misuse');
});

test('does not wait for the backoff when the person asks', async () => {
  const { backend, environment, start, controller } = setupConversation();
  await start();
  backend.stream.fail();
  await environment.settle();
  const joined = controller.rejoin();
  assert.equal(backend.count('rejoin'), 1);
  backend.stream.beat();
  await joined;
  await environment.advance(LONG);
  assert.equal(backend.count('rejoin'), 1);
});

for (const reason of ['visible', 'online', 'pageshow', 'resume'] as const) {
  test(`joins at once when the page wakes (${reason})`, async () => {
    const { backend, environment, start, page } = setupConversation();
    await start();
    backend.stream.fail();
    await environment.settle();
    page.wake(reason);
    await environment.settle();
    assert.equal(backend.count('rejoin'), 1);
    backend.stream.beat();
    await environment.advance(LONG);
    assert.equal(backend.count('rejoin'), 1);
  });
}

test('tries ever more rarely while the page says it is offline, uses up no tries, and tries at once when online', async () => {
  const { backend, environment, start, page, controller } = setupConversation();
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

test('joins a run although the page says wrongly that it is offline', async () => {
  const { backend, environment, start, page, controller } = setupConversation();
  await start();
  page.online = false;
  backend.stream.fail();
  await environment.advance(1000);
  backend.stream.beat();
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'streaming');
});

test('does not use up its tries on wakes that fail', async () => {
  const { backend, environment, start, page, controller } = setupConversation();
  await start();
  backend.stream.fail();
  await environment.settle();
  for (let count = 0; count < 20; count += 1) {
    page.wake('visible');
    backend.stream.fail();
    await environment.settle();
  }
  assert.equal(controller.thread?.run.state, 'rejoining');
  assert.equal(controller.thread.run.attempt, 1);
});

test('notices silence, counts signs of life, and joins again at once', async () => {
  const { backend, environment, start, states } = setupConversation();
  await start();
  for (let count = 0; count < 5; count += 1) {
    await environment.advance(44_999);
    backend.stream.beat();
    await environment.settle();
  }
  assert.equal(backend.count('rejoin'), 0);
  await environment.advance(45_000);
  assert.equal(backend.count('rejoin'), 1);
  assert.deepEqual(states.slice(-2), ['stalled', 'rejoining']);
  assert.equal(backend.streams[0]?.signal.aborted, true);
});

test('takes silence whose replay brings nothing new for life: no failed try, twice the patience, up to five minutes', async () => {
  const { backend, environment, start } = setupConversation();
  await start();
  const gaps: number[] = [];
  for (let count = 1; count <= 12; count += 1) {
    const since = environment.monotonic();
    while (backend.count('rejoin') < count) await environment.advance(5_000);
    gaps.push((backend.stream.openedAt - since) / 1000);
    backend.stream.beat();
    await environment.settle();
  }
  assert.deepEqual(gaps.slice(0, 6), [45, 90, 180, 300, 300, 300]);
  assert.equal(backend.count('rejoin'), 12);
});

test('goes back to its usual patience when something new comes', async () => {
  const { backend, environment, start } = setupConversation();
  await start();
  await environment.advance(45_000);
  backend.stream.beat();
  await environment.advance(80_000);
  assert.equal(backend.count('rejoin'), 1);
  backend.stream.say(0, 'New');
  await environment.advance(45_000);
  assert.equal(backend.count('rejoin'), 2);
});

test('counts a connection on which nothing ever comes as a failed try', async () => {
  const { backend, environment, start, told } = setupConversation();
  await start();
  await environment.advance(45_000);
  for (let count = 0; count < 8; count += 1) await environment.advance(45_000 + LONG);
  assert.equal(backend.count('rejoin'), 8 + 1);
  assert.deepEqual(told(), ['run-started', 'run-interrupted']);
});

test('takes no silence for a stall while the page is hidden, and looks when it is seen again', async () => {
  const { backend, environment, start, page } = setupConversation();
  await start();
  page.visible = false;
  await environment.advance(600_000);
  assert.equal(backend.count('rejoin'), 0);
  page.visible = true;
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 1);
});

test('keeps the stream of a hidden page that still hears', async () => {
  const { backend, environment, start, page, texts } = setupConversation();
  await start();
  page.visible = false;
  await environment.advance(600_000);
  backend.stream.say(0, 'Heard');
  await environment.settle();
  page.visible = true;
  page.wake('visible');
  await environment.advance(44_000);
  assert.equal(backend.count('rejoin'), 0);
  assert.deepEqual(texts(), ['Question', 'Heard']);
  await environment.advance(2_000);
  assert.equal(backend.count('rejoin'), 1);
});

test('sees after sleep that the stream has been silent too long', async () => {
  const { backend, environment, start, page } = setupConversation();
  await start();
  environment.jump(7_200_000);
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 1);
});

test('joins again after a freeze unless something comes within a second', async () => {
  const { backend, environment, start, page } = setupConversation();
  await start();
  page.wake('resume');
  await environment.advance(999);
  assert.equal(backend.count('rejoin'), 0);
  backend.stream.beat();
  await environment.advance(1_000);
  assert.equal(backend.count('rejoin'), 0);
  page.wake('resume');
  await environment.advance(1_000);
  assert.equal(backend.count('rejoin'), 1);
});

test('closes when the page goes away and joins when it is shown again', async () => {
  const { backend, environment, start, page, states } = setupConversation();
  await start();
  page.hide();
  assert.equal(backend.stream.signal.aborted, true);
  assert.equal(environment.timers, 0);
  backend.stream.say(0, 'late');
  await environment.advance(600_000);
  assert.equal(backend.count('rejoin'), 0);
  assert.equal(states.at(-1), 'broken');
  page.wake('pageshow');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 1);
  backend.stream.say(0, 'Back');
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(states.at(-1), 'complete');
});

test('changes nothing by what an abandoned connection still brings', async () => {
  const { backend, environment, start, texts, told } = setupConversation();
  await start();
  const [old] = backend.streams;
  await environment.advance(45_000);
  backend.stream.beat();
  await environment.settle();
  old?.say(0, 'late');
  old?.finish('failed');
  await environment.settle();
  assert.deepEqual(texts(), ['Question', '']);
  assert.deepEqual(told(), ['run-started']);
});

for (const [what, error] of [
  ['no answer', new UbikError('network', 'cut')],
  ['5xx', new UbikError('server', 'bad gateway', { status: 502 })],
  ['a page that is no API', new UbikError('not-an-api', 'html')],
  ['an error that is none of ours', new TypeError('odd')],
] as const) {
  test(`never repeats a send that met ${what}: it looks for the run`, async () => {
    const { controller, backend, environment, texts } = setupConversation();
    const sent = controller.send(draftOf('Question'));
    await environment.settle();
    backend.stream.fail(error);
    await environment.advance(LONG);
    assert.equal(backend.count('send'), 1);
    assert.equal(backend.stream.method, 'rejoin');
    backend.stream.begin();
    await sent;
    assert.deepEqual(texts(), ['Question', '']);
    assert.equal(controller.thread?.run.state, 'streaming');
    assert.equal(controller.getDraft().text, '');
  });
}

test('never repeats a send that is never answered', async () => {
  const { controller, backend, environment } = setupConversation();
  const sent = controller.send(draftOf('Question'));
  await environment.settle();
  const code = codeOf(sent);
  for (let count = 0; count < 12; count += 1) {
    await environment.advance(45_000 + LONG);
  }
  assert.equal(await code, 'interrupted');
  assert.equal(backend.count('send'), 1);
  assert.equal(backend.count('rejoin'), 8);
});

test('takes a message back when the look for its run shows that nothing was started', async () => {
  const { controller, backend, environment, texts, told } = setupConversation();
  const sent = controller.send(draftOf('Question'));
  await environment.settle();
  backend.stream.fail();
  await environment.advance(LONG);
  backend.stream.fail(new UbikError('not-sent', 'only an old run is there'));
  assert.equal(await codeOf(sent), 'not-sent');
  assert.deepEqual(texts(), []);
  assert.equal(controller.getDraft().text, 'Question');
  assert.deepEqual(told(), []);
});

test('leaves the stream without stopping the run, and can join it again', async () => {
  const { controller, backend, environment, start, told } = setupConversation();
  await start();
  controller.detach();
  assert.equal(backend.stream.signal.aborted, true);
  assert.equal(controller.thread?.run.state, 'interrupted');
  await environment.advance(600_000);
  assert.equal(backend.count('stop') + backend.count('rejoin'), 0);
  const joined = controller.rejoin();
  backend.stream.beat();
  await joined;
  assert.deepEqual(told(), ['run-started', 'run-interrupted', 'run-started']);
});

test('openThread joins nothing when the backend cannot rejoin', async () => {
  const { controller, backend, environment, notices } = setupConversation();
  Object.assign(backend, { rejoin: undefined });
  backend.threads.set('old', contentOf('old', [stored('m1', 'user', 'Question')], 'run-1'));
  await controller.openThread('old');
  await environment.advance(LONG);
  assert.equal(controller.thread?.run.state, 'idle');
  assert.equal(controller.thread.messages.size, 1);
  assert.deepEqual(
    notices.filter(({ type }) => type === 'error' || type.startsWith('run-')),
    [],
  );
});

test('openThread does not call the run that it joins finished when its question names it too', async () => {
  const { controller, backend, environment } = setupConversation();
  const messages = [
    stored('m1', 'user', 'First', { taskId: 'run-1' }),
    stored('m2', 'assistant', 'Answer', { taskId: 'run-1' }),
    stored('m3', 'user', 'Second', { taskId: 'run-2' }),
  ];
  backend.threads.set('old', contentOf('old', messages, 'run-2'));
  await controller.openThread('old');
  await environment.settle();
  const [, run] = backend.stream.args as [string, { id: string; finishedRuns: string[] }];
  assert.equal(run.id, 'run-2');
  assert.deepEqual(run.finishedRuns, ['run-1']);
});

test('openThread takes no run id from a stored note that is no text', async () => {
  const { controller, backend, environment } = setupConversation();
  backend.threads.set('thread-id-1', contentOf('thread-id-1', [stored('m1', 'user', 'Question')]));
  await environment.storage.set(noteKey('run'), '{"task":{"toString":1}}');
  await controller.openThread('thread-id-1');
  await environment.settle();
  const [, run] = backend.stream.args as [string, { id: unknown }];
  assert.equal(run.id, null);
});
