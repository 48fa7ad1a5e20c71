import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentInfo } from '../../src/backends/backend.js';
import { uploadQueueOf } from '../../src/controller/documents/upload-queue.js';
import { UbikError } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, documentOf, stored } from './scripted-backend.js';
import { codeOf, setupController } from './setup-controller.js';

const file = (name: string, text = 'text'): File => new File([text], name, { lastModified: 1 });

/** An upload that the test settles. */
interface Upload {
  readonly thread: string;
  readonly name: string;
  readonly signal: AbortSignal;
  progress(sent: number, total: number): void;
  arrive(document?: Partial<DocumentInfo>): void;
  fail(error: UbikError): void;
}

/** An upload queue in an open thread, or (`isOpen` false) without a thread. The test settles the uploads. */
async function setupUploadQueue(isOpen = true) {
  const fixture = setupController();
  const { backend, controller, environment } = fixture;
  const uploads: Upload[] = [];
  backend.responses.set('uploadDocument', (thread, sent, progress, signal) => {
    const { name } = sent as File;
    const end = signal as AbortSignal;
    return new Promise((resolve, reject) => {
      end.addEventListener('abort', () => {
        reject(new UbikError('aborted'));
      });
      uploads.push({
        thread: thread as string,
        name,
        signal: end,
        progress: progress as Upload['progress'],
        arrive: (more) => {
          resolve(documentOf(`id of ${name}`, { name, status: 'pending', ...more }));
        },
        fail: reject,
      });
    });
  });
  for (const id of ['thread-a', 'thread-b']) {
    backend.threads.set(id, contentOf(id, [stored(`m of ${id}`, 'user', 'Question')]));
  }
  if (isOpen) await controller.openThread('thread-a');
  await controller.loadUploads();
  const queue = uploadQueueOf(controller);
  const states = () => queue.tasks.map(({ name, state }) => `${name} ${state}`);
  return { ...fixture, queue, uploads, states, settle: () => environment.settle() };
}

test('UploadQueue uploads three files at a time in the order in which they were added', async () => {
  const { queue, uploads, states, settle } = await setupUploadQueue();
  const added = ['a', 'b', 'c', 'd', 'e'].map((name) => queue.add(file(name)));
  await settle();
  assert.deepEqual(states(), ['a sending', 'b sending', 'c sending', 'd waiting', 'e waiting']);
  uploads[1]?.arrive();
  assert.equal((await added[1])?.name, 'b');
  await settle();
  assert.deepEqual(states(), ['a sending', 'c sending', 'd sending', 'e waiting']);
  assert.equal(uploads.length, 4);
});

test('UploadQueue uploads the files of the shown thread before those that wait in another one', async () => {
  const { controller, queue, uploads, settle } = await setupUploadQueue();
  for (const name of ['a', 'b', 'c', 'd', 'e']) void queue.add(file(name));
  await controller.openThread('thread-b');
  void queue.add(file('f'));
  uploads[0]?.arrive();
  await settle();
  assert.deepEqual(
    uploads.map(({ name }) => name),
    ['a', 'b', 'c', 'f'],
  );
});

test('UploadQueue fails uploads without progress or response and starts the next ones', async () => {
  const { queue, uploads, states, settle, environment } = await setupUploadQueue();
  const codes = ['a', 'b', 'c', 'd'].map((name) => codeOf(queue.add(file(name))));
  await settle();
  await environment.advance(110_000);
  uploads[1]?.progress(2, 4);
  uploads[2]?.progress(4, 4);
  assert.deepEqual(states(), ['a sending', 'b sending', 'c sending', 'd waiting']);

  await environment.advance(11_000);
  assert.equal(await codes[0], 'upload-failed');
  assert.deepEqual(states(), ['a failed', 'b sending', 'c sending', 'd sending']);
  assert.deepEqual(
    uploads.map(({ signal }) => signal.aborted),
    [true, false, false, false],
  );

  await environment.advance(100_000);
  uploads[1]?.progress(3, 4);
  await environment.advance(10_000);
  assert.equal(await codes[2], 'upload-failed');
  assert.deepEqual(states(), ['a failed', 'b sending', 'c failed', 'd sending']);
  uploads[1]?.arrive();
  uploads[3]?.arrive();
  assert.deepEqual([await codes[1], await codes[3]], ['none', 'none']);
  uploads[3]?.progress(4, 4);
  assert.equal(environment.timers, 0);
});

test('UploadQueue adds the time that a file takes at 16 kB/s to the first timeout of two minutes', async () => {
  const { queue, environment, states, settle } = await setupUploadQueue();
  const large = file('large', 'x'.repeat(1_600_000));
  const code = codeOf(queue.add(large));
  await settle();
  await environment.advance(219_000);
  assert.deepEqual(states(), ['large sending']);
  await environment.advance(1000);
  assert.equal(await code, 'upload-failed');
});

test('UploadQueue reports the progress of an upload', async () => {
  const { queue, uploads, settle } = await setupUploadQueue();
  void queue.add(file('a'));
  await settle();
  uploads[0]?.progress(60, 100);
  const [task] = queue.tasks;
  assert.deepEqual([task?.sent, task?.total], [60, 100]);
});

test('UploadQueue keeps a failed upload, continues with the others and retries it on request', async () => {
  const { queue, uploads, states, settle } = await setupUploadQueue();
  const [first, second] = ['a', 'b'].map((name) => queue.add(file(name)));
  const code = codeOf(first ?? Promise.resolve());
  await settle();
  uploads[0]?.progress(60, 100);
  uploads[0]?.fail(new UbikError('network'));
  assert.equal(await code, 'upload-failed');
  uploads[1]?.arrive();
  await second;
  assert.deepEqual(states(), ['a failed']);
  const again = queue.retry(queue.tasks[0]?.key ?? '');
  await settle();
  assert.deepEqual(states(), ['a sending']);
  uploads[2]?.arrive();
  await again;
  assert.deepEqual(states(), []);
});

for (const code of [
  'unauthorized',
  'forbidden',
  'not-found',
  'busy',
  'too-large',
  'invalid',
  'rate-limited',
  'server',
  'not-an-api',
] as const) {
  test(`UploadQueue keeps a failed upload with its error when the service returns ${code}`, async () => {
    const { queue, uploads, settle } = await setupUploadQueue();
    const added = codeOf(queue.add(file('a')));
    await settle();
    uploads[0]?.fail(new UbikError(code));
    assert.equal(await added, code);
    assert.equal(queue.tasks[0]?.error?.code, code);
  });
}

test('UploadQueue cancels an active and a waiting upload', async () => {
  const { queue, uploads, states, settle } = await setupUploadQueue();
  const added = ['a', 'b', 'c', 'd'].map((name) => codeOf(queue.add(file(name))));
  await settle();
  const [first, , , last] = queue.tasks;
  queue.cancel(last?.key ?? '');
  queue.cancel(first?.key ?? '');
  assert.deepEqual([await added[3], await added[0]], ['aborted', 'aborted']);
  assert.equal(uploads[0]?.signal.aborted, true);
  assert.equal(uploads.length, 3);
  assert.deepEqual(states(), ['b sending', 'c sending']);
});

test('UploadQueue uploads each file to the thread that was current when it was added', async () => {
  const { controller, queue, uploads, states, settle } = await setupUploadQueue();
  const added = ['a', 'b', 'c', 'd'].map((name) => queue.add(file(name)));
  await settle();
  await controller.openThread('thread-b');
  assert.deepEqual(states(), []);
  uploads[0]?.arrive();
  await added[0];
  await settle();
  assert.deepEqual([uploads[3]?.name, uploads[3]?.thread], ['d', 'thread-a']);
  assert.equal(controller.thread?.list('documents').size, 0);
});

test('UploadQueue creates one thread for several files', async () => {
  const { backend, queue, uploads, settle } = await setupUploadQueue(false);
  ['a', 'b', 'c', 'd'].forEach((name) => void queue.add(file(name)));
  await settle();
  assert.equal(backend.count('createThread'), 1);
  uploads[0]?.arrive();
  await settle();
  assert.deepEqual(new Set(uploads.map(({ thread }) => thread)), new Set(['thread-id-1']));
  assert.equal(uploads.length, 4);
});

test('UploadQueue fails only one file of a new thread when its upload fails', async () => {
  const { queue, uploads, states, settle } = await setupUploadQueue(false);
  const [failed] = ['a', 'b', 'c', 'd'].map((name) => codeOf(queue.add(file(name))));
  await settle();
  uploads[0]?.fail(new UbikError('server'));
  assert.equal(await failed, 'server');
  await settle();
  assert.deepEqual(states(), ['a failed', 'b sending', 'c sending', 'd sending']);
});

test('UploadQueue fails all files of a thread that cannot be created, and creates it when one is retried', async () => {
  const { backend, queue, uploads, states, settle } = await setupUploadQueue(false);
  backend.responses.set('createThread', () => {
    throw new UbikError('server');
  });
  const added = ['a', 'b', 'c', 'd'].map((name) => codeOf(queue.add(file(name))));
  assert.deepEqual(await Promise.all(added), ['server', 'server', 'server', 'server']);
  assert.deepEqual(states(), ['a failed', 'b failed', 'c failed', 'd failed']);
  backend.responses.delete('createThread');
  void queue.retry(queue.tasks[3]?.key ?? '');
  await settle();
  assert.deepEqual([uploads[0]?.name, uploads[0]?.thread], ['d', 'thread-id-2']);
});

test('UploadQueue fails the files of a thread that a message creates when it cannot be created', async () => {
  const { backend, controller, queue, uploads, states, settle } = await setupUploadQueue(false);
  const creation = new Deferred<never>();
  backend.responses.set('createThread', () => creation.promise);
  const sent = codeOf(controller.send({ text: 'Question', attachments: [] }));
  await settle();
  const added = ['a', 'b', 'c', 'd'].map((name) => codeOf(queue.add(file(name), true)));
  creation.reject(new UbikError('server'));
  assert.deepEqual(await Promise.all(added), ['server', 'server', 'server', 'server']);
  assert.equal(await sent, 'server');
  await settle();
  assert.deepEqual(states(), ['a failed', 'b failed', 'c failed', 'd failed']);
  assert.deepEqual([backend.count('createThread'), uploads.length], [1, 0]);
});

test('UploadQueue does not upload a file to another thread when its own could not be created', async () => {
  const { backend, controller, queue, uploads, states, settle } = await setupUploadQueue();
  for (const name of ['a', 'b', 'c']) void queue.add(file(name));
  await settle();
  controller.switchToNewThread();
  const creation = new Deferred<never>();
  backend.responses.set('createThread', () => creation.promise);
  const sent = codeOf(controller.send({ text: 'Question', attachments: [] }));
  const added = codeOf(queue.add(file('d'), true));
  creation.reject(new UbikError('server'));
  assert.equal(await sent, 'server');
  await controller.openThread('thread-b');
  uploads[0]?.arrive();
  assert.equal(await added, 'upload-failed');
  await settle();
  assert.equal(uploads.length, 3);
  controller.switchToNewThread();
  assert.deepEqual(states(), ['d failed']);
});

test('UploadQueue keeps files that were not uploaded in the thread that the next message creates', async () => {
  const { backend, controller, queue, uploads, states, settle } = await setupUploadQueue(false);
  const fail = (): never => {
    throw new UbikError('server');
  };
  backend.responses.set('createThread', fail);
  queue.refuse(file('a'), 'too-large');
  assert.equal(await codeOf(queue.add(file('b'))), 'server');
  const rows = ['a refused', 'b failed'];
  assert.equal(await codeOf(controller.send({ text: 'Question', attachments: [] })), 'server');
  assert.deepEqual(states(), rows, 'the thread could not be created');

  backend.responses.delete('createThread');
  void controller.send({ text: 'Question', attachments: [] });
  await settle();
  assert.deepEqual(states(), rows);
  const { id } = controller.thread ?? {};
  const [, failed] = queue.tasks;
  controller.switchToNewThread();
  assert.deepEqual(states(), []);
  void queue.retry(failed?.key ?? '');
  await settle();
  assert.deepEqual([uploads[0]?.name, uploads[0]?.thread], ['b', id]);
});

test('UploadQueue attaches a file that is in the thread or being uploaded to it, unless it is attached already', async () => {
  const { controller, queue, uploads, settle } = await setupUploadQueue();
  assert.equal(queue.attach(file('a')), false);
  const added = queue.add(file('a'));
  await settle();
  assert.deepEqual([queue.attach(file('a')), queue.attach(file('a'))], [true, false]);
  uploads[0]?.arrive({ name: '..' });
  await added;
  const attachments = [{ id: 'id of a', name: 'a' }];
  assert.deepEqual(controller.getDraft().attachments, attachments);
  assert.equal(queue.attach(file('a')), false);
  controller.setDraft({ text: '', attachments: [] });
  assert.equal(queue.attach(file('a')), true);
  assert.deepEqual(controller.getDraft().attachments, [{ id: 'id of a', name: 'file' }]);
  controller.setListItem('documents', 'id of a', { ...documentOf('id of a'), status: 'failed' });
  controller.setDraft({ text: '', attachments: [] });
  assert.equal(queue.attach(file('a')), false, 'the agent cannot read a failed document');
});

test('UploadQueue attaches an uploaded file to the next message of its thread', async () => {
  const { controller, queue, uploads, settle } = await setupUploadQueue();
  const key = controller.thread?.key ?? '';
  controller.setDraft({ text: 'Look at', attachments: [] });
  const added = queue.add(file('a'), true);
  await settle();
  await controller.openThread('thread-b');
  uploads[0]?.arrive();
  await added;
  assert.deepEqual(controller.getDraft(key), {
    text: 'Look at',
    attachments: [{ id: 'id of a', name: 'a' }],
  });
  assert.deepEqual(controller.getDraft().attachments, []);
});

test('UploadQueue adds no file of a deleted thread to another thread', async () => {
  const { controller, environment, queue, uploads, settle } = await setupUploadQueue();
  const added = ['a', 'b', 'c', 'd', 'e'].map((name) => codeOf(queue.add(file(name), true)));
  await settle();
  await controller.openThread('thread-b');
  await controller.deleteThread('thread-a');
  for (const upload of uploads.slice(0, 3)) upload.arrive();
  await environment.advance(10_000);
  assert.equal(uploads.length, 3);
  const reloaded = setupController({ environment });
  await settle();
  assert.deepEqual(reloaded.controller.getDraft().attachments, []);
  assert.deepEqual(await Promise.all(added), Array<string>(5).fill('aborted'));
});

for (const isActive of [true, false]) {
  test(`UploadQueue releases ${isActive ? 'an active' : 'a failed'} upload to a deleted thread when another thread is opened`, async () => {
    const { controller, queue, uploads, settle } = await setupUploadQueue();
    const added = codeOf(queue.add(file('a')));
    await settle();
    if (!isActive) uploads[0]?.fail(new UbikError('server'));
    await settle();
    const [task] = queue.tasks;
    await controller.deleteThread('thread-a');
    await controller.openThread('thread-b');
    assert.equal(uploads[0]?.signal.aborted, true);
    assert.equal(await added, isActive ? 'aborted' : 'server');
    assert.equal(await codeOf(queue.retry(task?.key ?? '')), 'misuse');
  });
}

for (const isShown of [true, false]) {
  test(`UploadQueue cancels the upload to a thread that is deleted while ${isShown ? 'it' : 'another one'} is shown`, async () => {
    const { controller, queue, uploads, settle } = await setupUploadQueue();
    controller.setListItem('threads', 'thread-a', { id: 'thread-a', title: '' });
    const added = codeOf(queue.add(file('a')));
    await settle();
    if (!isShown) await controller.openThread('thread-b');
    await controller.deleteThread('thread-a');
    assert.equal(uploads[0]?.signal.aborted, true);
    assert.equal(await added, 'aborted');
  });
}

test('UploadQueue refuses a duplicate until the first one was removed or has failed', async () => {
  const { controller, queue, uploads, settle } = await setupUploadQueue();
  const one = file('a');
  const added = queue.add(one);
  assert.equal(queue.check(file('a')), 'duplicate');
  await settle();
  uploads[0]?.arrive();
  await added;
  assert.equal(queue.check(one), 'duplicate');
  assert.equal(queue.check(file('a', 'other text')), null);
  controller.setListItem('documents', 'id of a', { ...documentOf('id of a'), status: 'failed' });
  assert.equal(queue.check(one), null);
  controller.setListItem('documents', 'id of a', undefined);
  assert.equal(queue.check(one), null);
});

test('UploadQueue reads the name of a file a constant number of times, however many there are', async () => {
  const { queue } = await setupUploadQueue();
  const first = file('first');
  let reads = 0;
  Object.defineProperty(first, 'name', {
    get: () => {
      reads += 1;
      return 'first';
    },
  });
  void queue.add(first).catch(() => undefined);
  const before = reads;
  for (let index = 0; index < 50; index += 1) {
    assert.equal(queue.check(file(String(index))), null);
  }
  assert.ok(reads - before <= 1, String(reads - before));
});

test('UploadQueue counts documents and active uploads against the limit', async () => {
  const { controller, queue } = await setupUploadQueue();
  controller.setListItem('documents', 'd', { ...documentOf('d') });
  assert.equal(queue.check(file('a'), { maxFiles: 2 }), null);
  void queue.add(file('a'));
  assert.equal(queue.check(file('b'), { maxFiles: 2 }), 'too-many');
});

test('UploadQueue uploads a file under its sanitized name', async () => {
  const { queue, uploads, settle } = await setupUploadQueue();
  void queue.add(file('..\\folder/in\u202evoice\u0000.txt'));
  await settle();
  assert.equal(uploads[0]?.name, 'invoice.txt');
  assert.equal(queue.tasks[0]?.renamed, true);
});

test('UploadQueue cancels all uploads when the controller is closed', async () => {
  const { controller, queue, settle } = await setupUploadQueue();
  const added = ['a', 'b', 'c', 'd'].map((name) => codeOf(queue.add(file(name))));
  await settle();
  controller.close();
  assert.deepEqual(await Promise.all(added), ['aborted', 'aborted', 'aborted', 'aborted']);
});

test('UploadQueue completes an upload whose response arrives right before the controller is closed', async () => {
  const { controller, queue, uploads, settle } = await setupUploadQueue();
  const added = codeOf(queue.add(file('a'), true));
  await settle();
  uploads[0]?.arrive();
  controller.close();
  assert.equal(await added, 'none');
});

test('UploadQueue does not fail the files of other threads when a thread cannot be created', async () => {
  const { backend, controller, queue, states, uploads, settle } = await setupUploadQueue();
  ['a', 'b', 'c', 'd'].forEach((name) => void queue.add(file(name)));
  await settle();
  backend.responses.set('createThread', () => {
    throw new UbikError('server');
  });
  controller.switchToNewThread();
  assert.equal(await codeOf(queue.add(file('e'))), 'server');
  assert.deepEqual(states(), ['e failed']);
  await controller.openThread('thread-a');
  assert.deepEqual(states(), ['a sending', 'b sending', 'c sending', 'd waiting']);
  uploads[0]?.arrive();
  await settle();
  assert.equal(uploads.at(-1)?.name, 'd');
});

test('UploadQueue releases all files when the controller is closed, failed ones included', async () => {
  const { controller, queue, uploads, states, settle } = await setupUploadQueue();
  const added = ['a', 'b', 'c', 'd'].map((name) => codeOf(queue.add(file(name))));
  await settle();
  uploads[0]?.fail(new UbikError('server'));
  await added[0];
  assert.ok(states().includes('a failed'));
  controller.close();
  await Promise.all(added);
  assert.deepEqual(states(), []);
});

test('UploadQueue retries failed uploads only', async () => {
  const { queue, settle } = await setupUploadQueue();
  void queue.add(file('a')).catch(() => undefined);
  await settle();
  assert.equal(await codeOf(queue.retry(queue.tasks[0]?.key ?? '')), 'misuse');
  assert.equal(await codeOf(queue.retry('unknown')), 'misuse');
});

test('UploadQueue does not refuse the file of a failed upload as a duplicate', async () => {
  const { queue, uploads, settle } = await setupUploadQueue();
  const code = codeOf(queue.add(file('a')));
  await settle();
  uploads[0]?.fail(new UbikError('server'));
  assert.equal(await code, 'server');
  assert.equal(queue.check(file('a')), null);
});

test('UploadQueue shows a refused file until it is cancelled, and does not upload it', async () => {
  const { queue, uploads, states, settle } = await setupUploadQueue();
  queue.refuse(file('a'), 'too-large');
  void queue.add(file('b'));
  await settle();
  assert.deepEqual(states(), ['a refused', 'b sending']);
  assert.equal(queue.tasks[0]?.refusal, 'too-large');
  assert.equal(uploads.length, 1);
  queue.cancel(queue.tasks[0]?.key ?? '');
  assert.deepEqual(states(), ['b sending']);
});

test('UploadQueue notifies its subscribers of changes only', async () => {
  const { queue, uploads, settle } = await setupUploadQueue();
  let count = 0;
  const unsubscribe = queue.subscribe(() => (count += 1));
  const counted = (action: () => void): boolean => {
    const before = count;
    action();
    return count > before;
  };
  assert.equal(
    counted(() => void queue.add(file('a')).catch(() => undefined)),
    true,
  );
  await settle();
  assert.equal(
    counted(() => uploads[0]?.progress(1, 4)),
    true,
  );
  assert.equal(
    counted(() => queue.refuse(file('b'), 'empty')),
    true,
  );
  assert.equal(
    counted(() => queue.cancel('unknown')),
    false,
  );
  assert.equal(
    counted(() => queue.cancel(queue.tasks[0]?.key ?? '')),
    true,
  );
  unsubscribe();
  assert.equal(
    counted(() => queue.cancel(queue.tasks[0]?.key ?? '')),
    false,
  );
});

test('UploadQueue uses the size of the file as the total when the progress has none', async () => {
  const { queue, uploads, settle } = await setupUploadQueue();
  void queue.add(file('a', '12345')).catch(() => undefined);
  assert.equal(queue.tasks[0]?.total, 5);
  await settle();
  uploads[0]?.progress(3, 0);
  assert.deepEqual([queue.tasks[0]?.sent, queue.tasks[0]?.total], [3, 5]);
});

test('UploadQueue gives a default name to a file whose name has no safe character', async () => {
  const { controller, queue, uploads, settle } = await setupUploadQueue();
  const added = queue.add(file('..'), true);
  await settle();
  assert.equal(uploads[0]?.name, 'file');
  uploads[0]?.arrive({ id: 'd', name: '..' });
  await added;
  assert.deepEqual(controller.getDraft().attachments, [{ id: 'd', name: 'file' }]);
});

test('UploadQueue returns the file of a document that it has uploaded', async () => {
  const { queue, uploads, settle } = await setupUploadQueue();
  const one = file('a');
  const added = queue.add(one);
  await settle();
  uploads[0]?.arrive();
  await added;
  assert.equal(queue.fileOf('id of a'), one);
  assert.equal(queue.fileOf('other'), undefined);
});

test('UploadQueue does not attach a file that was added to the thread only', async () => {
  const { controller, queue, uploads, settle } = await setupUploadQueue();
  const added = queue.add(file('a'));
  await settle();
  uploads[0]?.arrive();
  await added;
  assert.deepEqual(controller.getDraft().attachments, []);
});

test('UploadQueue fails an upload with upload-failed after an unexpected error', async () => {
  const { backend, queue } = await setupUploadQueue();
  backend.responses.set('uploadDocument', () => Promise.reject(new TypeError('odd')));
  assert.equal(await codeOf(queue.add(file('a'))), 'upload-failed');
});
