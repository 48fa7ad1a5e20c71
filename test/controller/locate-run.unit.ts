import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRef, StoredMessage } from '../../src/backends/backend.js';
import type { ControllerContext } from '../../src/controller/controller-context.js';
import { joinLostRun } from '../../src/controller/run/locate-run.js';
import { UbikError } from '../../src/errors.js';
import { createFieldChange, type Batch } from '../../src/model/change.js';
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

/** The user message of the lost run. */
function questionAfter(parent: string | null): Message {
  const message = { role: 'user', parent, parts: [textPart('Again')] } as const;
  const question = buildThread({ q: message }, 'q').messages.get('q') ?? assert.fail();
  return { ...question, id: null };
}

interface LocateOptions {
  parent?: string | null;
  message?: Message;
  thread?: Thread;
  capabilities?: readonly string[];
  fail?: () => Promise<never>;
  isStopDeferred?: boolean;
}

/** The reference with which a run is joined, and the batches before its stream. `messages` null: they cannot be loaded. */
async function join(
  messages: readonly StoredMessage[] | null,
  {
    parent = 'a0',
    message = questionAfter(parent),
    thread = THREAD,
    capabilities = ['branches'],
    fail = () => Promise.reject(new UbikError('network')),
    isStopDeferred = false,
  }: LocateOptions = {},
): Promise<{ ref: RunRef; reported: readonly Batch[] }> {
  const refs: RunRef[] = [];
  const batch: Batch = { thread: 't', time: 0, changes: [] };
  const context = {
    environment: { now: () => 7 },
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
  const lost = { thread, ref: REF, message, isConfirmed: false, isStopDeferred };
  const batches: Batch[] = [];
  for await (const joined of joinLostRun(context, lost, new AbortController().signal))
    batches.push(joined);
  assert.equal(batches.at(-1), batch);
  return { ref: refs[0] ?? assert.fail(), reported: batches.slice(0, -1) };
}

async function locate(
  messages: readonly StoredMessage[] | null,
  options?: LocateOptions,
): Promise<RunRef> {
  const { ref, reported } = await join(messages, options);
  assert.equal(reported.length, ref.id === null ? 0 : 1);
  return ref;
}

/** The batch that reports the id of a stored message and that of its run. */
function reportOf(key: string, id: string, runId: string | null): Batch {
  const run = { type: 'thread', set: { run: { id: runId } } } as const;
  return { thread: 't', time: 7, changes: [createFieldChange(key, null, 'id', id), run] };
}

test('a lost run is joined by the run id of its stored user message', async () => {
  const question = stored('q1', 'user', ' Again ', { runId: 't1' });
  assert.deepEqual(await locate([...STORED, question]), { ...REF, id: 't1' });
  const answer = stored('a1', 'assistant', 'Sure', { runId: 'other' });
  assert.deepEqual(await locate([...STORED, question, answer]), { ...REF, id: 't1' });
});

test('a lost run is joined by the run id of the answer when the user message has none', async () => {
  const question = stored('q1', 'user', 'Again');
  const answer = stored('a1', 'assistant', 'Sure', { runId: 't1' });
  const next = stored('q2', 'user', 'Next', { runId: 't2' });
  assert.deepEqual(await locate([...STORED, question, answer, next]), { ...REF, id: 't1' });
});

for (const runId of ['t1', null]) {
  test(`the stored user message of a lost run is reported with its ${runId === null ? 'id' : 'id and that of its run'}`, async () => {
    const question = stored('q1', 'user', 'Again', { runId });
    const { ref, reported } = await join([...STORED, question]);
    assert.deepEqual(ref, { ...REF, id: runId });
    assert.deepEqual(reported, [reportOf('q', 'q1', runId)]);
  });

  test(`while a stop request waits, the stored user message of a lost run is ${runId === null ? 'not reported without' : 'reported with'} the id of its run`, async () => {
    const question = stored('q1', 'user', 'Again', { runId });
    const { reported } = await join([...STORED, question], { isStopDeferred: true });
    assert.equal(reported.length, runId === null ? 0 : 1);
  });
}

test('a lost run whose user message was loaded since is joined by the id of that message', async () => {
  const message = { ...questionAfter('a0'), id: 'q1' };
  const question = stored('q1', 'user', 'Again', { runId: 't1' });
  const equal = { ...stored('q2', 'user', 'Again', { runId: 't2' }), parentId: 'a0' };
  const { ref, reported } = await join([...STORED, question, equal], { message });
  assert.deepEqual([ref, reported], [{ ...REF, id: 't1' }, [reportOf('q', 'q1', 't1')]]);
  const unloaded = await join(null, { message });
  assert.deepEqual([unloaded.ref, unloaded.reported], [REF, [reportOf('q', 'q1', null)]]);
  const missing = await join(STORED, { message });
  assert.deepEqual(missing.reported, [reportOf('q', 'q1', null)]);
});

test('a lost run without a user message is joined by the id of its answer if that was loaded since', async () => {
  const answer = THREAD.messages.get('a0') ?? assert.fail();
  const version = stored('a1', 'assistant', 'Hello again', { runId: 't1' });
  const { ref, reported } = await join([...STORED, version], { message: { ...answer, id: 'a1' } });
  assert.deepEqual([ref, reported], [{ ...REF, id: 't1' }, [reportOf('a0', 'a1', 't1')]]);
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
    // That of the reference, then those of the stored messages, the last one first.
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
