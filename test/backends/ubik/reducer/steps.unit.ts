import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  eventsResponse,
  HELLO,
  KEYS,
  SESSION,
  setupSession,
  signal,
} from '../support/ubik-session.js';

/** The states of the steps after these events. */
async function statesOf(events: readonly object[]) {
  const session = setupSession(() => eventsResponse([HELLO, ...events]));
  const draft = { text: 'Go', attachments: [] };
  await session.read(session.backend.send(SESSION, draft, KEYS, signal));
  const { parts } = session.answer;
  const list = (parent: string | null) =>
    parts.children(parent).flatMap((key) => {
      const part = parts.get(key);
      return part?.kind === 'step' || part?.kind === 'step-activity'
        ? [`${part.kind} ${part.number ?? '?'} ${part.state}`]
        : [];
    });
  return [...list(null), ...list('@activity')];
}

const start = { type: 'agent_step_started', step: 1, description: 'Search' };

test('agent_step_completed without a step number changes no step', async () => {
  assert.deepEqual(await statesOf([start, { type: 'agent_step_completed' }]), [
    'step 1 running',
    'step-activity 1 running',
  ]);
});

test('agent_step_completed ends its own step only', async () => {
  const events = [start, { ...start, step: 2 }, { type: 'agent_step_completed', step: 2 }];
  assert.deepEqual(await statesOf(events), [
    'step 1 open-ended',
    'step 2 completed',
    'step-activity 1 running',
    'step-activity 2 completed',
  ]);
});
