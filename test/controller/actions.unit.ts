import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend, CheckpointInfo, InputRequest, RunRef } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import { AGENT_REQUEST } from '../helpers/agent-request.js';
import { contentOf, IDLE_TIMEOUT, stored } from './scripted-backend.js';
import {
  ANY_REJOIN_DELAY,
  codeOf,
  draftOf,
  FIRST_REJOIN_DELAY,
  setupController,
  type ControllerFixture,
} from './setup-controller.js';

const MESSAGES = [
  stored('m1', 'user', 'Hello'),
  stored('m2', 'assistant', 'Good day', { runId: 'task-1' }),
];
const ANSWER = { type: 'text', text: '1999' } as const;

/** A controller with an open thread of two messages. */
async function openTwoMessages(): Promise<
  ControllerFixture & { question: string; answer: string }
> {
  const fixture = setupController();
  fixture.backend.threads.set('a', contentOf('a', MESSAGES));
  await fixture.controller.openThread('a');
  const [question = '', answer = ''] = [...(fixture.controller.thread?.messages.keys() ?? [])];
  return { ...fixture, question, answer };
}

/** A controller with a run in which the agent or a tool has a pending request. `waits`: the run waits and its stream has ended. */
async function setupRequest(
  level: 'agent' | 'tool',
  waits: boolean,
): Promise<ControllerFixture & { message: string }> {
  const fixture = setupController();
  await fixture.start();
  const { backend, environment, last } = fixture;
  backend.stream.request('@request:1', level);
  if (waits) backend.stream.finish('waiting');
  await environment.settle();
  return { ...fixture, message: last().key };
}

function stateOfRequest({ controller }: ControllerFixture, message: string): string | undefined {
  const part = controller.thread?.messages.get(message)?.parts.get('@request:1');
  return part?.kind === 'request-activity' ? part.state : undefined;
}

for (const waits of [true, false]) {
  test(`provideInput answers the agent in a new message ${waits ? 'when the run waits' : 'while the stream is open'}`, async () => {
    const fixture = await setupRequest('agent', waits);
    const { controller, backend, environment, message, runNotices } = fixture;
    const provided = controller.provideInput(message, '@request:1', ANSWER);
    assert.equal(stateOfRequest(fixture, message), 'pending');
    const [threadId, request, answer] = backend.stream.args as [string, InputRequest, unknown];
    assert.equal(threadId, 'thread-id-1');
    assert.deepEqual(
      [request.key, request.message, request.prompt],
      ['@request:1', message, 'Which year?'],
    );
    assert.deepEqual(answer, ANSWER);
    backend.stream.begin('task-2');
    await provided;
    assert.equal(stateOfRequest(fixture, message), 'answered');
    assert.notEqual(backend.stream.keys.answer, message);
    assert.equal(controller.thread?.run.id, 'task-2');
    backend.stream.finish('complete');
    await environment.settle();
    assert.deepEqual(runNotices(), ['run-started', 'run-paused', 'run-started', 'run-completed']);
    assert.equal(backend.count('loadThread'), 1);
  });
}

test('provideInput continues in the message with the request of the tool', async () => {
  const fixture = await setupRequest('tool', true);
  const { controller, backend, environment, message, last } = fixture;
  const provided = controller.provideInput(message, '@request:1', ANSWER);
  assert.equal(backend.stream.keys.answer, message);
  assert.equal(last().status, 'streaming');
  backend.stream.append(0, 'Thanks');
  await provided;
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(last().key, message);
  assert.equal(last().status, 'complete');
  assert.equal(backend.count('releaseRun'), 1);
});

test('provideInput leaves the request pending and the run waiting when the service rejects the answer', async () => {
  const fixture = await setupRequest('agent', true);
  const { controller, backend, message, last, texts } = fixture;
  const provided = controller.provideInput(message, '@request:1', ANSWER);
  backend.stream.fail(new UbikError('invalid', 'no'));
  assert.equal(await codeOf(provided), 'invalid');
  assert.equal(stateOfRequest(fixture, message), 'pending');
  assert.equal(controller.thread?.run.state, 'waiting');
  assert.equal(last().key, message);
  assert.deepEqual(texts(), ['Question', '']);
  const again = controller.provideInput(message, '@request:1', ANSWER);
  backend.stream.begin('task-2');
  await again;
  assert.equal(stateOfRequest(fixture, message), 'answered');
});

test('provideInput rejoins the run that a rejected answer had superseded', async () => {
  const { controller, backend, environment, message } = await setupRequest('agent', false);
  const provided = controller.provideInput(message, '@request:1', ANSWER);
  backend.stream.fail(new UbikError('invalid', 'no'));
  await codeOf(provided);
  assert.equal(backend.stream.method, 'rejoin');
  assert.equal(backend.stream.keys.answer, message);
  backend.stream.sendHeartbeat();
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'streaming');
});

test('a run keeps waiting after a rejected answer when the backend cannot rejoin', async () => {
  const fixture = await setupRequest('agent', false);
  const { controller, backend, environment, message } = fixture;
  Object.assign(backend, { rejoin: undefined });
  const provided = controller.provideInput(message, '@request:1', ANSWER);
  backend.stream.fail(new UbikError('invalid', 'no'));
  assert.equal(await codeOf(provided), 'invalid');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'waiting');
  assert.equal(stateOfRequest(fixture, message), 'pending');
});

test('provideInput joins its run by an id that the stream has reported and the message does not have', async () => {
  const { controller, backend, environment, message } = await setupRequest('tool', true);
  assert.equal(controller.thread?.messages.get(message)?.runId, null);
  void controller.provideInput(message, '@request:1', ANSWER).catch(() => undefined);
  backend.stream.fail(new UbikError('network'));
  await environment.advance(ANY_REJOIN_DELAY);
  assert.equal(backend.stream.method, 'rejoin');
  const [, run] = backend.stream.args as [string, RunRef];
  assert.deepEqual([run.id, run.otherRunIds], ['task-1', []]);
  controller.close();
});

test('provideInput answers a request once', async () => {
  const { controller, backend, message } = await setupRequest('agent', true);
  const provided = controller.provideInput(message, '@request:1', ANSWER);
  assert.equal(await codeOf(controller.provideInput(message, '@request:1', ANSWER)), 'busy');
  backend.stream.begin('task-2');
  await provided;
  assert.equal(await codeOf(controller.provideInput(message, '@request:1', ANSWER)), 'misuse');
  assert.equal(backend.count('provideInput'), 1);
});

test('send starts another run while one waits for the user', async () => {
  const { controller, backend, environment, runNotices } = await setupRequest('agent', true);
  const sent = controller.send(draftOf('Something else'));
  await environment.settle();
  backend.stream.begin('task-2');
  await sent;
  assert.deepEqual(runNotices(), ['run-started', 'run-paused', 'run-started']);
});

test('openThread emits input-required for the pending requests of the stored thread', async () => {
  const { controller, backend, notices } = setupController();
  const asking = { ...stored('m2', 'assistant', 'Hm'), requests: [AGENT_REQUEST] };
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello'), asking]));
  await controller.openThread('a');
  assert.deepEqual(
    notices.map(({ type }) => type),
    ['thread-changed', 'thread-opened', 'input-required'],
  );
  const notice = notices.at(-1);
  assert.equal(notice && 'request' in notice && notice.request, '@request:c1');
  backend.threads.set(
    'a',
    contentOf('a', [stored('m1', 'user', 'Hello'), { ...asking, requests: [] }]),
  );
  await controller.openThread('a');
  const [, message] = [...(controller.thread?.messages.values() ?? [])];
  const part = message?.parts.get('@request:c1');
  assert.equal(part?.kind === 'request-activity' && part.state, 'closed');
});

test('edit adds another version of a message and reloads the messages after the run', async () => {
  const { controller, backend, environment, question, texts } = await openTwoMessages();
  const edited = controller.edit(question, draftOf('Good evening'));
  assert.deepEqual(texts(), ['Good evening', '']);
  assert.deepEqual(backend.stream.args, ['a', 'm1', draftOf('Good evening')]);
  backend.stream.begin('task-2');
  await edited;
  const more = [stored('m3', 'user', 'Good evening'), stored('m4', 'assistant', 'Good night')];
  backend.threads.set('a', contentOf('a', more));
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(texts(), ['Good evening', 'Good night']);
  assert.equal(controller.thread?.messages.size, 4);
  assert.equal(controller.thread.messages.get(backend.stream.keys.answer)?.id, 'm4');
});

test('edit shows the old version again when the service rejects the edit', async () => {
  const { controller, backend, question, texts } = await openTwoMessages();
  const edited = controller.edit(question, draftOf('Good evening'));
  backend.stream.fail(new UbikError('invalid', 'no'));
  assert.equal(await codeOf(edited), 'invalid');
  assert.deepEqual(texts(), ['Hello', 'Good day']);
  assert.equal(controller.thread?.messages.size, 2);
});

test('edit first loads the id of a message that has none yet', async () => {
  const { controller, backend, environment, start } = setupController();
  await start('Hello');
  backend.stream.append(0, 'Good day');
  backend.stream.finish('complete');
  await environment.settle();
  backend.threads.set('thread-id-1', contentOf('thread-id-1', MESSAGES));
  const [question = ''] = [...(controller.thread?.messages.keys() ?? [])];
  void controller.edit(question, draftOf('Other'));
  await environment.settle();
  assert.equal(backend.stream.args[1], 'm1');
});

test('edit rejects an answer with misuse', async () => {
  const { controller, answer, backend } = await openTwoMessages();
  assert.equal(await codeOf(controller.edit(answer, draftOf('x'))), 'misuse');
  assert.equal(backend.streams.length, 0);
});

test('regenerate adds another version of an answer', async () => {
  const { controller, backend, answer, question, last } = await openTwoMessages();
  const requested = controller.regenerate(answer);
  await Promise.resolve();
  assert.deepEqual(backend.stream.args, ['a', 'm2', {}]);
  assert.equal(last().parent, question);
  assert.deepEqual(last().siblingIds, ['m2']);
  backend.stream.begin('task-2');
  await requested;
  assert.equal(controller.thread?.messages.has(answer), true);
});

for (const action of ['edit', 'regenerate', 'switchBranch', 'restoreCheckpoint'] as const) {
  test(`${action} rejects with busy while a run is active`, async () => {
    const { controller, backend, environment, question } = await openTwoMessages();
    void controller.send(draftOf('More'));
    await environment.settle();
    const actions = {
      edit: () => controller.edit(question, draftOf('x')),
      regenerate: () => controller.regenerate(question),
      switchBranch: () => controller.switchBranch('m1'),
      restoreCheckpoint: () => controller.restoreCheckpoint('c1', null),
    };
    assert.equal(await codeOf(actions[action]()), 'busy');
    assert.equal(backend.streams.length, 1);
  });
}

test('switchBranch shows the branch that the service returns', async () => {
  const { controller, backend, texts, answer } = await openTwoMessages();
  const other = stored('m9', 'assistant', 'Hi');
  backend.responses.set('switchBranch', () =>
    contentOf('a', [stored('m1', 'user', 'Hello'), other]),
  );
  await controller.switchBranch('m9');
  assert.deepEqual(texts(), ['Hello', 'Hi']);
  assert.equal(controller.thread?.messages.has(answer), true);
});

test('restoreCheckpoint restores a checkpoint by its name with a hint', async () => {
  const { controller, backend, environment, last, question } = await openTwoMessages();
  const named = { name: 'c1', createdAt: 1, id: null, metadata: null };
  backend.checkpoints = [
    { ...named, runId: 'task-0', restorable: false },
    { ...named, runId: 'task-1', createdAt: 2, restorable: true },
  ];
  const restored = controller.restoreCheckpoint('c1', 'use the second document');
  await environment.settle();
  const [threadId, checkpoint, hint] = backend.stream.args as [string, { runId: string }, string];
  assert.deepEqual([threadId, checkpoint.runId, hint], ['a', 'task-1', 'use the second document']);
  assert.equal(last().parent, question);
  assert.deepEqual(last().restoredFrom, { checkpoint: 'c1', hint: 'use the second document' });
  backend.stream.begin('task-2');
  await restored;
  const another = stored('m3', 'assistant', 'Other', { runId: 'task-2' });
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello'), another]));
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(last().id, 'm3');
  assert.deepEqual(last().restoredFrom, { checkpoint: 'c1', hint: 'use the second document' });
});

test('restoreCheckpoint does not reload the list for a listed checkpoint', async () => {
  const { controller, backend, environment } = await openTwoMessages();
  const point = { name: 'c1', createdAt: 1, id: null, metadata: null, restorable: true };
  backend.checkpoints = [
    { ...point, runId: 'task-1' },
    { ...point, runId: 'task-2', name: 'c2' },
  ];
  const [clicked] = await controller.listCheckpoints();
  assert.ok(clicked);
  const restored = controller.restoreCheckpoint(clicked, 'in short');
  await environment.settle();
  assert.equal(backend.count('listCheckpoints'), 1);
  assert.deepEqual(backend.stream.args, ['a', clicked, 'in short']);
  backend.stream.begin('task-3');
  await restored;
});

test('restoreCheckpoint rejects a listed checkpoint when a newer one of its name was loaded since', async () => {
  const { controller, backend } = await openTwoMessages();
  const older = { name: 'c1', runId: 'task-1', createdAt: 1, id: null, metadata: null };
  backend.checkpoints = [{ ...older, restorable: true }];
  const [clicked] = await controller.listCheckpoints();
  assert.ok(clicked);
  backend.checkpoints = [
    { ...older, restorable: false },
    { ...older, runId: 'task-2', createdAt: 2, restorable: true },
  ];
  await controller.listCheckpoints();
  assert.equal(await codeOf(controller.restoreCheckpoint(clicked, null)), 'misuse');
  assert.equal(backend.streams.length, 0);
});

test('restoreCheckpoint rejects an unknown and an outdated checkpoint', async () => {
  const { controller, backend } = await openTwoMessages();
  assert.equal(await codeOf(controller.restoreCheckpoint('c1', null)), 'not-found');
  const outdated = { name: 'c1', runId: null, createdAt: 1, id: null, metadata: null };
  backend.checkpoints = [{ ...outdated, restorable: false }];
  assert.equal(await codeOf(controller.restoreCheckpoint('c1', null)), 'misuse');
  assert.equal(backend.streams.length, 0);
});

test('listCheckpoints keeps the list up to date after each run from the first call on', async () => {
  const { controller, backend, environment } = await openTwoMessages();
  const runOnce = async (): Promise<void> => {
    void controller.send(draftOf('More'));
    await environment.settle();
    backend.stream.finish('complete');
    await environment.settle();
  };
  await runOnce();
  assert.equal(backend.count('listCheckpoints'), 0);
  const one = {
    name: 'c1',
    runId: null,
    createdAt: 1,
    id: null,
    metadata: null,
    restorable: true,
  };
  backend.checkpoints = [one];
  await controller.listCheckpoints();
  backend.checkpoints = [
    { ...one, restorable: false },
    { ...one, createdAt: 2 },
  ];
  await runOnce();
  const entries = [...(controller.thread?.list('checkpoints').values() ?? [])];
  assert.deepEqual(entries, backend.checkpoints);
});

test('checkpoints that were requested before those in the list do not replace them', async () => {
  const { controller, backend, environment } = await openTwoMessages();
  const one = { name: 'c1', runId: null, createdAt: 1, id: null, metadata: null, restorable: true };
  const first = new Deferred<readonly CheckpointInfo[]>();
  backend.responses.set('listCheckpoints', () => first.promise);
  const outdated = controller.listCheckpoints();
  await environment.settle();
  backend.responses.delete('listCheckpoints');
  backend.checkpoints = [one, { ...one, createdAt: 2 }];
  await controller.listCheckpoints();
  first.resolve([one]);
  assert.deepEqual(await outdated, [one]);
  const entries = [...(controller.thread?.list('checkpoints').values() ?? [])];
  assert.deepEqual(entries, backend.checkpoints);
});

test('what the backend throws when checkpoints are reloaded after a run is reported as a UbikError', async () => {
  const { controller, backend, environment, notices } = await openTwoMessages();
  await controller.listCheckpoints();
  backend.responses.set('listCheckpoints', () => {
    throw new RangeError('A fault of the backend.');
  });
  void controller.send(draftOf('More'));
  await environment.settle();
  backend.stream.finish('complete');
  await environment.settle();
  const errors = notices.flatMap((notice) => (notice.type === 'diagnostic' ? [notice.error] : []));
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['server'],
  );
});

test('actions reject with unsupported when the backend lacks the method', async () => {
  const { controller, backend, question } = await openTwoMessages();
  const missing = {
    edit: undefined,
    regenerate: undefined,
    switchBranch: undefined,
    uploadDocument: undefined,
  };
  Object.assign(backend, missing);
  assert.equal(await codeOf(controller.edit(question, draftOf('x'))), 'unsupported');
  assert.equal(await codeOf(controller.regenerate(question)), 'unsupported');
  assert.equal(await codeOf(controller.switchBranch('m1')), 'unsupported');
  assert.equal(await codeOf(controller.uploadDocument(new File(['x'], 'x.txt'))), 'unsupported');
});

test('uploadDocument creates a thread for the file and can be aborted', async () => {
  const { controller, backend, environment } = setupController();
  const signals: AbortSignal[] = [];
  Object.assign(backend, {
    uploadDocument: (
      _id: string,
      file: File,
      onProgress: (a: number, b: number) => void,
      signal: AbortSignal,
    ) => {
      signals.push(signal);
      onProgress(1, 2);
      return Promise.resolve({
        id: 'd1',
        name: file.name,
        status: 'pending',
        fileType: null,
        error: null,
        starred: false,
        createdAt: null,
      });
    },
  });
  const sent: number[][] = [];
  await controller.uploadDocument(new File(['x'], 'x.txt'), (done, all) => sent.push([done, all]));
  assert.deepEqual(sent, [[1, 2]]);
  assert.equal(controller.thread?.id, 'thread-id-1');
  assert.equal(controller.thread.list('documents').size, 1);
  Object.assign(backend, {
    uploadDocument: (_id: string, _file: File, _progress: unknown, signal: AbortSignal) =>
      new Promise((_resolve, reject) => {
        signals.push(signal);
        signal.addEventListener('abort', () => reject(new UbikError('aborted')));
      }),
  });
  const abortController = new AbortController();
  const aborted = codeOf(
    controller.uploadDocument(new File(['x'], 'y.txt'), undefined, abortController.signal),
  );
  await environment.settle();
  abortController.abort();
  assert.equal(await aborted, 'aborted');
  assert.deepEqual(
    signals.map((signal) => signal.aborted),
    [false, true],
  );
});

test('the previous run is released by its own id when the service has accepted the next one', async () => {
  const { controller, backend, environment, message } = await setupRequest('agent', true);
  assert.equal(backend.count('releaseRun'), 0);
  void controller.provideInput(message, '@request:1', ANSWER);
  backend.stream.begin('task-2');
  await environment.settle();
  const released = backend.calls.filter(({ method }) => method === 'releaseRun');
  assert.deepEqual(
    released.map(({ args }) => (args[1] as { id: string }).id),
    ['task-1'],
  );
});

test('openThread emits input-required for a request that became pending in the background', async () => {
  const { controller, backend, environment, start, notices } = setupController();
  await start();
  const { stream } = backend;
  controller.switchToNewThread();
  stream.request('@request:1');
  stream.request('@request:2');
  stream.push({
    type: 'set',
    message: stream.keys.answer,
    part: '@request:2',
    path: ['state'],
    value: 'expired',
  });
  await environment.settle();
  const requests = (): unknown[] =>
    notices.flatMap((notice) => (notice.type === 'input-required' ? [notice.request] : []));
  assert.deepEqual(requests(), []);
  await controller.openThread('thread-id-1');
  assert.deepEqual(requests(), ['@request:1']);
  await controller.openThread('thread-id-1');
  assert.deepEqual(requests(), ['@request:1']);
});

test('provideInput extends the idle timeout by the time that the upload of a file takes at 16 kB/s', async () => {
  const { controller, backend, environment, message } = await setupRequest('tool', true);
  const file = new File([new Uint8Array(1_600_000)], 'photo.jpg');
  const provided = controller.provideInput(message, '@request:1', { type: 'file', file });
  const uploadTime = file.size / 16;
  await environment.advance(uploadTime + IDLE_TIMEOUT - 1);
  assert.equal(backend.stream.method, 'provideInput');
  backend.stream.begin();
  await provided;
  // After the first batch, only the idle timeout applies.
  await environment.advance(IDLE_TIMEOUT - 1);
  assert.equal(backend.count('rejoin'), 0);
  await environment.advance(1);
  assert.equal(backend.count('rejoin'), 1);
});

test('stop aborts the upload of a file that answers a request, which can then be answered again', async () => {
  const fixture = await setupRequest('agent', true);
  const { controller, backend, environment, message, states } = fixture;
  const file = new File(['photo'], 'photo.jpg');
  const code = codeOf(controller.provideInput(message, '@request:1', { type: 'file', file }));
  await environment.settle();
  const stopped = controller.stop();
  assert.equal(backend.stream.signal.aborted, true);
  backend.stream.fail(new UbikError('aborted', { unsent: true }));
  await stopped;
  assert.equal(await code, 'aborted');
  assert.deepEqual([states.at(-1), stateOfRequest(fixture, message)], ['waiting', 'pending']);
  assert.equal(backend.count('stop') + backend.count('rejoin'), 0);
});

test('stop before the upload of a file that answers a request aborts the upload as soon as it starts', async () => {
  const { controller, backend, environment, message } = await setupRequest('agent', true);
  const removal = new Deferred<undefined>();
  backend.responses.set('unlinkDocument', () => removal.promise);
  const removed = controller.unlinkDocument('d1');
  await environment.settle();
  const file = new File(['photo'], 'photo.jpg');
  const code = codeOf(controller.provideInput(message, '@request:1', { type: 'file', file }));
  await environment.settle();
  const stopped = controller.stop();
  removal.resolve(undefined);
  await environment.settle();
  assert.deepEqual([backend.stream.method, backend.stream.signal.aborted], ['provideInput', true]);
  backend.stream.fail(new UbikError('aborted', { unsent: true }));
  await Promise.all([removed, stopped]);
  assert.equal(await code, 'aborted');
});

test('stop during the upload of a file stops the run when the service has received the file nevertheless', async () => {
  const { controller, backend, environment, message } = await setupRequest('tool', true);
  const file = new File(['photo'], 'photo.jpg');
  const provided = controller.provideInput(message, '@request:1', { type: 'file', file });
  await environment.settle();
  const stopped = controller.stop();
  backend.stream.fail(new UbikError('aborted'));
  await environment.advance(FIRST_REJOIN_DELAY);
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.begin();
  await environment.settle();
  assert.equal(backend.count('stop'), 1);
  backend.stream.finish('stopped');
  await Promise.all([provided, stopped]);
});

test('provideInput rejects when the request of the tool is still pending in the run that is joined after the network broke', async () => {
  const fixture = await setupRequest('tool', true);
  const { controller, backend, environment, message } = fixture;
  const code = codeOf(controller.provideInput(message, '@request:1', ANSWER));
  backend.stream.fail(new UbikError('network'));
  await environment.advance(ANY_REJOIN_DELAY);
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.request('@request:1', 'tool');
  backend.stream.finish('waiting');
  await environment.settle();
  assert.equal(await code, 'not-sent');
  assert.equal(stateOfRequest(fixture, message), 'pending');
  assert.equal(backend.count('provideInput'), 1);
});

for (const [what, unfinished, isShown] of [
  ['shows the stored answer when the request was answered elsewhere', null, true],
  ['shows the stored answer when another run is active', 'task-2', true],
  ['keeps the shown answer while the run with the request is still active', 'task-1', false],
] as const) {
  test(`a change by another client ${what}`, async () => {
    const fixture = await setupRequest('tool', true);
    const { backend, environment, notices, texts } = fixture;
    const messages = [
      stored('m1', 'user', 'Question', { runId: 'task-1' }),
      stored('m2', 'assistant', 'Recorded', { runId: 'task-1' }),
    ];
    const content = contentOf('thread-id-1', messages, unfinished);
    backend.threads.set('thread-id-1', content);
    (backend as Backend).onExternalChange?.('thread-id-1');
    await environment.settle();
    assert.equal(texts().at(-1), isShown ? 'Recorded' : '');
    assert.deepEqual(
      notices.filter(({ type }) => type === 'diagnostic'),
      [],
    );
  });
}

for (const level of ['agent', 'tool'] as const) {
  test(`provideInput closes a request of the ${level} when the service responds that it is no longer open`, async () => {
    const fixture = await setupRequest(level, true);
    const { backend, controller, environment, message } = fixture;
    const before = backend.count('loadThread');
    const code = codeOf(controller.provideInput(message, '@request:1', ANSWER));
    backend.stream.fail(new UbikError('not-open'));
    assert.equal(await code, 'not-open');
    await environment.settle();
    assert.equal(stateOfRequest(fixture, message), 'closed');
    // What follows the answer of another client is loaded.
    assert.ok(backend.count('loadThread') > before);
  });
}

test('regenerate rejects with misuse when no thread is open', async () => {
  const { controller } = setupController();
  assert.equal(await codeOf(controller.regenerate('message-1')), 'misuse');
});

test('edit and regenerate reject with not-found for a message that does not exist', async () => {
  const { controller, backend } = await openTwoMessages();
  assert.equal(await codeOf(controller.regenerate('unknown')), 'not-found');
  assert.equal(await codeOf(controller.edit('unknown', draftOf('x'))), 'not-found');
  assert.equal(backend.streams.length, 0);
});

test('regenerate rejects with busy while a request of a tool is pending in the answer', async () => {
  const { controller, message } = await setupRequest('tool', true);
  assert.equal(await codeOf(controller.regenerate(message)), 'busy');
});

test('edit loads nothing before its request when the message has an id', async () => {
  const { controller, backend, environment, question } = await openTwoMessages();
  const before = backend.count('loadThread');
  void controller.edit(question, draftOf('Good evening')).catch(() => undefined);
  await environment.settle();
  assert.equal(backend.stream.method, 'edit');
  assert.equal(backend.count('loadThread'), before);
});

test('edit rejects an empty text', async () => {
  const { controller, backend, question } = await openTwoMessages();
  assert.equal(await codeOf(controller.edit(question, draftOf(' '))), 'misuse');
  assert.equal(backend.streams.length, 0);
});

test('a message with attachments alone is sent', async () => {
  const { controller, backend, environment } = await openTwoMessages();
  const draft = { text: '', attachments: [{ id: 'd1', name: 'a.pdf' }] };
  void controller.send(draft).catch(() => undefined);
  await environment.settle();
  assert.deepEqual(backend.stream.args, ['a', draft]);
});

test('regenerate of a user message adds an answer to it', async () => {
  const { controller, backend, question, last } = await openTwoMessages();
  const requested = controller.regenerate(question);
  await Promise.resolve();
  assert.deepEqual(backend.stream.args, ['a', 'm1', {}]);
  assert.deepEqual([last().parent, last().siblingIds], [question, []]);
  backend.stream.begin('task-2');
  await requested;
});

test('the oldest request of the agent is answered by the next message, and the others are closed', async () => {
  const fixture = await setupRequest('agent', false);
  const { controller, backend, environment, message } = fixture;
  backend.stream.request('@request:2', 'agent');
  backend.stream.finish('waiting');
  await environment.settle();
  const sent = controller.send(draftOf('1999'));
  await environment.settle();
  const { stream } = backend;
  stream.begin('task-2');
  // An answer without an id would be a reason to reload the messages.
  stream.push({ type: 'set', message: stream.keys.answer, part: null, path: ['id'], value: 'm4' });
  await sent;
  const asking = controller.thread?.messages.get(message);
  const request = (key: string) => {
    const part = asking?.parts.get(key);
    return part?.kind === 'request-activity' ? part : undefined;
  };
  assert.equal(asking?.status, 'complete');
  assert.equal(request('@request:1')?.state, 'answered');
  assert.equal(request('@request:1')?.answer, JSON.stringify({ input: '1999', type: 'text' }));
  assert.equal(request('@request:2')?.state, 'closed');
  assert.equal(backend.count('loadThread'), 0);
  stream.finish('complete');
  await environment.settle();
  assert.equal(backend.count('loadThread'), 1, 'the run has changed an earlier message');
});

test('provideInput completes a message with the answer to the last request of the agent', async () => {
  const fixture = await setupRequest('agent', false);
  const { controller, backend, environment, message } = fixture;
  backend.stream.request('@request:2', 'agent');
  backend.stream.finish('waiting');
  await environment.settle();
  const statusOf = () => controller.thread?.messages.get(message)?.status;
  const first = controller.provideInput(message, '@request:1', ANSWER);
  backend.stream.begin('task-2');
  await first;
  assert.equal(statusOf(), 'waiting');
  const second = controller.provideInput(message, '@request:2', ANSWER);
  backend.stream.begin('task-3');
  await second;
  assert.equal(statusOf(), 'complete');
});

test('provideInput answers a request of a thread that is no longer shown', async () => {
  const { controller, backend, environment, message } = await setupRequest('agent', true);
  backend.threads.set('b', contentOf('b', [stored('m1', 'user', 'Hello')]));
  await controller.openThread('b');
  const provided = controller.provideInput(message, '@request:1', ANSWER);
  await environment.settle();
  assert.equal(backend.stream.method, 'provideInput');
  backend.stream.begin('task-2');
  await provided;
  assert.equal(controller.thread?.id, 'b');
  await controller.openThread('thread-id-1');
  assert.equal(controller.thread.run.id, 'task-2');
});

test('provideInput rejects with misuse for an unknown message and an unknown request', async () => {
  const { controller, backend, message } = await setupRequest('agent', true);
  const before = backend.streams.length;
  assert.equal(await codeOf(controller.provideInput('unknown', '@request:1', ANSWER)), 'misuse');
  assert.equal(await codeOf(controller.provideInput(message, 'unknown', ANSWER)), 'misuse');
  assert.equal(backend.streams.length, before);
});

test('the messages are not reloaded after a run that has delivered all of them', async () => {
  const { controller, backend, environment } = await openTwoMessages();
  const before = backend.count('loadThread');
  void controller.send(draftOf('More')).catch(() => undefined);
  await environment.settle();
  const { stream } = backend;
  stream.begin('task-2');
  stream.push({ type: 'set', message: stream.keys.answer, part: null, path: ['id'], value: 'm4' });
  stream.finish('complete');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'complete');
  assert.equal(backend.count('loadThread'), before);
  assert.equal(backend.count('listCheckpoints'), 0);
});

test('the messages are reloaded after a run that follows an interrupted one', async () => {
  const { controller, backend, environment } = await openTwoMessages();
  const sendAs = async (run: string, id: string) => {
    void controller.send(draftOf(run)).catch(() => undefined);
    await environment.settle();
    const { stream } = backend;
    stream.begin(run);
    stream.push({ type: 'set', message: stream.keys.answer, part: null, path: ['id'], value: id });
    await environment.settle();
  };
  await sendAs('task-2', 'm4');
  controller.detach();
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'interrupted');
  const before = backend.count('loadThread');
  await sendAs('task-3', 'm6');
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(backend.count('loadThread'), before + 1);
});

test('restoreCheckpoint restores the restorable one of several checkpoints with a name, wherever it is in the list', async () => {
  const { controller, backend, environment } = await openTwoMessages();
  const named = { name: 'c1', createdAt: 1, id: null, metadata: null };
  backend.checkpoints = [
    { ...named, name: 'c2', runId: 'task-2', restorable: true },
    { ...named, runId: 'task-0', restorable: false },
    { ...named, runId: 'task-1', createdAt: 3, restorable: true },
    { ...named, runId: 'task-3', createdAt: 2, restorable: false },
  ];
  void controller.restoreCheckpoint('c1', null).catch(() => undefined);
  await environment.settle();
  assert.deepEqual(backend.stream.args[1], backend.checkpoints[2]);
});

test('restoreCheckpoint accepts a checkpoint that was never listed', async () => {
  const { controller, backend, environment } = await openTwoMessages();
  const info = { name: 'c9', runId: 'gone', createdAt: 1, id: null, metadata: null };
  const other = { ...info, runId: 'task-1', restorable: false };
  backend.checkpoints = [other];
  await controller.listCheckpoints();
  // The host page can add entries to the list that are not checkpoints.
  controller.setListItem('checkpoints', 'of the host', null);
  const chosen = { ...info, restorable: true };
  void controller.restoreCheckpoint(chosen, null).catch(() => undefined);
  await environment.settle();
  assert.deepEqual(backend.stream.args, ['a', chosen, null]);
});

test('listCheckpoints returns an empty list and sends nothing without a thread', async () => {
  const { controller, backend } = setupController();
  assert.deepEqual(await controller.listCheckpoints(), []);
  assert.equal(backend.calls.length, 0);
});

test('rejoin rejects with misuse when no run is interrupted', async () => {
  const { controller } = await openTwoMessages();
  assert.equal(await codeOf(controller.rejoin()), 'misuse');
  controller.switchToNewThread();
  assert.equal(await codeOf(controller.rejoin()), 'misuse');
});

test('setListItem changes lists of the current thread, and without one only the thread list', async () => {
  const { controller } = await openTwoMessages();
  controller.setListItem('documents', 'd', 1);
  assert.equal(controller.thread?.list('documents').get('d'), 1);
  const { thread } = controller;
  controller.switchToNewThread();
  controller.setListItem('documents', 'e', 2);
  controller.setListItem('threads', 'x', 3);
  assert.equal(thread.list('documents').size, 1);
  assert.equal(controller.threads.get('x'), 3);
});
