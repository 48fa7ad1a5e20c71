import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRef, StoredMessage } from '../../src/backends/backend.js';
import type { ControllerContext } from '../../src/controller/controller-context.js';
import { joinLostRun } from '../../src/controller/run/locate-run.js';
import { UbikError } from '../../src/errors.js';
import type { Batch } from '../../src/model/change.js';
import type { Message } from '../../src/model/message.js';
import type { Thread } from '../../src/model/thread.js';
import { buildThread, textPart } from './checkpoints/build-tree.js';
import { contentOf, stored } from './scripted-backend.js';

const REF: RunRef = {
  id: null,
  keys: { thread: 't', user: 'q', answer: 'a' },
  otherRunIds: ['t0'],
};
const THREAD = buildThread(
  {
    q0: { role: 'user', parts: [textPart('Hello')] },
    a0: { parent: 'q0', runId: 't0', parts: [textPart('Hi')] },
  },
  'a0',
);
const STORED = [
  stored('q0', 'user', 'Hello', { runId: 't0' }),
  stored('a0', 'assistant', 'Hi', { runId: 't0' }),
];

/** The user message whose response was lost. */
function questionAfter(parent: string | null): Message {
  const message = { role: 'user', parent, parts: [textPart('Again')] } as const;
  return buildThread({ q: message }, 'q').messages.get('q') ?? assert.fail();
}

/** The reference with which the run is joined; null: the stored messages cannot be loaded. */
async function locate(
  messages: readonly StoredMessage[] | null,
  {
    parent = 'a0',
    thread = THREAD,
    capabilities = ['branches'],
    fail = () => Promise.reject(new UbikError('network')),
  }: {
    parent?: string | null;
    thread?: Thread;
    capabilities?: readonly string[];
    fail?: () => Promise<never>;
  } = {},
): Promise<RunRef> {
  const refs: RunRef[] = [];
  const batch: Batch = { thread: 't', time: 0, changes: [] };
  const context = {
    backend: {
      capabilities: new Set(capabilities),
      loadThread: (id: string) => (messages ? Promise.resolve(contentOf(id, messages)) : fail()),
    },
    requireMethod: () =>
      async function* rejoin(id: string, ref: RunRef) {
        assert.equal(id, 'T');
        refs.push(await Promise.resolve(ref));
        yield batch;
      },
  } as unknown as ControllerContext;
  const lost = { thread, ref: REF, question: questionAfter(parent) };
  const batches: Batch[] = [];
  for await (const joined of joinLostRun(context, lost, new AbortController().signal))
    batches.push(joined);
  assert.deepEqual(batches, [batch]);
  return refs[0] ?? assert.fail();
}

test('a lost run is joined by the task of its stored user message', async () => {
  const question = stored('q1', 'user', ' Again ', { runId: 't1' });
  assert.deepEqual(await locate([...STORED, question]), { ...REF, id: 't1' });
  const answer = stored('a1', 'assistant', 'Sure', { runId: 'other' });
  assert.deepEqual(await locate([...STORED, question, answer]), { ...REF, id: 't1' });
});

test('a lost run is joined by the task of the answer when the user message has none', async () => {
  const question = stored('q1', 'user', 'Again');
  const answer = stored('a1', 'assistant', 'Sure', { runId: 't1' });
  const next = stored('q2', 'user', 'Next', { runId: 't2' });
  assert.deepEqual(await locate([...STORED, question, answer, next]), { ...REF, id: 't1' });
  assert.deepEqual(await locate([...STORED, question]), REF);
});

for (const [what, messages] of [
  ['has another text', [...STORED, stored('q1', 'user', 'Other', { runId: 't1' })]],
  ['is an answer', [...STORED, stored('q1', 'assistant', 'Again', { runId: 't1' })]],
  [
    'has another parent',
    [...STORED, stored('q1', 'user', 'Other'), stored('q2', 'user', 'Again', { runId: 't1' })],
  ],
] as const) {
  test(`a lost run is not identified with the run of a stored message that ${what}`, async () => {
    const otherRunIds = ['t0', 't1', 't0', 't0'];
    assert.deepEqual(await locate(messages), { ...REF, otherRunIds });
  });
}

test('a lost run is not identified with the run of an equal message that was known before', async () => {
  const thread = buildThread({ q0: { role: 'user', parts: [textPart('Again')] } }, 'q0');
  const messages = [stored('q0', 'user', 'Again', { runId: 't0' })];
  const ref = await locate(messages, { parent: null, thread });
  assert.deepEqual(ref, { ...REF, otherRunIds: ['t0', 't0'] });
  const more = [stored('q1', 'user', 'Again', { runId: 't1' })];
  assert.deepEqual(await locate(more, { parent: null, thread }), { ...REF, id: 't1' });
});

test('a lost run is identified with that of an edited message that a service without branches has stored under its old id', async () => {
  const messages = [
    stored('q0', 'user', 'Again'),
    stored('a0', 'assistant', 'Sure', { runId: 't1' }),
  ];
  const edited = { parent: null, capabilities: [] };
  assert.deepEqual(await locate(messages, edited), { ...REF, id: 't1' });
  const otherRunIds = ['t0', 't1'];
  assert.deepEqual(await locate(messages, { parent: null }), { ...REF, otherRunIds });
  const before = [messages[0] ?? assert.fail(), stored('a0', 'assistant', 'Hi', { runId: 't0' })];
  assert.deepEqual(await locate(before, edited), { ...REF, otherRunIds: ['t0', 't0'] });
});

test('the parent of a lost message is not compared while it has no id', async () => {
  const before = THREAD.messages.get('a0') ?? assert.fail();
  const messages = new Map([...THREAD.messages, ['a0', { ...before, id: null }] as const]);
  const question = stored('q1', 'user', 'Again', { runId: 't1' });
  const ref = await locate([...STORED, question], { thread: { ...THREAD, messages } });
  assert.deepEqual(ref, { ...REF, id: 't1' });
});

test('a lost run is joined by its reference alone when the messages cannot be loaded', async () => {
  assert.deepEqual(await locate(null), REF);
  const fail = () => {
    throw new UbikError('not-found');
  };
  assert.deepEqual(await locate(null, { fail }), REF, 'the method throws');
});
