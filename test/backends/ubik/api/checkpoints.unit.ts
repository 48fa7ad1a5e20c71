import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setupRecorded } from '../support/recorded-session.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import { eventsResponse, KEYS, SESSION, setupSession, signal } from '../support/ubik-session.js';

test('listCheckpoints reads step, title and `restoredFrom` of a checkpoint when the service sends them', async () => {
  const complete = {
    step: 2,
    description: 'Read the second document',
    restored_from: 'step1',
    checkpoint_hint: 'only the second',
  };
  const invalid = { step: -1, description: 7, checkpoint_hint: 'without restored_from' };
  const { backend } = setupSession(() =>
    jsonResponse({
      checkpoints: [complete, invalid, null].map((metadata, at) => ({
        checkpoint_name: `c${at}`,
        metadata,
      })),
    }),
  );
  const list = await backend.listCheckpoints(SESSION);
  const restoredFrom = { checkpoint: 'step1', hint: 'only the second' };
  assert.deepEqual(
    list.map((one) => [one.step, one.title, one.restoredFrom]),
    [
      [2, complete.description, restoredFrom],
      [null, null, null],
      [null, null, null],
    ],
  );
});

test('listCheckpoints reads the id of a checkpoint from the first of its fields that the service sends', async () => {
  const checkpoints = [
    { id: 'a', checkpoint_id: 'b', metadata: { checkpoint_id: 'c', id: 'd' } },
    { checkpoint_id: 'b', metadata: { checkpoint_id: 'c', id: 'd' } },
    { metadata: { checkpoint_id: 'c', id: 'd' } },
    { metadata: { id: 'd' } },
    {},
  ].map((fields, at) => ({ checkpoint_name: `c${at}`, ...fields }));
  const { backend } = setupSession(() => jsonResponse({ checkpoints }));
  const list = await backend.listCheckpoints(SESSION);
  assert.deepEqual(
    list.map(({ id }) => id),
    ['a', 'b', 'c', 'd', null],
  );
});

test('listCheckpoints returns the newest 1,000 checkpoints', async () => {
  const checkpoints = Array.from({ length: 1500 }, (_, at) => ({ checkpoint_name: `c${at}` }));
  const { backend } = setupSession(() => jsonResponse({ checkpoints }));
  const list = await backend.listCheckpoints(SESSION);
  assert.deepEqual([list.length, list[0]?.name, list.at(-1)?.name], [1000, 'c500', 'c1499']);
});

test('listCheckpoints marks only the newest of checkpoints with equal names as restorable', async () => {
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
    list.map(({ name, runId, id, restorable }) => [name, runId, id, restorable]),
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
  runId: null,
  createdAt: null,
  metadata: null,
  restorable: true,
};

function rejectField(name: string): Response {
  return jsonResponse(
    { detail: [{ loc: ['body', name], msg: 'Field required', type: 'missing' }] },
    422,
  );
}

for (const [what, id, sentId] of [
  ['the id', 'ckpt_1', 'ckpt_1'],
  ['the name as the id, if the id is unknown,', null, 'step1'],
] as const) {
  test(`restoreCheckpoint sends the name, and retries once with ${what} when the service requires it`, async () => {
    let attempts = 0;
    const { session, sent } = setupRecorded((path) => {
      if (!path.endsWith('navigate-to-checkpoint')) return jsonResponse({ items: [] });
      attempts += 1;
      return attempts === 1
        ? rejectField('checkpoint_id')
        : eventsResponse([{ type: 'agent_processing_complete', content: 'x' }]);
    });
    const checkpoint = { ...CHECKPOINT, id };
    const error = await session.read(
      session.backend.restoreCheckpoint(SESSION, checkpoint, 'Be brief.', KEYS, signal),
    );
    assert.equal(error, null);
    assert.deepEqual(sent.slice(0, 2), [
      'POST /agent-sessions/s1/navigate-to-checkpoint {"checkpoint_name":"step1","checkpoint_hint":"Be brief.","stream":true}',
      `POST /agent-sessions/s1/navigate-to-checkpoint {"checkpoint_id":"${sentId}","checkpoint_hint":"Be brief.","stream":true}`,
    ]);
  });
}

test('restoreCheckpoint does not retry a second time, nor when it is rejected for another field', async () => {
  for (const [field, posts] of [
    ['checkpoint_id', 2],
    ['checkpoint_hint', 1],
  ] as const) {
    const { session, sent } = setupRecorded(() => rejectField(field));
    const run = session.backend.restoreCheckpoint(SESSION, CHECKPOINT, null, KEYS, signal);
    assert.equal((await session.read(run))?.code, 'invalid');
    assert.equal(sent.length, posts);
  }
});
