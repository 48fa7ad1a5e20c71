import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentInfo, Onboarding } from '../../src/backends/backend.js';
import { uploadQueueOf } from '../../src/controller/documents/upload-queue.js';
import { UbikError } from '../../src/errors.js';
import { contentOf, documentOf, stored } from './scripted-backend.js';
import { codeOf, setupController } from './setup-controller.js';

const createFile = (name: string): File => new File(['text'], name, { lastModified: 1 });

interface PendingUpload {
  resolve(document: DocumentInfo): void;
  reject(error: UbikError): void;
}

/** An open thread; its uploads are pending until the test settles them. */
async function setupUploads() {
  const fixture = setupController();
  const { backend, controller } = fixture;
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Question')]));
  await controller.openThread('a');
  const pending: PendingUpload[] = [];
  backend.responses.set('uploadDocument', () => {
    return new Promise((resolve, reject) => pending.push({ resolve, reject }));
  });
  const uploads = await controller.loadUploads();
  return { ...fixture, uploads, pending };
}

test('loadUploads resolves to one queue, which the elements share', async () => {
  const { controller, uploads } = await setupUploads();
  assert.equal(await controller.loadUploads(), uploads);
  assert.equal(uploadQueueOf(controller), uploads);
});

test('the upload queue of a controller sends three files at a time and notifies its subscribers', async () => {
  const { backend, environment, uploads, pending } = await setupUploads();
  let notified = 0;
  const unsubscribe = uploads.subscribe(() => (notified += 1));
  const added = ['1', '2', '3', '4'].map((name) => uploads.add(createFile(name)));
  await environment.settle();
  assert.equal(backend.count('uploadDocument'), 3);
  assert.deepEqual(
    uploads.tasks.map(({ name, state }) => `${name} ${state}`),
    ['1 sending', '2 sending', '3 sending', '4 waiting'],
  );
  assert.ok(notified > 0);
  pending[0]?.resolve(documentOf('d1', { name: '1' }));
  await environment.settle();
  assert.equal(backend.count('uploadDocument'), 4);
  for (const [index, upload] of pending.entries()) upload.resolve(documentOf(`d${index + 1}`));
  await Promise.all(added);
  assert.deepEqual(uploads.tasks, []);
  unsubscribe();
});

test('the upload queue of a controller retries a failed upload', async () => {
  const { environment, uploads, pending } = await setupUploads();
  const failed = codeOf(uploads.add(createFile('notes.txt')));
  await environment.settle();
  pending[0]?.reject(new UbikError('network'));
  assert.equal(await failed, 'upload-failed');
  const [task] = uploads.tasks;
  assert.equal(task?.state, 'failed');
  const retried = uploads.retry(task.key);
  await environment.settle();
  pending[1]?.resolve(documentOf('d1'));
  assert.equal((await retried).id, 'd1');
});

test('the upload queue of a controller loads the limits of the service once', async () => {
  const { backend, uploads } = await setupUploads();
  const uploadLimits = { maxBytes: 2 };
  let requests = 0;
  const loadOnboarding = (): Promise<Onboarding> => {
    requests += 1;
    return Promise.resolve({ greeting: null, starters: [], uploadLimits });
  };
  Object.assign(backend, { loadOnboarding });
  const limits = await uploads.loadLimits();
  assert.deepEqual(await uploads.loadLimits(), uploadLimits);
  assert.equal(requests, 1);
  assert.equal(uploads.check(createFile('notes.txt'), limits), 'too-large');
});

test('the upload queue of a controller requests the limits again after a failure', async () => {
  const { backend, uploads } = await setupUploads();
  let requests = 0;
  const loadOnboarding = (): Promise<Onboarding> => {
    requests += 1;
    return Promise.reject(new UbikError('network'));
  };
  Object.assign(backend, { loadOnboarding });
  assert.deepEqual(await uploads.loadLimits(), {});
  assert.deepEqual(await uploads.loadLimits(), {});
  assert.equal(requests, 2);
});

test('loadUploads rejects when the controller is closed, also meanwhile', async () => {
  const { controller } = setupController();
  const loading = codeOf(controller.loadUploads());
  controller.close();
  assert.equal(await loading, 'aborted');
  assert.equal(await codeOf(controller.loadUploads()), 'aborted');
});
