import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend, RunRef, StoredMessage } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { pathTo } from '../../src/model/thread.js';
import { describeQueue, listSent, setupQueue } from './setup-queue.js';
import { contentOf, stored } from './scripted-backend.js';
import {
  ANY_REJOIN_DELAY,
  codeOf,
  draftOf,
  setupController,
  type ControllerFixture,
} from './setup-controller.js';

const ID = 'thread-id-1';
/** Time in ms until the last of the six reloads after a run, with delays of 1, 2, 4, 8, 16 and 32 s. */
const ALL_RELOADS = 63_000;
const HELLO = stored('m1', 'user', 'Hello');
const BEFORE = [HELLO, stored('m2', 'assistant', 'Hi', { runId: 'task-1' })];

/** Sends a message whose stream breaks, to a service that has stored the given messages. Resolves to the codes of `send` so far. */
async function sendLost(
  { backend, controller, environment }: ControllerFixture,
  messages: readonly StoredMessage[],
): Promise<readonly string[]> {
  const codes: string[] = [];
  void codeOf(controller.send(draftOf('Question'))).then((code) => codes.push(code));
  await environment.settle();
  backend.threads.set(ID, contentOf(ID, messages));
  backend.stream.fail();
  await environment.advance(ANY_REJOIN_DELAY);
  return codes;
}

/** Lets each stream break until the run is interrupted. */
async function breakUntilInterrupted({
  backend,
  controller,
  environment,
}: ControllerFixture): Promise<void> {
  await environment.settle();
  for (let count = 0; count < 9; count += 1) {
    assert.notEqual(controller.thread?.run.state, 'interrupted');
    backend.stream.fail();
    await environment.advance(ANY_REJOIN_DELAY);
  }
  assert.equal(controller.thread?.run.state, 'interrupted');
}

/** Lets the service lose the run of the question `First`, of which it has stored the given answer, or none. */
async function loseRun(
  { backend, environment }: ControllerFixture,
  answer: StoredMessage | null,
): Promise<void> {
  backend.stream.append(0, 'Answer');
  const answers = answer ? [answer] : [];
  backend.threads.set(ID, contentOf(ID, [stored('m1', 'user', 'First'), ...answers]));
  backend.stream.fail();
  await environment.advance(ANY_REJOIN_DELAY);
  backend.stream.fail(new UbikError('not-found'));
  await environment.settle();
}

const refOf = ({ backend }: ControllerFixture) => backend.stream.args[1] as RunRef;

test('a stored message stays when its run has no stream any more, and its stored answer is shown', async () => {
  const fixture = setupController();
  const { controller, backend, environment, texts, runNotices, last } = fixture;
  const question = stored('m1', 'user', 'Question', { runId: 't1' });
  const answer = stored('m2', 'assistant', 'Answer', { runId: 't1' });
  assert.deepEqual(await sendLost(fixture, [question, answer]), ['none']);
  assert.equal(refOf(fixture).id, 't1');
  backend.stream.fail(new UbikError('not-found'));
  await environment.settle();
  assert.deepEqual(texts(), ['Question', 'Answer']);
  assert.equal(controller.getDraft().text, '');
  const { run } = controller.thread ?? assert.fail();
  assert.deepEqual([run.state, run.error], ['complete', null]);
  assert.deepEqual([last().status, last().failure], ['complete', null]);
  assert.deepEqual(runNotices(), ['run-started', 'run-interrupted']);
});

test('a stored message without an answer stays when its run has no stream any more', async () => {
  const fixture = setupController();
  const { controller, backend, environment, texts } = fixture;
  assert.deepEqual(await sendLost(fixture, [stored('m1', 'user', 'Question')]), ['none']);
  backend.stream.fail(new UbikError('interrupted', { status: 204 }));
  await environment.settle();
  assert.deepEqual(texts(), ['Question', '']);
  assert.equal(controller.getDraft().text, '');
  assert.equal(controller.thread?.run.state, 'interrupted');
});

test('a message that was found without the id of its run is searched for again when the stream breaks', async () => {
  const fixture = setupController();
  const { backend, environment } = fixture;
  const question = stored('m1', 'user', 'Question');
  await sendLost(fixture, [question]);
  assert.equal(refOf(fixture).id, null);
  backend.stream.fail();
  const other = stored('m3', 'user', 'From another client', { runId: 't2' });
  const answer = stored('m2', 'assistant', 'Answer', { runId: 't1' });
  backend.threads.set(ID, contentOf(ID, [question, answer, other]));
  await environment.advance(ANY_REJOIN_DELAY);
  assert.equal(refOf(fixture).id, 't1');
});

for (const runId of ['t1', null]) {
  test(`a stop that was requested before a stored message was found ${runId === null ? 'waits for the id of its run' : 'is sent with the id of its run'}`, async () => {
    const fixture = setupController();
    const { controller, backend, environment } = fixture;
    void codeOf(controller.send(draftOf('Question')));
    await environment.settle();
    void codeOf(controller.stop());
    const question = stored('m1', 'user', 'Question', runId === null ? {} : { runId });
    backend.threads.set(ID, contentOf(ID, [question]));
    backend.stream.fail();
    await environment.advance(ANY_REJOIN_DELAY);
    const sentIds = () =>
      backend.calls
        .filter(({ method }) => method === 'stop')
        .map(({ args }) => (args[1] as RunRef).id);
    assert.deepEqual(sentIds(), runId === null ? [] : [runId]);
    if (runId !== null) return;
    backend.stream.begin('t1');
    await environment.settle();
    assert.deepEqual(sentIds(), ['t1']);
  });
}

test('a stored message whose stop waits for the id of its run stays when there is no stream, and is searched for again', async () => {
  const fixture = setupController();
  const { controller, backend, environment, texts } = fixture;
  void codeOf(controller.send(draftOf('Question')));
  await environment.settle();
  void codeOf(controller.stop());
  const question = stored('m1', 'user', 'Question');
  backend.threads.set(ID, contentOf(ID, [question]));
  backend.stream.fail();
  await environment.advance(ANY_REJOIN_DELAY);
  backend.stream.fail(new UbikError('not-found'));
  await environment.settle();
  assert.deepEqual(texts(), ['Question', '']);
  assert.deepEqual([controller.getDraft().text, backend.count('stop')], ['', 0]);
  const answer = stored('m2', 'assistant', '', { runId: 't1' });
  backend.threads.set(ID, contentOf(ID, [question, answer]));
  await environment.advance(ANY_REJOIN_DELAY);
  assert.equal(refOf(fixture).id, 't1');
  assert.equal(backend.count('stop'), 1);
});

test('a message that was not found is no longer the draft when it is stored late', async () => {
  const { controller, backend, environment, texts } = setupController();
  const sent = codeOf(controller.send(draftOf('Question')));
  await environment.settle();
  backend.stream.fail();
  await environment.advance(ANY_REJOIN_DELAY);
  backend.stream.fail(new UbikError('not-found'));
  assert.equal(await sent, 'not-sent');
  assert.equal(controller.getDraft().text, 'Question');
  backend.threads.set(ID, contentOf(ID, [stored('m1', 'user', 'Question')]));
  await controller.openThread(ID);
  assert.deepEqual(texts(), ['Question']);
  assert.equal(controller.getDraft().text, '');
});

for (const isLoadable of [true, false]) {
  test(`rejoin keeps a message that was found when the thread was opened again${isLoadable ? '' : ', although the thread cannot be loaded any more'}`, async () => {
    const fixture = setupController();
    const { controller, backend, environment, texts } = fixture;
    backend.threads.set('old', contentOf('old', BEFORE));
    await controller.openThread('old');
    const sent = codeOf(controller.send(draftOf('Question')));
    await breakUntilInterrupted(fixture);
    assert.equal(await sent, 'interrupted');
    const run = [
      stored('m3', 'user', 'Question', { runId: 'task-2' }),
      stored('m4', 'assistant', 'Answer', { runId: 'task-2' }),
    ];
    backend.threads.set('old', contentOf('old', [...BEFORE, ...run]));
    await controller.openThread('old');
    assert.deepEqual(texts(), ['Hello', 'Hi', 'Question', 'Answer']);
    assert.equal(controller.thread?.run.state, 'interrupted');
    const fail = () => Promise.reject(new UbikError('server'));
    if (!isLoadable) backend.responses.set('loadThread', fail);
    const rejoined = codeOf(controller.rejoin());
    await environment.settle();
    assert.equal(refOf(fixture).id, isLoadable ? 'task-2' : null);
    assert.ok(!refOf(fixture).otherRunIds.includes('task-2'));
    backend.responses.clear();
    backend.stream.fail(new UbikError('not-sent'));
    await environment.settle();
    assert.deepEqual(texts(), ['Hello', 'Hi', 'Question', 'Answer']);
    assert.equal(controller.getDraft().text, '');
    assert.equal(controller.thread.run.state, 'complete');
    assert.equal(await rejoined, 'none');
  });
}

test('rejoin keeps a new version of an answer that was found when the thread was opened again', async () => {
  const fixture = setupController();
  const { controller, backend, environment, texts, last } = fixture;
  backend.threads.set('old', contentOf('old', BEFORE));
  await controller.openThread('old');
  const begun = codeOf(controller.regenerate(last().key));
  await breakUntilInterrupted(fixture);
  assert.equal(await begun, 'interrupted');
  const version = stored('m3', 'assistant', 'Hello to you', { runId: 'task-2' });
  backend.threads.set('old', contentOf('old', [HELLO, version]));
  await controller.openThread('old');
  const rejoined = codeOf(controller.rejoin());
  await environment.settle();
  assert.equal(refOf(fixture).id, 'task-2');
  backend.stream.fail(new UbikError('not-found'));
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'Hello to you']);
  assert.equal(controller.thread?.run.state, 'complete');
  assert.equal(await rejoined, 'none');
});

test('an earlier answer is not taken for the new one while the service has not stored the new one', async () => {
  const fixture = setupController();
  const { controller, backend, texts } = fixture;
  backend.threads.set('old', contentOf('old', BEFORE));
  await controller.openThread('old');
  const [question] = pathTo(controller.thread ?? assert.fail());
  const begun = codeOf(controller.regenerate(question?.key ?? ''));
  await breakUntilInterrupted(fixture);
  assert.equal(await begun, 'interrupted');
  assert.deepEqual(texts(), ['Hello', '']);
  const { messages, run } = controller.thread ?? assert.fail();
  assert.ok(messages.has(run.answer ?? ''));
});

const ANSWER = stored('m2', 'assistant', 'Answer', { runId: 'task-1' });

test('a run that the service no longer has completes when its answer is stored, and the next message is sent', async () => {
  const fixture = await setupQueue(['Second']);
  await loseRun(fixture, ANSWER);
  assert.deepEqual(fixture.texts(), ['First', 'Answer', 'Second', '']);
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('a run that the service no longer has fails when its stored answer has failed', async () => {
  const fixture = await setupQueue(['Second']);
  const failure = { code: 'run-failed', message: 'Too late' };
  await loseRun(fixture, { ...ANSWER, fields: { ...ANSWER.fields, status: 'failed', failure } });
  const { run } = fixture.controller.thread ?? assert.fail();
  assert.equal(run.state, 'failed');
  const { status, failure: shown } = fixture.last();
  assert.deepEqual([status, shown], ['failed', failure]);
  assert.deepEqual(describeQueue(fixture), ['Second paused run-failed']);
});

for (const [what, answer, queued] of [
  ['shorter', stored('m2', 'assistant', 'Ans', { runId: 'task-1' }), 'waiting'],
  // The whole text is stored, so the thread is not reloaded, and the queue would wait forever if it were not paused.
  [
    'unfinished',
    { ...ANSWER, fields: { ...ANSWER.fields, status: 'streaming' } },
    'paused interrupted',
  ],
] as const) {
  test(`a run that the service no longer has stays interrupted while its stored answer is ${what}`, async () => {
    const fixture = await setupQueue(['Second']);
    await loseRun(fixture, answer);
    assert.equal(fixture.controller.thread?.run.state, 'interrupted');
    assert.deepEqual(fixture.texts(), ['First', 'Answer']);
    assert.deepEqual(describeQueue(fixture), [`Second ${queued}`]);
  });
}

test('a run that the service no longer has completes when its answer is stored late, and the next message is sent', async () => {
  const fixture = await setupQueue(['Second']);
  await loseRun(fixture, null);
  assert.deepEqual(describeQueue(fixture), ['Second waiting']);
  fixture.backend.threads.set(ID, contentOf(ID, [stored('m1', 'user', 'First'), ANSWER]));
  await fixture.environment.advance(1_000);
  assert.deepEqual(fixture.texts(), ['First', 'Answer', 'Second', '']);
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('the queue is paused when the answer of a run that the service no longer has is not stored', async () => {
  const fixture = await setupQueue(['Second']);
  await loseRun(fixture, null);
  await fixture.environment.advance(ALL_RELOADS - 1_000);
  assert.deepEqual(describeQueue(fixture), ['Second waiting']);
  await fixture.environment.advance(1_000);
  assert.deepEqual(describeQueue(fixture), ['Second paused interrupted']);
});

for (const [what, answers, queued] of [
  ['stored late', [ANSWER], []],
  ['not stored', [], ['Second paused interrupted']],
] as const) {
  test(`the queue does not wait without end when another client has changed the thread during a lost run whose answer is ${what}`, async () => {
    const fixture = await setupQueue(['Second']);
    const { backend, environment } = fixture;
    (backend as Backend).onExternalChange?.(ID);
    await loseRun(fixture, null);
    assert.deepEqual(describeQueue(fixture), ['Second waiting']);
    backend.threads.set(ID, contentOf(ID, [stored('m1', 'user', 'First'), ...answers]));
    await environment.advance(ALL_RELOADS);
    backend.streams.at(-1)?.begin('task-2');
    await environment.settle();
    assert.deepEqual(describeQueue(fixture), queued);
  });
}

/** Lets the service lose the run of the message `First` before it has stored an answer. */
async function loseAnswer(): Promise<ControllerFixture> {
  const fixture = setupController();
  const { backend, controller, start } = fixture;
  await start('First');
  await loseRun(fixture, null);
  assert.equal(controller.thread?.run.state, 'interrupted');
  assert.equal(backend.count('rejoin'), 1);
  return fixture;
}

test('a stored message whose run was lost before it was answered can be edited', async () => {
  const { backend, controller, environment, texts } = await loseAnswer();
  const [question] = pathTo(controller.thread ?? assert.fail());
  const edited = codeOf(controller.edit(question?.key ?? '', draftOf('Better')));
  await environment.settle();
  assert.deepEqual(backend.stream.args.slice(0, 2), [ID, 'm1']);
  backend.stream.begin('task-2');
  assert.equal(await edited, 'none');
  assert.deepEqual(texts(), ['Better', '']);
});

test('an answer that is stored after its run has no stream any more is shown', async () => {
  const { backend, controller, environment, texts } = await loseAnswer();
  const answer = stored('m2', 'assistant', 'Answer to all', { runId: 'task-1' });
  backend.threads.set(ID, contentOf(ID, [stored('m1', 'user', 'First'), answer]));
  await environment.advance(1_000);
  assert.deepEqual(texts(), ['First', 'Answer to all']);
  assert.equal(controller.thread?.run.state, 'complete');
});

for (const how of [
  'the user returns to the page',
  'its thread is opened again',
  'it is stored soon',
]) {
  test(`what another client has added after a run was lost is shown when ${how}`, async () => {
    const { backend, controller, environment, page, texts } = await loseAnswer();
    const isSoon = how === 'it is stored soon';
    if (!isSoon) await environment.advance(ALL_RELOADS + 1_000);
    const messages = [stored('m1', 'user', 'First'), stored('m3', 'user', 'Again')];
    const answer = stored('m4', 'assistant', 'Sure', { runId: 'task-3' });
    backend.threads.set(ID, contentOf(ID, [...messages, answer]));
    if (isSoon) await environment.advance(1_000);
    else if (how === 'the user returns to the page') page.wake('visible');
    else await controller.openThread(ID);
    await environment.settle();
    assert.deepEqual(texts(), ['First', 'Again', 'Sure']);
    assert.equal(controller.thread?.run.state, 'idle');
    assert.equal(backend.count('rejoin'), 1);
  });
}

for (const runId of ['task-1', null]) {
  test(`a message whose streams all break is shown with its stored answer${runId === null ? ', also without the id of its run' : ''}`, async () => {
    const fixture = setupController();
    const { controller, backend, environment, texts } = fixture;
    const sent = codeOf(controller.send(draftOf('Question')));
    await environment.settle();
    const question = stored('m1', 'user', 'Question', { runId });
    const answer = stored('m2', 'assistant', 'Answer', { runId });
    backend.threads.set(ID, contentOf(ID, [question, answer]));
    await breakUntilInterrupted(fixture);
    assert.deepEqual(texts(), ['Question', 'Answer']);
    assert.equal(controller.getDraft().text, '');
    assert.equal(backend.count('send'), 1);
    assert.equal(await sent, 'none');
  });
}
