import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTimeline } from '../../../src/controller/checkpoints/checkpoint-timeline.js';
import {
  checkpoint,
  checkpointPart,
  buildThread,
  textPart,
  step,
  type TreeMessage,
} from './build-tree.js';

const USER = { role: 'user', parts: [textPart('Question')] } as const;
/** Two user messages; the first answer has two checkpoints. */
const TALK: Readonly<Record<string, TreeMessage>> = {
  q1: USER,
  a1: {
    parent: 'q1',
    runId: 'task-1',
    parts: [
      step(1, 1),
      checkpointPart('c1'),
      step(2, 2),
      checkpointPart('c2'),
      textPart('End', 'end'),
    ],
  },
  q2: { ...USER, parent: 'a1' },
  a2: { parent: 'q2', runId: 'task-2', parts: [step(1, 3), checkpointPart('c3')] },
};

test('readTimeline reads no message of a thread without checkpoints', () => {
  const thread = buildThread(TALK, 'a2', []);
  Object.defineProperty(thread, 'messages', { get: () => assert.fail('messages were read') });
  assert.deepEqual(readTimeline(thread), []);
});

test('readTimeline counts what follows each checkpoint on the shown branch', () => {
  const thread = buildThread(TALK, 'a2', [
    checkpoint('c1', { runId: 'task-1' }),
    checkpoint('c2', { runId: 'task-1' }),
    checkpoint('c3', { runId: 'task-2' }),
  ]);
  const timeline = readTimeline(thread);
  assert.deepEqual(
    timeline.map(({ after }) => after),
    [
      { messages: 2, steps: 2, tools: 5 },
      { messages: 2, steps: 1, tools: 3 },
      { messages: 0, steps: 0, tools: 0 },
    ],
  );
  assert.deepEqual(
    timeline.map(({ message, part, shown }) => [message?.key, part, shown]),
    [
      ['a1', 'checkpoint:c1', true],
      ['a1', 'checkpoint:c2', true],
      ['a2', 'checkpoint:c3', true],
    ],
  );
  assert.deepEqual(
    timeline.map((entry) => [entry.step, entry.title, entry.question]),
    [
      [1, 'Step 1', 'Question'],
      [2, 'Step 2', 'Question'],
      [1, 'Step 1', 'Question'],
    ],
  );
});

test('readTimeline reads each checkpoint a constant number of times, however many there are', () => {
  let reads = 0;
  const infos = Array.from({ length: 500 }, (_, at) => {
    const info = checkpoint(`c${at}`, { runId: 'task-1' });
    return Object.defineProperty({ ...info }, 'name', {
      enumerable: true,
      get: () => {
        reads += 1;
        return info.name;
      },
    });
  });
  const thread = buildThread(TALK, 'a2', []);
  const list = { ...thread, list: () => new Map(infos.map((info, at) => [`${at}`, info])) };
  assert.equal(readTimeline(list as unknown as typeof thread).length, 500);
  assert.ok(reads < 20 * infos.length, `${reads} reads`);
});

test('readTimeline prefers step and title of the service', () => {
  const info = checkpoint('c1', { runId: 'task-1', step: 7, title: 'Weigh what was found' });
  const [entry] = readTimeline(buildThread(TALK, 'a2', [info]));
  assert.deepEqual([entry?.step, entry?.title], [7, 'Weigh what was found']);
});

test('readTimeline finds a checkpoint in a step and counts what follows in that step', () => {
  const { parts = [], ...fields } = step(1, 2) as ReturnType<typeof step> & {
    parts: TreeMessage['parts'];
  };
  const inside = {
    ...fields,
    parts: [...parts.slice(0, 1), checkpointPart('c1'), ...parts.slice(1)],
  };
  const talk = { q1: USER, a1: { parent: 'q1', runId: 't', parts: [inside, step(2)] } };
  const [entry] = readTimeline(buildThread(talk, 'a1', [checkpoint('c1', { runId: 't' })]));
  assert.deepEqual(entry?.after, { messages: 0, steps: 1, tools: 1 });
  assert.equal(entry.step, 1);
});

test('readTimeline counts from the last common message for a checkpoint of another branch', () => {
  const talk = {
    ...TALK,
    other: { parent: 'q1', runId: 'task-3', parts: [step(1), checkpointPart('x')] },
  };
  const info = checkpoint('x', { runId: 'task-3' });
  const [entry] = readTimeline(buildThread(talk, 'a2', [info]));
  assert.equal(entry?.shown, false);
  assert.equal(entry.message?.key, 'other');
  // a1, q2 and a2 with all their parts.
  assert.deepEqual(entry.after, { messages: 3, steps: 3, tools: 6 });
});

test('readTimeline assigns a checkpoint to the shown answer that has copied it', () => {
  const again: TreeMessage = {
    parent: 'q1',
    runId: 'task-3',
    parts: [step(1), checkpointPart('c1'), step(2, 1)],
  };
  const info = checkpoint('c1', { runId: 'task-1' });
  const [entry] = readTimeline(buildThread({ ...TALK, again }, 'again', [info]));
  assert.deepEqual([entry?.message?.key, entry?.shown], ['again', true]);
  assert.deepEqual(entry?.after, { messages: 0, steps: 1, tools: 1 });
});

test('readTimeline assigns checkpoints with equal names of one run to the parts with that name, in their order', () => {
  const talk = {
    q1: USER,
    a1: {
      parent: 'q1',
      runId: 't',
      parts: [
        step(1),
        checkpointPart('c'),
        step(2),
        checkpointPart('c', 'checkpoint:c#2'),
        step(3),
      ],
    },
  };
  const named = [false, true].map((restorable) => checkpoint('c', { runId: 't', restorable }));
  const timeline = readTimeline(buildThread(talk, 'a1', named));
  assert.deepEqual(
    timeline.map(({ part, after }) => [part, after?.steps]),
    [
      ['checkpoint:c', 2],
      ['checkpoint:c#2', 1],
    ],
  );
  const other = checkpoint('other', { runId: 't' });
  const between = readTimeline(
    buildThread(talk, 'a1', [named[0] ?? other, other, named[1] ?? other]),
  );
  assert.deepEqual(
    between.map(({ part }) => part),
    ['checkpoint:c', null, 'checkpoint:c#2'],
  );
});

test('readTimeline finds the message of a checkpoint by its name only if it is the newest with that name, and else by its run', () => {
  const talk = { q1: USER, a1: { parent: 'q1', runId: 't', parts: [checkpointPart('c')] } };
  const messageOf = (restorable: boolean): string | undefined => {
    const info = checkpoint('c', { runId: 'not-loaded', restorable });
    return readTimeline(buildThread(talk, 'a1', [info]))[0]?.message?.key;
  };
  assert.equal(messageOf(true), 'a1');
  assert.equal(messageOf(false), undefined);
});

test('readTimeline returns null for what is not loaded', () => {
  const [entry] = readTimeline(buildThread(TALK, 'a2', [checkpoint('z', { runId: 'elsewhere' })]));
  assert.deepEqual(
    [entry?.message, entry?.part, entry?.shown, entry?.after, entry?.step, entry?.title],
    [null, null, false, null, null, ''],
  );
});

test('readTimeline counts no system messages, and ignores items that the host page has added to the list', () => {
  const talk = { ...TALK, s: { role: 'system', parent: 'a2' } } as const;
  const thread = buildThread(talk, 's', [
    checkpoint('c3', { runId: 'task-2' }),
    { note: 'mine' } as never,
  ]);
  assert.deepEqual(
    readTimeline(thread).map(({ after }) => after?.messages),
    [0],
  );
});

test('readTimeline assigns a checkpoint to the answer of its run, not to the user message', () => {
  const talk = { ...TALK, q1: { ...USER, runId: 'task-1' } };
  const [entry] = readTimeline(buildThread(talk, 'a2', [checkpoint('c1', { runId: 'task-1' })]));
  assert.equal(entry?.message?.key, 'a1');
});

test('readTimeline does not assign a checkpoint without a run id to an answer without one', () => {
  const talk = { q1: USER, a1: { parent: 'q1' } } as const;
  const [entry] = readTimeline(buildThread(talk, 'a1', [checkpoint('c1')]));
  assert.deepEqual([entry?.message, entry?.question], [null, '']);
});

test('readTimeline ignores a part of another kind that has the key of a checkpoint', () => {
  const talk = {
    q1: USER,
    a1: { parent: 'q1', runId: 't', parts: [textPart('c1', 'checkpoint:c1')] },
  } as const;
  const [entry] = readTimeline(buildThread(talk, 'a1', [checkpoint('c1', { runId: 't' })]));
  assert.deepEqual([entry?.message?.key, entry?.part, entry?.step], ['a1', null, null]);
});

test('readTimeline returns the first 200 characters of the user message', () => {
  const long = { role: 'user', parts: [textPart('x'.repeat(201))] } as const;
  const talk = { q1: long, a1: { parent: 'q1', runId: 't' } } as const;
  const [entry] = readTimeline(buildThread(talk, 'a1', [checkpoint('c1', { runId: 't' })]));
  assert.equal(entry?.question.length, 200);
});

test('readTimeline has no question for an answer that follows another answer', () => {
  const talk = {
    a0: { parts: [textPart('Not asked')] },
    a1: { parent: 'a0', runId: 't' },
  } as const;
  const [entry] = readTimeline(buildThread(talk, 'a1', [checkpoint('c1', { runId: 't' })]));
  assert.equal(entry?.question, '');
});
