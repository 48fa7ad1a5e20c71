import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findReason, isUbikError, UbikError } from '../../src/errors.js';
import type { Change } from '../../src/model/change.js';
import { contentOf, stored } from './scripted-backend.js';
import { recordKey } from './setup-queue.js';
import { codeOf, draftOf, FIRST_REJOIN_DELAY, setupController } from './setup-controller.js';

test('send shows the message and an empty answer before the service has responded', async () => {
  const { controller, environment, backend, texts, last } = setupController();
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

test('a run enters its states in order and ends with that of the service', async () => {
  const { backend, environment, states, start, texts, runNotices, last } = setupController();
  await start();
  backend.stream.append(0, 'Forty');
  backend.stream.append(5, ' two');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(states, ['idle', 'sending', 'streaming', 'complete']);
  assert.deepEqual(texts(), ['Question', 'Forty two']);
  assert.equal(last().status, 'complete');
  assert.deepEqual(runNotices(), ['run-started', 'run-completed']);
});

for (const [state, notice] of [
  ['complete', 'run-completed'],
  ['waiting', 'run-paused'],
  ['stopped', 'run-stopped'],
  ['failed', 'run-failed'],
] as const) {
  test(`a run that is ${state} emits ${notice} once`, async () => {
    const { backend, environment, start, runNotices, last } = setupController();
    await start();
    backend.stream.finish(state);
    await environment.settle();
    assert.deepEqual(runNotices(), ['run-started', notice]);
    assert.equal(last().status, state);
  });
}

test('run-started contains the id that the first batch reports', async () => {
  const { controller, backend, environment, notices } = setupController();
  const sent = controller.send(draftOf('Question'));
  await environment.settle();
  backend.stream.begin('task-7');
  await sent;
  const started = notices.flatMap((notice) => (notice.type === 'run-started' ? [notice.run] : []));
  assert.deepEqual(
    started.map(({ id }) => id),
    ['task-7'],
  );
});

test('run-started is emitted before the changes of the first batch', async () => {
  const { controller, backend, environment, notices } = setupController();
  void controller.send(draftOf('Question'));
  await environment.settle();
  backend.stream.request('@request:1');
  backend.stream.request('@request:1');
  await environment.settle();
  const types = notices.map(({ type }) => type);
  assert.ok(types.indexOf('run-started') < types.indexOf('input-required'));
  assert.equal(types.filter((type) => type === 'input-required').length, 1);
});

test('batches after the end of a run change nothing', async () => {
  const { backend, environment, start, texts, runNotices } = setupController();
  await start();
  const { stream } = backend;
  stream.append(0, 'Done');
  stream.finish('complete');
  stream.append(4, ' and more');
  await environment.settle();
  assert.deepEqual(texts(), ['Question', 'Done']);
  assert.equal(stream.signal.aborted, true);
  assert.deepEqual(runNotices(), ['run-started', 'run-completed']);
});

test('send rejects with busy during a run that has no pending request', async () => {
  const { controller, backend, start, texts } = setupController();
  await start();
  controller.setDraft(draftOf('Second'));
  assert.equal(await codeOf(controller.send(draftOf('Second'))), 'busy');
  assert.equal(backend.count('send'), 1);
  assert.equal(controller.getDraft().text, 'Second');
  assert.deepEqual(texts(), ['Question', '']);
});

test('two calls of send at once send one request', async () => {
  const { controller, backend, environment } = setupController();
  const first = controller.send(draftOf('Once'));
  const second = controller.send(draftOf('Once'));
  assert.equal(await codeOf(second), 'busy');
  await environment.settle();
  backend.stream.begin();
  await first;
  assert.equal(backend.count('send'), 1);
  assert.equal(backend.count('createThread'), 1);
});

test('send rejects an empty message', async () => {
  const { controller, backend } = setupController();
  assert.equal(await codeOf(controller.send(draftOf(' \n'))), 'misuse');
  assert.equal(backend.count('createThread'), 0);
});

for (const code of ['not-sent', 'rate-limited', 'invalid', 'busy', 'too-large'] as const) {
  test(`send reverts the message when the service rejects it with ${code}`, async () => {
    const { controller, backend, environment, texts, runNotices, start } = setupController();
    await start('First');
    backend.stream.append(0, 'One');
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
    assert.deepEqual(runNotices(), ['run-started', 'run-completed']);
  });
}

test('a rejected text is put before what was typed meanwhile', async () => {
  const { controller, backend, environment, start } = setupController();
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

test('send reverts message and thread when the thread cannot be created', async () => {
  const { controller, backend, notices } = setupController();
  backend.responses.set('createThread', () => {
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

test('send keeps another thread open when the new thread cannot be created', async () => {
  const { controller, backend } = setupController();
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Earlier')]));
  let refuse: (error: Error) => void = () => undefined;
  backend.responses.set('createThread', () => new Promise((_resolve, reject) => (refuse = reject)));
  const sent = codeOf(controller.send(draftOf('Hello')));
  await controller.openThread('a');
  refuse(new UbikError('forbidden', 'no'));
  assert.equal(await sent, 'forbidden');
  assert.equal(controller.thread?.id, 'a');
});

test('send keeps the text as the draft while the page is offline', async () => {
  const { controller, backend, page } = setupController();
  page.online = false;
  assert.equal(await codeOf(controller.send(draftOf('Later'))), 'not-sent');
  assert.equal(controller.getDraft().text, 'Later');
  assert.equal(controller.thread, null);
  assert.equal(backend.calls.length + backend.streams.length, 0);
});

test('send puts another text in front of the draft while the page is offline', async () => {
  const { controller, page } = setupController();
  const attachments = [{ id: 'd', name: 'a.txt' }];
  controller.setDraft({ text: 'Mine', attachments });
  page.online = false;
  assert.equal(await codeOf(controller.send(draftOf('Starter'))), 'not-sent');
  const { text, attachments: kept } = controller.getDraft();
  assert.deepEqual([text, kept], ['Starter\n\nMine', attachments]);
  assert.equal(await codeOf(controller.send(draftOf('Starter'))), 'not-sent');
  assert.equal(controller.getDraft().text, text);
});

test('send adds attachments to the draft once while the page is offline, whatever the texts are', async () => {
  const { controller, page } = setupController();
  page.online = false;
  const x = { id: 'x', name: 'x.txt' };
  const y = { id: 'y', name: 'y.txt' };
  for (const [text, sent, joined] of [
    ['', '', ''],
    ['', 'This', 'This'],
    ['Mine', '', 'Mine'],
    ['This', 'This', 'This'],
    ['This file', 'This', 'This file'],
    ['Mine', 'This', 'This\n\nMine'],
  ] as const) {
    controller.setDraft({ text, attachments: [x] });
    const draft = { ...draftOf(sent), attachments: [y], context: { title: 'Rivers', data: {} } };
    for (const _ of [1, 2]) assert.equal(await codeOf(controller.send(draft)), 'not-sent');
    assert.deepEqual(controller.getDraft(), { ...draft, text: joined, attachments: [y, x] });
  }
});

test('send keeps options and context in an empty draft while the page is offline', async () => {
  const { controller, page } = setupController();
  page.online = false;
  const draft = { ...draftOf('Later'), context: { title: 'Rivers', data: {} } };
  assert.equal(await codeOf(controller.send(draft)), 'not-sent');
  assert.deepEqual(controller.getDraft(), draft);
});

test('auth-required is emitted when the service responds with unauthorized', async () => {
  const { controller, backend, environment, notices } = setupController();
  const sent = controller.send(draftOf('Hello'));
  await environment.settle();
  backend.stream.fail(new UbikError('unauthorized', 'no'));
  assert.equal(await codeOf(sent), 'unauthorized');
  assert.equal(notices.filter(({ type }) => type === 'auth-required').length, 1);
});

test('auth-required is not emitted for a request whose token was dropped, because the next user is signed in', async () => {
  const { controller, backend, environment, notices } = setupController();
  const sent = controller.send(draftOf('Hello'));
  await environment.settle();
  const details = { offender: 'forgetToken', unsent: true };
  backend.stream.fail(new UbikError('unauthorized', 'The token was dropped.', details));
  assert.equal(await codeOf(sent), 'unauthorized');
  assert.equal(controller.getDraft().text, 'Hello');
  assert.ok(!notices.some(({ type }) => type === 'auth-required'));
});

test('a run ends as failed when the stream throws the error of the agent', async () => {
  const { backend, environment, start, runNotices, last, controller } = setupController();
  await start();
  backend.stream.fail(new UbikError('run-failed', 'The agent failed.'));
  await environment.settle();
  assert.deepEqual(runNotices(), ['run-started', 'run-failed']);
  assert.equal(last().status, 'failed');
  assert.deepEqual(controller.thread?.run.error, {
    code: 'run-failed',
    message: 'The agent failed.',
  });
});

test('rejoining passes the finished runs, so that the replay of one is recognized', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.stream.finish('complete');
  await environment.settle();
  const sent = controller.send(draftOf('Second'));
  await environment.settle();
  backend.stream.fail();
  await environment.advance(FIRST_REJOIN_DELAY);
  const [, run] = backend.stream.args as [string, { id: unknown; otherRunIds: string[] }];
  assert.deepEqual([run.id, run.otherRunIds], [null, ['task-1']]);
  backend.stream.fail(new UbikError('not-sent', 'only the old run is there'));
  assert.equal(await codeOf(sent), 'not-sent');
  assert.equal(controller.getDraft().text, 'Second');
  assert.equal(backend.count('send'), 2);
});

test('an interrupted run can be rejoined after a message that was rejected', async () => {
  const { backend, environment, start, runNotices, controller } = setupController();
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
  backend.stream.sendHeartbeat();
  await joined;
  assert.deepEqual(runNotices(), ['run-started', 'run-interrupted', 'run-started']);
});

test('provideInput rejects with busy while another answer is being sent', async () => {
  const { controller, backend, environment, start, last } = setupController();
  await start();
  backend.stream.request('@request:1', 'tool');
  backend.stream.request('@request:2', 'tool');
  await environment.settle();
  const answer = (request: string): Promise<void> =>
    controller.provideInput(last().key, request, { type: 'text', text: '1999' });
  const first = answer('@request:1');
  assert.equal(await codeOf(answer('@request:2')), 'busy');
  assert.equal(backend.stream.signal.aborted, false);
  backend.stream.sendHeartbeat();
  backend.stream.append(0, 'Thanks');
  await first;
  const second = answer('@request:2');
  backend.stream.append(6, '!');
  await second;
  assert.equal(backend.count('provideInput'), 2);
});

test('the time between batches does not count towards the time after which the connection yields to the event loop', async () => {
  const { backend, environment, start } = setupController();
  await start();
  const before = environment.pauses;
  for (let at = 0; at < 40; at += 1) {
    backend.stream.append(at, 'x');
    await environment.advance(5);
  }
  assert.equal(environment.pauses, before);
});

test('a run is confirmed by the first change that proves it, not by an open stream', async () => {
  const { controller, backend, environment } = setupController();
  let isSent = false;
  void controller.send(draftOf('Question')).then(() => (isSent = true));
  await environment.settle();
  const message = backend.stream.keys.answer;
  const streaming: Change = {
    type: 'set',
    message,
    part: null,
    path: ['status'],
    value: 'streaming',
  };
  backend.stream.sendHeartbeat();
  backend.stream.push(streaming, { type: 'thread', set: { run: { state: 'streaming' } } });
  await environment.settle();
  assert.deepEqual([controller.thread?.run.state, isSent], ['sending', false]);
  const value = { kind: 'text' } as const;
  backend.stream.push(streaming, {
    type: 'part',
    message,
    part: '/0:text',
    parent: null,
    before: null,
    value,
  });
  await environment.settle();
  assert.deepEqual([controller.thread?.run.state, isSent], ['streaming', true]);
});

test('a batch is not applied when a listener of run-started detaches the run', async () => {
  const { controller, backend, environment, texts, last } = setupController();
  controller.onNotice(({ type }) => {
    if (type === 'run-started') controller.detach();
  });
  void controller.send(draftOf('Question')).catch(() => undefined);
  await environment.settle();
  const { answer } = backend.stream.keys;
  backend.stream.push(
    { type: 'thread', set: { run: { state: 'streaming', id: 'task-1' } } },
    {
      type: 'content',
      message: answer,
      parts: [{ kind: 'text', key: '/0:text', text: 'Not shown' }],
    },
  );
  await environment.settle();
  assert.deepEqual(texts(), ['Question', '']);
  assert.equal(controller.thread?.run.state, 'interrupted');
  assert.equal(last().status, 'interrupted');
});

test('a chunk of text stores no record of the run', async () => {
  const { backend, environment, start } = setupController();
  await start();
  const written: string[] = [];
  environment.storage.set = (key) => Promise.resolve(void written.push(key));
  for (const at of [0, 1, 2]) backend.stream.append(at, 'x');
  await environment.settle();
  assert.deepEqual(written, []);
});

test('a message counts as delivered when its run turns out to have failed after a lost request', async () => {
  const { controller, backend, environment } = setupController();
  const statuses: unknown[] = [];
  controller.onNotice(({ type }) => {
    if (type !== 'error') return;
    for (const { status } of controller.thread?.messages.values() ?? []) statuses.push(status);
  });
  const sent = codeOf(controller.send(draftOf('Question')));
  await environment.settle();
  backend.stream.fail();
  await environment.advance(FIRST_REJOIN_DELAY);
  backend.stream.fail(new UbikError('run-failed', 'The agent failed.'));
  assert.equal(await sent, 'none');
  assert.deepEqual(statuses, ['complete', 'failed']);
});

test('a message becomes interrupted with its run when the service has never responded', async () => {
  const { controller, backend, environment } = setupController();
  void controller.send(draftOf('Question')).catch(() => undefined);
  await environment.settle();
  controller.detach();
  const { user, answer } = backend.stream.keys;
  const statusOf = (key: string | null) => controller.thread?.messages.get(key ?? '')?.status;
  assert.deepEqual([statusOf(user), statusOf(answer)], ['interrupted', 'interrupted']);
});

test('run-failed contains the error that the stream has reported', async () => {
  const { backend, environment, notices, start } = setupController();
  await start();
  const error = { code: 'server-code', message: 'Out of tokens.' };
  backend.stream.push({ type: 'thread', set: { run: { state: 'failed', error } } });
  await environment.settle();
  const notice = notices.find(({ type }) => type === 'run-failed');
  assert.ok(notice && 'error' in notice);
  assert.deepEqual([notice.error.code, notice.error.message], ['run-failed', 'Out of tokens.']);
});

test('an interrupted run is not rejoined automatically when the message after it is rejected', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.stream.fail(new UbikError('forbidden', 'no'));
  await environment.settle();
  const record = await environment.storage.get(recordKey('run'));
  assert.notEqual(record, null);
  const sent = codeOf(controller.send(draftOf('More')));
  await environment.settle();
  backend.stream.fail(new UbikError('invalid', 'no'));
  assert.equal(await sent, 'invalid');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 0);
  assert.equal(controller.thread?.run.state, 'interrupted');
  assert.equal(
    await environment.storage.get(recordKey('run')),
    record,
    'a reload can still join it',
  );
});

test('no run is recorded when an interrupted run is joined again and the service has none', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.stream.fail(new UbikError('forbidden', 'no'));
  await environment.settle();
  assert.notEqual(await environment.storage.get(recordKey('run')), null);
  const [question, answer] = [...(controller.thread?.messages.values() ?? [])];
  const id = controller.thread?.id ?? '';
  backend.threads.set(
    id,
    contentOf(id, [
      stored(question?.id ?? '', 'user', 'Question'),
      stored(answer?.id ?? 'a', 'assistant', 'Answer', { runId: 'task-1' }),
    ]),
  );
  await controller.openThread(id);
  await environment.settle();
  assert.equal(backend.count('rejoin'), 1);
  backend.stream.fail(new UbikError('not-found', 'no'));
  await environment.settle();
  assert.equal(await environment.storage.get(recordKey('run')), null);
});

test('no run is recorded when the message after a finished run is rejected', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.stream.finish('complete');
  await environment.settle();
  const sent = codeOf(controller.send(draftOf('More')));
  await environment.settle();
  backend.stream.fail(new UbikError('invalid', 'no'));
  assert.equal(await sent, 'invalid');
  await environment.settle();
  assert.equal(await environment.storage.get(recordKey('run')), null);
});

test('send rejects with not-sent when rejoining finds no run, whatever error the service returns', async () => {
  const { controller, backend, environment } = setupController();
  const sent = codeOf(controller.send(draftOf('Question')));
  await environment.settle();
  backend.stream.fail();
  await environment.advance(FIRST_REJOIN_DELAY);
  backend.stream.fail(new UbikError('not-found', 'no such task'));
  assert.equal(await sent, 'not-sent');
});

test('not-sent has the error of the request as its cause, not that of rejoining', async () => {
  for (const reason of [new UbikError('server', { status: 503 }), null]) {
    const { controller, backend, environment } = setupController();
    const sent = controller.send(draftOf('Question')).then(
      () => undefined,
      (error: unknown) => error as UbikError,
    );
    await environment.settle();
    if (reason) backend.stream.fail(reason);
    else backend.stream.end();
    await environment.advance(FIRST_REJOIN_DELAY);
    backend.stream.fail(new UbikError('not-found', 'no such task'));
    const error = await sent;
    assert.deepEqual([error?.code, error?.cause], ['not-sent', reason ?? undefined]);
  }
});

test('send rejects with not-sent and the reason network while the page is offline', async () => {
  const { controller, page } = setupController();
  page.online = false;
  await assert.rejects(controller.send(draftOf('Question')), (error) => {
    return isUbikError(error) && error.code === 'not-sent' && findReason(error).code === 'network';
  });
});

test('the answer to a tool does not release what the backend holds in memory for its run', async () => {
  const { controller, backend, environment, start, last } = setupController();
  await start();
  backend.stream.request('@request:1', 'tool');
  backend.stream.finish('waiting');
  await environment.settle();
  const { key } = last();
  const answered = controller.provideInput(key, '@request:1', { type: 'text', text: '1999' });
  backend.stream.append(0, 'Thanks');
  await answered;
  assert.equal(backend.count('releaseRun'), 0);
});
