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
  const items = ['t0', 't1'].map((id) => {
    return { id, title: id, createdAt: 1, updatedAt: 1, isRunning: true, isUnread: true };
  });
  backend.responses.set('listThreads', () => ({ items, hasMore: false, total: 2 }));
  return { ...fixture, marked };
}

const isUnread = ({ controller }: ControllerFixture, id: string): unknown =>
  (controller.threads.get(id) as { readonly isUnread?: unknown } | undefined)?.isUnread;

test('controller marks a thread as read when it is opened', async () => {
  const fixture = setup();
  const { controller, marked } = fixture;
  await controller.listThreads({ page: 1, limit: 10 });
  await controller.openThread('t0');
  assert.deepEqual(marked, ['t0']);
  assert.deepEqual([isUnread(fixture, 't0'), isUnread(fixture, 't1')], [false, true]);
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

test('controller marks a thread as read when a hidden page returns', async () => {
  const { controller, marked, page } = setup();
  page.visible = false;
  await controller.openThread('t0');
  assert.deepEqual(marked, []);
  page.visible = true;
  page.wake('visible');
  assert.deepEqual(marked, ['t0']);
});

test('controller lists a thread as running no longer when its run has ended here', async () => {
  const { backend, controller, environment, start } = setup();
  await controller.openThread('t0');
  await start();
  await controller.listThreads({ page: 1, limit: 10 });
  backend.stream.finish('complete');
  await environment.settle();
  const flags = ['t0', 't1'].map(
    (id) => (controller.threads.get(id) as { readonly isRunning?: unknown }).isRunning,
  );
  assert.deepEqual(flags, [false, true]);
});

test('controller notifies of a refused mark as a diagnostic only', async () => {
  const { controller, environment, notices } = setup(true);
  await controller.openThread('t0');
  await environment.settle();
  const types = notices.map(({ type }) => type);
  assert.ok(types.includes('diagnostic'));
  assert.ok(!types.includes('error'));
});
