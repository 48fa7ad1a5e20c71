import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, setupConversation, textOf } from './setup-conversation.js';

/** A thread whose question has another version, which is not read yet. */
async function openVersions() {
  const conversation = setupConversation();
  const { backend, controller } = conversation;
  const question = stored('q2', 'user', 'Second');
  const fields = { ...question.fields, siblingIds: ['q1', 'q2'], createdAt: 2 };
  backend.threads.set(
    'a',
    contentOf('a', [{ ...question, fields }, stored('m2', 'assistant', 'So')]),
  );
  await controller.openThread('a');
  const [key = ''] = [...(controller.thread?.messages.keys() ?? [])];
  return { ...conversation, key };
}

test('reads another version into the tree once, and switches nothing', async () => {
  const { backend, controller, key, texts } = await openVersions();
  backend.answers.set('loadMessage', () => stored('q1', 'user', 'First'));
  await controller.loadVersion(key, 'q1');
  await controller.loadVersion(key, 'q1');
  const read = [...(controller.thread?.messages.values() ?? [])].find(({ id }) => id === 'q1');
  assert.ok(read);
  assert.deepEqual([textOf(read), read.parent], ['First', null]);
  assert.deepEqual(texts(), ['Second', 'So']);
  assert.deepEqual([backend.count('loadMessage'), backend.count('switchBranch')], [1, 0]);
});

test('keeps its key when the service leads to it later', async () => {
  const { backend, controller, key } = await openVersions();
  backend.answers.set('loadMessage', () => stored('q1', 'user', 'First'));
  await controller.loadVersion(key, 'q1');
  const size = controller.thread?.messages.size;
  backend.answers.set('switchBranch', () => contentOf('a', [stored('q1', 'user', 'First')]));
  await controller.switchBranch('q1');
  assert.equal(controller.thread?.messages.size, size);
});

test('takes two readings of one version for one', async () => {
  const { backend, controller, key } = await openVersions();
  backend.answers.set('loadMessage', () => stored('q1', 'user', 'First'));
  await Promise.all([controller.loadVersion(key, 'q1'), controller.loadVersion(key, 'q1')]);
  assert.equal(controller.thread?.messages.size, 3);
});

test('forgets a version that is gone, and keeps one that cannot be read', async () => {
  const { backend, controller, key } = await openVersions();
  const versions = (): readonly string[] | undefined =>
    controller.thread?.messages.get(key)?.siblingIds;
  backend.answers.set('loadMessage', () => {
    throw new UbikError('server');
  });
  assert.equal(await codeOf(controller.loadVersion(key, 'q1')), 'server');
  assert.deepEqual(versions(), ['q1', 'q2']);
  backend.answers.set('loadMessage', () => {
    throw new UbikError('not-found');
  });
  await controller.loadVersion(key, 'q1');
  assert.deepEqual(versions(), ['q2']);
});

test('says so when the service cannot read single messages, and when nothing is open', async () => {
  const { backend, controller, key } = await openVersions();
  Object.assign(backend, { loadMessage: undefined });
  assert.equal(await codeOf(controller.loadVersion(key, 'q1')), 'unsupported');
  controller.switchToNewThread();
  assert.equal(await codeOf(controller.loadVersion(key, 'q1')), 'misuse');
});
