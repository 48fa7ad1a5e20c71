import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, draftOf, setupController } from './setup-controller.js';

const MESSAGES = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', 'Good day')];

/** A controller whose thread `a` is loaded when the test resolves `loading`. */
function setupOpening() {
  const fixture = setupController();
  const loading = new Deferred<void>();
  const content = contentOf('a', MESSAGES);
  fixture.backend.threads.set('a', content);
  fixture.backend.responses.set('loadThread', () => loading.promise.then(() => content));
  return { ...fixture, loading };
}

test('a draft typed while a thread opens belongs to the thread that is shown', async () => {
  const { controller, loading } = setupOpening();
  const opening = controller.openThread('a');
  controller.setDraft(draftOf('typed'));
  loading.resolve();
  await opening;
  assert.equal(controller.getDraft().text, 'typed');
  controller.switchToNewThread();
  assert.equal(controller.getDraft().text, '');
});

test('a draft typed while a thread fails to load belongs to the thread when that is opened again', async () => {
  for (const isTypedAfterFailure of [false, true]) {
    const { controller, backend, loading } = setupOpening();
    const failing = controller.openThread('a');
    if (!isTypedAfterFailure) controller.setDraft(draftOf('typed'));
    loading.reject(new UbikError('network'));
    await assert.rejects(failing);
    if (isTypedAfterFailure) controller.setDraft(draftOf('typed'));
    backend.responses.delete('loadThread');
    await controller.openThread('a');
    assert.equal(controller.getDraft().text, 'typed');
    controller.switchToNewThread();
    assert.equal(controller.getDraft().text, '');
  }
});

test('a draft typed while the last thread fails to load belongs to the thread when that is opened again', async () => {
  const first = setupOpening();
  first.loading.resolve();
  await first.controller.openThread('a');
  await first.environment.advance(1_000);
  const { controller, backend } = setupController({ environment: first.environment });
  backend.responses.set('loadThread', () => Promise.reject(new UbikError('network')));
  const failing = controller.openLastThread();
  controller.setDraft(draftOf('typed'));
  await assert.rejects(failing);
  backend.responses.delete('loadThread');
  backend.threads.set('a', contentOf('a', MESSAGES));
  await controller.openLastThread();
  assert.equal(controller.getDraft().text, 'typed');
});

test('a draft typed while a thread opens belongs to the thread although that is opened twice', async () => {
  const { controller, loading } = setupOpening();
  const openings = [controller.openThread('a')];
  controller.setDraft(draftOf('typed'));
  openings.push(controller.openThread('a'));
  loading.resolve();
  await Promise.all(openings);
  assert.equal(controller.getDraft().text, 'typed');
  controller.switchToNewThread();
  assert.equal(controller.getDraft().text, '');
});

test('a draft typed while a thread fails to load stays that of the new thread when another one is opened', async () => {
  const { controller, backend, loading } = setupOpening();
  const failing = controller.openThread('a');
  controller.setDraft(draftOf('typed'));
  loading.reject(new UbikError('network'));
  await assert.rejects(failing);
  backend.responses.delete('loadThread');
  backend.threads.set('b', contentOf('b', MESSAGES));
  await controller.openThread('b');
  assert.equal(controller.getDraft().text, '');
  controller.switchToNewThread();
  assert.equal(controller.getDraft().text, 'typed');
});

test('a draft typed while a thread opens is stored with that thread only', async () => {
  const { controller, environment, loading } = setupOpening();
  const opening = controller.openThread('a');
  controller.setDraft(draftOf('typed'));
  loading.resolve();
  await opening;
  await environment.advance(1_000);
  controller.close();
  await environment.settle();
  const reloaded = setupController({ environment });
  reloaded.backend.threads.set('a', contentOf('a', MESSAGES));
  await environment.settle();
  assert.equal(reloaded.controller.getDraft().text, '');
  await reloaded.controller.openThread('a');
  assert.equal(reloaded.controller.getDraft().text, 'typed');
});

test('a draft typed while the last thread is being found belongs to the thread that is shown', async () => {
  const first = setupOpening();
  first.loading.resolve();
  await first.controller.openThread('a');
  await first.environment.advance(1_000);
  const { controller, backend } = setupController({ environment: first.environment });
  backend.threads.set('a', contentOf('a', MESSAGES));
  const opening = controller.openLastThread();
  controller.setDraft(draftOf('typed'));
  assert.equal(await opening, true);
  assert.equal(controller.getDraft().text, 'typed');
});

test('a draft typed while a thread opens is appended to the draft that is stored for it', async () => {
  const first = setupOpening();
  first.loading.resolve();
  await first.controller.openThread('a');
  first.controller.setDraft(draftOf('stored'));
  await first.environment.advance(1_000);
  const { controller, backend } = setupController({ environment: first.environment });
  backend.threads.set('a', contentOf('a', MESSAGES));
  const opening = controller.openThread('a');
  controller.setDraft(draftOf('typed'));
  await opening;
  assert.equal(controller.getDraft().text, 'stored\n\ntyped');
});

test('a draft typed before a thread opens stays the draft of the new thread', async () => {
  const { controller, loading } = setupOpening();
  controller.setDraft(draftOf('for a new thread'));
  loading.resolve();
  await controller.openThread('a');
  assert.equal(controller.getDraft().text, '');
  controller.switchToNewThread();
  assert.equal(controller.getDraft().text, 'for a new thread');
});

test('a draft typed while a thread opens does not replace the draft of the new thread', async () => {
  const { controller, loading } = setupOpening();
  controller.setDraft(draftOf('for a new thread'));
  const opening = controller.openThread('a');
  controller.setDraft(draftOf('typed'));
  loading.resolve();
  await opening;
  assert.equal(controller.getDraft().text, 'typed');
  controller.switchToNewThread();
  assert.equal(controller.getDraft().text, 'for a new thread');
});

test('a draft typed in one thread while another opens stays in the first', async () => {
  const { controller, backend, loading } = setupOpening();
  loading.resolve();
  await controller.openThread('a');
  const other = new Deferred<void>();
  backend.responses.set('loadThread', () => other.promise.then(() => contentOf('b', MESSAGES)));
  const opening = controller.openThread('b');
  controller.setDraft(draftOf('typed'));
  other.resolve();
  await opening;
  assert.equal(controller.getDraft().text, '');
  backend.responses.delete('loadThread');
  await controller.openThread('a');
  assert.equal(controller.getDraft().text, 'typed');
});

test('a draft typed while a thread opens stays when the thread cannot be opened', async () => {
  const { controller, loading } = setupOpening();
  const opening = codeOf(controller.openThread('a'));
  controller.setDraft(draftOf('typed'));
  loading.reject(new UbikError('not-found'));
  assert.equal(await opening, 'not-found');
  assert.equal(controller.getDraft().text, 'typed');
});
