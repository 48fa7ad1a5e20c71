import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputRequest } from '../../src/backends/backend.js';
import { contentOf, stored } from './scripted-backend.js';
import { setupConversation, type Conversation } from './setup-conversation.js';

/** A conversation in which the agent waits for an answer until `deadline`. */
async function openAsked(deadlineOf: (now: number) => number): Promise<Conversation> {
  const conversation = setupConversation();
  const { controller, backend, environment } = conversation;
  const request: InputRequest = {
    key: '@request:c1',
    message: '',
    level: 'agent',
    checkpointName: 'c1',
    executionId: null,
    prompt: 'Which year?',
    inputTypes: ['text'],
    options: null,
    schema: null,
    deadline: deadlineOf(environment.now()),
  };
  const asking = { ...stored('m2', 'assistant', 'Hm'), requests: [request] };
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello'), asking]));
  await controller.openThread('a');
  return conversation;
}

function stateOf({ last }: Conversation): string | undefined {
  const part = last().parts.get('@request:c1');
  return part?.kind === 'request-activity' ? part.state : undefined;
}

test('a question expires at its time, and is no longer answered by a message', async () => {
  const conversation = await openAsked((now) => now + 60_000);
  const { environment, controller } = conversation;
  await environment.advance(59_000);
  assert.equal(stateOf(conversation), 'armed');
  await environment.advance(1_000);
  assert.equal(stateOf(conversation), 'expired');
  const { key } = conversation.last();
  await assert.rejects(
    controller.provideInput(key, '@request:c1', { type: 'text', text: '2025' }),
    { code: 'misuse' },
  );
});

test('a question whose time was over before it was read has expired', async () => {
  const conversation = await openAsked((now) => now - 1);
  await conversation.environment.advance(0);
  assert.equal(stateOf(conversation), 'expired');
});

test('a conversation that is closed waits for no deadline', async () => {
  const { controller, environment } = await openAsked((now) => now + 60_000);
  controller.close();
  assert.equal(environment.timers, 0);
});
