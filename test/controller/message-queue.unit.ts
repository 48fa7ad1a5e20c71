import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend, Draft } from '../../src/backends/backend.js';
import { queueActions } from '../../src/controller/lazy-actions.js';
import type { QueuedMessage } from '../../src/controller/controller-types.js';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import { AGENT_REQUEST } from '../helpers/agent-request.js';
import { Deferred } from '../helpers/deferred.js';
import { REJECTIONS } from '../helpers/error-codes.js';
import { keyOf, recordKey, describeQueue, listSent, setupQueue } from './setup-queue.js';
import { contentOf, stored } from './scripted-backend.js';
import {
  ANY_REJOIN_DELAY,
  codeOf,
  draftOf,
  setupController,
  type ControllerFixture,
} from './setup-controller.js';

/** Lets reads of the storage wait until the returned promise is resolved. */
function holdStorageReads({ storage }: ControllerFixture['environment']): Deferred<undefined> {
  const held = new Deferred<undefined>();
  const get = storage.get.bind(storage);
  storage.get = (key) => held.promise.then(() => get(key));
  return held;
}

test('queued messages are sent after the run, one after the other, in order', async () => {
  const fixture = await setupQueue(['Second', 'Third']);
  const { backend, environment } = fixture;
  assert.deepEqual(describeQueue(fixture), ['Second waiting', 'Third waiting']);
  assert.deepEqual(listSent(fixture), ['First']);
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
  backend.stream.begin('task-2');
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Third waiting']);
  backend.stream.finish('complete');
  await environment.settle();
  backend.stream.begin('task-3');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second', 'Third']);
  assert.deepEqual(describeQueue(fixture), []);
  assert.deepEqual(fixture.texts(), ['First', '', 'Second', '', 'Third', '']);
});

test('enqueue clears the draft only if it has the same text', async () => {
  const { controller } = await setupQueue([]);
  controller.setDraft(draftOf('written'));
  await controller.enqueue(draftOf('of the host'));
  assert.equal(controller.getDraft().text, 'written');
  await controller.enqueue(draftOf('written'));
  assert.equal(controller.getDraft().text, '');
});

test('enqueue keeps what is added to the draft while the code of the queue is loading', async () => {
  const [first, second] = [
    { id: '1', name: 'a.pdf' },
    { id: '2', name: 'b.pdf' },
  ];
  /** Queues "Why" from the draft or, without `isWritten`, from the host, and changes the draft before the code is loaded. */
  const change = async (draft: Draft, isWritten = true): Promise<Draft> => {
    const { controller } = await setupQueue([]);
    const queued = { text: 'Why', attachments: [first] };
    controller.setDraft(isWritten ? queued : draftOf('Who'));
    queueActions.value = undefined;
    const enqueued = controller.enqueue(queued);
    controller.setDraft(draft);
    assert.deepEqual(controller.getDraft(), draft, 'unchanged until the message is stored');
    await enqueued;
    return controller.getDraft();
  };
  assert.deepEqual(await change({ text: 'Why not?', attachments: [first, second] }), {
    text: ' not?',
    attachments: [second],
  });
  assert.deepEqual(await change({ text: 'Why', attachments: [second] }), {
    text: '',
    attachments: [second],
  });
  assert.deepEqual(await change(draftOf('Oh. Why?')), draftOf('Oh. Why?'));
  assert.deepEqual(await change(draftOf('Why me?'), false), draftOf('Why me?'));
});

test('enqueue keeps what is added to the draft while the run ends', async () => {
  const fixture = await setupQueue([]);
  const { controller, backend, environment } = fixture;
  controller.setDraft(draftOf('Why'));
  queueActions.value = undefined;
  const enqueued = controller.enqueue(draftOf('Why'));
  controller.setDraft(draftOf('Why not?'));
  backend.stream.finish('complete');
  await environment.settle();
  backend.stream.begin('task-2');
  await enqueued;
  assert.deepEqual(listSent(fixture), ['First', 'Why']);
  assert.equal(controller.getDraft().text, ' not?');
});

test('a message that was to be queued is reported as sent when the run ends while the code of the queue is loading', async () => {
  const fixture = await setupQueue([]);
  const { controller, backend, environment, notices } = fixture;
  queueActions.value = undefined;
  const enqueued = controller.enqueue(draftOf('Why'));
  backend.stream.finish('complete');
  await environment.settle();
  const listReported = (): unknown[] => notices.filter(({ type }) => type === 'queued-sent');
  assert.deepEqual(listReported(), []);
  backend.stream.begin('task-2');
  await enqueued;
  const thread = controller.thread?.key;
  assert.deepEqual(listReported(), [{ type: 'queued-sent', thread, draft: draftOf('Why') }]);
});

for (const level of ['agent', 'tool'] as const) {
  test(`a message that was to be queued is not sent when the ${level} asks while the code of the queue is loading`, async () => {
    const fixture = await setupQueue([]);
    const { controller, backend, environment } = fixture;
    queueActions.value = undefined;
    const enqueued = controller.enqueue(draftOf('Why'));
    backend.stream.request('@request:c', level);
    backend.stream.finish('waiting');
    await environment.settle();
    await enqueued;
    assert.deepEqual(listSent(fixture), ['First']);
    assert.deepEqual(describeQueue(fixture), ['Why waiting']);
  });
}

test('enqueue removes the text from the draft although its line ends differ', async () => {
  const { controller } = await setupQueue([]);
  controller.setDraft(draftOf('One\r\nTwo'));
  await controller.enqueue(draftOf('One\r\nTwo'));
  assert.equal(controller.getDraft().text, '');
});

test('enqueue sends at once when no run is active and rejects an empty message', async () => {
  const fixture = setupController();
  const { controller, environment, backend } = fixture;
  assert.equal(await codeOf(controller.enqueue(draftOf(' '))), 'misuse');
  const enqueued = controller.enqueue(draftOf('Alone'));
  await environment.settle();
  backend.stream.begin();
  await enqueued;
  assert.deepEqual(listSent(fixture), ['Alone']);
  assert.deepEqual(describeQueue(fixture), []);
});

test('updateQueued and removeQueued change and remove a queued message', async () => {
  const fixture = await setupQueue(['Second', 'Third']);
  const { controller, backend, environment } = fixture;
  await controller.updateQueued(keyOf(fixture, 'Second'), draftOf('Better'));
  await controller.removeQueued(keyOf(fixture, 'Third'));
  assert.deepEqual(describeQueue(fixture), ['Better waiting']);
  assert.equal(await codeOf(controller.removeQueued('nothing')), 'misuse');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Better']);
});

test('pauseQueued pauses a message, and those after it wait', async () => {
  const fixture = await setupQueue(['Second', 'Third']);
  const { controller, backend, environment } = fixture;
  await controller.pauseQueued(keyOf(fixture, 'Second'));
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First']);
  await controller.updateQueued(keyOf(fixture, 'Second'), draftOf('Better'));
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First']);
  await controller.pauseQueued(keyOf(fixture, 'Better'), false);
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Better']);
});

test('pauseQueued with `false` does not continue a message when the run was stopped meanwhile', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  await controller.pauseQueued(keyOf(fixture, 'Second'));
  backend.stream.finish('stopped');
  await environment.settle();
  await controller.updateQueued(keyOf(fixture, 'Second'), draftOf('Better'));
  await controller.pauseQueued(keyOf(fixture, 'Better'), false);
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Better paused']);
  assert.deepEqual(listSent(fixture), ['First']);
});

for (const state of ['stopped', 'failed'] as const) {
  test(`the queue is paused when the run has ${state}, and resumeQueue sends it`, async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    const { controller, backend, environment } = fixture;
    backend.stream.finish(state);
    await environment.settle();
    const reason = state === 'failed' ? ' run-failed' : '';
    assert.deepEqual(describeQueue(fixture), [`Second paused${reason}`, 'Third paused']);
    assert.deepEqual(listSent(fixture), ['First']);
    await controller.resumeQueue();
    await environment.settle();
    backend.stream.begin('task-2');
    backend.stream.finish('complete');
    await environment.settle();
    assert.deepEqual(listSent(fixture), ['First', 'Second', 'Third']);
  });
}

test('the queue waits while the run waits for an answer', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  backend.stream.request('@request:c');
  backend.stream.finish('waiting');
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Second waiting']);
  assert.equal(await codeOf(controller.sendQueued(keyOf(fixture, 'Second'))), 'busy');
  assert.deepEqual(listSent(fixture), ['First']);
  const answer = { type: 'text', text: '2025' } as const;
  const answered = controller.provideInput(fixture.last().key, '@request:c', answer);
  await environment.settle();
  backend.stream.begin('task-2');
  await answered;
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('the queue waits while the run is interrupted', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  controller.detach();
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Second waiting']);
  const joined = controller.rejoin();
  await environment.settle();
  backend.stream.begin();
  await joined;
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('enqueue with `now` stops the run and sends the message before the others', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  controller.setDraft(draftOf('Now'));
  const enqueued = controller.enqueue(draftOf('Now'), true);
  await environment.settle();
  assert.equal(controller.getDraft().text, '');
  assert.equal(backend.count('stop'), 1);
  assert.equal(controller.thread?.run.state, 'stopping');
  assert.deepEqual(describeQueue(fixture), ['Second waiting', 'Now waiting now']);
  backend.stream.finish('stopped');
  await enqueued;
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Now']);
  backend.stream.begin('task-2');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Now', 'Second']);
});

test('enqueue with `now` adds the message to the queue when the agent asks meanwhile', async () => {
  const fixture = await setupQueue([]);
  const { controller, backend, environment } = fixture;
  backend.stream.request('@request:c');
  await environment.settle();
  await controller.enqueue(draftOf('Now'), true);
  assert.deepEqual(describeQueue(fixture), ['Now waiting now']);
  assert.equal(backend.count('stop'), 0);
});

test('a message that is queued while the run stops is sent when it has stopped', async () => {
  const fixture = await setupQueue([]);
  const { controller, backend, environment } = fixture;
  void controller.stop();
  await environment.settle();
  await controller.enqueue(draftOf('Then this'));
  backend.stream.finish('stopped');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Then this']);
});

test('sendQueued stops a run that waits for an answer to a tool', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  backend.stream.request('@request:e', 'tool');
  backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
  await environment.settle();
  const enqueued = controller.sendQueued(keyOf(fixture, 'Second'));
  await environment.settle();
  assert.equal(backend.count('stop'), 1);
  backend.stream.finish('stopped');
  await enqueued;
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('enqueue with `now` keeps the message in its place in the queue when the run cannot be stopped', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  backend.responses.set('stop', () => {
    throw new UbikError('server', 'down', { status: 503 });
  });
  assert.equal(await codeOf(controller.enqueue(draftOf('Now'), true)), 'server');
  assert.deepEqual(describeQueue(fixture), ['Second waiting', 'Now waiting']);
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('a message that is edited or paused while the run is being stopped for it stays so when that fails', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  const key = keyOf(fixture, 'Second');
  const stop = new Deferred<undefined>();
  backend.responses.set('stop', () => stop.promise);
  const sent = codeOf(controller.sendQueued(key));
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Second waiting now']);
  await controller.pauseQueued(key);
  await controller.updateQueued(key, draftOf('Edited'));
  stop.reject(new UbikError('server', 'down', { status: 503 }));
  assert.equal(await sent, 'server');
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Edited paused']);
});

for (const code of [...REJECTIONS, 'too-large'] as const) {
  test(`a queued message that is rejected with ${code} keeps the error and pauses the queue`, async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    const { controller, backend, environment, notices } = fixture;
    backend.stream.finish('complete');
    await environment.settle();
    backend.stream.fail(new UbikError(code, 'no'));
    await environment.settle();
    assert.deepEqual(describeQueue(fixture), [`Second paused ${code}`, 'Third paused']);
    assert.deepEqual(fixture.texts(), ['First', '']);
    assert.equal(notices.filter((notice) => notice.type === 'error').length, 1);
    await controller.resumeQueue();
    await environment.settle();
    assert.deepEqual(listSent(fixture), ['First', 'Second', 'Second']);
  });
}

for (const code of ['server', 'network', 'bad-response'] as readonly UbikErrorCode[]) {
  test(`a queued message whose request fails with ${code}, so that it may have been delivered, is not sent again`, async () => {
    const fixture = await setupQueue(['Second']);
    const { backend, environment } = fixture;
    backend.stream.finish('complete');
    await environment.settle();
    backend.stream.fail(new UbikError(code, 'no'));
    await environment.advance(2_000);
    assert.equal(backend.stream.method, 'rejoin');
    backend.stream.begin('task-2');
    await environment.settle();
    assert.deepEqual(describeQueue(fixture), []);
    assert.deepEqual(listSent(fixture), ['First', 'Second']);
  });
}

test('a queued message that has started no run gets the error with the description of the service', async () => {
  const fixture = await setupQueue(['Second', 'Third']);
  const { backend, controller, environment } = fixture;
  backend.stream.finish('complete');
  await environment.settle();
  const serviceError = { description: 'No workers.', advice: 'Try at noon.', code: 'E7' };
  backend.stream.fail(new UbikError('server', { status: 503, serviceError }));
  await environment.advance(2_000);
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.fail(new UbikError('not-found', 'no such run'));
  await environment.settle();
  const [second, third] = [...(controller.thread?.list('queue').values() ?? [])].map(
    (message) => message as unknown as QueuedMessage,
  );
  assert.deepEqual([second?.error, second?.serviceError], ['server', serviceError]);
  assert.deepEqual([third?.state, third?.error], ['paused', null]);
  await controller.resumeQueue();
  await environment.settle();
  backend.stream.fail(new UbikError('rate-limited', 'no'));
  await environment.settle();
  const [again] = [...(controller.thread?.list('queue').values() ?? [])];
  const { error, serviceError: described } = again as unknown as QueuedMessage;
  assert.deepEqual([error, described], ['rate-limited', null]);
});

test('a queued message that is due while the page is offline is sent only on request', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment, page } = fixture;
  page.online = false;
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Second paused network']);
  page.online = true;
  page.wake('online');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First']);
  await controller.resumeQueue();
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('the queue of a background thread continues after its run', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  controller.switchToNewThread();
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
  assert.equal(controller.thread, null);
});

test('the queue of a thread that could not be created becomes the draft', async () => {
  const fixture = setupController();
  const { controller, backend, environment } = fixture;
  let refuse: (error: Error) => void = () => undefined;
  backend.responses.set('createThread', () => new Promise((_resolve, reject) => (refuse = reject)));
  const first = codeOf(controller.send(draftOf('First')));
  await controller.enqueue(draftOf('Second'));
  await controller.enqueue(draftOf('Third'));
  refuse(new UbikError('forbidden', 'no'));
  assert.equal(await first, 'forbidden');
  await environment.settle();
  assert.equal(controller.getDraft().text, 'First\n\nSecond\n\nThird');
  const reloaded = setupController({ environment });
  await environment.settle();
  await environment.settle();
  assert.equal(reloaded.controller.getDraft().text, 'First\n\nSecond\n\nThird');
});

test('the queue is paused when the message before it was rejected, and the next message gets the error', async () => {
  const fixture = setupController();
  const { controller, backend, environment } = fixture;
  const first = codeOf(controller.send(draftOf('First')));
  await controller.enqueue(draftOf('Second'));
  await controller.enqueue(draftOf('Third'));
  await environment.settle();
  backend.stream.fail(new UbikError('rate-limited', 'slow down'));
  assert.equal(await first, 'rate-limited');
  assert.deepEqual(describeQueue(fixture), ['Second paused rate-limited', 'Third paused']);
  assert.equal(controller.getDraft().text, 'First');
});

test('the queue works when the storage fails', async () => {
  const fixture = setupController();
  fixture.environment.storage.set = () => Promise.reject(new Error('full'));
  fixture.environment.storage.get = () => Promise.reject(new Error('gone'));
  await fixture.start('First');
  await fixture.controller.enqueue(draftOf('Second'));
  fixture.backend.stream.finish('complete');
  await fixture.environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('the queue of a deleted thread is removed', async () => {
  const { controller, environment } = await setupQueue(['Second']);
  await controller.deleteThread('thread-id-1');
  await environment.settle();
  assert.equal(await environment.storage.get(recordKey('queue')), null);
});

test('a queued message is not sent to a thread that was deleted while the message was being claimed', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  const claiming = holdStorageReads(environment);
  backend.stream.finish('complete');
  await environment.settle();
  const deleted = controller.deleteThread('thread-id-1');
  await environment.settle();
  claiming.resolve(undefined);
  await deleted;
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First']);
  assert.equal(await environment.storage.get(recordKey('queue')), null);
});

test('a message that is removed while its thread is loaded again stays removed', async () => {
  const fixture = await setupQueue(['Second', 'Third']);
  const { controller, backend, environment } = fixture;
  backend.stream.finish('stopped');
  const content = contentOf('thread-id-1', [stored('m1', 'user', 'First')]);
  await environment.settle();
  const loading = new Deferred<undefined>();
  backend.responses.set('loadThread', () => loading.promise.then(() => content));
  const opened = controller.openThread('thread-id-1');
  await environment.settle();
  await controller.removeQueued(keyOf(fixture, 'Second'));
  loading.resolve(undefined);
  await opened;
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Third paused']);
});

test('close cancels the timers and requests of the queue', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  backend.stream.finish('complete');
  controller.close();
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First']);
  assert.equal(environment.timers, 0);
});

test('updateQueued rejects an empty text and keeps the message', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller } = fixture;
  const key = keyOf(fixture, 'Second');
  assert.equal(await codeOf(controller.updateQueued(key, draftOf(' '))), 'misuse');
  assert.deepEqual(describeQueue(fixture), ['Second waiting']);
});

test('the queue is stored under the thread as soon as that is created', async () => {
  const fixture = setupController();
  const { backend, controller, environment } = fixture;
  let create: () => void = () => undefined;
  backend.responses.set('createThread', () => {
    const created = { id: 'thread-id-1', title: 'New', createdAt: 1, updatedAt: 1 };
    return new Promise((resolve) => (create = () => resolve(created)));
  });
  void controller.send(draftOf('First')).catch(() => undefined);
  await environment.settle();
  await controller.enqueue(draftOf('Second'));
  await environment.settle();
  assert.equal(await environment.storage.get(recordKey('queue')), null);
  create();
  await environment.settle();
  assert.match((await environment.storage.get(recordKey('queue'))) ?? '', /Second/);
});

/** A queue whose first message got no response until all attempts to rejoin its run had failed. */
async function setupGivenUp() {
  const fixture = await setupQueue(['Second', 'Third']);
  const { backend, controller, environment } = fixture;
  backend.stream.finish('complete');
  await environment.settle();
  backend.stream.fail();
  await environment.settle();
  for (let tries = 0; tries < 10 && controller.thread?.run.state !== 'interrupted'; tries++) {
    await environment.advance(60_000);
    backend.stream.fail();
    await environment.settle();
  }
  assert.equal(controller.thread?.run.state, 'interrupted');
  return fixture;
}

for (const isDelivered of [false, true]) {
  test(`a queued message of unknown delivery does not block the queue when it ${isDelivered ? 'was' : 'was not'} delivered`, async () => {
    const fixture = await setupGivenUp();
    const { backend, controller, environment } = fixture;
    assert.deepEqual(describeQueue(fixture), ['Third waiting']);
    const second = stored('m3', 'user', 'Second');
    const fourth = stored('m4', 'user', 'Fourth');
    const talk = [stored('m1', 'user', 'First'), stored('m2', 'assistant', '')];
    const all = [...talk, ...(isDelivered ? [second] : []), fourth, stored('m5', 'assistant', '')];
    backend.threads.set('thread-id-1', contentOf('thread-id-1', all));
    void controller.send(draftOf('Fourth'));
    await environment.settle();
    backend.stream.begin('task-4');
    backend.stream.finish('complete');
    await environment.settle();
    assert.deepEqual(listSent(fixture), ['First', 'Second', 'Fourth', 'Third']);
    assert.deepEqual(describeQueue(fixture), ['Third sending']);
    assert.equal(controller.getDraft().text, isDelivered ? '' : 'Second');
  });

  test(`a queued message of unknown delivery ${isDelivered ? 'is not restored after a reload when it was delivered' : 'is restored after a reload when it was not delivered'}`, async () => {
    const { controller, environment } = await setupGivenUp();
    controller.close();
    await environment.settle();
    const reloaded = setupController({ environment });
    const talk = [stored('m1', 'user', 'First'), stored('m2', 'assistant', '')];
    const more = isDelivered ? [stored('m3', 'user', 'Second')] : [];
    reloaded.backend.threads.set('thread-id-1', contentOf('thread-id-1', [...talk, ...more]));
    await reloaded.controller.openThread('thread-id-1');
    await environment.settle();
    assert.deepEqual(describeQueue(reloaded), [isDelivered ? 'Third waiting' : 'Third paused']);
    assert.equal(reloaded.controller.getDraft().text, isDelivered ? '' : 'Second');
  });
}

for (const isFound of [false, true]) {
  test(`a queued message that was given up ${isFound ? 'counts as sent when rejoining finds it' : 'is paused in its place when rejoining does not find it'}`, async () => {
    const fixture = await setupGivenUp();
    const { backend, controller, environment, notices } = fixture;
    const rejoined = controller.rejoin().catch(() => undefined);
    await environment.settle();
    if (isFound) backend.stream.begin('task-2');
    else backend.stream.fail(new UbikError('not-sent', 'no'));
    await rejoined;
    await environment.settle();
    const wanted = isFound ? ['Third waiting'] : ['Second paused network', 'Third paused network'];
    assert.deepEqual(describeQueue(fixture), wanted);
    assert.equal(notices.filter(({ type }) => type === 'queued-sent').length, isFound ? 1 : 0);
    assert.doesNotMatch((await environment.storage.get(recordKey('draft'))) ?? '', /Second/);
  });
}

test('a queued message that is stored counts as sent, although its run has no stream any more', async () => {
  const fixture = await setupQueue(['Second', 'Third']);
  const { backend, environment, notices } = fixture;
  backend.stream.finish('complete');
  await environment.settle();
  const messages = [
    stored('m1', 'user', 'First'),
    stored('m2', 'assistant', ''),
    stored('m3', 'user', 'Second', { runId: 'task-2' }),
    stored('m4', 'assistant', 'Answer', { runId: 'task-2' }),
  ];
  backend.threads.set('thread-id-1', contentOf('thread-id-1', messages));
  backend.stream.fail();
  await environment.advance(ANY_REJOIN_DELAY);
  backend.stream.fail(new UbikError('not-found'));
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second', 'Third']);
  assert.deepEqual(describeQueue(fixture), ['Third sending']);
  assert.equal(notices.filter(({ type }) => type === 'queued-sent').length, 1);
});

test('sendQueued sends a message of a paused queue at once, before the others', async () => {
  const fixture = await setupQueue(['Second', 'Third']);
  const { controller, backend, environment } = fixture;
  backend.stream.finish('stopped');
  await environment.settle();
  await controller.sendQueued(keyOf(fixture, 'Third'));
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Third']);
  assert.equal(backend.count('stop'), 0);
  assert.deepEqual(describeQueue(fixture), ['Second paused', 'Third sending now']);
});

test('sendQueued sends a message although the run is interrupted', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, environment } = fixture;
  controller.detach();
  await environment.settle();
  await controller.sendQueued(keyOf(fixture, 'Second'));
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('resumeQueue sends the queue although the run is interrupted', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, environment } = fixture;
  controller.detach();
  await environment.settle();
  await controller.resumeQueue();
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('resumeQueue does nothing without a thread', async () => {
  const { controller, backend } = setupController();
  await controller.resumeQueue();
  assert.equal(backend.calls.length + backend.streams.length, 0);
});

test('a queued message that is being sent can be neither changed nor sent again', async () => {
  const fixture = await setupQueue(['Second', 'Third']);
  const { controller, backend, environment } = fixture;
  backend.stream.finish('complete');
  await environment.settle();
  const key = keyOf(fixture, 'Second');
  assert.equal(await codeOf(controller.updateQueued(key, draftOf('Better'))), 'busy');
  assert.equal(await codeOf(controller.removeQueued(key)), 'busy');
  assert.equal(await codeOf(controller.sendQueued(key)), 'busy');
  await controller.resumeQueue();
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Second sending', 'Third waiting']);
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('a message that is removed while its stop request is pending stays removed', async () => {
  const fixture = await setupQueue([]);
  const { controller, backend, environment } = fixture;
  const answer = new Deferred<undefined>();
  backend.responses.set('stop', () => answer.promise);
  const enqueued = codeOf(controller.enqueue(draftOf('Now'), true));
  await environment.settle();
  await controller.removeQueued(keyOf(fixture, 'Now'));
  answer.reject(new UbikError('server'));
  assert.equal(await enqueued, 'server');
  assert.deepEqual(describeQueue(fixture), []);
});

test('enqueue with `now` pauses the message when the message before it is rejected', async () => {
  const fixture = setupController();
  const { controller, backend, environment } = fixture;
  const first = codeOf(controller.send(draftOf('First')));
  await environment.settle();
  const enqueued = codeOf(controller.enqueue(draftOf('Now'), true));
  await environment.settle();
  backend.stream.fail(new UbikError('rate-limited'));
  assert.equal(await first, 'rate-limited');
  assert.equal(await enqueued, 'none');
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Now paused rate-limited']);
  assert.deepEqual(listSent(fixture), ['First']);
});

test('a queued message waits again when another run starts while it is being claimed', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  const gate = holdStorageReads(environment);
  backend.stream.finish('complete');
  await environment.settle();
  void controller.send(draftOf('Between')).catch(() => undefined);
  await environment.settle();
  gate.resolve(undefined);
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Between']);
  assert.deepEqual(describeQueue(fixture), ['Second waiting']);
  backend.stream.begin('task-2');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Between', 'Second']);
});

test('waiting messages keep waiting when a thread with a pending request is opened again', async () => {
  const fixture = await setupQueue(['Second']);
  const { controller, backend, environment } = fixture;
  const asking = { ...stored('m2', 'assistant', ''), requests: [AGENT_REQUEST] };
  const content = contentOf('thread-id-1', [stored('m1', 'user', 'First'), asking]);
  backend.threads.set('thread-id-1', content);
  backend.stream.request(AGENT_REQUEST.key);
  backend.stream.finish('waiting');
  await environment.settle();
  await controller.openThread('thread-id-1');
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Second waiting']);
});

/** A stored thread whose agent asks, and the same thread after the question was answered on another device. */
const ASKING = contentOf('thread-id-1', [
  stored('m1', 'user', 'First'),
  { ...stored('m2', 'assistant', ''), requests: [AGENT_REQUEST] },
]);
const ANSWERED = contentOf('thread-id-1', [
  stored('m1', 'user', 'First'),
  stored('m2', 'assistant', ''),
  stored('m3', 'user', '2026'),
  stored('m4', 'assistant', 'Done'),
]);

test('a queued message is not sent as the answer to the request of a reloaded thread, but after that was answered', async () => {
  const before = await setupQueue(['Second']);
  before.backend.stream.finish('waiting');
  await before.environment.settle();
  before.controller.close();
  const fixture = setupController({ environment: before.environment });
  const { backend, controller, environment, page } = fixture;
  backend.threads.set('thread-id-1', ASKING);
  await controller.openThread('thread-id-1');
  await environment.settle();
  assert.equal(await codeOf(controller.sendQueued(keyOf(fixture, 'Second'))), 'busy');
  assert.deepEqual(describeQueue(fixture), ['Second paused']);
  await controller.resumeQueue();
  await environment.settle();
  assert.deepEqual(listSent(fixture), []);
  assert.deepEqual(describeQueue(fixture), ['Second waiting']);
  backend.threads.set('thread-id-1', ANSWERED);
  page.wake('visible');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['Second']);
});

for (const [how, trigger] of [
  ['the user returns to the page', ({ page }: ControllerFixture) => page.wake('visible')],
  [
    'the thread is opened again',
    ({ controller }: ControllerFixture) => controller.openThread('thread-id-1'),
  ],
  [
    'another tab reports a change',
    ({ backend }: ControllerFixture) => (backend as Backend).onExternalChange?.('thread-id-1'),
  ],
] as const) {
  test(`the queue continues when ${how} after its request was answered elsewhere`, async () => {
    const fixture = await setupQueue(['Second']);
    const { backend, environment } = fixture;
    backend.stream.request(AGENT_REQUEST.key);
    backend.stream.finish('waiting');
    await environment.settle();
    backend.threads.set('thread-id-1', ANSWERED);
    void trigger(fixture);
    await environment.settle();
    assert.deepEqual(listSent(fixture), ['First', 'Second']);
  });
}
