import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, draftOf, setupController } from './setup-controller.js';

const TALK = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', 'Good day')];

/** A controller whose thread `a` loads when the test settles it. */
function setupOpening() {
  const fixture = setupController();
  const read = new Deferred<void>();
  const content = contentOf('a', TALK);
  fixture.backend.threads.set('a', content);
  fixture.backend.responses.set('loadThread', () => read.promise.then(() => content));
  return { ...fixture, read };
}

test('a draft typed while a thread opens belongs to the thread that is shown', async () => {
  const { controller, read } = setupOpening();
  const opening = controller.openThread('a');
  controller.setDraft(draftOf('typed'));
  read.resolve();
  await opening;
  assert.equal(controller.getDraft().text, 'typed');
  controller.switchToNewThread();
  assert.equal(controller.getDraft().text, '');
});

test('a draft typed while the last thread is being found belongs to the thread that is shown', async () => {
  const first = setupOpening();
  first.read.resolve();
  await first.controller.openThread('a');
  await first.environment.advance(1_000);
  const { controller, backend } = setupController({ environment: first.environment });
  backend.threads.set('a', contentOf('a', TALK));
  const opening = controller.openLastThread();
  controller.setDraft(draftOf('typed'));
  assert.equal(await opening, true);
  assert.equal(controller.getDraft().text, 'typed');
});

test('a draft typed while a thread opens follows the draft that is stored for it', async () => {
  const first = setupOpening();
  first.read.resolve();
  await first.controller.openThread('a');
  first.controller.setDraft(draftOf('stored'));
  await first.environment.advance(1_000);
  const { controller, backend } = setupController({ environment: first.environment });
  backend.threads.set('a', contentOf('a', TALK));
  const opening = controller.openThread('a');
  controller.setDraft(draftOf('typed'));
  await opening;
  assert.equal(controller.getDraft().text, 'stored\n\ntyped');
});

test('a draft typed before a thread opens stays with the thread to be created', async () => {
  const { controller, read } = setupOpening();
  controller.setDraft(draftOf('for a new thread'));
  read.resolve();
  await controller.openThread('a');
  assert.equal(controller.getDraft().text, '');
  controller.switchToNewThread();
  assert.equal(controller.getDraft().text, 'for a new thread');
});

test('a draft typed while a thread opens replaces no draft of the thread to be created', async () => {
  const { controller, read } = setupOpening();
  controller.setDraft(draftOf('for a new thread'));
  const opening = controller.openThread('a');
  controller.setDraft(draftOf('typed'));
  read.resolve();
  await opening;
  assert.equal(controller.getDraft().text, 'typed');
  controller.switchToNewThread();
  assert.equal(controller.getDraft().text, 'for a new thread');
});

test('a draft typed at one thread while another opens stays with the first', async () => {
  const { controller, backend, read } = setupOpening();
  read.resolve();
  await controller.openThread('a');
  const other = new Deferred<void>();
  backend.responses.set('loadThread', () => other.promise.then(() => contentOf('b', TALK)));
  const opening = controller.openThread('b');
  controller.setDraft(draftOf('typed'));
  other.resolve();
  await opening;
  assert.equal(controller.getDraft().text, '');
  backend.responses.delete('loadThread');
  await controller.openThread('a');
  assert.equal(controller.getDraft().text, 'typed');
});

test('a draft typed while a thread opens stays when it cannot be opened', async () => {
  const { controller, read } = setupOpening();
  const opening = codeOf(controller.openThread('a'));
  controller.setDraft(draftOf('typed'));
  read.reject(new UbikError('not-found'));
  assert.equal(await opening, 'not-found');
  assert.equal(controller.getDraft().text, 'typed');
});
