import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, setupController, textOf } from './setup-controller.js';

/** A thread whose user message has another version that is not loaded. */
async function openVersions() {
  const fixture = setupController();
  const { backend, controller } = fixture;
  const question = stored('q2', 'user', 'Second');
  const fields = { ...question.fields, siblingIds: ['q1', 'q2'], createdAt: 2 };
  backend.threads.set(
    'a',
    contentOf('a', [{ ...question, fields }, stored('m2', 'assistant', 'So')]),
  );
  await controller.openThread('a');
  const [key = ''] = [...(controller.thread?.messages.keys() ?? [])];
  return { ...fixture, key };
}

test('loadVersion adds another version once and does not switch to it', async () => {
  const { backend, controller, key, texts } = await openVersions();
  backend.responses.set('loadMessage', () => stored('q1', 'user', 'First'));
  await controller.loadVersion(key, 'q1');
  await controller.loadVersion(key, 'q1');
  const read = [...(controller.thread?.messages.values() ?? [])].find(({ id }) => id === 'q1');
  assert.ok(read);
  assert.deepEqual([textOf(read), read.parent], ['First', null]);
  assert.deepEqual(texts(), ['Second', 'So']);
  assert.deepEqual([backend.count('loadMessage'), backend.count('switchBranch')], [1, 0]);
});

test('loadVersion keeps the key of the version when the service switches to it later', async () => {
  const { backend, controller, key } = await openVersions();
  backend.responses.set('loadMessage', () => stored('q1', 'user', 'First'));
  await controller.loadVersion(key, 'q1');
  const keys = (): string[] => [...(controller.thread?.messages.keys() ?? [])];
  const before = keys();
  backend.responses.set('switchBranch', () => contentOf('a', [stored('q1', 'user', 'First')]));
  await controller.switchBranch('q1');
  assert.deepEqual(keys(), before);
  assert.equal(controller.thread?.head, before.at(-1));
});

test('loadVersion adds a version once when it is called twice at the same time', async () => {
  const { backend, controller, key } = await openVersions();
  backend.responses.set('loadMessage', () => stored('q1', 'user', 'First'));
  await Promise.all([controller.loadVersion(key, 'q1'), controller.loadVersion(key, 'q1')]);
  assert.equal(controller.thread?.messages.size, 3);
});

test('loadVersion removes a version that does not exist and keeps one that cannot be loaded', async () => {
  const { backend, controller, key } = await openVersions();
  const versions = (): readonly string[] | undefined =>
    controller.thread?.messages.get(key)?.siblingIds;
  backend.responses.set('loadMessage', () => {
    throw new UbikError('server');
  });
  assert.equal(await codeOf(controller.loadVersion(key, 'q1')), 'server');
  assert.deepEqual(versions(), ['q1', 'q2']);
  backend.responses.set('loadMessage', () => {
    throw new UbikError('not-found');
  });
  await controller.loadVersion(key, 'q1');
  assert.deepEqual(versions(), ['q2']);
});

test('loadVersion rejects when the service lacks the method and when no thread is open', async () => {
  const { backend, controller, key } = await openVersions();
  Object.assign(backend, { loadMessage: undefined });
  assert.equal(await codeOf(controller.loadVersion(key, 'q1')), 'unsupported');
  controller.switchToNewThread();
  assert.equal(await codeOf(controller.loadVersion(key, 'q1')), 'misuse');
});

test('loadVersion rejects with misuse for an unknown message', async () => {
  const { backend, controller } = await openVersions();
  assert.equal(await codeOf(controller.loadVersion('unknown', 'q1')), 'misuse');
  assert.equal(backend.count('loadMessage'), 0);
});

test('loadVersion adds nothing when its thread was deleted meanwhile', async () => {
  const { backend, controller, key } = await openVersions();
  const loaded = new Deferred<unknown>();
  backend.responses.set('loadMessage', () => loaded.promise);
  const { thread } = controller;
  const loading = controller.loadVersion(key, 'q1');
  await controller.deleteThread('a');
  loaded.resolve(stored('q1', 'user', 'First'));
  await loading;
  assert.equal(controller.thread, null);
  assert.equal(thread?.messages.size, 2);
});

test('loadVersion removes a version that does not exist from all its loaded siblings', async () => {
  const { backend, controller } = setupController();
  const version = (id: string, text: string) => {
    const message = stored(id, 'user', text);
    return { ...message, fields: { ...message.fields, siblingIds: ['q1', 'q2', 'q3'] } };
  };
  // A message with another parent is no sibling, so its list stays unchanged.
  const answer = stored('m2', 'assistant', 'So');
  const other = { ...answer, fields: { ...answer.fields, siblingIds: ['q3'] } };
  backend.threads.set('a', contentOf('a', [version('q1', 'First'), other]));
  await controller.openThread('a');
  const [key = ''] = [...(controller.thread?.messages.keys() ?? [])];
  backend.responses.set('loadMessage', (_, id) => {
    if (id === 'q3') throw new UbikError('not-found');
    return version('q2', 'Second');
  });
  await controller.loadVersion(key, 'q2');
  await controller.loadVersion(key, 'q3');
  const siblings = [...(controller.thread?.messages.values() ?? [])].map(
    ({ id, siblingIds }) => `${id} ${siblingIds.join()}`,
  );
  assert.deepEqual(siblings, ['q1 q1,q2', 'm2 q3', 'q2 q1,q2']);
});
