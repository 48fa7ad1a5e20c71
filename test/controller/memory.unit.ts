import assert from 'node:assert/strict';
import { setFlagsFromString, stopCoverage } from 'node:v8';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import type { StoredMessage } from '../../src/backends/backend.js';
import { uploadQueueOf } from '../../src/controller/documents/upload-queue.js';
import { stored } from './scripted-backend.js';
import { setupController } from './setup-controller.js';

const ANSWERS = 1_000;

// The counters of coverage take memory of their own.
stopCoverage();
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Bytes that are reachable. References of microtasks, of `WeakRef` and of the concurrent compiler are released in later turns of the
 * event loop, so the measurement is repeated while there are more than `enough` bytes, for a number of turns.
 */
async function measureHeap(enough = Infinity, turns = 300): Promise<number> {
  let used = Infinity;
  for (let turn = 0; turn < 3 || (used > enough && turn < turns); turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    used = process.memoryUsage().heapUsed;
  }
  return used;
}

/** Messages that share no text. */
function createMessages(): StoredMessage[] {
  return Array.from({ length: ANSWERS }, (_, at) => {
    const parentId = at === 0 ? null : `answer-${at - 1}`;
    const text = Array.from({ length: 300 }, (_, word) => `word-${at * 300 + word}`).join(' ');
    return [
      stored(`question-${at}`, 'user', `Question ${at}`, { parentId }),
      stored(`answer-${at}`, 'assistant', text, { parentId: `question-${at}`, runId: `t-${at}` }),
    ];
  }).flat();
}

function setup() {
  const fixture = setupController();
  const { backend } = fixture;
  // Only the controller references the loaded messages.
  backend.responses.set('loadThread', () => ({
    thread: { id: 's1', title: 'Long' },
    messages: createMessages(),
    headId: `answer-${ANSWERS - 1}`,
    unfinishedRun: null,
  }));
  return fixture;
}

/** Bytes that an open thread takes, and bytes of them that remain after `close()`. */
async function measureClose(turns?: number): Promise<{ open: number; closed: number }> {
  const { controller } = setup();
  const before = await measureHeap();
  await controller.openThread('s1');
  const open = (await measureHeap()) - before;
  assert.equal(controller.thread?.messages.size, 2 * ANSWERS);
  controller.close();
  const closed = (await measureHeap(before + open / 20, turns)) - before;
  assert.equal(controller.thread, null);
  return { open, closed };
}

test('close releases the memory of 1,000 answers when the host retains the controller', async () => {
  // The first call also measures code that is compiled when it first runs and is never released, so it waits only ten turns for fewer bytes.
  await measureClose(10);
  const { open, closed } = await measureClose();
  assert.ok(closed <= open / 20, `${closed} of ${open} bytes stayed`);
});

test('close releases run, draft and uploaded files', async () => {
  const { backend, controller, environment, start } = setupController();
  await start();
  controller.setDraft({ text: 'Unsent', attachments: [] });
  const queue = uploadQueueOf(controller);
  const file = new File(['text'], 'notes.txt');
  const document = await queue.add(file);
  assert.equal(queue.fileOf(document.id), file);
  controller.close();
  assert.equal(backend.stream.signal.aborted, true);
  assert.equal(backend.count('releaseRun'), 1);
  assert.equal(controller.threads.size, 0);
  assert.equal(controller.getDraft().text, '');
  assert.equal(queue.fileOf(document.id), undefined);
  assert.equal(environment.timers, 0);
});
