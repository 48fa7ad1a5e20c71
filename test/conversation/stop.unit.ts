import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError } from '../../src/errors.js';
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
