import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import { codeOf, draftOf, setupConversation } from './setup-conversation.js';

test('asks the service to stop and waits for the end', async () => {
  const { controller, backend, environment, start, states, told, last } = setupConversation();
  await start();
  let over = false;
  const stopped = controller.stop().then(() => (over = true));
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'stopping');
  assert.equal(over, false);
  backend.stream.say(0, 'Last words');
  backend.stream.finish('stopped');
  await stopped;
  assert.deepEqual(states.slice(-3), ['streaming', 'stopping', 'stopped']);
  assert.deepEqual(told(), ['run-started', 'run-stopped']);
  assert.equal(last().status, 'stopped');
});

for (const how of ['complete', 'failed'] as const) {
  test(`takes an end that is told as ${how} after a stop for stopped`, async () => {
    const { controller, backend, start, states, told, last } = setupConversation();
    await start();
    const stopped = controller.stop();
    backend.stream.finish(how);
    await stopped;
    assert.equal(last().status, 'stopped');
    assert.deepEqual(told(), ['run-started', 'run-stopped']);
    assert.equal(states.includes(how), false);
  });
}

test('takes a plain end of the stream after a stop for stopped', async () => {
  const { controller, backend, environment, start, told } = setupConversation();
  await start();
  const stopped = controller.stop();
  await environment.settle();
  backend.stream.end();
  await stopped;
  assert.deepEqual(told(), ['run-started', 'run-stopped']);
  assert.equal(backend.count('rejoin'), 0);
});

test('joins a stream that breaks while the end is awaited, and goes on waiting', async () => {
  const { controller, backend, environment, start } = setupConversation();
  await start();
  const stopped = controller.stop();
  await environment.settle();
  backend.stream.fail();
  await environment.advance(500);
  backend.stream.beat();
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'stopping');
  backend.stream.finish('stopped');
  await stopped;
  assert.equal(backend.count('stop'), 1);
});

test('asks once, however often it is told to', async () => {
  const { controller, backend, start } = setupConversation();
  await start();
  const both = Promise.all([controller.stop(), controller.stop()]);
  backend.stream.finish('stopped');
  await both;
  assert.equal(backend.count('stop'), 1);
});

test('does not let a stop overtake the message', async () => {
  const { controller, backend, environment } = setupConversation();
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

test('goes on streaming when the stop is refused, and can be asked again', async () => {
  const { controller, backend, environment, start } = setupConversation();
  await start();
  backend.answers.set('stop', () => {
    throw new UbikError('server', 'no');
  });
  assert.equal(await codeOf(controller.stop()), 'server');
  assert.equal(controller.thread?.run.state, 'streaming');
  backend.answers.clear();
  const stopped = controller.stop();
  await environment.settle();
  backend.stream.finish('stopped');
  await stopped;
  assert.equal(backend.count('stop'), 2);
});

test('streams on when the stop is refused after a broken stream was joined', async () => {
  const { controller, backend, environment, start } = setupConversation();
  await start();
  backend.stream.fail();
  await environment.settle();
  const answer = new Deferred<undefined>();
  backend.answers.set('stop', () => answer.promise);
  const stopped = codeOf(controller.stop());
  await environment.advance(500);
  backend.stream.beat();
  await environment.settle();
  answer.reject(new UbikError('server'));
  assert.equal(await stopped, 'server');
  assert.equal(controller.thread?.run.state, 'streaming');
});

test('keeps the state of a broken stream when the stop is refused before it was joined', async () => {
  const { controller, backend, environment, start } = setupConversation();
  await start();
  backend.stream.fail();
  await environment.settle();
  const state = controller.thread?.run.state;
  backend.answers.set('stop', () => Promise.reject(new UbikError('server')));
  assert.equal(await codeOf(controller.stop()), 'server');
  assert.equal(controller.thread?.run.state, state);
});

test('keeps a question open when the stop is refused while its stream is', async () => {
  const { controller, backend, environment, start } = setupConversation();
  await start();
  backend.stream.ask('request-1', 'tool');
  backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
  await environment.settle();
  backend.answers.set('stop', () => Promise.reject(new UbikError('server')));
  assert.equal(await codeOf(controller.stop()), 'server');
  assert.equal(controller.thread?.run.state, 'waiting');
});

test('tells that nothing was stopped when the run is given up before its first sign of life', async () => {
  const { controller, backend, environment } = setupConversation();
  const sent = codeOf(controller.send(draftOf('Question')));
  await environment.settle();
  const stopped = codeOf(controller.stop());
  for (let turn = 0; turn < 12; turn += 1) await environment.advance(100_000);
  assert.equal(controller.thread?.run.state, 'interrupted');
  assert.equal(backend.count('stop'), 0);
  assert.equal(await stopped, 'interrupted');
  assert.equal(await sent, 'interrupted');
});

test('asks the service once when the controller is closed before it has answered', async () => {
  const { controller, backend, environment, start } = setupConversation();
  await start();
  const answer = new Deferred<undefined>();
  backend.answers.set('stop', () => answer.promise);
  const stopped = codeOf(controller.stop());
  await environment.settle();
  controller.close();
  assert.equal(await stopped, 'none');
  answer.reject(new UbikError('aborted'));
  await environment.settle();
  assert.equal(backend.count('stop'), 1);
  assert.equal(environment.timers, 0);
});

test('is no error when the run ends before the stop arrives', async () => {
  const { controller, backend, environment, start } = setupConversation();
  await start();
  backend.answers.set('stop', async () => {
    backend.stream.finish('complete');
    await environment.settle();
    throw new UbikError('not-found', 'nothing runs');
  });
  await controller.stop();
  assert.equal(controller.thread?.run.state, 'stopped');
});

test('has nothing to do when nothing runs', async () => {
  const { controller, backend } = setupConversation();
  await controller.stop();
  assert.equal(backend.count('stop'), 0);
});

describe('a run that waits on after the service has closed its stream', () => {
  /** A tool has asked, and the stream is over. */
  async function setupParked() {
    const conversation = setupConversation();
    await conversation.start();
    conversation.backend.stream.ask('@request:1', 'tool');
    conversation.backend.stream.finish('waiting');
    await conversation.environment.settle();
    assert.deepEqual(conversation.told(), ['run-started', 'run-paused']);
    const request = () => conversation.last().parts.get('@request:1') as { state?: string };
    /** The stream that is joined for the end brings it. */
    const tellEnd = async () => {
      await conversation.environment.settle();
      conversation.backend.stream.begin();
      conversation.backend.stream.finish('complete');
    };
    return { ...conversation, request, tellEnd };
  }

  test('is stopped at the service, whose stream is joined again for its end', async () => {
    const { controller, backend, notices, told, last, states, request, tellEnd } =
      await setupParked();
    await Promise.all([controller.stop(), controller.stop(), tellEnd()]);
    assert.deepEqual(backend.calls.find(({ method }) => method === 'stop')?.args[1], {
      id: 'task-1',
      keys: backend.stream.keys,
      finishedRuns: [],
    });
    assert.deepEqual([backend.count('stop'), backend.count('rejoin')], [1, 1]);
    assert.deepEqual(states.slice(-5), ['waiting', 'stopping', 'rejoining', 'stopping', 'stopped']);
    assert.deepEqual([last().status, request().state], ['stopped', 'closed']);
    assert.deepEqual(told().slice(2), ['run-started', 'run-stopped']);
    const again = notices.findLast(({ type }) => type === 'run-started');
    assert.equal(again?.type === 'run-started' && again.run.resumed, true);
    await controller.stop();
    assert.equal(backend.count('stop'), 1);
  });

  test('waits on when the service refuses the stop, and can be stopped later', async () => {
    const { controller, backend, environment, page, told, request, tellEnd } = await setupParked();
    backend.answers.set('stop', () => {
      throw new UbikError('server', 'no');
    });
    assert.equal(await codeOf(controller.stop()), 'server');
    assert.deepEqual([controller.thread?.run.state, request().state], ['waiting', 'pending']);
    page.wake('online');
    await environment.settle();
    assert.equal(backend.count('rejoin'), 0);
    backend.answers.clear();
    await Promise.all([controller.stop(), tellEnd()]);
    assert.equal(controller.thread?.run.state, 'stopped');
    assert.equal(told().at(-1), 'run-stopped');
  });

  test('takes no message while the stop is on its way, but goes on with an answer', async () => {
    const { controller, backend, environment, last } = await setupParked();
    let refuse: (error: UbikError) => void = () => undefined;
    backend.answers.set('stop', () => new Promise((_, reject) => (refuse = reject)));
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

test('closes the question of a run that is stopped while it waits with its stream open', async () => {
  const { controller, backend, environment, start, last } = setupConversation();
  await start();
  backend.stream.ask('@request:1', 'tool');
  backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
  await environment.settle();
  const stopped = controller.stop();
  await environment.settle();
  backend.stream.end();
  await stopped;
  assert.equal((last().parts.get('@request:1') as { state?: string }).state, 'closed');
});
