import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend, ThreadContent } from '../../src/backends/backend.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, draftOf, setupConversation, type Conversation } from './setup-conversation.js';

const OLD = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', 'Good day')];
const FIRST = [stored('m1', 'user', 'Hello'), stored('m3', 'assistant', 'First version')];
const SECOND = [stored('m1', 'user', 'Hello'), stored('m4', 'assistant', 'Second version')];

/** An open thread, whose reads and navigations are answered when the test says so. */
async function setupTalk(): Promise<
  Conversation & { hold(method: string): Deferred<ThreadContent>[] }
> {
  const conversation = setupConversation();
  const { backend, controller } = conversation;
  backend.threads.set('a', contentOf('a', OLD));
  await controller.openThread('a');
  return {
    ...conversation,
    hold(method) {
      const asked: Deferred<ThreadContent>[] = [];
      backend.answers.set(method, () => {
        const answer = new Deferred<ThreadContent>();
        asked.push(answer);
        return answer.promise;
      });
      return asked;
    },
  };
}

/** The controller hears of changes made elsewhere. */
const foreignChange = ({ onForeignChange }: Backend): Backend['onForeignChange'] => onForeignChange;

test('a read that began before a navigation does not take the person back', async () => {
  const { controller, backend, environment, hold, texts, start } = await setupTalk();
  await start('More');
  backend.stream.say(0, 'Answer');
  const reads = hold('loadThread');
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(reads.length, 1);
  backend.answers.set('navigate', () => contentOf('a', FIRST));
  await controller.navigate('m3');
  assert.deepEqual(texts(), ['Hello', 'First version']);
  const recorded = [stored('m5', 'user', 'More'), stored('m6', 'assistant', 'Answer')];
  reads[0]?.resolve(contentOf('a', [...OLD, ...recorded]));
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'First version']);
});

test('navigations reach the service one after the other, and the last one is shown', async () => {
  const { controller, environment, hold, texts } = await setupTalk();
  const asked = hold('navigate');
  const both = [controller.navigate('m3'), controller.navigate('m4')];
  await environment.settle();
  assert.equal(asked.length, 1);
  asked[0]?.resolve(contentOf('a', FIRST));
  await environment.settle();
  asked[1]?.resolve(contentOf('a', SECOND));
  await Promise.all(both);
  assert.deepEqual(texts(), ['Hello', 'Second version']);
});

test('a navigation goes on after one that failed', async () => {
  const { controller, environment, hold, texts } = await setupTalk();
  const asked = hold('navigate');
  const failed = controller.navigate('m3');
  const other = controller.navigate('m4');
  asked[0]?.reject(new TypeError('cut'));
  assert.equal(await codeOf(failed), 'network');
  await environment.settle();
  asked[1]?.resolve(contentOf('a', SECOND));
  await other;
  assert.deepEqual(texts(), ['Hello', 'Second version']);
});

test('a message sent during a navigation goes behind the version that is shown then', async () => {
  const { controller, backend, environment, hold, texts } = await setupTalk();
  const asked = hold('navigate');
  const navigated = controller.navigate('m3');
  const sent = controller.send(draftOf('And then?'));
  await environment.settle();
  assert.equal(backend.count('send'), 0);
  asked[0]?.resolve(contentOf('a', FIRST));
  await navigated;
  await environment.settle();
  assert.equal(backend.count('send'), 1);
  backend.stream.begin();
  await sent;
  assert.deepEqual(texts().slice(0, 3), ['Hello', 'First version', 'And then?']);
});

test('a message stays a draft when another thread was opened before its navigation ended', async () => {
  const { controller, backend, environment, hold } = await setupTalk();
  backend.threads.set('b', contentOf('b', SECOND));
  controller.setDraft(draftOf('And then?'));
  const asked = hold('navigate');
  const { key } = controller.thread ?? { key: '' };
  const navigated = controller.navigate('m3');
  const sent = controller.send(draftOf('And then?'));
  await controller.openThread('b');
  asked[0]?.resolve(contentOf('a', FIRST));
  await navigated;
  assert.equal(await codeOf(sent), 'not-sent');
  await environment.settle();
  assert.equal(backend.count('send'), 0);
  assert.equal(controller.draft(key).text, 'And then?');
});

test('opening a thread again takes nothing back that was answered meanwhile', async () => {
  const { controller, backend, environment, hold, start, texts } = await setupTalk();
  const reads = hold('loadThread');
  const opened = controller.openThread('a');
  await environment.settle();
  await start('More');
  backend.stream.say(0, 'Answer');
  const recorded = [stored('m5', 'user', 'More'), stored('m6', 'assistant', 'Answer')];
  backend.stream.finish('complete');
  await environment.settle();
  // The read after the run is answered first.
  assert.equal(reads.length, 2);
  reads[1]?.resolve(contentOf('a', [...OLD, ...recorded]));
  await environment.settle();
  reads[0]?.resolve(contentOf('a', OLD));
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'Good day', 'More', 'Answer']);
  reads[2]?.resolve(contentOf('a', [...OLD, ...recorded]));
  await opened;
  assert.deepEqual(texts(), ['Hello', 'Good day', 'More', 'Answer']);
});

test('a change from elsewhere that was read late takes nothing back either', async () => {
  const { backend, environment, hold, start, texts } = await setupTalk();
  const reads = hold('loadThread');
  foreignChange(backend)?.('a');
  await environment.settle();
  await start('More');
  backend.stream.say(0, 'Answer');
  backend.stream.finish('complete');
  await environment.settle();
  const recorded = [stored('m5', 'user', 'More'), stored('m6', 'assistant', 'Answer')];
  reads[1]?.resolve(contentOf('a', [...OLD, ...recorded]));
  await environment.settle();
  reads[0]?.resolve(contentOf('a', OLD));
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'Good day', 'More', 'Answer']);
});
