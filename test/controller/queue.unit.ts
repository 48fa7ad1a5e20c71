import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import { REJECTIONS } from '../helpers/error-codes.js';
import { keyOf, noteKey, queued, sent, setupQueue } from './queue-stage.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, draftOf, setupConversation } from './setup-conversation.js';

test('sends what was written during a run after it, one after the other, in order', async () => {
  const conversation = await setupQueue(['Second', 'Third']);
  const { backend, environment } = conversation;
  assert.deepEqual(queued(conversation), ['Second waiting', 'Third waiting']);
  assert.deepEqual(sent(conversation), ['First']);
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Second']);
  backend.stream.begin('task-2');
  await environment.settle();
  assert.deepEqual(queued(conversation), ['Third waiting']);
  backend.stream.finish('complete');
  await environment.settle();
  backend.stream.begin('task-3');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Second', 'Third']);
  assert.deepEqual(queued(conversation), []);
  assert.deepEqual(conversation.texts(), ['First', '', 'Second', '', 'Third', '']);
});

test('takes the text out of the draft, and only this one', async () => {
  const { controller } = await setupQueue([]);
  controller.setDraft(draftOf('written'));
  await controller.enqueue(draftOf('of the host'));
  assert.equal(controller.getDraft().text, 'written');
  await controller.enqueue(draftOf('written'));
  assert.equal(controller.getDraft().text, '');
});

test('sends at once when nothing runs, and refuses what is empty', async () => {
  const conversation = setupConversation();
  const { controller, environment, backend } = conversation;
  assert.equal(await codeOf(controller.enqueue(draftOf(' '))), 'misuse');
  const asked = controller.enqueue(draftOf('Alone'));
  await environment.settle();
  backend.stream.begin();
  await asked;
  assert.deepEqual(sent(conversation), ['Alone']);
  assert.deepEqual(queued(conversation), []);
});

test('changes and removes what waits', async () => {
  const conversation = await setupQueue(['Second', 'Third']);
  const { controller, backend, environment } = conversation;
  await controller.updateQueued(keyOf(conversation, 'Second'), draftOf('Better'));
  await controller.removeQueued(keyOf(conversation, 'Third'));
  assert.deepEqual(queued(conversation), ['Better waiting']);
  assert.equal(await codeOf(controller.removeQueued('nothing')), 'misuse');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Better']);
});

test('sends nothing that is being written anew, nor what comes after it', async () => {
  const conversation = await setupQueue(['Second', 'Third']);
  const { controller, backend, environment } = conversation;
  await controller.pauseQueued(keyOf(conversation, 'Second'));
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First']);
  await controller.updateQueued(keyOf(conversation, 'Second'), draftOf('Better'));
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First']);
  await controller.pauseQueued(keyOf(conversation, 'Better'), false);
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Better']);
});

test('does not send what was written anew when the run was stopped meanwhile', async () => {
  const conversation = await setupQueue(['Second']);
  const { controller, backend, environment } = conversation;
  await controller.pauseQueued(keyOf(conversation, 'Second'));
  backend.stream.finish('stopped');
  await environment.settle();
  await controller.updateQueued(keyOf(conversation, 'Second'), draftOf('Better'));
  await controller.pauseQueued(keyOf(conversation, 'Better'), false);
  await environment.settle();
  assert.deepEqual(queued(conversation), ['Better paused']);
  assert.deepEqual(sent(conversation), ['First']);
});

for (const state of ['stopped', 'failed'] as const) {
  test(`holds what waits when the run has ${state}, and sends it when somebody asks for it`, async () => {
    const conversation = await setupQueue(['Second', 'Third']);
    const { controller, backend, environment } = conversation;
    backend.stream.finish(state);
    await environment.settle();
    assert.deepEqual(queued(conversation), ['Second paused', 'Third paused']);
    assert.deepEqual(sent(conversation), ['First']);
    await controller.resumeQueue();
    await environment.settle();
    backend.stream.begin('task-2');
    backend.stream.finish('complete');
    await environment.settle();
    assert.deepEqual(sent(conversation), ['First', 'Second', 'Third']);
  });
}

test('waits with the run for the answer of the person, and is not taken for it', async () => {
  const conversation = await setupQueue(['Second']);
  const { controller, backend, environment } = conversation;
  backend.stream.ask('@request:c');
  backend.stream.finish('waiting');
  await environment.settle();
  assert.deepEqual(queued(conversation), ['Second waiting']);
  assert.equal(await codeOf(controller.sendQueued(keyOf(conversation, 'Second'))), 'busy');
  assert.deepEqual(sent(conversation), ['First']);
  const answer = { type: 'text', text: '2025' } as const;
  const answered = controller.provideInput(conversation.last().key, '@request:c', answer);
  await environment.settle();
  backend.stream.begin('task-2');
  await answered;
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Second']);
});

test('waits for a run that was interrupted', async () => {
  const conversation = await setupQueue(['Second']);
  const { controller, backend, environment } = conversation;
  controller.detach();
  await environment.settle();
  assert.deepEqual(queued(conversation), ['Second waiting']);
  const joined = controller.rejoin();
  await environment.settle();
  backend.stream.begin();
  await joined;
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Second']);
});

test('stops the run and then sends, before what waits, which goes on after it', async () => {
  const conversation = await setupQueue(['Second']);
  const { controller, backend, environment } = conversation;
  controller.setDraft(draftOf('Now'));
  const asked = controller.enqueue(draftOf('Now'), true);
  await environment.settle();
  assert.equal(controller.getDraft().text, '');
  assert.equal(backend.count('stop'), 1);
  assert.equal(controller.thread?.run.state, 'stopping');
  assert.deepEqual(queued(conversation), ['Second waiting', 'Now waiting now']);
  backend.stream.finish('stopped');
  await asked;
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Now']);
  backend.stream.begin('task-2');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Now', 'Second']);
});

test('sends what is written while the run stops when it has stopped', async () => {
  const conversation = await setupQueue([]);
  const { controller, backend, environment } = conversation;
  void controller.stop();
  await environment.settle();
  await controller.enqueue(draftOf('Then this'));
  backend.stream.finish('stopped');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Then this']);
});

test('stops a run in which a tool asks, for what is wanted now', async () => {
  const conversation = await setupQueue(['Second']);
  const { controller, backend, environment } = conversation;
  backend.stream.ask('@request:e', 'tool');
  backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
  await environment.settle();
  const asked = controller.sendQueued(keyOf(conversation, 'Second'));
  await environment.settle();
  assert.equal(backend.count('stop'), 1);
  backend.stream.finish('stopped');
  await asked;
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Second']);
});

test('keeps a message in its place when the run cannot be stopped', async () => {
  const conversation = await setupQueue([]);
  const { controller, backend, environment } = conversation;
  backend.answers.set('stop', () => {
    throw new UbikError('server', 'down', { status: 503 });
  });
  assert.equal(await codeOf(controller.enqueue(draftOf('Now'), true)), 'server');
  assert.deepEqual(queued(conversation), ['Now waiting']);
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Now']);
});

for (const code of [...REJECTIONS, 'too-large'] as const) {
  test(`keeps what the service refuses with ${code}, says why, and holds the rest`, async () => {
    const conversation = await setupQueue(['Second', 'Third']);
    const { controller, backend, environment, notices } = conversation;
    backend.stream.finish('complete');
    await environment.settle();
    backend.stream.fail(new UbikError(code, 'no'));
    await environment.settle();
    assert.deepEqual(queued(conversation), [`Second paused ${code}`, 'Third paused']);
    assert.deepEqual(conversation.texts(), ['First', '']);
    assert.equal(notices.filter((notice) => notice.type === 'error').length, 1);
    await controller.resumeQueue();
    await environment.settle();
    assert.deepEqual(sent(conversation), ['First', 'Second', 'Second']);
  });
}

for (const code of ['server', 'network', 'bad-response'] as readonly UbikErrorCode[]) {
  test(`looks for what may have arrived after ${code}, and does not send it again`, async () => {
    const conversation = await setupQueue(['Second']);
    const { backend, environment } = conversation;
    backend.stream.finish('complete');
    await environment.settle();
    backend.stream.fail(new UbikError(code, 'no'));
    await environment.advance(2_000);
    assert.equal(backend.stream.method, 'rejoin');
    backend.stream.begin('task-2');
    await environment.settle();
    assert.deepEqual(queued(conversation), []);
    assert.deepEqual(sent(conversation), ['First', 'Second']);
  });
}

test('keeps what is due while the page is offline, and sends it only when asked', async () => {
  const conversation = await setupQueue(['Second']);
  const { controller, backend, environment, page } = conversation;
  page.online = false;
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(queued(conversation), ['Second paused not-sent']);
  page.online = true;
  page.wake('online');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First']);
  await controller.resumeQueue();
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Second']);
});

test('goes on behind a run in a thread that is not shown', async () => {
  const conversation = await setupQueue(['Second']);
  const { controller, backend, environment } = conversation;
  controller.switchToNewThread();
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Second']);
  assert.equal(controller.thread, null);
});

test('gives back what waits behind a message that could not be sent', async () => {
  const conversation = setupConversation();
  const { controller, backend, environment } = conversation;
  let refuse: (error: Error) => void = () => undefined;
  backend.answers.set('createThread', () => new Promise((_resolve, reject) => (refuse = reject)));
  const first = codeOf(controller.send(draftOf('First')));
  await controller.enqueue(draftOf('Second'));
  await controller.enqueue(draftOf('Third'));
  refuse(new UbikError('forbidden', 'no'));
  assert.equal(await first, 'forbidden');
  await environment.settle();
  assert.equal(controller.getDraft().text, 'First\n\nSecond\n\nThird');
  const again = setupConversation({ environment });
  await environment.settle();
  await environment.settle();
  assert.equal(again.controller.getDraft().text, 'First\n\nSecond\n\nThird');
});

test('holds what waits behind a message that was refused', async () => {
  const conversation = setupConversation();
  const { controller, backend, environment } = conversation;
  const first = codeOf(controller.send(draftOf('First')));
  await controller.enqueue(draftOf('Second'));
  await environment.settle();
  backend.stream.fail(new UbikError('rate-limited', 'slow down'));
  assert.equal(await first, 'rate-limited');
  assert.deepEqual(queued(conversation), ['Second paused']);
  assert.equal(controller.getDraft().text, 'First');
});

test('goes on without a storage', async () => {
  const conversation = setupConversation();
  conversation.environment.storage.set = () => Promise.reject(new Error('full'));
  conversation.environment.storage.get = () => Promise.reject(new Error('gone'));
  await conversation.start('First');
  await conversation.controller.enqueue(draftOf('Second'));
  conversation.backend.stream.finish('complete');
  await conversation.environment.settle();
  assert.deepEqual(sent(conversation), ['First', 'Second']);
});

test('forgets what waits in a thread that is deleted', async () => {
  const { controller, environment } = await setupQueue(['Second']);
  await controller.deleteThread('thread-id-1');
  await environment.settle();
  assert.equal(await environment.storage.get(noteKey('queue')), null);
});

test('leaves nothing behind when it is closed in the middle', async () => {
  const conversation = await setupQueue(['Second']);
  const { controller, backend, environment } = conversation;
  backend.stream.finish('complete');
  controller.close();
  await environment.settle();
  assert.deepEqual(sent(conversation), ['First']);
  assert.equal(environment.timers, 0);
});

test('updateQueued refuses an empty text and keeps what waits', async () => {
  const conversation = await setupQueue(['Second']);
  const { controller } = conversation;
  const key = keyOf(conversation, 'Second');
  assert.equal(await codeOf(controller.updateQueued(key, draftOf(' '))), 'misuse');
  assert.deepEqual(queued(conversation), ['Second waiting']);
});

test('queue stores its messages with the thread as soon as that is created', async () => {
  const conversation = setupConversation();
  const { backend, controller, environment } = conversation;
  let create: () => void = () => undefined;
  backend.answers.set('createThread', () => {
    const made = { id: 'thread-id-1', title: 'New', createdAt: 1, updatedAt: 1 };
    return new Promise((resolve) => (create = () => resolve(made)));
  });
  void controller.send(draftOf('First')).catch(() => undefined);
  await environment.settle();
  await controller.enqueue(draftOf('Second'));
  await environment.settle();
  assert.equal(await environment.storage.get(noteKey('queue')), null);
  create();
  await environment.settle();
  assert.match((await environment.storage.get(noteKey('queue'))) ?? '', /Second/);
});

/** A queued message whose sending is given up without an answer, with another one behind it. */
async function giveUpSending() {
  const conversation = await setupQueue(['Second', 'Third']);
  const { backend, controller, environment } = conversation;
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
  return conversation;
}

for (const hasArrived of [false, true]) {
  test(`a queued message that was given up holds up nothing when it ${hasArrived ? 'has' : 'has not'} arrived`, async () => {
    const conversation = await giveUpSending();
    const { backend, controller, environment } = conversation;
    assert.deepEqual(queued(conversation), ['Third waiting']);
    const second = stored('m3', 'user', 'Second');
    const fourth = stored('m4', 'user', 'Fourth');
    const talk = [stored('m1', 'user', 'First'), stored('m2', 'assistant', '')];
    const all = [...talk, ...(hasArrived ? [second] : []), fourth, stored('m5', 'assistant', '')];
    backend.threads.set('thread-id-1', contentOf('thread-id-1', all));
    void controller.send(draftOf('Fourth'));
    await environment.settle();
    backend.stream.begin('task-4');
    backend.stream.finish('complete');
    await environment.settle();
    assert.deepEqual(sent(conversation), ['First', 'Second', 'Fourth', 'Third']);
    assert.deepEqual(queued(conversation), ['Third sending']);
    assert.equal(controller.getDraft().text, hasArrived ? '' : 'Second');
  });

  test(`a queued message that was given up is offered after a reload unless it has arrived: ${String(hasArrived)}`, async () => {
    const { controller, environment } = await giveUpSending();
    controller.close();
    await environment.settle();
    const again = setupConversation({ environment });
    const talk = [stored('m1', 'user', 'First'), stored('m2', 'assistant', '')];
    const more = hasArrived ? [stored('m3', 'user', 'Second')] : [];
    again.backend.threads.set('thread-id-1', contentOf('thread-id-1', [...talk, ...more]));
    await again.controller.openThread('thread-id-1');
    await environment.settle();
    assert.deepEqual(queued(again), [hasArrived ? 'Third waiting' : 'Third paused']);
    assert.equal(again.controller.getDraft().text, hasArrived ? '' : 'Second');
  });
}

for (const isThere of [false, true]) {
  test(`a queued message that was given up and is looked for again ${isThere ? 'counts as sent' : 'is held in its place'}`, async () => {
    const conversation = await giveUpSending();
    const { backend, controller, environment, notices } = conversation;
    const rejoined = controller.rejoin().catch(() => undefined);
    await environment.settle();
    if (isThere) backend.stream.begin('task-2');
    else backend.stream.fail(new UbikError('not-sent', 'no'));
    await rejoined;
    await environment.settle();
    const wanted = isThere ? ['Third waiting'] : ['Second paused not-sent', 'Third paused'];
    assert.deepEqual(queued(conversation), wanted);
    assert.equal(notices.filter(({ type }) => type === 'queued-sent').length, isThere ? 1 : 0);
    assert.doesNotMatch((await environment.storage.get(noteKey('draft'))) ?? '', /Second/);
  });
}
