import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setupRecorded } from '../support/recorded-session.js';
import {
  eventsAnswer,
  jsonResponse,
  KEYS,
  SESSION,
  setupSession,
  signal,
} from '../support/ubik-session.js';

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
    list.map((one) => [one.step, one.title, one.restoredFrom]),
    [
      [2, told.description, origin],
      [null, null, null],
      [null, null, null],
    ],
  );
});

test('takes the newest 1,000 checkpoints of a session', async () => {
  const checkpoints = Array.from({ length: 1500 }, (_, at) => ({ checkpoint_name: `c${at}` }));
  const { backend } = setupSession(() => jsonResponse({ checkpoints }));
  const list = await backend.listCheckpoints(SESSION);
  assert.deepEqual([list.length, list[0]?.name, list.at(-1)?.name], [1000, 'c500', 'c1499']);
});

test('of checkpoints with equal names only the newest can be restored', async () => {
  const at = (name: string, second: number): object => ({
    checkpoint_name: name,
    task_id: `t${second}`,
    created_at: `2026-01-01T00:00:0${second}Z`,
    metadata: { checkpoint_id: `ckpt_${second}` },
  });
  const { session } = setupRecorded(() =>
    jsonResponse({ checkpoints: [at('a', 3), at('a', 1), at('b', 2)] }),
  );
  const list = await session.backend.listCheckpoints(SESSION);
  assert.deepEqual(
    list.map(({ name, taskId, id, restorable }) => [name, taskId, id, restorable]),
    [
      ['a', 't1', 'ckpt_1', false],
      ['b', 't2', 'ckpt_2', true],
      ['a', 't3', 'ckpt_3', true],
    ],
  );
});

const CHECKPOINT = {
  name: 'step1',
  id: 'ckpt_1',
  taskId: null,
  createdAt: null,
  metadata: null,
  restorable: true,
};

function refuseField(name: string): Response {
  return jsonResponse(
    { detail: [{ loc: ['body', name], msg: 'Field required', type: 'missing' }] },
    422,
  );
}

test('restores by name, and by id once when that is asked for', async () => {
  let asked = 0;
  const { session, sent } = setupRecorded((path) => {
    if (!path.endsWith('navigate-to-checkpoint')) return jsonResponse({ items: [] });
    asked += 1;
    return asked === 1
      ? refuseField('checkpoint_id')
      : eventsAnswer([{ type: 'agent_processing_complete', content: 'x' }]);
  });
  const error = await session.read(
    session.backend.restoreCheckpoint(SESSION, CHECKPOINT, 'Be brief.', KEYS, signal),
  );
  assert.equal(error, null);
  assert.deepEqual(sent.slice(0, 2), [
    'POST /agent-sessions/s1/navigate-to-checkpoint {"checkpoint_name":"step1","checkpoint_hint":"Be brief.","stream":true}',
    'POST /agent-sessions/s1/navigate-to-checkpoint {"checkpoint_id":"ckpt_1","checkpoint_hint":"Be brief.","stream":true}',
  ]);
});

test('a restore that is refused twice, or for another field, is not tried further', async () => {
  for (const [field, posts] of [
    ['checkpoint_id', 2],
    ['checkpoint_hint', 1],
  ] as const) {
    const { session, sent } = setupRecorded(() => refuseField(field));
    const run = session.backend.restoreCheckpoint(SESSION, CHECKPOINT, null, KEYS, signal);
    assert.equal((await session.read(run))?.code, 'invalid');
    assert.equal(sent.length, posts);
  }
});
