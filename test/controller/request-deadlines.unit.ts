import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputRequest, ThreadContent } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { AGENT_REQUEST } from '../helpers/agent-request.js';
import { contentOf, stored } from './scripted-backend.js';
import { describeQueue, keyOf, listSent } from './setup-queue.js';
import { codeOf, draftOf, setupController, type ControllerFixture } from './setup-controller.js';

/** Opens a stored thread with a pending request of the agent. */
async function openStored(
  fixture: ControllerFixture,
  request = AGENT_REQUEST,
): Promise<ControllerFixture> {
  const asking = { ...stored('m2', 'assistant', 'Hm'), requests: [request] };
  const content = contentOf('a', [stored('m1', 'user', 'Hello'), asking]);
  fixture.backend.threads.set('a', content);
  await fixture.controller.openThread('a');
  return fixture;
}

/** A controller with a pending request that has a deadline. */
function openRequest(deadlineOf: (now: number) => number): Promise<ControllerFixture> {
  const fixture = setupController();
  const deadline = deadlineOf(fixture.environment.now());
  return openStored(fixture, { ...AGENT_REQUEST, deadline });
}

/** A controller that has received a request as an event, with all fields that stored threads lack. */
async function receiveRequest(isOpen = false): Promise<ControllerFixture> {
  const fixture = setupController();
  const { backend, controller } = fixture;
  backend.threads.set('a', contentOf('a', []));
  await controller.openThread('a');
  await fixture.start('Hello');
  await emitRequest(fixture, { options: [1, 2], schema: { type: 'integer' } }, isOpen);
  return fixture;
}

/** Emits a request that expires in a minute. The stream ends unless `isOpen`. */
async function emitRequest(
  { backend, environment }: ControllerFixture,
  fields: Pick<Partial<InputRequest>, 'options' | 'schema'> = {},
  isOpen = false,
): Promise<void> {
  const { key: part, message: _, ...question } = AGENT_REQUEST;
  const { stream } = backend;
  stream.push({
    type: 'part',
    part,
    message: stream.keys.answer,
    parent: '@activity',
    before: null,
    value: {
      ...question,
      ...fields,
      deadline: environment.now() + 60_000,
      toolName: null,
      part: null,
      kind: 'request-activity',
      state: 'pending',
    },
  });
  if (!isOpen) stream.finish('waiting');
  await environment.settle();
}

function requestOf({ last }: ControllerFixture) {
  const part = last().parts.get('@request:c1');
  return part?.kind === 'request-activity' ? part : undefined;
}

const stateOf = (fixture: ControllerFixture) => requestOf(fixture)?.state;

test('a request expires at its deadline and can no longer be answered', async () => {
  const fixture = await openRequest((now) => now + 60_000);
  const { environment, controller } = fixture;
  await environment.advance(59_000);
  assert.equal(stateOf(fixture), 'pending');
  await environment.advance(1_000);
  assert.equal(stateOf(fixture), 'expired');
  const { key } = fixture.last();
  await assert.rejects(
    controller.provideInput(key, '@request:c1', { type: 'text', text: '2025' }),
    { code: 'not-open' },
  );
});

test('a request expires at once when its deadline passed before it was loaded', async () => {
  const fixture = await openRequest((now) => now - 1);
  await fixture.environment.advance(0);
  assert.equal(stateOf(fixture), 'expired');
  const types = fixture.notices.map(({ type }) => type);
  assert.ok(!types.includes('input-required'), 'not emitted for an expired request');
});

test('request details restore options, schema and deadline after a reload', async () => {
  const { environment } = await receiveRequest();
  const deadline = environment.now() + 60_000;
  const after = await openStored(setupController({ environment }));
  const { options, schema, deadline: kept } = requestOf(after) ?? {};
  assert.deepEqual([options, schema, kept], [[1, 2], { type: 'integer' }, deadline]);
  await environment.advance(60_000);
  assert.equal(stateOf(after), 'expired');
});

test('request details are not applied to another request at the same checkpoint', async () => {
  const { environment } = await receiveRequest();
  const other = { ...AGENT_REQUEST, prompt: 'Which month?' };
  const after = await openStored(setupController({ environment }), other);
  assert.deepEqual(requestOf(after)?.options, null);
});

test('request details are not applied for another user', async () => {
  const { environment } = await receiveRequest();
  const after = await openStored(setupController({ environment, userKey: 'user-2' }));
  assert.deepEqual(requestOf(after)?.options, null);
});

test('request details are removed with their thread', async () => {
  const { environment, controller } = await receiveRequest();
  await controller.deleteThread('a');
  await environment.settle();
  const after = await openStored(setupController({ environment }));
  assert.deepEqual(requestOf(after)?.options, null);
});

test('request details do not override what the service returns', async () => {
  const { environment } = await receiveRequest();
  const request = { ...AGENT_REQUEST, options: [3] };
  const after = await openStored(setupController({ environment }), request);
  assert.deepEqual(requestOf(after)?.options, [3]);
});

test('close clears the timers of deadlines', async () => {
  const { controller, environment } = await openRequest((now) => now + 60_000);
  controller.close();
  assert.equal(environment.timers, 0);
});

/** A run that waits for an answer, with a queued message. `record`: the stored thread after the deadline. */
async function setupExpiry(record: ThreadContent, queued: readonly string[] = ['Afterwards']) {
  const fixture = setupController();
  const { backend, controller } = fixture;
  await fixture.start('Hello');
  for (const text of queued) await controller.enqueue(draftOf(text));
  await emitRequest(fixture);
  assert.equal(controller.thread?.run.state, 'waiting');
  backend.threads.set('thread-id-1', record);
  return fixture;
}

const ASKED = stored('m1', 'user', 'Hello');
const ASKING = stored('m2', 'assistant', 'Hm', { runId: 'task-1' });

test('a run ends when its request has expired, and the queue continues', async () => {
  const fixture = await setupExpiry(contentOf('thread-id-1', [ASKED, ASKING]));
  const { backend, environment, controller } = fixture;
  const reads = backend.count('loadThread');
  await environment.advance(60_000);
  assert.equal(backend.count('loadThread'), reads + 1);
  assert.deepEqual(listSent(fixture), ['Hello', 'Afterwards']);
  backend.stream.begin('task-2');
  await environment.settle();
  assert.equal(controller.thread?.run.id, 'task-2');
  assert.deepEqual(describeQueue(fixture), []);
});

test('a request that expires while its answer is rejected is checked, and the queue continues', async () => {
  const fixture = await setupExpiry(contentOf('thread-id-1', [ASKED, ASKING]));
  const { backend, environment, controller, last } = fixture;
  await environment.advance(50_000);
  const answer = { type: 'text', text: '2026' } as const;
  const outcome = codeOf(controller.provideInput(last().key, AGENT_REQUEST.key, answer));
  await environment.advance(10_000);
  const reads = backend.count('loadThread');
  backend.stream.fail(new UbikError('not-sent'));
  await environment.settle();
  assert.equal(await outcome, 'not-sent');
  assert.equal(backend.count('loadThread'), reads + 1);
  assert.deepEqual(listSent(fixture), ['Hello', 'Afterwards']);
});

test('a run is rejoined when it continues after its request has expired', async () => {
  const fixture = await setupExpiry(contentOf('thread-id-1', [ASKED, ASKING], 'task-1'));
  const { backend, environment, controller } = fixture;
  await environment.advance(60_000);
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.begin('task-1');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'streaming');
  assert.deepEqual(listSent(fixture), ['Hello']);
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['Hello', 'Afterwards']);
});

test('a run that waits again after its request has expired is rejoined a limited number of times, with delays', async () => {
  const fixture = await setupExpiry(contentOf('thread-id-1', [ASKED], 'task-1'));
  const { backend, environment, controller } = fixture;
  await environment.advance(60_000);
  assert.equal(backend.count('rejoin'), 1);
  // The service ends each stream of a run that waits.
  const endStream = async (): Promise<void> => {
    backend.stream.finish('waiting');
    await environment.settle();
    assert.equal(controller.thread?.run.state, 'waiting');
  };
  await endStream();
  assert.equal(backend.count('rejoin'), 1);
  for (const [index, delay] of [1, 2, 4, 8, 16, 32].entries()) {
    await environment.advance(delay * 1_000);
    assert.equal(backend.count('rejoin'), index + 2);
    await endStream();
  }
  await environment.advance(3_600_000);
  assert.equal(backend.count('rejoin'), 7);
  assert.equal(environment.timers, 0);
});

test('a run that waits after its request has expired is rejoined as long as its streams end only after a while', async () => {
  const { backend, environment } = await setupExpiry(contentOf('thread-id-1', [ASKED], 'task-1'));
  await environment.advance(60_000);
  for (let count = 1; count <= 12; count += 1) {
    assert.equal(backend.count('rejoin'), count);
    // A proxy ends each stream.
    await environment.advance(30_000);
    backend.stream.finish('waiting');
    await environment.advance(1_000);
  }
});

for (const [what, more] of [
  ['the service still lists it', { requests: [AGENT_REQUEST] }],
  ['it cannot be looked up', { lacksRequests: true }],
] as const) {
  test(`an expired request is checked again when ${what}`, async () => {
    const fixture = await setupExpiry(contentOf('thread-id-1', [ASKED, { ...ASKING, ...more }]));
    const { backend, environment, controller } = fixture;
    await environment.advance(60_000);
    assert.equal(controller.thread?.run.state, 'waiting');
    assert.deepEqual(listSent(fixture), ['Hello']);
    backend.threads.set('thread-id-1', contentOf('thread-id-1', [ASKED, ASKING]));
    await environment.advance(1_000);
    assert.deepEqual(listSent(fixture), ['Hello', 'Afterwards']);
  });
}

test('an expired request is checked a limited number of times while the service lists it', async () => {
  const waiting = { ...ASKING, requests: [AGENT_REQUEST] };
  const other = await setupExpiry(contentOf('thread-id-1', [ASKED, waiting]));
  const reads = other.backend.count('loadThread');
  await other.environment.advance(3_600_000);
  assert.equal(other.backend.count('loadThread'), reads + 7, 'the first check and six retries');
  assert.equal(other.environment.timers, 0);
  assert.deepEqual(listSent(other), ['Hello']);
});

test('an expired request is checked a limited number of times also when the service responds slowly', async () => {
  const waiting = { ...ASKING, requests: [AGENT_REQUEST] };
  const content = contentOf('thread-id-1', [ASKED, waiting]);
  const { backend, environment } = await setupExpiry(content);
  const reads = backend.count('loadThread');
  backend.responses.set('loadThread', async () => {
    await new Promise<void>((resolve) => environment.setTimer(resolve, 15_000));
    return content;
  });
  await environment.advance(3_600_000);
  assert.equal(backend.count('loadThread'), reads + 7, 'the first check and six retries');
});

test('a run whose request has expired long ago is checked when the user returns', async () => {
  const waiting = { ...ASKING, requests: [AGENT_REQUEST] };
  const fixture = await setupExpiry(contentOf('thread-id-1', [ASKED, waiting]));
  const { backend, environment, page } = fixture;
  await environment.advance(3_600_000);
  backend.threads.set('thread-id-1', contentOf('thread-id-1', [ASKED, ASKING]));
  page.wake('visible');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['Hello', 'Afterwards']);
});

test('an expired request is not checked again after an error that no retry can fix', async () => {
  const fixture = await setupExpiry(contentOf('thread-id-1', [ASKED, ASKING]));
  const { backend, environment } = fixture;
  backend.responses.set('loadThread', () => {
    throw new UbikError('forbidden');
  });
  const reads = backend.count('loadThread');
  await environment.advance(3_600_000);
  assert.equal(backend.count('loadThread'), reads + 1);
});

test('an expired request is checked when its stream ends', async () => {
  const fixture = await receiveRequest(true);
  const { backend, controller, environment } = fixture;
  for (const _ of [1, 2]) {
    await environment.advance(30_000);
    backend.stream.sendHeartbeat();
  }
  assert.equal(stateOf(fixture), 'expired');
  const messages = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', 'Never mind.')];
  backend.threads.set('a', contentOf('a', messages));
  const before = backend.count('loadThread');
  backend.stream.finish('waiting');
  await environment.settle();
  assert.ok(backend.count('loadThread') > before);
  assert.equal(controller.thread?.run.state, 'complete');
});

/** A run that waits for an answer, with queued messages, in a thread that shows another branch. */
async function setupOtherBranch(queued?: readonly string[]) {
  const other = [stored('b1', 'user', 'Other'), stored('b2', 'assistant', 'Another answer')];
  const branch = contentOf('thread-id-1', other);
  const fixture = await setupExpiry(branch, queued);
  const { backend, controller, last } = fixture;
  const { key } = last();
  backend.responses.set('switchBranch', () => branch);
  await controller.switchBranch('b2');
  assert.deepEqual(fixture.texts(), ['Other', 'Another answer']);
  assert.equal(controller.thread?.run.state, 'waiting');
  return { ...fixture, other, waitingKey: key };
}

test('a run that waits in another branch does not end when its request has expired', async () => {
  const fixture = await setupOtherBranch();
  await fixture.environment.advance(120_000);
  assert.equal(fixture.controller.thread?.run.state, 'waiting');
  assert.deepEqual(listSent(fixture), ['Hello']);
});

test('a run that waits in another branch does not prevent the user from sending a queued message', async () => {
  const fixture = await setupOtherBranch();
  const { controller, environment } = fixture;
  await controller.sendQueued(keyOf(fixture, 'Afterwards'));
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['Hello', 'Afterwards']);
});

for (const [action, act] of [
  ['removed', ({ controller }, key) => controller.removeQueued(key)],
  ['changed', ({ controller }, key) => controller.updateQueued(key, draftOf('Changed'))],
  ['paused', ({ controller }, key) => controller.pauseQueued(key)],
] as readonly (readonly [string, (fixture: ControllerFixture, key: string) => Promise<void>])[]) {
  test(`no queued message is sent into another branch than that of the waiting run when a queued message is ${action}`, async () => {
    const fixture = await setupOtherBranch(['Second', 'Third']);
    await act(fixture, keyOf(fixture, 'Third'));
    await fixture.environment.settle();
    assert.deepEqual(listSent(fixture), ['Hello']);
  });
}

test('a run that waits in another branch does not keep the page from reloading the thread when the user returns', async () => {
  const { backend, environment, other, page, texts } = await setupOtherBranch();
  const more = [...other, stored('b3', 'user', 'And then?')];
  backend.threads.set('thread-id-1', contentOf('thread-id-1', more));
  page.wake('visible');
  await environment.settle();
  assert.equal(texts().at(-1), 'And then?');
});

test('a request in another branch than the shown one cannot be answered', async () => {
  const { backend, controller, waitingKey } = await setupOtherBranch();
  const answer = { type: 'text', text: '2026' } as const;
  const answered = controller.provideInput(waitingKey, AGENT_REQUEST.key, answer);
  assert.equal(await codeOf(answered), 'not-open');
  assert.equal(backend.count('provideInput'), 0);
});

test('a suspended run without an expired request is not checked', async () => {
  const fixture = await receiveRequest(true);
  const { backend, environment } = fixture;
  const { stream } = backend;
  stream.push({
    type: 'set',
    message: stream.keys.answer,
    part: '@request:c1',
    path: ['state'],
    value: 'answered',
  });
  const reads = backend.count('loadThread');
  stream.finish('waiting');
  await environment.settle();
  assert.equal(stateOf(fixture), 'answered');
  assert.equal(backend.count('loadThread'), reads);
});

test('close cancels the timer of a request whose answer was being sent', async () => {
  const { controller, environment, last } = await openRequest((now) => now + 86_400_000);
  const { timers } = environment;
  const { key } = last();
  const request = AGENT_REQUEST.key;
  const sent = controller.provideInput(key, request, { type: 'text', text: '2020' });
  await environment.settle();
  controller.detach();
  await sent.catch(() => undefined);
  assert.ok(timers >= 1);
  controller.close();
  assert.equal(environment.timers, 0);
});

test('answered requests have no timer', async () => {
  const fixture = setupController();
  const { backend, environment, start } = fixture;
  await start();
  const { key: _, message: __, ...question } = AGENT_REQUEST;
  const { answer } = backend.stream.keys;
  const before = environment.timers;
  for (let count = 0; count < 50; count += 1) {
    const part = `@request-${count}`;
    const deadline = environment.now() + 86_400_000;
    backend.stream.push({
      type: 'part',
      message: answer,
      part,
      parent: '@activity',
      before: null,
      value: {
        ...question,
        kind: 'request-activity',
        toolName: null,
        part: null,
        state: 'pending',
        deadline,
      },
    });
    backend.stream.push({ type: 'set', message: answer, part, path: ['state'], value: 'answered' });
  }
  await environment.settle();
  assert.equal(environment.timers, before);
});

test('input-required is not emitted for a request whose deadline is now', async () => {
  const { notices } = await openRequest((now) => now);
  assert.ok(!notices.some(({ type }) => type === 'input-required'));
});

test('a deadline beyond the longest delay of a timer (2³¹ − 1 ms) has no timer', async () => {
  const fixture = await openRequest((now) => now + 2 ** 31);
  await fixture.environment.settle();
  assert.equal(fixture.environment.timers, 0);
  assert.equal(stateOf(fixture), 'pending');
  const { environment } = await openRequest((now) => now + 2 ** 31 - 1);
  await environment.settle();
  assert.equal(environment.timers, 1);
});

test('a request whose deadline was postponed expires at the new one', async () => {
  const fixture = await receiveRequest(true);
  const { environment } = fixture;
  await environment.advance(30_000);
  await emitRequest(fixture, {}, true);
  await environment.advance(30_000);
  assert.equal(stateOf(fixture), 'pending');
  await environment.advance(30_000);
  assert.equal(stateOf(fixture), 'expired');
  const emitted = fixture.notices.filter(({ type }) => type === 'input-required');
  assert.equal(emitted.length, 1);
});
