import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import { contentOf, stored } from './scripted-backend.js';
import { setupController, type ControllerFixture } from './setup-controller.js';

/** A controller for a service with two threads that records which thread is marked as read. */
function setup(fail = false): ControllerFixture & { readonly marked: string[] } {
  const fixture = setupController();
  const { backend } = fixture;
  const marked: string[] = [];
  const markThreadRead = (id: string): Promise<void> => {
    marked.push(id);
    return fail ? Promise.reject(new UbikError('server')) : Promise.resolve();
  };
  Object.assign(backend, { markThreadRead });
  for (const id of ['t0', 't1']) {
    backend.threads.set(id, contentOf(id, [stored(`m-${id}`, 'user', 'Go')]));
  }
  return { ...fixture, marked };
}

test('controller marks a thread as read when it is opened', async () => {
  const { controller, marked } = setup();
  await controller.openThread('t0');
  assert.deepEqual(marked, ['t0']);
});

test('controller marks a thread as read when a run has ended in it, unless another thread is shown', async () => {
  const fixture = setup();
  const { backend, controller, environment, marked, start } = fixture;
  await controller.openThread('t0');
  await start();
  const { stream } = backend;
  stream.finish('complete');
  await environment.settle();
  assert.deepEqual(marked, ['t0', 't0']);
  await start();
  await controller.openThread('t1');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(marked, ['t0', 't0', 't1']);
});

test('controller marks a thread as read when a hidden page becomes visible', async () => {
  const { controller, marked, page } = setup();
  page.visible = false;
  await controller.openThread('t0');
  assert.deepEqual(marked, []);
  page.visible = true;
  page.wake('visible');
  assert.deepEqual(marked, ['t0']);
});

test('controller opens a thread when marking as read returns nothing or throws', async () => {
  for (const markThreadRead of [
    () => undefined,
    () => {
      throw new TypeError('no list');
    },
  ]) {
    const { controller, backend } = setup();
    Object.assign(backend, { markThreadRead });
    await controller.openThread('t0');
    assert.equal(controller.thread?.id, 't0');
  }
});

test('controller emits only a diagnostic when marking as read fails', async () => {
  const { controller, environment, notices } = setup(true);
  await controller.openThread('t0');
  await environment.settle();
  const types = notices.map(({ type }) => type);
  assert.ok(types.includes('diagnostic'));
  assert.ok(!types.includes('error'));
});
