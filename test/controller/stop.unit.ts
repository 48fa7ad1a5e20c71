import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Backend } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { createFieldChange } from '../../src/model/change.js';
import { AGENT_REQUEST } from '../helpers/agent-request.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, IDLE_TIMEOUT, stored } from './scripted-backend.js';
import { codeOf, draftOf, FIRST_REJOIN_DELAY, setupController } from './setup-controller.js';

test('stop sends a request and waits for the end of the run', async () => {
  const { controller, backend, environment, start, states, runNotices, last } = setupController();
  await start();
  let over = false;
  const stopped = controller.stop().then(() => (over = true));
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'stopping');
  assert.equal(over, false);
  backend.stream.append(0, 'Last words');
  backend.stream.finish('stopped');
  await stopped;
  assert.deepEqual(states.slice(-3), ['streaming', 'stopping', 'stopped']);
  assert.deepEqual(runNotices(), ['run-started', 'run-stopped']);
  assert.equal(last().status, 'stopped');
});

for (const how of ['complete', 'failed'] as const) {
  test(`a run that was stopped ends as stopped when the service reports ${how}`, async () => {
    const { controller, backend, start, states, runNotices, last } = setupController();
    await start();
    const stopped = controller.stop();
    backend.stream.finish(how);
    await stopped;
    assert.equal(last().status, 'stopped');
    assert.deepEqual(runNotices(), ['run-started', 'run-stopped']);
    assert.equal(states.includes(how), false);
  });
}

test('a run that was stopped ends as stopped when its stream ends', async () => {
  const { controller, backend, environment, start, runNotices } = setupController();
  await start();
  const stopped = controller.stop();
  await environment.settle();
  backend.stream.end();
  await stopped;
  assert.deepEqual(runNotices(), ['run-started', 'run-stopped']);
  assert.equal(backend.count('rejoin'), 0);
});

test('stop rejoins a stream that breaks while the end is awaited', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  const stopped = controller.stop();
  await environment.settle();
  backend.stream.fail();
  await environment.advance(FIRST_REJOIN_DELAY);
  backend.stream.sendHeartbeat();
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'stopping');
  backend.stream.finish('stopped');
  await stopped;
  assert.equal(backend.count('stop'), 1);
});

for (const error of [
  new UbikError('not-found'),
  new UbikError('not-an-api', 'no stream', { status: 204 }),
]) {
  test(`a run whose stop was accepted ends as stopped when nothing is left to join (${error.code})`, async () => {
    const { controller, backend, environment, start, runNotices, last } = setupController();
    await start();
    const stopped = controller.stop();
    await environment.settle();
    backend.stream.fail();
    await environment.advance(FIRST_REJOIN_DELAY);
    backend.stream.fail(error);
    await stopped;
    assert.equal(last().status, 'stopped');
    assert.deepEqual(runNotices(), ['run-started', 'run-stopped']);
  });
}

test('a run whose stop was accepted ends as stopped when its stream breaks and the backend cannot rejoin', async () => {
  const { controller, backend, environment, start, runNotices, last } = setupController();
  await start();
  Object.assign(backend, { rejoin: undefined });
  const stopped = controller.stop();
  await environment.settle();
  backend.stream.fail();
  await stopped;
  assert.equal(last().status, 'stopped');
  assert.deepEqual(runNotices(), ['run-started', 'run-stopped']);
});

test('a run whose stop was accepted can be rejoined after the user has signed in again', async () => {
  const { controller, backend, environment, notices, start } = setupController();
  await start();
  const stopped = controller.stop();
  await environment.settle();
  backend.stream.fail();
  await environment.advance(FIRST_REJOIN_DELAY);
  backend.stream.fail(new UbikError('unauthorized'));
  await stopped;
  assert.equal(controller.thread?.run.state, 'interrupted');
  assert.ok(notices.some(({ type }) => type === 'auth-required'));
  const rejoined = controller.rejoin();
  await environment.settle();
  backend.stream.sendHeartbeat();
  await rejoined;
  assert.equal(controller.thread.run.state, 'streaming');
});

test('a run whose stop was not accepted yet is interrupted when nothing is left to join', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.responses.set('stop', () => new Promise(() => undefined));
  void controller.stop().catch(() => undefined);
  await environment.settle();
  backend.stream.fail();
  await environment.advance(FIRST_REJOIN_DELAY);
  backend.stream.fail(new UbikError('not-found'));
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'interrupted');
});

test('stop sends one request, however often it is called', async () => {
  const { controller, backend, start } = setupController();
  await start();
  const both = Promise.all([controller.stop(), controller.stop()]);
  backend.stream.finish('stopped');
  await both;
  assert.equal(backend.count('stop'), 1);
});

test('stop waits until the service has received the message', async () => {
  const { controller, backend, environment } = setupController();
  void controller.send(draftOf('Question'));
  await environment.settle();
  const stopped = controller.stop();
  await environment.settle();
  assert.equal(backend.count('stop'), 0);
  backend.stream.begin();
  await environment.settle();
  assert.equal(backend.count('stop'), 1);
  backend.stream.finish('stopped');
  await stopped;
});

test('a run continues when the stop is rejected, and can be stopped again', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.responses.set('stop', () => {
    throw new UbikError('server', 'no');
  });
  assert.equal(await codeOf(controller.stop()), 'server');
  assert.equal(controller.thread?.run.state, 'streaming');
  backend.responses.clear();
  const stopped = controller.stop();
  await environment.settle();
  backend.stream.finish('stopped');
  await stopped;
  assert.equal(backend.count('stop'), 2);
});

test('a rejoined run continues when the stop is rejected', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.stream.fail();
  await environment.settle();
  const answer = new Deferred<undefined>();
  backend.responses.set('stop', () => answer.promise);
  const stopped = codeOf(controller.stop());
  await environment.advance(FIRST_REJOIN_DELAY);
  backend.stream.sendHeartbeat();
  await environment.settle();
  answer.reject(new UbikError('server'));
  assert.equal(await stopped, 'server');
  assert.equal(controller.thread?.run.state, 'streaming');
});

test('a broken run keeps its state when the stop is rejected before it is joined', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.stream.fail();
  await environment.settle();
  const state = controller.thread?.run.state;
  backend.responses.set('stop', () => Promise.reject(new UbikError('server')));
  assert.equal(await codeOf(controller.stop()), 'server');
  assert.equal(controller.thread?.run.state, state);
});

test('a request stays pending when the stop of its run is rejected', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.stream.request('request-1', 'tool');
  backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
  await environment.settle();
  backend.responses.set('stop', () => Promise.reject(new UbikError('server')));
  assert.equal(await codeOf(controller.stop()), 'server');
  assert.equal(controller.thread?.run.state, 'waiting');
});

test('stop rejects when the run is interrupted before the service has confirmed it', async () => {
  const { controller, backend, environment } = setupController();
  const sent = codeOf(controller.send(draftOf('Question')));
  await environment.settle();
  const stopped = codeOf(controller.stop());
  for (let turn = 0; turn < 12; turn += 1) await environment.advance(100_000);
  assert.equal(controller.thread?.run.state, 'interrupted');
  assert.equal(backend.count('stop'), 0);
  assert.equal(await stopped, 'interrupted');
  assert.equal(await sent, 'interrupted');
});

test('stop sends one request when the controller is closed before the response', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  const answer = new Deferred<undefined>();
  backend.responses.set('stop', () => answer.promise);
  const stopped = codeOf(controller.stop());
  await environment.settle();
  controller.close();
  assert.equal(await stopped, 'none');
  answer.reject(new UbikError('aborted'));
  await environment.settle();
  assert.equal(backend.count('stop'), 1);
  assert.equal(environment.timers, 0);
});

test('stop resolves when the run ends before the request arrives', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.responses.set('stop', async () => {
    backend.stream.finish('complete');
    await environment.settle();
    throw new UbikError('not-found', 'nothing runs');
  });
  await controller.stop();
  assert.equal(controller.thread?.run.state, 'stopped');
});

test('stop does nothing without a run', async () => {
  const { controller, backend } = setupController();
  await controller.stop();
  assert.equal(backend.count('stop'), 0);
});

/** A thread in whose stored answer a tool waits for the user, as after a reload. */
async function setupReloaded() {
  const fixture = setupController();
  const { backend, controller, last } = fixture;
  const request = { ...AGENT_REQUEST, key: '@request:1', level: 'tool' } as const;
  const answer = stored('m2', 'assistant', 'Hm', { runId: 'task-1' });
  const messages = [stored('m1', 'user', 'Hello'), { ...answer, requests: [request] }];
  backend.threads.set('a', contentOf('a', messages));
  await controller.openThread('a');
  return { ...fixture, request: () => last().parts.get('@request:1') as { state?: string } };
}

test('stop after a reload stops the run whose tool waits, and joins it to receive its end', async () => {
  const { controller, backend, environment, runNotices, last, request } = await setupReloaded();
  const stopped = controller.stop();
  await environment.settle();
  const sent = backend.calls.filter(({ method }) => method === 'stop');
  assert.deepEqual(
    sent.map(({ args }) => (args[1] as { id: string }).id),
    ['task-1'],
  );
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.begin();
  backend.stream.finish('stopped');
  await stopped;
  assert.deepEqual(runNotices(), ['run-started', 'run-stopped']);
  assert.deepEqual([last().status, request().state], ['stopped', 'closed']);
});

test('stop also stops a run of another device whose tool waits after a run of this page', async () => {
  const { controller, backend, environment, start, last } = setupController();
  const question = stored('m1', 'user', 'Hello');
  backend.threads.set('a', contentOf('a', [question]));
  await controller.openThread('a');
  await start('Question');
  backend.stream.push(createFieldChange(backend.stream.keys.user ?? '', null, 'id', 'm2'));
  backend.stream.push(createFieldChange(backend.stream.keys.answer, null, 'id', 'm3'));
  backend.stream.finish('complete');
  await environment.settle();
  const request = { ...AGENT_REQUEST, level: 'tool' } as const;
  const answer = stored('m5', 'assistant', 'Hm', { runId: 'task-2' });
  const run = [stored('m2', 'user', 'Question'), stored('m3', 'assistant', '')];
  const other = [stored('m4', 'user', 'And then?'), { ...answer, requests: [request] }];
  backend.threads.set('a', contentOf('a', [question, ...run, ...other]));
  (backend as Backend).onExternalChange?.('a');
  await environment.settle();
  assert.deepEqual([last().id, controller.thread?.run.state], ['m5', 'complete']);
  void controller.stop();
  await environment.settle();
  const sent = backend.calls.filter(({ method }) => method === 'stop');
  assert.deepEqual(
    sent.map(({ args }) => (args[1] as { id: string }).id),
    ['task-2'],
  );
});

test('a run that waits after a reload keeps waiting when its stop is rejected', async () => {
  const { controller, backend, request } = await setupReloaded();
  backend.responses.set('stop', () => {
    throw new UbikError('server');
  });
  assert.equal(await codeOf(controller.stop()), 'server');
  assert.deepEqual([controller.thread?.run.state, request().state], ['waiting', 'pending']);
});

describe('a suspended run after the service has closed its stream', () => {
  /** A run that waits for an answer to a tool and whose stream has ended. */
  async function setupSuspended() {
    const fixture = setupController();
    await fixture.start();
    fixture.backend.stream.request('@request:1', 'tool');
    fixture.backend.stream.finish('waiting');
    await fixture.environment.settle();
    assert.deepEqual(fixture.runNotices(), ['run-started', 'run-paused']);
    const request = () => fixture.last().parts.get('@request:1') as { state?: string };
    /** Ends the stream that was rejoined; `state` is what it reports of the run. */
    const emitEnd = async (state: 'complete' | 'waiting' = 'complete') => {
      await fixture.environment.settle();
      fixture.backend.stream.begin();
      fixture.backend.stream.finish(state);
    };
    return { ...fixture, request, emitEnd };
  }

  test('stop of a suspended run rejoins its stream to receive its end', async () => {
    const { controller, backend, notices, runNotices, last, states, request, emitEnd } =
      await setupSuspended();
    await Promise.all([controller.stop(), controller.stop(), emitEnd()]);
    assert.deepEqual(backend.calls.find(({ method }) => method === 'stop')?.args[1], {
      id: 'task-1',
      keys: backend.stream.keys,
      otherRunIds: [],
    });
    assert.deepEqual([backend.count('stop'), backend.count('rejoin')], [1, 1]);
    assert.deepEqual(states.slice(-5), ['waiting', 'stopping', 'rejoining', 'stopping', 'stopped']);
    assert.deepEqual([last().status, request().state], ['stopped', 'closed']);
    assert.deepEqual(runNotices().slice(2), ['run-started', 'run-stopped']);
    const again = notices.findLast(({ type }) => type === 'run-started');
    assert.equal(again?.type === 'run-started' && again.run.resumed, true);
    await controller.stop();
    assert.equal(backend.count('stop'), 1);
  });

  test('a suspended run ends as stopped when its rejoined stream ends while the request is still open', async () => {
    const { controller, backend, last, request, runNotices, emitEnd } = await setupSuspended();
    await Promise.all([controller.stop(), emitEnd('waiting')]);
    assert.deepEqual([last().status, request().state], ['stopped', 'closed']);
    assert.equal(controller.thread?.run.state, 'stopped');
    assert.deepEqual(runNotices().slice(2), ['run-started', 'run-stopped']);
    assert.equal(backend.count('stop'), 1);
  });

  test('a suspended run ends as stopped when the stop is accepted and the backend cannot rejoin', async () => {
    const { controller, backend, last, request, runNotices } = await setupSuspended();
    Object.assign(backend, { rejoin: undefined });
    await controller.stop();
    assert.deepEqual([last().status, request().state], ['stopped', 'closed']);
    assert.equal(controller.thread?.run.state, 'stopped');
    assert.equal(runNotices().includes('run-interrupted'), false);
  });

  test('a suspended run keeps waiting when the stop is rejected, and can be stopped later', async () => {
    const { controller, backend, environment, page, runNotices, request, emitEnd } =
      await setupSuspended();
    backend.responses.set('stop', () => {
      throw new UbikError('server', 'no');
    });
    assert.equal(await codeOf(controller.stop()), 'server');
    assert.deepEqual([controller.thread?.run.state, request().state], ['waiting', 'pending']);
    page.wake('online');
    await environment.settle();
    assert.equal(backend.count('rejoin'), 0);
    backend.responses.clear();
    await Promise.all([controller.stop(), emitEnd()]);
    assert.equal(controller.thread?.run.state, 'stopped');
    assert.equal(runNotices().at(-1), 'run-stopped');
  });

  test('a suspended run that is being stopped rejects a message and accepts an answer', async () => {
    const { controller, backend, environment, last } = await setupSuspended();
    let refuse: (error: UbikError) => void = () => undefined;
    backend.responses.set('stop', () => new Promise((_, reject) => (refuse = reject)));
    const stopped = controller.stop();
    assert.equal(await codeOf(controller.send(draftOf('Next'))), 'busy');
    const answer = { type: 'text', text: '2025' } as const;
    const answered = controller.provideInput(last().key, '@request:1', answer);
    await environment.settle();
    backend.stream.push({ type: 'thread', set: { run: { state: 'streaming', id: 'task-1' } } });
    await Promise.all([answered, stopped]);
    refuse(new UbikError('not-found', 'nothing runs'));
    await environment.settle();
    assert.equal(controller.thread?.run.state, 'streaming');
  });
});

test('stop closes the request of a run that waits with an open stream', async () => {
  const { controller, backend, environment, start, last } = setupController();
  await start();
  backend.stream.request('@request:1', 'tool');
  backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
  await environment.settle();
  const stopped = controller.stop();
  await environment.settle();
  backend.stream.end();
  await stopped;
  assert.equal((last().parts.get('@request:1') as { state?: string }).state, 'closed');
});

for (const [isAccepted, state, request] of [
  [true, 'stopped', 'closed'],
  [false, 'waiting', 'pending'],
] as const) {
  test(`a run that requests input after the user has requested a stop is ${state} when its stream ends ${isAccepted ? 'after' : 'before'} the stop was accepted`, async () => {
    const { controller, backend, environment, start, last } = setupController();
    await start();
    if (!isAccepted) backend.responses.set('stop', () => new Promise(() => undefined));
    const stopped = controller.stop();
    await environment.settle();
    backend.stream.request('@request:1', 'tool');
    backend.stream.finish('waiting');
    await stopped;
    assert.equal(controller.thread?.run.state, state);
    assert.equal((last().parts.get('@request:1') as { state?: string }).state, request);
  });
}

test('a rejected stop does not set the error of the run', async () => {
  const { controller, backend, start } = setupController();
  await start();
  backend.responses.set('stop', () => Promise.reject(new UbikError('server')));
  assert.equal(await codeOf(controller.stop()), 'server');
  assert.equal(controller.thread?.run.error, null);
});

test('a stream that stalls while a stop request is pending is rejoined at once', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.stream.request('@request:1', 'tool');
  backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
  await environment.settle();
  backend.responses.set('stop', () => new Promise(() => undefined));
  void controller.stop().catch(() => undefined);
  await environment.advance(IDLE_TIMEOUT);
  assert.equal(backend.count('rejoin'), 1);
  controller.close();
});

test('stop sends a request for a paused run in which both the agent and a tool ask', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.stream.request('@request:1', 'agent');
  backend.stream.request('@request:2', 'tool');
  backend.stream.finish('waiting');
  await environment.settle();
  void controller.stop().catch(() => undefined);
  await environment.settle();
  assert.equal(backend.count('stop'), 1);
  controller.close();
});

test('a paused run whose end is no longer awaited after a stop is interrupted, without an error', async () => {
  for (const isAccepted of [false, true]) {
    const { controller, backend, environment, start, runNotices, notices } = setupController();
    await start();
    backend.stream.request('@request:1', 'tool');
    backend.stream.finish('waiting');
    await environment.settle();
    if (!isAccepted) backend.responses.set('stop', () => new Promise(() => undefined));
    const stopped = controller.stop();
    await environment.settle();
    assert.equal(controller.thread?.run.state, isAccepted ? 'rejoining' : 'stopping');
    controller.detach();
    await stopped;
    assert.deepEqual(runNotices(), ['run-started', 'run-paused', 'run-interrupted']);
    assert.equal(
      notices.some(({ type }) => type === 'error'),
      false,
    );
    controller.close();
  }
});

test('a run that is detached while its message is being sent reports no error', async () => {
  const { controller, environment, notices } = setupController();
  const sent = codeOf(controller.send(draftOf('Question')));
  await environment.settle();
  controller.detach();
  assert.equal(await sent, 'aborted');
  assert.equal(
    notices.some(({ type }) => type === 'error'),
    false,
  );
  controller.close();
});

test('stop does nothing while a paused run waits for an answer to the agent', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  backend.stream.request('@request:1', 'agent');
  backend.stream.finish('waiting');
  await environment.settle();
  await controller.stop();
  assert.equal(backend.count('stop'), 0);
  assert.equal(controller.thread?.run.state, 'waiting');
});
