import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentInfo } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { contentOf, documentOf, stored } from './scripted-backend.js';
import { codeOf, setupConversation, type Conversation } from './setup-conversation.js';

const listed = ({ controller }: Conversation) =>
  [...(controller.thread?.list('documents').values() ?? [])] as unknown as DocumentInfo[];

/** A conversation in an open thread with one document. */
async function openWithDocument(): Promise<Conversation> {
  const conversation = setupConversation();
  const { backend, controller } = conversation;
  backend.threads.set('thread-a', contentOf('thread-a', [stored('m1', 'user', 'Question')]));
  backend.threads.set('thread-b', contentOf('thread-b', [stored('m2', 'user', 'Other')]));
  backend.documents = [documentOf('d1', { status: 'pending', starred: true })];
  await controller.openThread('thread-a');
  await controller.listDocuments({ page: 1, limit: 50 });
  return conversation;
}

test('links documents to a thread that is made for them', async () => {
  const conversation = setupConversation();
  const { backend, controller } = conversation;
  await controller.linkDocuments([documentOf('d1'), documentOf('d2')]);
  assert.deepEqual(backend.calls.at(-1), {
    method: 'linkDocuments',
    args: ['thread-id-1', ['d1', 'd2']],
  });
  assert.deepEqual(
    listed(conversation).map(({ id }) => id),
    ['d1', 'd2'],
  );
});

test('takes a document out of the list when the service has', async () => {
  const conversation = await openWithDocument();
  const { backend, controller } = conversation;
  backend.answers.set('unlinkDocument', () => {
    throw new UbikError('server');
  });
  assert.equal(await codeOf(controller.unlinkDocument('d1')), 'server');
  assert.equal(listed(conversation).length, 1);
  backend.answers.clear();
  await controller.unlinkDocument('d1');
  assert.deepEqual(backend.calls.at(-1), { method: 'unlinkDocument', args: ['thread-a', 'd1'] });
  assert.equal(listed(conversation).length, 0);
});

test('marks a document, and keeps the mark when its state is read', async () => {
  const conversation = await openWithDocument();
  const { controller } = conversation;
  await controller.starDocument('d1', false);
  assert.equal(listed(conversation)[0]?.starred, false);
  await controller.starDocument('d1', true);
  await controller.loadDocument('d1');
  assert.deepEqual(
    listed(conversation).map(({ starred, status }) => [starred, status]),
    [[true, 'completed']],
  );
});

test('does not bring back a document that was taken out while its state was read', async () => {
  const conversation = await openWithDocument();
  const { backend, controller } = conversation;
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  backend.answers.set('loadDocument', () => held.then(() => documentOf('d1')));
  const read = controller.loadDocument('d1');
  await controller.unlinkDocument('d1');
  answer();
  await read;
  assert.equal(listed(conversation).length, 0);
});

test('uploads to the thread that is named, whichever is shown meanwhile', async () => {
  const conversation = await openWithDocument();
  const { backend, controller } = conversation;
  const key = controller.thread?.key ?? '';
  await controller.openThread('thread-b');
  await controller.uploadDocument(new File(['x'], 'a.txt'), undefined, undefined, key);
  assert.equal(backend.calls.at(-1)?.args[0], 'thread-a');
  assert.equal(listed(conversation).length, 0);
});

test('makes a thread once more for a file whose thread could not be made', async () => {
  const conversation = setupConversation();
  const { backend, controller } = conversation;
  backend.answers.set('createThread', () => {
    throw new UbikError('server');
  });
  const file = new File(['x'], 'a.txt');
  const sent = controller.uploadDocument(file);
  const key = controller.thread?.key ?? '';
  assert.equal(await codeOf(sent), 'server');
  backend.answers.clear();
  await controller.uploadDocument(file, undefined, undefined, key);
  assert.equal(backend.calls.at(-1)?.args[0], 'thread-id-2');
});

test('sends nothing of a file that was given up while its thread was made', async () => {
  const { backend, controller } = setupConversation();
  const giveUp = new AbortController();
  const sent = controller.uploadDocument(new File(['x'], 'a.txt'), undefined, giveUp.signal);
  giveUp.abort();
  assert.equal(await codeOf(sent), 'aborted');
  assert.equal(backend.count('uploadDocument'), 0);
});
