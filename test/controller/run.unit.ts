import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import { codeOf, draftOf, setupConversation } from './setup-conversation.js';

test('shows the question and an empty answer at once, before the service has answered', async () => {
  const { controller, environment, backend, texts, last } = setupConversation();
  const sent = controller.send(draftOf('How many?'));
  assert.deepEqual(texts(), ['How many?', '']);
  assert.equal(last().status, 'streaming');
  assert.equal(controller.thread?.run.state, 'sending');
  assert.equal(backend.count('send'), 0);
  await environment.settle();
  assert.deepEqual(backend.stream.args, ['thread-id-1', draftOf('How many?')]);
  backend.stream.begin();
  await sent;
  assert.equal(controller.thread.messages.get(backend.stream.keys.user ?? '')?.status, 'complete');
});

test('goes through its states in order and ends as the service says', async () => {
  const { backend, environment, states, start, texts, told, last } = setupConversation();
  await start();
  backend.stream.say(0, 'Forty');
  backend.stream.say(5, ' two');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(states, ['idle', 'sending', 'streaming', 'complete']);
  assert.deepEqual(texts(), ['Question', 'Forty two']);
  assert.equal(last().status, 'complete');
  assert.deepEqual(told(), ['run-started', 'run-ended']);
});

for (const [state, notice] of [
  ['complete', 'run-ended'],
  ['waiting', 'run-paused'],
  ['stopped', 'run-stopped'],
  ['failed', 'run-failed'],
] as const) {
  test(`tells a run that is ${state} once, as ${notice}`, async () => {
    const { backend, environment, start, told, last } = setupConversation();
    await start();
    backend.stream.finish(state);
    await environment.settle();
    assert.deepEqual(told(), ['run-started', notice]);
    assert.equal(last().status, state);
  });
}

test('tells the start before anything that the first batch brings', async () => {
  const { controller, backend, environment, notices } = setupConversation();
  void controller.send(draftOf('Question'));
  await environment.settle();
  backend.stream.ask('@request:1');
  backend.stream.ask('@request:1');
  await environment.settle();
  const types = notices.map(({ type }) => type);
  assert.ok(types.indexOf('run-started') < types.indexOf('input-required'));
  assert.equal(types.filter((type) => type === 'input-required').length, 1);
});

test('changes nothing after the end of the run', async () => {
  const { backend, environment, start, texts, told } = setupConversation();
  await start();
  const { stream } = backend;
  stream.say(0, 'Done');
  stream.finish('complete');
  stream.say(4, ' and more');
  await environment.settle();
  assert.deepEqual(texts(), ['Question', 'Done']);
  assert.equal(stream.signal.aborted, true);
  assert.deepEqual(told(), ['run-started', 'run-ended']);
});

test('refuses a second send while a run is on, without asking the service', async () => {
  const { controller, backend, start, texts } = setupConversation();
  await start();
  controller.setDraft(draftOf('Second'));
  assert.equal(await codeOf(controller.send(draftOf('Second'))), 'busy');
  assert.equal(backend.count('send'), 1);
  assert.equal(controller.getDraft().text, 'Second');
  assert.deepEqual(texts(), ['Question', '']);
});

test('sends once when it is asked twice in the same moment', async () => {
  const { controller, backend, environment } = setupConversation();
  const first = controller.send(draftOf('Once'));
  const second = controller.send(draftOf('Once'));
  assert.equal(await codeOf(second), 'busy');
  await environment.settle();
  backend.stream.begin();
  await first;
  assert.equal(backend.count('send'), 1);
  assert.equal(backend.count('createThread'), 1);
});

test('refuses an empty message', async () => {
  const { controller, backend } = setupConversation();
  assert.equal(await codeOf(controller.send(draftOf(' \n'))), 'misuse');
  assert.equal(backend.count('createThread'), 0);
});

for (const code of ['not-sent', 'rate-limited', 'invalid', 'busy', 'too-large'] as const) {
  test(`takes the message back when the service refuses it with ${code}`, async () => {
    const { controller, backend, environment, texts, told, start } = setupConversation();
    await start('First');
    backend.stream.say(0, 'One');
    backend.stream.finish('complete');
    await environment.settle();
    const sent = controller.send(draftOf('Second'));
    await environment.settle();
    assert.equal(controller.getDraft().text, '');
    backend.stream.fail(new UbikError(code, 'no', { retryAfter: 5_000 }));
    assert.equal(await codeOf(sent), code);
    assert.deepEqual(texts(), ['First', 'One']);
    assert.equal(controller.getDraft().text, 'Second');
    assert.equal(controller.thread?.run.state, 'complete');
    await environment.advance(600_000);
    assert.equal(backend.count('send'), 2);
    assert.equal(backend.count('rejoin'), 0);
    assert.deepEqual(told(), ['run-started', 'run-ended']);
  });
}

test('puts a refused text before what was typed meanwhile', async () => {
  const { controller, backend, environment, start } = setupConversation();
  await start();
  backend.stream.finish('complete');
  await environment.settle();
  const sent = controller.send(draftOf('Sent'));
  await environment.settle();
  controller.setDraft(draftOf('Typed'));
  backend.stream.fail(new UbikError('not-sent', 'no'));
  await codeOf(sent);
  assert.equal(controller.getDraft().text, 'Sent\n\nTyped');
});

test('takes message and thread back when the thread cannot be made', async () => {
  const { controller, backend, notices } = setupConversation();
  backend.answers.set('createThread', () => {
    throw new UbikError('forbidden', 'no');
  });
  assert.equal(await codeOf(controller.send(draftOf('Hello'))), 'forbidden');
  assert.equal(controller.thread, null);
  assert.equal(controller.getDraft().text, 'Hello');
  assert.equal(backend.count('send'), 0);
  assert.deepEqual(
    notices.filter(({ type }) => type === 'thread-changed').map((n) => 'thread' in n && n.thread),
    ['thread-1', null],
  );
});

test('keeps the text and asks nobody while the page is offline', async () => {
  const { controller, backend, page } = setupConversation();
  page.online = false;
  assert.equal(await codeOf(controller.send(draftOf('Later'))), 'not-sent');
  assert.equal(controller.getDraft().text, 'Later');
  assert.equal(controller.thread, null);
  assert.equal(backend.calls.length + backend.streams.length, 0);
});

test('tells that a token is missing', async () => {
  const { controller, backend, environment, notices } = setupConversation();
  const sent = controller.send(draftOf('Hello'));
  await environment.settle();
  backend.stream.fail(new UbikError('unauthorized', 'no'));
  assert.equal(await codeOf(sent), 'unauthorized');
  assert.equal(notices.filter(({ type }) => type === 'auth-required').length, 1);
});

test('ends a run as failed when the stream throws the error of the agent', async () => {
  const { backend, environment, start, told, last, controller } = setupConversation();
  await start();
  backend.stream.fail(new UbikError('run-failed', 'The agent fell.'));
  await environment.settle();
  assert.deepEqual(told(), ['run-started', 'run-failed']);
  assert.equal(last().status, 'failed');
  assert.deepEqual(controller.thread?.run.error, {
    code: 'run-failed',
    message: 'The agent fell.',
  });
});

test('names the runs that ended before, so that a replay of one is known', async () => {
  const { controller, backend, environment, start } = setupConversation();
  await start();
  backend.stream.finish('complete');
  await environment.settle();
  const sent = controller.send(draftOf('Second'));
  await environment.settle();
  backend.stream.fail();
  await environment.advance(500);
  const [, run] = backend.stream.args as [string, { id: unknown; finishedRuns: string[] }];
  assert.deepEqual([run.id, run.finishedRuns], [null, ['task-1']]);
  backend.stream.fail(new UbikError('not-sent', 'only the old run is there'));
  assert.equal(await codeOf(sent), 'not-sent');
  assert.equal(controller.getDraft().text, 'Second');
  assert.equal(backend.count('send'), 2);
});

test('can join an interrupted run also after a message that was refused', async () => {
  const { backend, environment, start, told, controller } = setupConversation();
  await start();
  backend.stream.fail(new UbikError('forbidden', 'no'));
  await environment.settle();
  const { answer } = backend.stream.keys;
  const sent = controller.send(draftOf('More'));
  await environment.settle();
  backend.stream.fail(new UbikError('invalid', 'no'));
  assert.equal(await codeOf(sent), 'invalid');
  const joined = controller.rejoin();
  assert.equal(backend.stream.method, 'rejoin');
  assert.equal(backend.stream.keys.answer, answer);
  backend.stream.beat();
  await joined;
  assert.deepEqual(told(), ['run-started', 'run-interrupted', 'run-started']);
});

test('does not cut off an answer on its way by another one', async () => {
  const { controller, backend, environment, start, last } = setupConversation();
  await start();
  backend.stream.ask('@request:1', 'tool');
  backend.stream.ask('@request:2', 'tool');
  await environment.settle();
  const answer = (request: string): Promise<void> =>
    controller.provideInput(last().key, request, { type: 'text', text: '1999' });
  const first = answer('@request:1');
  assert.equal(await codeOf(answer('@request:2')), 'busy');
  assert.equal(backend.stream.signal.aborted, false);
  backend.stream.beat();
  backend.stream.say(0, 'Thanks');
  await first;
  const second = answer('@request:2');
  backend.stream.say(6, '!');
  await second;
  assert.equal(backend.count('provideInput'), 2);
});

test('does not count the time in which nothing comes for work', async () => {
  const { backend, environment, start } = setupConversation();
  await start();
  const before = environment.pauses;
  for (let at = 0; at < 40; at += 1) {
    backend.stream.say(at, 'x');
    await environment.advance(5);
  }
  assert.equal(environment.pauses, before);
});
