import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputRequest, StoredMessage, ThreadContent } from '../../src/backends/backend.js';
import {
  hasStoredAnswer,
  mergeMessage,
  mergeThreadContent,
  type ThreadMerge,
} from '../../src/controller/threads/merge-thread-content.js';
import { apply } from '../../src/model/apply.js';
import { createFieldChange, type Change } from '../../src/model/change.js';
import { createStore } from '../../src/model/store.js';
import {
  ACTIVITY,
  type PartFields,
  type PartTree,
  type RequestQuestion,
} from '../../src/model/part.js';
import {
  EMPTY_ANSWER,
  USER_TEXT,
  type Message,
  type MessageFields,
} from '../../src/model/message.js';
import type { Thread } from '../../src/model/thread.js';
import { AGENT_REQUEST } from '../helpers/agent-request.js';
import { setupMessage } from '../helpers/model-message.js';
import { buildThread, textPart, type TreeMessage } from './checkpoints/build-tree.js';
import { contentOf, stored } from './scripted-backend.js';

/** Returns all changes of a merge together. */
function mergeAtOnce(...options: Parameters<typeof mergeThreadContent>): ThreadMerge {
  const merge = mergeThreadContent(...options);
  const changes: Change[] = [];
  let step = merge.next();
  for (; !step.done; step = merge.next()) changes.push(...step.value);
  return { ...step.value, changes: [...changes, ...step.value.changes] };
}

/** A user message and its answer, both without an id. Returns a function that merges stored messages into them and reports the changes. */
function setupThread() {
  const store = createStore();
  const text = (message: string, part: string, content: string): Change[] => [
    { type: 'part', message, part, parent: null, before: null, value: { kind: 'text' } },
    { type: 'text', message, part, at: 0, text: content },
  ];
  const value = { ...EMPTY_ANSWER, status: 'complete' } as const;
  const changes: Change[] = [
    { type: 'message', message: 'q', value: { ...value, role: 'user' } },
    ...text('q', USER_TEXT, 'Question'),
    { type: 'message', message: 'a', value: { ...value, parent: 'q' } },
    ...text('a', '/0:text', 'Answer'),
    { type: 'thread', set: { id: 'old', head: 'a' } },
  ];
  assert.deepEqual(apply(store, { thread: 't', time: 0, changes }).rejected, []);
  let keys = 0;
  return (
    messages: readonly Parameters<typeof stored>[],
    unstored: readonly string[] = [],
    headId: string | null = messages.at(-1)?.[0] ?? null,
  ) => {
    const thread = store.threads.get('t') ?? assert.fail();
    const content = contentOf(
      'old',
      messages.map((one) => stored(...one)),
    );
    const createKey = () => `new-${(keys += 1)}`;
    const {
      changes: merged,
      lost,
      stored: storedKeys,
    } = mergeAtOnce(thread, { ...content, headId }, createKey, new Set(unstored));
    const idChanges = merged.flatMap((change) =>
      change.type === 'message' ? [`${change.message} is ${change.value.id ?? '?'}`] : [],
    );
    const removed = merged.flatMap((change) => (change.type === 'remove' ? change.message : []));
    const heads = merged.flatMap((change) => (change.type === 'thread' ? change.set.head : []));
    return { heads, idChanges, removed, storedKeys, lost: lost.map(({ key }) => key) };
  };
}

test('mergeThreadContent matches messages without an id by their parent', () => {
  const merge = setupThread();
  const { idChanges, removed } = merge([
    ['m1', 'user', 'Question'],
    ['m2', 'assistant', 'Answer, and more'],
  ]);
  assert.deepEqual(idChanges, ['q is m1', 'a is m2']);
  assert.deepEqual(removed, []);
});

test('mergeThreadContent does not match a message of another role with the same parent', () => {
  const merge = setupThread();
  const { idChanges, removed, lost } = merge([
    ['m1', 'user', 'Question'],
    ['m2', 'user', 'Another question'],
  ]);
  assert.deepEqual(idChanges, ['q is m1', 'new-1 is m2']);
  assert.deepEqual(removed, ['a']);
  assert.deepEqual(lost, []);
});

test('mergeThreadContent returns a user message that the stored thread lacks as lost', () => {
  const merge = setupThread();
  const { idChanges, removed, lost } = merge([['m1', 'user', 'Of another tab']]);
  assert.deepEqual(idChanges, ['new-1 is m1']);
  assert.deepEqual(removed, ['q', 'a']);
  assert.deepEqual(lost, ['q']);
});

test('mergeThreadContent removes no message that may not be stored yet', () => {
  const merge = setupThread();
  const { removed, storedKeys } = merge([['m1', 'user', 'Question']], ['q', 'a']);
  assert.deepEqual(removed, []);
  assert.deepEqual(storedKeys, ['q']);
});

test('mergeThreadContent sets the head of the service, or the last message if the service has none', () => {
  const merge = setupThread();
  const messages: Parameters<typeof stored>[] = [
    ['m1', 'user', 'Question'],
    ['m2', 'assistant', 'Answer'],
  ];
  assert.deepEqual(merge(messages).heads, ['a']);
  assert.deepEqual(merge(messages, [], 'm1').heads, ['q']);
  assert.deepEqual(merge(messages, [], null).heads, ['a']);
});

test('mergeMessage adds stored activity once, again when it has changed, and removes activity that is no longer stored', () => {
  const store = createStore();
  const fields: Extract<PartFields, { kind: 'tool-activity' }> = {
    ...{
      kind: 'tool-activity',
      toolId: 't1',
      name: 'find',
      part: '/0:text',
      phase: '',
      status: '',
    },
    ...{ message: '', data: null, state: 'running', reason: '', subSession: null },
    ...{ startedAt: 1000, endedAt: null },
  };
  const merge = (value: typeof fields) => {
    const message = store.threads.get('t')?.messages.get('a');
    const record = {
      ...stored('m2', 'assistant', 'Answer'),
      activity: [{ key: '@t', fields: value }],
    };
    const changes = mergeMessage('a', message, record, null);
    const { applied } = apply(store, { thread: 't', time: 0, changes });
    return applied.flatMap((change) =>
      change.type === 'part' && change.value.kind === 'tool-activity' ? change.value.state : [],
    );
  };
  assert.deepEqual(merge(fields), ['running']);
  assert.deepEqual(merge(fields), []);
  assert.deepEqual(merge({ ...fields, state: 'done', endedAt: 2000 }), ['done']);
  const known = store.threads.get('t')?.messages.get('a');
  const replaced = { ...stored('m2', 'assistant', 'Answer'), activity: [] };
  assert.deepEqual(mergeMessage('a', known, replaced, null), [
    { type: 'remove', message: 'a', part: '@t' },
  ]);
});

test('mergeMessage keeps the content of an answer that is stored without its content while it is being written', () => {
  const { message, run } = setupMessage();
  const record = stored('m', 'assistant', 'Answer');
  run(...mergeMessage('m', message(), record, null));
  const fields = { ...record.fields, status: 'streaming' } as const;
  const changes = mergeMessage('m', message(), { ...record, fields, parts: [] }, null);
  assert.deepEqual(
    changes.map(({ type }) => type),
    ['message'],
  );
});

test('mergeMessage closes the pending requests that the stored message does not have', () => {
  const question: RequestQuestion = {
    level: 'agent',
    prompt: 'Which?',
    inputTypes: ['text'],
    ...{ checkpointName: 'c', executionId: null, toolName: null },
    ...{ options: null, schema: null, deadline: null },
  };
  const { message, run } = setupMessage();
  for (const key of ['@request:1', '@request:2']) {
    const value = {
      ...question,
      ...({ kind: 'request-activity', part: null, state: 'pending' } as const),
    };
    run({ type: 'part', message: 'm', part: key, parent: ACTIVITY, before: null, value });
  }
  const content = {
    ...stored('m', 'assistant', ''),
    requests: [{ key: '@request:2', message: 'm', ...question }],
  };
  const closed = mergeMessage('m', message(), content, null).filter(
    (change) => change.type === 'set' && change.value === 'closed',
  );
  assert.deepEqual(closed, [
    { type: 'set', message: 'm', part: '@request:1', path: ['state'], value: 'closed' },
  ]);
});

for (const [state, status, prompt, expected] of [
  ['closed', 'waiting', 'Which?', 'pending'],
  ['closed', 'waiting', 'Which year?', 'pending'],
  ['closed', 'stopped', 'Which?', 'closed'],
  ['answered', 'waiting', 'Which?', 'answered'],
  ['expired', 'waiting', 'Which?', 'expired'],
] as const) {
  test(`a request that is ${state} here is ${expected} after mergeMessage of a ${status} message with the stored request “${prompt}”`, () => {
    const { message, run } = setupMessage();
    const { key, message: _, ...question } = AGENT_REQUEST;
    const options = ['2025', '2026'];
    const known = { ...question, options, prompt: 'Which?', part: null, state } as const;
    run(createFieldChange('m', null, 'status', status), {
      ...{ type: 'part', message: 'm', part: key, parent: ACTIVITY, before: null },
      value: { kind: 'request-activity', ...known },
    });
    const content = {
      ...stored('m', 'assistant', ''),
      requests: [{ ...AGENT_REQUEST, prompt }],
    };
    run(...mergeMessage('m', message(), content, null));
    const part = message().parts.get(key);
    assert.ok(part?.kind === 'request-activity');
    assert.equal(part.state, expected);
    const isSame = prompt === 'Which?';
    assert.deepEqual([part.prompt, part.options], [prompt, isSame ? options : null]);
  });
}

for (const firstState of ['answered', 'closed'] as const) {
  test(`mergeMessage keeps a further request of an execution that is stored under the key of the first one, which is ${firstState}`, () => {
    const { message, run } = setupMessage();
    const first: InputRequest = {
      ...AGENT_REQUEST,
      ...{ key: '@request:tool:x', message: 'm', level: 'tool' },
      ...{ checkpointName: null, executionId: 'x' },
    };
    const { key, message: _, ...question } = first;
    for (const [part, state] of [
      [key, firstState],
      [`${key}#2`, 'pending'],
    ] as const) {
      const value = { ...question, kind: 'request-activity', part: null, state } as const;
      run({ type: 'part', message: 'm', part, parent: ACTIVITY, before: null, value });
    }
    const content = { ...stored('m', 'assistant', ''), requests: [first] };
    const merged = mergeMessage('m', message(), content, null);
    assert.deepEqual(
      merged.filter((change) => 'part' in change),
      [],
    );
  });
}

/** A thread with an answer to one user message. */
function setupAnswer(fields: TreeMessage = {}, text = 'Good day') {
  const thread = buildThread(
    {
      q: { role: 'user', parts: [textPart('Hello', USER_TEXT)] },
      a: { parent: 'q', parts: [textPart(text)], ...fields },
    },
    'a',
  );
  const answer = thread.messages.get('a') ?? assert.fail();
  return { thread, answer };
}

/** The same thread before the service has given ids to its messages. */
function withoutIds(thread: Thread): Thread {
  const messages = [...thread.messages].map(
    ([key, message]) => [key, { ...message, id: null }] as const,
  );
  return { ...thread, messages: new Map(messages) };
}

for (const [what, message, runId, isFound] of [
  ['an equal text', stored('a', 'assistant', 'Good  day'), null, true],
  ['a longer text', stored('a', 'assistant', 'Good day!'), null, true],
  ['a shorter text', stored('a', 'assistant', 'Good'), null, false],
  ['another id', stored('b', 'assistant', 'Good day', { runId: 'task-1' }), 'task-1', false],
] as const) {
  test(`hasStoredAnswer ${isFound ? 'finds' : 'does not find'} an answer with an id when the stored one has ${what}`, () => {
    const { answer, thread } = setupAnswer();
    const current = { ...thread, run: { ...thread.run, id: runId } };
    assert.equal(hasStoredAnswer(contentOf('T', [message]), current, answer), isFound);
  });
}

for (const [what, ownRun, currentRun, storedRun, isFound] of [
  ['its own run', 'task-1', 'task-2', 'task-1', true],
  ['the current run', null, 'task-2', 'task-2', true],
  ['another run', 'task-1', 'task-2', 'task-2', false],
  ['no run', null, null, null, false],
] as const) {
  test(`hasStoredAnswer ${isFound ? 'finds' : 'does not find'} an answer without an id by ${what}`, () => {
    const { answer, thread } = setupAnswer({ runId: ownRun });
    const current = { ...thread, run: { ...thread.run, id: currentRun } };
    const messages = [
      stored('m1', 'user', 'A much longer text of the user', { runId: storedRun }),
      stored('m2', 'assistant', 'Good day', { runId: storedRun }),
    ];
    const content = contentOf('T', messages);
    assert.equal(hasStoredAnswer(content, current, { ...answer, id: null }), isFound);
    const [question] = messages;
    const withoutAnswer = contentOf('T', question ? [question] : []);
    assert.equal(hasStoredAnswer(withoutAnswer, current, { ...answer, id: null }), false);
  });
}

for (const [what, parent, siblingIds, isFound] of [
  ['the answer to the same message', 'q', [], true],
  ['an earlier version', 'q', ['m2'], false],
  ['the answer to another message', 'q0', [], false],
] as const) {
  test(`hasStoredAnswer without any id ${isFound ? 'finds' : 'does not find'} ${what}`, () => {
    const { answer, thread } = setupAnswer({ siblingIds });
    const messages = [stored(parent, 'user', 'Hello'), stored('m2', 'assistant', 'Good day')];
    const content = contentOf('T', messages);
    assert.equal(hasStoredAnswer(content, thread, { ...answer, id: null }), isFound);
  });
}

test('hasStoredAnswer without any id finds no answer while its message has no id either', () => {
  const { answer, thread } = setupAnswer();
  const content = contentOf('T', [stored('m2', 'assistant', 'Good day')]);
  assert.equal(hasStoredAnswer(content, withoutIds(thread), { ...answer, id: null }), false);
});

test('hasStoredAnswer counts input and result of a tool', () => {
  const tool = (result: string | null): PartTree => ({
    kind: 'tool',
    key: 'tool:1',
    name: 'find',
    toolId: '1',
    state: 'done',
    input: '{"a": 1}',
    result,
  });
  const { answer, thread } = setupAnswer({ parts: [tool('{ "b": 2 }')] });
  const contentWith = (result: string | null) =>
    contentOf('T', [{ ...stored('a', 'assistant', ''), parts: [tool(result)] }]);
  assert.equal(hasStoredAnswer(contentWith('{"b":2}'), thread, answer), true);
  assert.equal(hasStoredAnswer(contentWith(null), thread, answer), false);
});

/** The fields that a stored message sets in the one in memory; null when none changes. */
function mergedFields(present: Message, message: StoredMessage): Partial<MessageFields> | null {
  const [change] = mergeMessage('a', present, message, present.parent);
  return change?.type === 'message' ? change.value : null;
}

test('mergeMessage keeps fields that the stored message lacks', () => {
  const known = {
    runId: 'task-1',
    restoredFrom: { checkpoint: 'c1', hint: null },
    createdAt: 5,
    attachments: [{ id: 'd1', name: 'a.pdf' }],
  };
  const { answer } = setupAnswer(known);
  const message = stored('a', 'assistant', 'Good day');
  const bare = { ...message, fields: { ...message.fields, createdAt: null } };
  assert.equal(mergedFields(answer, bare), null);
  const other = {
    runId: 'task-2',
    restoredFrom: { checkpoint: 'c2', hint: null },
    createdAt: 6,
    attachments: [{ id: 'd2', name: 'b.pdf' }],
  };
  const fields = mergedFields(answer, { ...message, fields: { ...message.fields, ...other } });
  const { runId, restoredFrom, createdAt, attachments } = fields ?? {};
  assert.deepEqual({ runId, restoredFrom, createdAt, attachments }, other);
});

for (const [role, status, storedStatus, wanted] of [
  ['assistant', 'stopped', 'complete', 'stopped'],
  ['assistant', 'failed', 'complete', 'failed'],
  ['assistant', 'stopped', 'waiting', 'waiting'],
  ['assistant', 'streaming', 'complete', 'complete'],
  ['user', 'interrupted', 'complete', 'complete'],
] as const) {
  test(`a ${role} message that is ${status} here and ${storedStatus} in the stored thread is ${wanted}`, () => {
    const failure = { code: 'x', message: 'X' };
    const { answer } = setupAnswer({ role, status, failure });
    const message = stored('a', role, 'Good day');
    const fields = { ...message.fields, status: storedStatus, createdAt: 7 };
    const merged = mergedFields(answer, { ...message, fields });
    assert.equal(merged?.status, wanted);
    assert.deepEqual(merged.failure, wanted === status ? failure : null);
  });
}

test('mergeMessage adds a request with the content part that shows it, also in a step', () => {
  const asking = (checkpointName: string | null, key: string): PartTree => ({
    kind: 'input-request',
    key,
    prompt: 'Which?',
    inputTypes: ['text'],
    checkpointName,
    answer: null,
  });
  const step: PartTree = {
    kind: 'step',
    key: 'step',
    number: 1,
    title: '',
    single: false,
    state: 'running',
    parts: [asking('c1', 'inside')],
  };
  const partOf = (checkpointName: string | null) => {
    const request = { ...AGENT_REQUEST, checkpointName };
    const message = {
      ...stored('a', 'assistant', ''),
      parts: [asking(null, 'unnamed'), asking('c2', 'other'), step],
      requests: [request],
    };
    const added = mergeMessage('a', undefined, message, null).find(({ type }) => type === 'part');
    return added?.type === 'part' && added.value.kind === 'request-activity'
      ? added.value.part
      : undefined;
  };
  assert.deepEqual([partOf('c1'), partOf('c3'), partOf(null)], ['inside', null, null]);
});

for (const [what, present, runId, isSame] of [
  ['has the same run', 'task-1', 'task-1', true],
  ['has no run', 'task-1', null, true],
  ['has another run', 'task-1', 'task-2', false],
  ['has a run while that of the shown one is unknown', null, 'task-2', true],
] as const) {
  test(`an answer without an id ${isSame ? 'is' : 'is not'} the stored answer with the same parent that ${what}`, () => {
    const { thread } = setupAnswer({ runId: present });
    const messages = [
      stored('m1', 'user', 'Hello'),
      stored('m2', 'assistant', 'Good day', { runId }),
    ];
    const merge = mergeAtOnce(withoutIds(thread), contentOf('T', messages), () => 'new');
    const removed = merge.changes.flatMap((change) =>
      change.type === 'remove' ? change.message : [],
    );
    assert.deepEqual(removed, isSame ? [] : ['a']);
    assert.deepEqual(merge.stored, ['q', isSame ? 'a' : 'new']);
  });
}

test('an unchanged thread yields no change of its fields and messages, and keeps its title', () => {
  const tree: Record<string, TreeMessage> = {
    q: { role: 'user', createdAt: 1, parts: [textPart('Hello', USER_TEXT)] },
    a: { parent: 'q', createdAt: 1, parts: [textPart('Good day')] },
  };
  const thread = { ...buildThread(tree, 'a'), title: 'Title of T' };
  const messages = [stored('q', 'user', 'Hello'), stored('a', 'assistant', 'Good day')];
  const present = mergeAtOnce(thread, contentOf('T', messages), () => 'new');
  assert.deepEqual(present.stored, ['q', 'a']);
  assert.deepEqual(present.changes, []);
  const untitled = { ...contentOf('T', messages), thread: { id: 'T', title: '' } };
  const titled = { ...thread, title: 'Mine' };
  const set = mergeAtOnce(titled, untitled, () => 'new').changes.find(
    ({ type }) => type === 'thread',
  );
  assert.equal(set, undefined);
});

test('mergeThreadContent makes the last message that is not removed the head when the stored thread lags behind', () => {
  const thread = withoutIds(
    buildThread(
      {
        q: { role: 'user', parts: [textPart('Hello', USER_TEXT)] },
        a: { parent: 'q', parts: [textPart('Good day')] },
        q2: { role: 'user', parent: 'a', parts: [textPart('Lost', USER_TEXT)] },
        a2: { parent: 'q2' },
      },
      'a2',
    ),
  );
  const { changes } = mergeAtOnce(thread, contentOf('T', []), () => 'new', new Set(['q', 'a']));
  const set = changes.find(({ type }) => type === 'thread');
  assert.equal(set?.type === 'thread' && set.set.head, 'a');
});

/** The head after merging a stored thread that lacks the last shown message, the question `q2`. */
function headAfter(change: (content: ThreadContent) => ThreadContent): string | null | undefined {
  const thread = buildThread(
    {
      q: { role: 'user', parts: [textPart('Hello', USER_TEXT)] },
      a: { parent: 'q', parts: [textPart('Good day')], runId: 'task-1' },
      q2: { role: 'user', parent: 'a', parts: [textPart('More', USER_TEXT)] },
    },
    'q2',
  );
  const messages = [
    stored('q', 'user', 'Hello'),
    stored('a', 'assistant', 'Good day', { runId: 'task-1' }),
  ];
  const content = change(contentOf('T', messages));
  const { changes } = mergeAtOnce(thread, content, () => 'new', new Set(['q2']));
  const set = changes.find(({ type }) => type === 'thread');
  return set?.type === 'thread' ? set.set.head : undefined;
}

const unfinished = (id: string) => ({
  id,
  keys: { thread: '', user: null, answer: '' },
  otherRunIds: [],
});
for (const [what, change, head] of [
  ['is otherwise unchanged', (content: ThreadContent) => content, 'q2'],
  [
    'lists a run that is shown',
    (content: ThreadContent) => ({ ...content, unfinishedRun: unfinished('task-1') }),
    'q2',
  ],
  [
    'lists a run that is not shown',
    (content: ThreadContent) => ({ ...content, unfinishedRun: unfinished('task-9') }),
    'a',
  ],
  [
    'has a message that is not shown',
    (content: ThreadContent) =>
      contentOf('T', [...content.messages, stored('x', 'user', 'Elsewhere')]),
    'new',
  ],
  [
    'lists what it lacks as another version',
    (content: ThreadContent) => ({
      ...content,
      messages: content.messages.map((message) => ({
        ...message,
        fields: { ...message.fields, siblingIds: ['q2'] },
      })),
    }),
    'a',
  ],
  [
    'lacks the message before as well',
    (content: ThreadContent) => contentOf('T', content.messages.slice(0, 1)),
    'q',
  ],
] as const) {
  test(`a stored thread that lacks the last message and ${what} makes ${head} the head`, () => {
    assert.equal(headAfter(change), head);
  });
}

test('mergeThreadContent shows messages that a service without branches has replaced, although they are shorter', () => {
  const thread = buildThread(
    {
      q0: { role: 'user', parts: [textPart('A long question')] },
      a0: { parent: 'q0', runId: 't0', parts: [textPart('A long answer')] },
    },
    'a0',
  );
  const merge = (task: string) => {
    const messages = [
      stored('q0', 'user', 'Short'),
      stored('a0', 'assistant', 'Short', { runId: task }),
    ];
    const unstored = new Set(['q0', 'a0']);
    return mergeAtOnce(thread, contentOf('T', messages), () => 'new', unstored).stored;
  };
  assert.deepEqual(merge('t1'), ['q0', 'a0']);
  assert.deepEqual(merge('t0'), ['q0'], 'the stored answer of the same run lags behind');
});

for (const [what, status, lacksRequests, isUnstored] of [
  ['is stored with less text', 'interrupted', false, true],
  ['waits, and whose requests could not be looked up', 'waiting', true, false],
] as const) {
  test(`mergeThreadContent keeps content, status and failure of an answer that ${what}`, () => {
    const failure = { code: 'interrupted', message: 'cut' };
    const parts = [textPart('A long answer')];
    const thread = buildThread({ a: { status, failure, parts } }, 'a');
    const content = contentOf('T', [{ ...stored('a', 'assistant', 'Short'), lacksRequests }]);
    const unstored = new Set(isUnstored ? ['a'] : []);
    const { changes } = mergeAtOnce(thread, content, () => 'new', unstored);
    const fields = changes.flatMap((change) => (change.type === 'message' ? change.value : []));
    assert.deepEqual(
      fields.map((each) => [each.status, each.failure]),
      [[status, failure]],
    );
    assert.ok(!changes.some(({ type }) => type === 'content'));
  });
}
