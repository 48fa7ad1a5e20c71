import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentInfo } from '../../src/backends/backend.js';
import {
  checkFile,
  sanitizeFileName,
  identifyFile,
} from '../../src/controller/documents/check-file.js';
import { uploadQueueOf } from '../../src/controller/documents/upload-queue.js';
import { UbikError } from '../../src/errors.js';
import { contentOf, documentOf, stored } from './scripted-backend.js';
import { codeOf, setupConversation } from './setup-conversation.js';

const file = (name: string, text = 'text'): File => new File([text], name, { lastModified: 1 });

/** An upload that ends when the test says so. */
interface Upload {
  readonly thread: string;
  readonly name: string;
  readonly signal: AbortSignal;
  progress(sent: number, total: number): void;
  arrive(document?: Partial<DocumentInfo>): void;
  fail(error: UbikError): void;
}

/** A queue in an open thread whose uploads end when the test says so. */
async function setupDesk(isOpen = true) {
  const conversation = setupConversation();
  const { backend, controller, environment } = conversation;
  const uploads: Upload[] = [];
  backend.answers.set('uploadDocument', (thread, sent, progress, signal) => {
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
  const queue = uploadQueueOf(controller);
  const states = () => queue.tasks.map(({ name, state }) => `${name} ${state}`);
  return { ...conversation, queue, uploads, states, settle: () => environment.settle() };
}

test('sends three files at a time, in the order in which they were added', async () => {
  const { queue, uploads, states, settle } = await setupDesk();
  const added = ['a', 'b', 'c', 'd', 'e'].map((name) => queue.add(file(name)));
  await settle();
  assert.deepEqual(states(), ['a sending', 'b sending', 'c sending', 'd waiting', 'e waiting']);
  uploads[1]?.arrive();
  assert.equal((await added[1])?.name, 'b');
  await settle();
  assert.deepEqual(states(), ['a sending', 'c sending', 'd sending', 'e waiting']);
  assert.equal(uploads.length, 4);
});

test('gives up files without progress or answer, and sends the next ones', async () => {
  const { queue, uploads, states, settle, environment } = await setupDesk();
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

test('gives a large file the time that it takes at 16 kB/s until progress is reported', async () => {
  const { queue, environment, states, settle } = await setupDesk();
  const large = file('large', 'x'.repeat(1_600_000));
  const code = codeOf(queue.add(large));
  await settle();
  await environment.advance(219_000);
  assert.deepEqual(states(), ['large sending']);
  await environment.advance(1000);
  assert.equal(await code, 'upload-failed');
});

test('tells how far a file is', async () => {
  const { queue, uploads, settle } = await setupDesk();
  void queue.add(file('a'));
  await settle();
  uploads[0]?.progress(60, 100);
  const [task] = queue.tasks;
  assert.deepEqual([task?.sent, task?.total], [60, 100]);
});

test('keeps a file that did not arrive, lets the others go on, and sends it again on request', async () => {
  const { queue, uploads, states, settle } = await setupDesk();
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
  test(`keeps a file with the reason when the service says ${code}`, async () => {
    const { queue, uploads, settle } = await setupDesk();
    const added = codeOf(queue.add(file('a')));
    await settle();
    uploads[0]?.fail(new UbikError(code));
    assert.equal(await added, code);
    assert.equal(queue.tasks[0]?.error?.code, code);
  });
}

test('gives up a file on its way, and one that waits', async () => {
  const { queue, uploads, states, settle } = await setupDesk();
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

test('sends each file to the thread in which it was added, whichever is shown meanwhile', async () => {
  const { controller, queue, uploads, states, settle } = await setupDesk();
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

test('makes one thread for several files', async () => {
  const { backend, queue, uploads, settle } = await setupDesk(false);
  ['a', 'b', 'c', 'd'].forEach((name) => void queue.add(file(name)));
  await settle();
  assert.equal(backend.count('createThread'), 1);
  uploads[0]?.arrive();
  await settle();
  assert.deepEqual(new Set(uploads.map(({ thread }) => thread)), new Set(['thread-id-1']));
  assert.equal(uploads.length, 4);
});

test('shows all files as failed when their thread could not be made, and makes it when one is sent again', async () => {
  const { backend, queue, uploads, states, settle } = await setupDesk(false);
  backend.answers.set('createThread', () => {
    throw new UbikError('server');
  });
  const added = ['a', 'b', 'c', 'd'].map((name) => codeOf(queue.add(file(name))));
  assert.deepEqual(await Promise.all(added), ['server', 'server', 'server', 'server']);
  assert.deepEqual(states(), ['a failed', 'b failed', 'c failed', 'd failed']);
  backend.answers.delete('createThread');
  void queue.retry(queue.tasks[3]?.key ?? '');
  await settle();
  assert.deepEqual([uploads[0]?.name, uploads[0]?.thread], ['d', 'thread-id-2']);
});

test('has a file that arrived go with the next message of its thread', async () => {
  const { controller, queue, uploads, settle } = await setupDesk();
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

test('refuses a file that is on its way or has arrived, until it was taken out or has failed', async () => {
  const { controller, queue, uploads, settle } = await setupDesk();
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

test('reads the name of a file as often, however many are coming', async () => {
  const { queue } = await setupDesk();
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

test('counts what is there and what is coming against the limit', async () => {
  const { controller, queue } = await setupDesk();
  controller.setListItem('documents', 'd', { ...documentOf('d') });
  assert.equal(queue.check(file('a'), { maxFiles: 2 }), null);
  void queue.add(file('a'));
  assert.equal(queue.check(file('b'), { maxFiles: 2 }), 'too-many');
});

test('sends a file with a safe name', async () => {
  const { queue, uploads, settle } = await setupDesk();
  void queue.add(file('..\\folder/in\u202evoice\u0000.txt'));
  await settle();
  assert.equal(uploads[0]?.name, 'invoice.txt');
  assert.equal(queue.tasks[0]?.renamed, true);
});

test('gives everything up when the conversation is closed', async () => {
  const { controller, queue, settle } = await setupDesk();
  const added = ['a', 'b', 'c', 'd'].map((name) => codeOf(queue.add(file(name))));
  await settle();
  controller.close();
  assert.deepEqual(await Promise.all(added), ['aborted', 'aborted', 'aborted', 'aborted']);
});

test('judges files by what was said of them', () => {
  const limits = { maxBytes: 4, types: ['.TXT', 'image/*', 'text/csv'] };
  const typed = (name: string, type: string): File => new File(['text'], name, { type });
  const cases: readonly [File, string | null][] = [
    [new File([], 'a.txt'), 'empty'],
    [file('a.txt', '12345'), 'too-large'],
    [file('a.txt'), null],
    [typed('a', 'image/png'), null],
    [typed('a.csv', 'text/csv'), null],
    [typed('a.exe', 'application/octet-stream'), 'wrong-type'],
    [typed('atxt', ''), 'wrong-type'],
  ];
  for (const [one, reason] of cases) assert.equal(checkFile(one, limits, 0), reason, one.name);
  assert.equal(checkFile(typed('a', 'x/y'), { types: ['*'] }, 0), null);
});

test('cleans names', () => {
  const cases: readonly [string, string][] = [
    ['report.pdf', 'report.pdf'],
    ['/etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['..', ''],
    ['a/', ''],
    ['a\u0007b\u2066c\ufeff.txt', 'abc.txt'],
    ['résumé – 日本.pdf', 'résumé – 日本.pdf'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(196)}.pdf`],
  ];
  for (const [name, clean] of cases) assert.equal(sanitizeFileName(name), clean);
  assert.notEqual(identifyFile(file('a')), identifyFile(file('a', 'longer')));
});

test('UploadQueue leaves the files of other threads alone when a thread cannot be created', async () => {
  const { backend, controller, queue, states, uploads, settle } = await setupDesk();
  ['a', 'b', 'c', 'd'].forEach((name) => void queue.add(file(name)));
  await settle();
  backend.answers.set('createThread', () => {
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

test('UploadQueue holds no file when the conversation is closed, failed ones included', async () => {
  const { controller, queue, uploads, states, settle } = await setupDesk();
  const added = ['a', 'b', 'c', 'd'].map((name) => codeOf(queue.add(file(name))));
  await settle();
  uploads[0]?.fail(new UbikError('server'));
  await added[0];
  assert.ok(states().includes('a failed'));
  controller.close();
  await Promise.all(added);
  assert.deepEqual(states(), []);
});
