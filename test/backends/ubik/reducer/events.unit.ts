import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../../../src/backends/ubik/run/task-state.js';
import type { PartKind, PartOf } from '../../../../src/model/part.js';
import { setupMessage } from '../../../helpers/model-message.js';

type WireFields = Record<string, unknown>;
const START = Date.UTC(2026, 0, 1);

/** Applies events, one per second from `START`, and returns the message, the run, the task and the codes of diagnostics. */
function play(...events: readonly WireFields[]) {
  const { store, message, run } = setupMessage();
  const errors: string[] = [];
  const task = new TaskState({ message: 'm', onDiagnostic: ({ code }) => errors.push(code) });
  task.connect();
  events.forEach(({ type, ...fields }, second) => {
    const timestamp = new Date(START + second * 1000).toISOString();
    task.apply({ type: String(type), fields: { timestamp, ...fields } });
    assert.deepEqual(run(...task.drainChanges(true)).rejected, []);
  });
  const { parts, ...fields } = message();
  const get = <K extends PartKind>(key: string, kind: K): PartOf<K> | undefined => {
    const part = parts.get(key);
    return part?.kind === kind ? (part as PartOf<K>) : undefined;
  };
  const list = (parent: string | null) =>
    parts.children(parent).map((key) => parts.get(key)?.kind ?? '');
  return { fields, get, list, errors, task, run: store.threads.get('t')?.run };
}

const update = (data: object, more: WireFields = {}): WireFields => ({
  type: 'tool_update',
  tool_execution_id: 'c1',
  tool_name: 'find',
  data,
  ...more,
});
const COMPLETE = { type: 'agent_processing_complete', content: '' };

test('the first task id of a run and the last message id are kept', () => {
  const { fields, run } = play(
    { type: 'connection_established', task_id: 't1', message_id: 'm1' },
    { type: 'agent_processing_started', task_id: 't2', message_id: 'm2' },
    { type: 'response_stream_start' },
  );
  assert.deepEqual([fields.runId, fields.id, run?.id], ['t1', 'm2', 't1']);
});

test('progress of a run is read with all its fields', () => {
  const { get } = play({
    type: 'agent_progress',
    step: 1,
    total_steps: 3,
    progress: 40,
    description: 'Search',
  });
  const { step, totalSteps, progress, description, result } = get('@run', 'run-activity') ?? {};
  assert.deepEqual([step, totalSteps, progress, description, result], [1, 3, 40, 'Search', null]);
});

for (const [what, fields, details] of [
  ['has no details', { error: ' No. ' }, null],
  ['has a code', { error: 'No.', code: 'E1' }, { error: 'No.', code: 'E1' }],
  ['has a traceback', { message: 'No.', traceback: 'T' }, { error: 'No.', traceback: 'T' }],
] as const) {
  test(`the error of a run that ${what} is added at the end of its message`, () => {
    const {
      fields: message,
      get,
      list,
      run,
    } = play(
      { type: 'response_chunk', content: 'Well,' },
      { type: 'agent_processing_error', timestamp: null, ...fields },
    );
    const error = get('error', 'error');
    assert.deepEqual(list(null), ['text', 'error']);
    assert.equal(error?.message, 'No.');
    const expected = details && JSON.stringify({ ...details, timestamp: null });
    assert.equal(error.details, expected);
    assert.equal(message.status, 'failed');
    assert.deepEqual(message.failure, { code: 'run-failed', message: 'No.' });
    assert.equal(run?.state, 'failed');
  });
}

for (const end of [COMPLETE, { type: 'agent_processing_error', error: 'No.' }]) {
  test(`a run that was requested to stop ends as stopped with ${end.type}`, () => {
    const { fields, run, list, get } = play(
      { type: 'tool_input_required', tool_execution_id: 'c1', tool_name: 'ask' },
      { type: 'agent_stop_requested', task_id: 't1' },
      end,
    );
    assert.equal(get('@request:tool:c1', 'request-activity')?.state, 'closed');
    assert.deepEqual([fields.status, run?.state, run?.id], ['stopped', 'stopped', 't1']);
    assert.equal(list(null).includes('error'), end.type === 'agent_processing_error');
  });
}

test('a pending request is closed by the error of its run', () => {
  const { get } = play(
    { type: 'tool_input_required', tool_execution_id: 'c1', tool_name: 'ask' },
    { type: 'agent_processing_error', error: 'No.' },
  );
  assert.equal(get('@request:tool:c1', 'request-activity')?.state, 'closed');
});

test('a run that ends with a pending request waits', () => {
  const { fields, run } = play(
    { type: 'input_required', checkpoint_name: 'mail', prompt: 'Email?' },
    COMPLETE,
  );
  assert.deepEqual([fields.status, run?.state], ['waiting', 'waiting']);
});

test('events after the end of a run change nothing', () => {
  const { list } = play(COMPLETE, { type: 'response_chunk', content: 'late' });
  assert.deepEqual(list(null), []);
});

test('an end of a tool without an execution is an unknown event', () => {
  assert.deepEqual(play({ type: 'tool_end', outputs: {} }).errors, ['unknown-event']);
  assert.deepEqual(play({ type: 'final_result' }).errors, ['unknown-event']);
});

const toolOf = (...events: WireFields[]) => {
  const { data: _, ...tool } = play(...events).get('@tool:c1', 'tool-activity') ?? {};
  return tool as Partial<PartOf<'tool-activity'>>;
};

for (const [what, data, state] of [
  ['the phase failed', { phase: 'FAILED' }, 'failed'],
  ['the phase cancelled', { phase: 'cancelled' }, 'cancelled'],
  ['the phase canceled', { phase: 'canceled' }, 'cancelled'],
  ['the status error', { phase: 'SEARCH', status: 'error' }, 'failed'],
  ['the status failure', { status: 'failure' }, 'failed'],
  ['the phase completed', { phase: 'COMPLETED' }, 'done'],
  ['the status completed alone', { status: 'completed' }, 'done'],
  ['the status completed of a phase', { phase: 'SEARCH', status: 'completed' }, 'running'],
  ['another status', { phase: 'SEARCH', status: 'completed soon' }, 'running'],
] as const) {
  test(`a tool is ${state} after an update with ${what}`, () => {
    const tool = toolOf(update({}), update(data));
    assert.equal(tool.state, state);
    assert.equal(tool.endedAt, state === 'running' ? null : START + 1000);
    assert.equal(tool.startedAt, START);
  });
}

test('an update sets the fields that it contains and keeps the others', () => {
  const tool = toolOf(
    update({ phase: 'A', status: 'started', message: 'Looks' }),
    update({ query: 'rain' }),
  );
  assert.deepEqual([tool.phase, tool.status, tool.message], ['A', 'started', 'rain']);
});

for (const [fields, reason] of [
  [{ error: 'E', message: 'M', reason: 'R' }, 'E'],
  [{ message: 'M', reason: 'R' }, 'M'],
  [{ reason: 'R' }, 'R'],
  [{}, ''],
] as const) {
  test(`a tool fails with the reason "${reason}" of ${JSON.stringify(fields)}`, () => {
    const event = { type: 'tool_end', execution_id: 'c1', status: 'failed', ...fields };
    const tool = toolOf(update({}), event);
    assert.deepEqual([tool.state, tool.reason, tool.status], ['failed', reason, 'failed']);
    const updated = toolOf(update({ status: 'failed', ...fields }));
    assert.deepEqual([updated.state, updated.reason], ['failed', reason]);
  });
}

test('a tool that has failed stays failed when it ends', () => {
  const tool = toolOf(update({ status: 'failed' }), { type: 'tool_end', execution_id: 'c1' });
  assert.deepEqual([tool.state, tool.status], ['failed', 'completed']);
});

test('the data of a tool that has ended are its outputs, or all fields of the event', () => {
  const dataOf = (fields: WireFields) =>
    play({ type: 'tool_end', execution_id: 'c1', timestamp: null, ...fields }).get(
      '@tool:c1',
      'tool-activity',
    )?.data;
  assert.deepEqual(dataOf({ outputs: { r: 1 } }), { r: 1 });
  assert.deepEqual(dataOf({ r: 2 }), { timestamp: null, execution_id: 'c1', r: 2 });
});

test('the failure of a tool fails its running phase, and the end of the tool completes the phase', () => {
  const phaseOf = (...events: WireFields[]) =>
    play(...events).get('@phase:c1#1', 'phase-activity')?.state;
  const start = update({ phase: 'SEARCH', status: 'started' });
  assert.equal(phaseOf(start, { type: 'error', execution_id: 'c1' }), 'failed');
  assert.equal(phaseOf(start, { type: 'tool_end', execution_id: 'c1' }), 'done');
});

test('an end that a tool reports closes its request and no other', () => {
  const ask = (id: string) => ({
    type: 'tool_input_required',
    tool_execution_id: id,
    tool_name: 'ask',
  });
  for (const end of [
    update({ phase: 'completed' }),
    update({ phase: 'SEARCH', status: 'completed' }),
    { type: 'tool_end', execution_id: 'c1' },
  ]) {
    const { get } = play(ask('c1'), ask('c2'), end);
    const stateOf = (id: string) => get(`@request:tool:${id}`, 'request-activity')?.state;
    assert.deepEqual([stateOf('c1'), stateOf('c2')], ['closed', 'pending']);
  }
  const { get } = play(ask('c1'), update({ phase: 'SEARCH', status: 'started' }));
  assert.equal(get('@request:tool:c1', 'request-activity')?.state, 'pending');
});

test('the output of a tool is read from each field that may contain it', () => {
  const output = (data: object): WireFields => ({ ...update(data), type: 'tool_partial_update' });
  const textOf = (key: string, ...events: WireFields[]) =>
    play(...events)
      .get(`@tool:c1/${key}`, 'output-activity')
      ?.text?.read();
  assert.equal(textOf('output', output({ content: 'a' }), output({ content: 'b' })), 'ab');
  assert.equal(textOf('x', output({ output_key: 'x', x: 'own' })), 'own');
  assert.equal(textOf('x', output({ output_key: 'x', data: { x: 'nested' } })), 'nested');
  assert.equal(textOf('toString', output({ output_key: 'toString' })), undefined);
  const flat = { type: 'tool_partial_update', tool_execution_id: 'c1', content: 'flat' };
  assert.equal(textOf('output', flat), 'flat');
});

const requestOf = (event: WireFields, key: string) => play(event).get(key, 'request-activity');
const toolRequest = (fields: WireFields = {}) =>
  requestOf(
    { type: 'tool_input_required', tool_execution_id: 'c1', tool_name: 'ask', ...fields },
    '@request:tool:c1',
  );

test('the prompt of a request is its question, its prompt, its message or the name of its tool', () => {
  const promptOf = (fields: WireFields) => toolRequest(fields)?.prompt;
  assert.equal(promptOf({ tool_input: { question: 'Q', prompt: 'P' }, prompt: 'x' }), 'Q');
  assert.equal(promptOf({ tool_input: { prompt: 'P' }, prompt: 'x' }), 'P');
  assert.equal(promptOf({ prompt: 'x', message: 'y' }), 'x');
  assert.equal(promptOf({ message: 'y' }), 'y');
  assert.deepEqual([promptOf({}), promptOf({ prompt: '' })], ['ask', 'ask']);
  const agent = { type: 'input_required', checkpoint_name: 'c' };
  assert.equal(requestOf(agent, '@request:c')?.prompt, '');
});

test('types, options and schema of a request are read from the event and from the input of the tool', () => {
  const input = { input_types: ['file'], options: ['a'], schema: { type: 'string' } };
  const inside = toolRequest({ tool_input: input });
  const outside = toolRequest(input);
  for (const request of [inside, outside]) {
    assert.deepEqual(
      [request?.inputTypes, request?.options, request?.schema],
      [['file'], ['a'], { type: 'string' }],
    );
  }
  const { inputTypes, options, schema } = toolRequest({ input_types: [] }) ?? {};
  assert.deepEqual([inputTypes, options, schema], [['text'], null, null]);
});

test('the deadline of a request counts from the time of its event', () => {
  const deadlineOf = (fields: WireFields) => toolRequest(fields)?.deadline;
  assert.equal(deadlineOf({ timeout: 60 }), START + 60_000);
  assert.equal(deadlineOf({ timeout: 0 }), START);
  assert.equal(deadlineOf({ timeout: -1 }), null);
  assert.equal(deadlineOf({}), null);
  assert.equal(deadlineOf({ timeout: 60, timestamp: null }), null);
});

test('the request of a tool has its execution, that of an agent its checkpoint', () => {
  const tool = toolRequest();
  assert.deepEqual(
    [tool?.level, tool?.executionId, tool?.checkpointName, tool?.toolName],
    ['tool', 'c1', null, 'ask'],
  );
  const event = { type: 'input_required', checkpoint_name: 'c', execution_id: 'c1', prompt: 'Q' };
  const agent = requestOf(event, '@request:c');
  assert.deepEqual(
    [agent?.level, agent?.executionId, agent?.checkpointName, agent?.toolName, agent?.part],
    ['agent', null, 'c', null, 'request:c'],
  );
});

test('a request that is repeated while it is pending is the same request, after its end it is another one', () => {
  const ask = { type: 'tool_input_required', tool_execution_id: 'c1', tool_name: 'ask' };
  const again = play(ask, ask);
  assert.equal(again.get('@request:tool:c1#2', 'request-activity'), undefined);
  const end = { type: 'tool_end', execution_id: 'c1' };
  const later = play(ask, end, ask, end, ask);
  const states = ['', '#2', '#3'].map(
    (suffix) => later.get(`@request:tool:c1${suffix}`, 'request-activity')?.state,
  );
  assert.deepEqual(states, ['closed', 'closed', 'pending']);
});

test('an answer is shown at the request and at its part', () => {
  const { task, get } = play({ type: 'input_required', checkpoint_name: 'c', prompt: 'Q' });
  task.recordAnswer('@request:c', '{"input":"x"}');
  const changes = task
    .drainChanges(true)
    .flatMap((change) =>
      change.type === 'set' ? [`${change.part ?? ''} ${change.path.join()}`] : [],
    );
  assert.ok(get('request:c', 'input-request'));
  assert.deepEqual(changes.slice(0, 3), [
    '@request:c state',
    '@request:c answer',
    'request:c answer',
  ]);
});

const step = (type: string, fields: WireFields = {}): WireFields => ({
  type: `agent_step_${type}`,
  step: 1,
  ...fields,
});
const started = (number: number, title = 'Look') =>
  step('started', { step: number, description: title });

test('a step that starts leaves the one before it open-ended', () => {
  const { get } = play(started(1), started(2));
  assert.equal(get('step:1', 'step')?.state, 'open-ended');
  assert.equal(get('step:2', 'step')?.state, 'running');
});

test('a step that starts again is a second step, and the first is open-ended', () => {
  const { get, list } = play(started(1), started(1, 'Search'));
  assert.deepEqual(list(null), ['step', 'step']);
  const [first, second] = [get('step:1', 'step'), get('step:1#2', 'step')];
  assert.deepEqual([first?.title, first?.state], ['Look', 'open-ended']);
  assert.deepEqual([second?.title, second?.state], ['Search', 'running']);
});

test('the activity of a step has its progress and its times', () => {
  const { get } = play(
    started(1),
    step('progress', { progress: 50, message: 'Half' }),
    step('progress', { message: 'More' }),
  );
  const { title, progress, status, state, startedAt, endedAt } =
    get('@step:1', 'step-activity') ?? {};
  assert.deepEqual(
    [title, progress, status, state, startedAt, endedAt],
    ['Look', 50, 'More', 'running', START, null],
  );
  const done = play(started(1), step('completed')).get('@step:1', 'step-activity');
  assert.deepEqual([done?.progress, done?.state, done?.endedAt], [100, 'completed', START + 1000]);
});

test('a single step is marked as such', () => {
  const { get } = play(step('started', { single_step_agent: true }));
  assert.equal(get('step:1', 'step')?.single, true);
  assert.equal(play(started(1)).get('step:1', 'step')?.single, false);
});

test('a text of a step without a start event adds the step', () => {
  const { get, list } = play({ type: 'response_chunk', step: 2, content: 'Hi' });
  assert.deepEqual([list(null), list('step:2')], [['step'], ['text']]);
  assert.deepEqual([get('step:2', 'step')?.title, get('step:2', 'step')?.state], ['', 'running']);
  assert.deepEqual(play({ type: 'response_chunk', step: 2, content: '' }).list(null), []);
});

test('a checkpoint without a name is ignored', () => {
  assert.deepEqual(play({ type: 'checkpoint_created' }).list(null), []);
  const named = play({ type: 'checkpoint_created', checkpoint_name: 'c' });
  assert.deepEqual(named.list(null), ['checkpoint']);
});

test('a running tool is done when its run ends', () => {
  const { get } = play(
    update({ phase: 'SEARCH' }),
    update({ status: 'failed' }, { tool_execution_id: 'c2' }),
    COMPLETE,
  );
  const endOf = (id: string) => {
    const tool = get(`@tool:${id}`, 'tool-activity');
    return [tool?.state, tool?.endedAt];
  };
  assert.deepEqual(endOf('c1'), ['done', START + 2000]);
  assert.deepEqual(endOf('c2'), ['failed', START + 1000]);
});

const at = (second: number): string => new Date(START + second * 1000).toISOString();

for (const [what, before, codes] of [
  [
    'bound to a part by its id',
    [{ type: 'response_chunk', content: '<<TOOL_STEP_START/find:c1>>\n' }],
    [],
  ],
  ['not bound to a part', [], ['late-event']],
] as const) {
  test(`a late update of a tool that is ${what} reports ${codes.join() || 'nothing'}`, () => {
    const { errors } = play(
      ...before,
      update({ phase: 'A' }, { timestamp: at(10) }),
      { type: 'agent_progress', step: 1, timestamp: at(20) },
      update({ phase: 'A', message: 'More' }, { timestamp: at(15) }),
    );
    assert.deepEqual(errors, codes);
  });
}

test('an event of a tool without an id is assigned by the name of the tool, and ignored without a name', () => {
  const event = { type: 'tool_update', data: { phase: 'A' } };
  assert.deepEqual(play(event, { ...event, tool_name: '' }).list('@activity'), []);
  const { get } = play({ ...event, tool_name: 'find' });
  assert.equal(get('@tool:/find', 'tool-activity')?.phase, 'A');
});

test('the output of a tool is added once and then grows', () => {
  const { task } = play({ type: 'tool_partial_update', tool_execution_id: 'c1', content: 'a' });
  const fields = { tool_execution_id: 'c1', content: 'b' };
  task.apply({ type: 'tool_partial_update', fields });
  assert.deepEqual(
    task.drainChanges(true).map(({ type }) => type),
    ['text'],
  );
});

test('an empty output of a tool adds no part', () => {
  const { get } = play({ type: 'tool_partial_update', tool_execution_id: 'c1', content: '' });
  assert.equal(get('@tool:c1/output', 'output-activity'), undefined);
});

const toolAsks = (id: string): WireFields => ({
  type: 'tool_input_required',
  tool_execution_id: id,
  tool_name: 'ask',
});

test('the executions that wait for input are those with a pending request of a tool', () => {
  const { task } = play(
    toolAsks('c1'),
    toolAsks('c2'),
    { type: 'input_required', checkpoint_name: 'c', prompt: 'Q' },
    { type: 'tool_end', execution_id: 'c2' },
  );
  assert.deepEqual(task.listPendingExecutions(), [['@request:tool:c1', 'c1']]);
});

test('a tool without an id waits while its request is pending', () => {
  const { get } = play({ type: 'tool_input_required', tool_name: 'ask' });
  assert.equal(get('@tool:/ask', 'tool-activity')?.state, 'waiting');
});

test('two tools without an id have separate requests', () => {
  const { get } = play(
    { type: 'tool_input_required', tool_name: 'ask', prompt: 'Name?' },
    { type: 'tool_input_required', tool_name: 'pay', prompt: 'Amount?' },
    { type: 'tool_input_required', tool_name: 'ask', prompt: 'Full name?' },
  );
  const prompts = ['ask', 'pay', 'ask#2'].map(
    (name) => get(`@request:tool:/${name}`, 'request-activity')?.prompt,
  );
  assert.deepEqual(prompts, ['Full name?', 'Amount?', undefined]);
  const states = ['ask', 'pay'].map((name) => get(`@tool:/${name}`, 'tool-activity')?.state);
  assert.deepEqual(states, ['waiting', 'waiting']);
});

test('the reported end of a tool without an id closes its request only', () => {
  const { get } = play(
    { type: 'tool_input_required', tool_name: 'ask' },
    { type: 'tool_input_required', tool_name: 'pay' },
    { type: 'input_required', checkpoint_name: 'c', prompt: 'Q' },
    { type: 'tool_update', tool_name: 'ask', data: { phase: 'completed' } },
  );
  const states = ['tool:/ask', 'tool:/pay', 'c'].map(
    (name) => get(`@request:${name}`, 'request-activity')?.state,
  );
  assert.deepEqual(states, ['closed', 'pending', 'pending']);
});

test('a full content with the result of a tool without an id closes its request', () => {
  const content =
    '<<TOOL_STEP_START/ask:t1>><<TOOL_STEP_RESULT_START>>"x"<<TOOL_STEP_RESULT_END>><<TOOL_STEP_END/ask:t1>>';
  const { get } = play(
    { type: 'tool_input_required', tool_name: 'ask' },
    { type: 'agent_response_update', content },
  );
  assert.equal(get('@request:tool:/ask', 'request-activity')?.state, 'closed');
});

/** Fields that the changes of a task set, as `part name value`. */
const listUpdates = (task: TaskState): string[] =>
  task
    .drainChanges(true)
    .flatMap((change) =>
      change.type === 'set'
        ? [`${change.part ?? 'message'} ${change.path.join()} ${JSON.stringify(change.value)}`]
        : [],
    );

test('an answered request stays answered when its tool ends', () => {
  const { task } = play(toolAsks('c1'));
  task.recordAnswer('@request:tool:c1', '{"input":"x"}');
  task.apply({ type: 'tool_end', fields: { execution_id: 'c1' } });
  const updates = listUpdates(task).filter((line) => line.startsWith('@request:tool:c1 state'));
  assert.deepEqual(updates, ['@request:tool:c1 state "answered"']);
});

test('an answer to a request that outlives its run ends its tool and completes the message', () => {
  const { task } = play(toolAsks('c1'), COMPLETE);
  task.recordAnswer('@request:tool:c1', '{"input":"x"}');
  const updates = listUpdates(task);
  assert.ok(updates.includes('@tool:c1 state "done"'));
  assert.ok(updates.includes('message status "complete"'));
});

test('a running step is open-ended when its run fails', () => {
  const { get } = play(started(1), { type: 'agent_processing_error', error: 'No.' });
  assert.equal(get('step:1', 'step')?.state, 'open-ended');
});

test('an error of a run has a code when the service sends one that is a text and not empty', () => {
  const codeOf = (code: unknown) =>
    play({ type: 'agent_processing_error', error: 'No.', code }).get('error', 'error')?.code;
  assert.deepEqual([codeOf('E1'), codeOf(''), codeOf(7)], ['E1', undefined, undefined]);
});

test('an error of a full content without details gets the details and the code of the event', () => {
  const content = 'Look.\n<<ERROR_START>>\nError: No.\n<<ERROR_END>>';
  const { get, list } = play(
    { type: 'agent_response_update', content },
    { type: 'agent_processing_error', error: 'No.', code: 'E1', timestamp: null },
  );
  assert.deepEqual(list(null), ['text', 'error']);
  const { code, details } = get('error', 'error') ?? {};
  const expected = JSON.stringify({ error: 'No.', code: 'E1', timestamp: null });
  assert.deepEqual([code, details], ['E1', expected]);
});

test('an error whose tags are in the text before its event moves to the end of the message', () => {
  const block = '<<ERROR_START>>\nError: No.\n<<ERROR_END>>\n';
  const { list } = play(
    { type: 'response_chunk', content: `Before\n${block}` },
    { type: 'response_chunk', content: 'After\n' },
    { type: 'agent_processing_error', error: 'No.' },
  );
  const kinds = list(null);
  assert.equal(kinds.indexOf('error'), kinds.length - 1, kinds.join());
});

test('the number of a step may be 0', () => {
  const { get } = play(step('started', { step: 0 }));
  assert.equal(get('@step:0', 'step-activity')?.state, 'running');
});

test('a step that starts again is running again, without progress, results and times of before', () => {
  const before = [
    step('progress', { progress: 50, message: 'Half' }),
    step('completed', { results: { a: 1 }, timestamp: at(5) }),
  ];
  const again = { ...started(1), timestamp: at(9) };
  const { get } = play({ ...started(1), timestamp: at(1) }, ...before, again);
  const { state, progress, status, results, startedAt, endedAt } =
    get('@step:1', 'step-activity') ?? {};
  assert.deepEqual([state, progress, status, results], ['running', null, '', null]);
  assert.deepEqual([startedAt, endedAt], [Date.parse(at(9)), null]);
});

test('a step without tags in the text does not rebuild the message', () => {
  const { task } = play(started(1));
  const fields = { step: 2, description: 'Search', timestamp: at(5) };
  task.apply({ type: 'agent_step_started', fields });
  const types = task.drainChanges(true).map(({ type }) => type);
  assert.ok(types.includes('part'));
  assert.ok(!types.includes('content'));
});

test('a checkpoint is not merged with one of another name in a full content', () => {
  const content = '<<CHECKPOINT_START>>\nCheckpoint: a\n<<CHECKPOINT_END>>\n';
  const checkpoint = (name: string) => ({ type: 'checkpoint_created', checkpoint_name: name });
  const { list } = play({ type: 'agent_response_update', content }, checkpoint('b'));
  assert.deepEqual(list(null), ['checkpoint', 'checkpoint']);
  const same = play({ type: 'agent_response_update', content }, checkpoint('a'));
  assert.deepEqual(same.list(null), ['checkpoint']);
});

for (const [length, what, kinds, codes] of [
  [10, 'replaces the streamed one', ['text'], []],
  [11, 'is dropped with a diagnostic', ['step'], ['message-too-large']],
] as const) {
  test(`a final content of ${length} units with a limit of 10 ${what}`, () => {
    const { message, run } = setupMessage();
    const errors: string[] = [];
    const task = new TaskState({
      message: 'm',
      maxText: 10,
      onDiagnostic: ({ code }) => errors.push(code),
    });
    task.connect();
    task.apply({ type: 'agent_step_started', fields: { step: 1, description: 'Look' } });
    task.apply({ type: 'agent_processing_complete', fields: { content: 'x'.repeat(length) } });
    assert.deepEqual(run(...task.drainChanges(true)).rejected, []);
    const { parts, status } = message();
    const shown = parts.children(null).map((key) => parts.get(key));
    assert.deepEqual(
      shown.map((part) => part?.kind),
      kinds,
    );
    assert.ok(shown.every((part) => part?.kind !== 'step' || part.state === 'open-ended'));
    assert.deepEqual([status, errors], ['complete', codes]);
  });
}

test('events beyond the limit of the log add parts up to 1,000, then only texts and full contents', () => {
  const { message, run } = setupMessage();
  const task = new TaskState({ message: 'm', maxEvents: 1, onDiagnostic: () => undefined });
  const listKinds = (): (string | undefined)[] => {
    assert.deepEqual(run(...task.drainChanges(true)).rejected, []);
    const { parts } = message();
    return parts.children(null).map((key) => parts.get(key)?.kind);
  };
  task.connect();
  task.apply({ type: 'connection_established', fields: {} });
  for (let index = 0; index < 1010; index += 1) {
    const fields = { checkpoint_name: `c${index}` };
    task.apply({ type: 'checkpoint_created', fields });
  }
  assert.equal(listKinds().length, 1000);
  task.apply({ type: 'response_chunk', fields: { content: 'More' } });
  assert.equal(listKinds().at(-1), 'text');
  task.apply({ type: 'agent_response_update', fields: { content: 'All' } });
  assert.deepEqual(listKinds(), ['text']);
});
