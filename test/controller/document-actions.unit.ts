import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentInfo } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, documentOf, stored } from './scripted-backend.js';
import { codeOf, draftOf, setupController, type ControllerFixture } from './setup-controller.js';

const listed = ({ controller }: ControllerFixture) =>
  [...(controller.thread?.list('documents').values() ?? [])] as unknown as DocumentInfo[];

/** A controller with an open thread and one document. */
async function openWithDocument(): Promise<ControllerFixture> {
  const fixture = setupController();
  const { backend, controller } = fixture;
  backend.threads.set('thread-a', contentOf('thread-a', [stored('m1', 'user', 'Question')]));
  backend.threads.set('thread-b', contentOf('thread-b', [stored('m2', 'user', 'Other')]));
  backend.documents = [documentOf('d1', { status: 'pending', starred: true })];
  await controller.openThread('thread-a');
  await controller.listDocuments({ page: 1, limit: 50 });
  return fixture;
}

test('linkDocuments creates a thread when there is none', async () => {
  const fixture = setupController();
  const { backend, controller } = fixture;
  await controller.linkDocuments([documentOf('d1'), documentOf('d2')]);
  assert.deepEqual(backend.calls.at(-1), {
    method: 'linkDocuments',
    args: ['thread-id-1', ['d1', 'd2']],
  });
  assert.deepEqual(
    listed(fixture).map(({ id }) => id),
    ['d1', 'd2'],
  );
});

test('unlinkDocument removes the document from the list when the service has accepted it', async () => {
  const fixture = await openWithDocument();
  const { backend, controller } = fixture;
  backend.responses.set('unlinkDocument', () => {
    throw new UbikError('server');
  });
  assert.equal(await codeOf(controller.unlinkDocument('d1')), 'server');
  assert.equal(listed(fixture).length, 1);
  backend.responses.clear();
  await controller.unlinkDocument('d1');
  assert.deepEqual(backend.calls.at(-1), { method: 'unlinkDocument', args: ['thread-a', 'd1'] });
  assert.equal(listed(fixture).length, 0);
});

test('unlinkDocument accepts a backend that returns no promise', async () => {
  const fixture = await openWithDocument();
  Object.assign(fixture.backend, { unlinkDocument: () => undefined });
  await fixture.controller.unlinkDocument('d1');
  assert.equal(listed(fixture).length, 0);
});

test('unlinkDocument removes a document from a thread that is not in memory', async () => {
  const { backend, controller } = await openWithDocument();
  await controller.unlinkDocument('d1', 'thread-of-another-page');
  assert.deepEqual(backend.calls.at(-1)?.args, ['thread-of-another-page', 'd1']);
});

/** A removal whose response has not arrived, and a message that was sent after it. */
async function sendAfterRemoval() {
  const fixture = await openWithDocument();
  const { backend, controller, environment } = fixture;
  const response = new Deferred<undefined>();
  backend.responses.set('unlinkDocument', () => response.promise);
  const removed = codeOf(controller.unlinkDocument('d1'));
  const sent = codeOf(controller.send(draftOf('Question')));
  await environment.settle();
  return { ...fixture, response, removed, sent };
}

test('the request of a message that is sent while a document is being removed follows the removal', async () => {
  const { backend, environment, response, removed, sent, states } = await sendAfterRemoval();
  assert.deepEqual([states.at(-1), backend.count('send')], ['sending', 0]);
  response.resolve(undefined);
  await removed;
  await environment.settle();
  assert.equal(backend.count('send'), 1);
  backend.stream.begin();
  assert.equal(await sent, 'none');
});

test('a message is sent when the thread no longer contains the document that is being removed', async () => {
  const { backend, environment, response, removed, sent } = await sendAfterRemoval();
  response.reject(new UbikError('not-found'));
  assert.equal(await removed, 'not-found');
  await environment.settle();
  backend.stream.begin();
  assert.equal(await sent, 'none');
});

test('a message is not sent when a document could not be removed, and becomes the draft', async () => {
  const { backend, controller, environment, response, removed, sent } = await sendAfterRemoval();
  response.reject(new UbikError('server'));
  assert.deepEqual([await removed, await sent], ['server', 'server']);
  assert.equal(backend.count('send'), 0);
  assert.equal(controller.getDraft().text, 'Question');
  backend.responses.clear();
  const again = controller.send(draftOf('Question'));
  await environment.settle();
  backend.stream.begin();
  assert.equal(await codeOf(again), 'none');
});

test('starDocument sets and removes a star, and loadDocument keeps it', async () => {
  const fixture = await openWithDocument();
  const { controller } = fixture;
  await controller.starDocument('d1', false);
  assert.equal(listed(fixture)[0]?.starred, false);
  await controller.starDocument('d1', true);
  await controller.loadDocument('d1');
  assert.deepEqual(
    listed(fixture).map(({ starred, status }) => [starred, status]),
    [[true, 'completed']],
  );
});

test('loadDocument does not add a document again that was unlinked meanwhile', async () => {
  const fixture = await openWithDocument();
  const { backend, controller } = fixture;
  const response = new Deferred<DocumentInfo>();
  backend.responses.set('loadDocument', () => response.promise);
  const loading = controller.loadDocument('d1');
  await controller.unlinkDocument('d1');
  response.resolve(documentOf('d1'));
  await loading;
  assert.equal(listed(fixture).length, 0);
});

test('uploadDocument uploads to the given thread when another one is current', async () => {
  const fixture = await openWithDocument();
  const { backend, controller } = fixture;
  const key = controller.thread?.key ?? '';
  await controller.openThread('thread-b');
  await controller.uploadDocument(new File(['x'], 'a.txt'), undefined, undefined, key);
  assert.equal(backend.calls.at(-1)?.args[0], 'thread-a');
  assert.equal(listed(fixture).length, 0);
});

test('uploadDocument does not upload a file to another thread when its own could not be created', async () => {
  const fixture = setupController();
  const { backend, controller } = fixture;
  backend.responses.set('createThread', () => {
    throw new UbikError('server');
  });
  const file = new File(['x'], 'a.txt');
  const sent = controller.uploadDocument(file);
  const key = controller.thread?.key ?? '';
  assert.equal(await codeOf(sent), 'server');
  backend.responses.clear();
  const again = controller.uploadDocument(file, undefined, undefined, key);
  assert.equal(await codeOf(again), 'upload-failed');
  await controller.uploadDocument(file);
  assert.equal(backend.calls.at(-1)?.args[0], 'thread-id-2');
});

test('uploadDocument sends nothing when it is aborted while its thread is being created', async () => {
  const { backend, controller } = setupController();
  const abortController = new AbortController();
  const sent = controller.uploadDocument(
    new File(['x'], 'a.txt'),
    undefined,
    abortController.signal,
  );
  abortController.abort();
  assert.equal(await codeOf(sent), 'aborted');
  assert.equal(backend.count('uploadDocument'), 0);
});

test('loadDocument updates status, error and name, and keeps a name that the response lacks', async () => {
  const fixture = await openWithDocument();
  const { backend, controller } = fixture;
  const response = { status: 'failed', error: 'No text.', name: '' };
  backend.responses.set('loadDocument', () => documentOf('d1', response));
  await controller.loadDocument('d1');
  const [document] = listed(fixture);
  assert.deepEqual(
    [document?.status, document?.error, document?.name],
    ['failed', 'No text.', 'd1.pdf'],
  );
  backend.responses.set('loadDocument', () => documentOf('d1', { name: 'new.pdf' }));
  await controller.loadDocument('d1');
  assert.equal(listed(fixture)[0]?.name, 'new.pdf');
});

test('listDocuments returns an empty list and sends nothing without a thread', async () => {
  const { backend, controller } = setupController();
  const page = await controller.listDocuments({ page: 1, limit: 50 });
  assert.deepEqual(page, { items: [], hasMore: false, total: 0 });
  assert.equal(backend.calls.length, 0);
});

test('a list of documents that is loaded again unchanged emits no change', async () => {
  const { controller } = await openWithDocument();
  const before = controller.revision({ list: 'documents' });
  await controller.listDocuments({ page: 1, limit: 50 });
  assert.equal(controller.revision({ list: 'documents' }), before);
});

test('linkDocuments rejects with aborted when the controller is closed while its thread is being created', async () => {
  const { backend, controller } = setupController();
  const linked = codeOf(controller.linkDocuments([documentOf('d1')]));
  controller.close();
  assert.equal(await linked, 'aborted');
  assert.equal(backend.count('linkDocuments'), 0);
});
