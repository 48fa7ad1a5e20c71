import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../../src/backends/ubik/run/task-state.js';
import type { Message } from '../../../src/model/message.js';
import type { PartOf } from '../../../src/model/part.js';
import { canonicalize } from '../../../src/model/canonicalize.js';
import { setupMessage } from '../../helpers/model-message.js';

interface PlayedRun {
  readonly message: Message;
  readonly activity: (toolId: string) => PartOf<'tool-activity'>;
}

/** Applies chunks (texts) and events (objects) in this order. */
function play(...items: readonly (string | Record<string, unknown>)[]): PlayedRun {
  const { message, run } = setupMessage();
  const task = new TaskState({ message: 'm', onDiagnostic: () => undefined });
  task.connect();
  for (const item of items) {
    const event = typeof item === 'string' ? { type: 'response_chunk', content: item } : item;
    const { type, ...fields } = event;
    task.apply({ type: String(type), fields });
    assert.deepEqual(run(...task.drainChanges(true)).rejected, []);
  }
  const activity = (toolId: string): PartOf<'tool-activity'> => {
    const part = message().parts.get(`@tool:${toolId}`);
    if (part?.kind !== 'tool-activity') throw new Error(`No activity of ${toolId}.`);
    return part;
  };
  return { message: message(), activity };
}

function update(
  tool_execution_id: string,
  tool_name: string,
  data: object = {},
): Record<string, unknown> {
  return { type: 'tool_update', tool_execution_id, tool_name, data };
}

const start = (name: string, id: string): string => `<<TOOL_STEP_START/${name}:${id}>>\n`;
const end = (name: string, id: string): string => `<<TOOL_STEP_END/${name}:${id}>>\n`;

test('tool events belong to the tool with their id, not to an older one with their name', () => {
  const { activity } = play(start('find', 'a'), start('find', 'b'), update('b', 'find'));
  assert.equal(activity('b').part, 'tool:b');
});

test('tool events with an unknown id belong to the oldest running tool of their name without events', () => {
  const starts = [start('draw', 'z'), start('find', 'a'), end('find', 'a'), start('find', 'b')];
  const { activity } = play(
    ...starts,
    start('find', 'c'),
    update('u1', 'find'),
    update('u2', 'find'),
  );
  assert.equal(activity('u1').part, 'tool:b');
  assert.equal(activity('u2').part, 'tool:c');
});

test('tool events that arrive before their tool are assigned to it once it starts', () => {
  const before = play(update('u1', 'find'), update('a', 'find'));
  assert.equal(before.activity('u1').part, null);
  const after = play(
    update('u1', 'find'),
    update('a', 'find'),
    start('find', 'a'),
    start('find', 'x'),
  );
  assert.equal(after.activity('a').part, 'tool:a');
  assert.equal(after.activity('u1').part, 'tool:x');
});

test('tool events are not assigned to a tool of another name', () => {
  const { activity } = play(update('u1', 'find'), update('u2', ''), start('draw', 'x'));
  assert.deepEqual([activity('u1').part, activity('u2').part], [null, null]);
});

test('end tag of a tool ends its activity', () => {
  const running = play(start('find', 'a'), update('a', 'find'));
  assert.equal(running.activity('a').state, 'running');
  const ended = play(start('find', 'a'), update('a', 'find'), end('find', 'a'));
  assert.equal(ended.activity('a').state, 'done');
});

test('tool events with the id of a tool replace an assignment by name', () => {
  const { activity } = play(start('find', 'a'), update('u1', 'find'), update('a', 'find'));
  assert.equal(activity('a').part, 'tool:a');
  assert.equal(activity('u1').part, null);
});

test('full content keeps the tool events of tools that it contains', () => {
  const content = `${start('find', 'a')}${end('find', 'a')}Done.`;
  const { activity } = play(start('find', 'a'), update('u1', 'find'), {
    type: 'agent_response_update',
    content,
  });
  assert.equal(activity('u1').part, 'tool:a');
});

test('tool activity has the latest phase, status and data, and appends partial output by key', () => {
  const { activity, message } = play(
    update('a', 'web_search', { phase: 'WEB_SEARCH', status: 'started', query: 'rain' }),
    update('a', 'web_search', { sources: [1], output_key: 'sources' }),
    {
      ...update('a', 'web_search', { content: 'It ', output_key: 'response' }),
      type: 'tool_partial_update',
    },
    {
      ...update('a', 'web_search', { content: 'rains', output_key: 'response' }),
      type: 'tool_partial_update',
    },
  );
  const { phase, status, data } = activity('a');
  assert.deepEqual(
    { phase, status, data },
    {
      phase: 'WEB_SEARCH',
      status: 'started',
      data: { sources: [1], output_key: 'sources' },
    },
  );
  assert.equal(message.parts.get('@tool:a/response')?.text?.read(), 'It rains');
});

test('error with a tool id fails the tool and not the run', () => {
  const failed = { type: 'error', tool_execution_id: 'a', message: 'No power', code: 'E1' };
  const { activity, message } = play(update('a', 'find'), failed, 'Then I try again.');
  assert.equal(activity('a').state, 'failed');
  assert.equal(activity('a').reason, 'No power');
  assert.equal(message.status, 'streaming');
});

test('tool activity waits while a request of the tool is pending', () => {
  const request = {
    type: 'tool_input_required',
    tool_execution_id: 'a',
    tool_name: 'confirm',
    tool_input: { question: 'Proceed?' },
  };
  const other = update('b', 'find');
  const waiting = play(update('a', 'confirm'), other, request);
  assert.equal(waiting.activity('a').state, 'waiting');
  assert.equal(waiting.activity('b').state, 'running');
  const confirmed = { phase: 'CONFIRMATION', status: 'completed' };
  assert.equal(play(request, update('a', 'confirm', confirmed)).activity('a').state, 'running');
  const ended = play(request, update('a', 'confirm', { phase: 'completed' }));
  assert.equal(ended.activity('a').state, 'done');
  const completed = { type: 'agent_processing_complete', content: '' };
  assert.equal(play(request, other, completed).activity('a').state, 'waiting');
  assert.equal(play(request, other, completed).activity('b').state, 'done');
});

test('tool activity is cancelled or skipped when its updates say so', () => {
  for (const [data, state, reason] of [
    [{ phase: 'cancelled', reason: 'Too slow' }, 'cancelled', 'Too slow'],
    [{ phase: 'A', status: 'canceled' }, 'cancelled', ''],
    [{ status: 'skipped' }, 'skipped', ''],
    [{ phase: 'SKIPPED' }, 'skipped', ''],
    [{ phase: 'A', status: 'skipped' }, 'running', ''],
  ] as const) {
    const { activity } = play(update('a', 'find'), update('a', 'find', data));
    assert.deepEqual([activity('a').state, activity('a').reason], [state, reason]);
  }
  const end = { type: 'tool_end', execution_id: 'a', status: 'cancelled', error: 'No' };
  const { activity } = play(update('a', 'find'), end);
  assert.deepEqual([activity('a').state, activity('a').reason], ['cancelled', 'No']);
});

test('tool activity stays failed or cancelled when a later end event reports success', () => {
  for (const phase of ['failed', 'cancelled']) {
    const { activity } = play(update('a', 'find', { phase }), {
      type: 'tool_end',
      execution_id: 'a',
    });
    assert.equal(activity('a').state, phase);
  }
});

test('error without a tool id ends the run', () => {
  const { message } = play('I try.', { type: 'error', message: 'All broken' });
  assert.equal(message.status, 'failed');
  assert.ok(message.parts.get('error'));
});

test('tool_end ends the tool with its id and is ignored without one', () => {
  const ended = play(update('a', 'find'), {
    type: 'tool_end',
    execution_id: 'a',
    outputs: { r: 1 },
  });
  assert.equal(ended.activity('a').state, 'done');
  assert.deepEqual(ended.activity('a').data, { r: 1 });
  const ignored = play(update('a', 'find'), { type: 'tool_end', outputs: { r: 1 } });
  assert.equal(ignored.activity('a').state, 'running');
});

test('tool activity finds the session of a sub-agent in each field that may contain it', () => {
  for (const data of [
    { sub_session_id: 's9' },
    { phase: 'SUB_AGENT_STARTED', data: { sub_session_id: 's9' } },
  ]) {
    assert.equal(play(update('a', 'subagent', data)).activity('a').subSession, 's9');
  }
});

test('tools, steps and checkpoints accept names such as __proto__', () => {
  const { activity, message } = play(
    update('__proto__', 'constructor', { phase: 'A' }),
    {
      ...update('__proto__', 'x', { content: 'out', output_key: '__proto__' }),
      type: 'tool_partial_update',
    },
    { type: 'agent_step_started', step: 1, description: '__proto__' },
    { type: 'checkpoint_created', checkpoint_name: '__proto__' },
  );
  assert.equal(activity('__proto__').phase, 'A');
  assert.equal(message.parts.get('@tool:__proto__/__proto__')?.text?.read(), 'out');
  assert.equal(message.parts.get('checkpoint:__proto__')?.kind, 'checkpoint');
  assert.deepEqual(Object.keys(Object.prototype), []);
});

test('completed step closes its open parts and still accepts a late chunk', () => {
  const inStep = (content: string): Record<string, unknown> => ({
    type: 'response_chunk',
    step: 1,
    content,
  });
  const { message } = play(
    { type: 'agent_step_started', step: 1, description: 'Look' },
    inStep(`${start('find', 'a')}<<thinking>>Hm`),
    { type: 'agent_step_completed', step: 1 },
    inStep('late'),
  );
  const tool = message.parts.get('tool:a');
  assert.equal(tool?.kind === 'tool' ? tool.state : null, 'incomplete');
  const inside = message.parts.children('step:1').map((key) => message.parts.get(key));
  const thinking = message.parts.get('tool:a/0:thinking');
  assert.equal(thinking?.kind === 'thinking' ? thinking.state : null, 'closed');
  assert.equal(inside.at(-1)?.kind, 'text');
});

test('thinking part that a full content leaves open is continued by chunks', () => {
  const full = { type: 'agent_response_update', content: 'Look.\n<<thinking>>\ndeep' };
  const { message } = play(full, 'er<</thinking>>\nSo.');
  const parts = message.parts.children(null).map((key) => message.parts.get(key));
  const thinking = parts.find((part) => part?.kind === 'thinking');
  assert.equal(thinking?.text?.read(), 'deeper');
  assert.equal(thinking?.kind === 'thinking' ? thinking.state : null, 'closed');
});

for (const [where, opening, step] of [
  ['a tool', '', undefined],
  ['a tool in a step', '<<STEP_START>>\nStep 1: Look\n', 1],
] as const) {
  test(`full content that ends anywhere in ${where} is continued by chunks`, () => {
    const payload = '{"a": "fo <<TOOL_STEP_RESULT_START>> <<TOOL_STEP_RESULT_END>> o"}';
    const text = [
      `Look.\n${start('find', 'c1')}<<TOOL_STEP_INPUT_START>>\n{"q": 1}\n<<TOOL_STEP_INPUT_END>>`,
      `<<TOOL_STEP_RESULT_START>>\n${payload}\n<<TOOL_STEP_RESULT_END>>\n${end('find', 'c1')}Found.`,
    ].join('\n');
    const chunk = (content: string) => ({ type: 'response_chunk', content, step });
    const started = { type: 'agent_step_started', step: 1, description: 'Look' };
    const before = step ? [started] : [];
    const whole = canonicalize(play(...before, chunk(text)).message);
    for (let at = 1; at < text.length; at += 1) {
      const content = opening + text.slice(0, at);
      const { message } = play(
        ...before,
        { type: 'agent_response_update', content },
        chunk(text.slice(at)),
      );
      assert.deepEqual(canonicalize(message), whole, JSON.stringify(content));
    }
  });
}

test('full content that ends in the result of a tool whose input is not JSON shows the input, and is continued by chunks', () => {
  const text = [
    `${start('find', 'c1')}<<TOOL_STEP_INPUT_START>>`,
    'size 5"<<TOOL_STEP_INPUT_END>><<TOOL_STEP_RESULT_START>>',
    '{"r": 1}',
    `<<TOOL_STEP_RESULT_END>>\n${end('find', 'c1')}`,
  ].join('\n');
  const at = text.indexOf(' 1}');
  const full = { type: 'agent_response_update', content: text.slice(0, at) };
  const whole = canonicalize(play(text).message);
  assert.deepEqual(canonicalize(play(full, text.slice(at)).message), whole);
  const { parts } = play(full).message;
  const tools = parts.children(null).map((key) => parts.get(key));
  assert.deepEqual(
    tools.map((part) => (part?.kind === 'tool' ? part.input : null)),
    ['size 5"'],
  );
});

test('tool that asks keeps waiting when a full content ends in its result', () => {
  const { activity, message } = play(
    start('find', 'c1'),
    { type: 'tool_input_required', tool_execution_id: 'c1', tool_name: 'find' },
    {
      type: 'agent_response_update',
      content: `${start('find', 'c1')}<<TOOL_STEP_RESULT_START>>\n{"a`,
    },
  );
  assert.deepEqual([activity('c1').state, message.status], ['waiting', 'waiting']);
});

test('step that starts again after a full content has completed it is another step', () => {
  const again = { type: 'agent_step_started', step: 1, description: 'Again' };
  const content = '<<STEP_START>>\nStep 1: Once ✓\nDone.\n<<STEP_END>>\n';
  const { message } = play({ type: 'agent_response_update', content }, again);
  const titles = message.parts.children(null).flatMap((key) => {
    const part = message.parts.get(key);
    return part?.kind === 'step' ? [`${part.title} ${part.state}`] : [];
  });
  assert.deepEqual(titles, ['Once completed', 'Again running']);
});

test('end without content keeps completed steps completed and makes running steps open-ended', () => {
  const begin = (step: number) => ({ type: 'agent_step_started', step, description: 'Look' });
  const { message } = play(begin(1), { type: 'agent_step_completed', step: 1 }, begin(2), {
    type: 'agent_processing_complete',
    content: '',
  });
  const states = ['step:1', 'step:2'].map((key) => {
    const part = message.parts.get(key);
    return part?.kind === 'step' ? part.state : null;
  });
  assert.deepEqual(states, ['completed', 'open-ended']);
});
