import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonResponse, SESSION, setupSession } from '../support/ubik-session.js';

test('reads step, title and beginning of a checkpoint where the service tells them', async () => {
  const told = {
    step: 2,
    description: 'Read the second document',
    restored_from: 'step1',
    checkpoint_hint: 'only the second',
  };
  const odd = { step: -1, description: 7, checkpoint_hint: 'without a beginning' };
  const { backend } = setupSession(() =>
    jsonResponse({
      checkpoints: [told, odd, null].map((metadata, at) => ({
        checkpoint_name: `c${at}`,
        metadata,
      })),
    }),
  );
  const list = await backend.listCheckpoints(SESSION);
  const origin = { checkpoint: 'step1', hint: 'only the second' };
  assert.deepEqual(
    list.map((one) => [one.step, one.title, one.origin]),
    [
      [2, told.description, origin],
      [null, null, null],
      [null, null, null],
    ],
  );
});
