import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../../src/backends/ubik/run/task-state.js';
import { ANSWER_KEY, isChangeList } from '../../../src/backends/multi-tab/validate-changes.js';
import { ACTIVITY } from '../../../src/model/part.js';
import { setupMessage } from '../../helpers/model-message.js';

const TOOL_START = '<<TOOL_STEP_START/search:c1>>';
const RESULT = `${TOOL_START}<<TOOL_STEP_RESULT_START>>{"found":[1,2`;

/** A task whose stream breaks and is replayed: `read` is one connection. */
function setup() {
  const { message, run } = setupMessage();
  const task = new TaskState({ message: ANSWER_KEY, onDiagnostic: () => undefined });
  const rename = (text: unknown): string =>
    JSON.stringify(text).replaceAll(`"message":"${ANSWER_KEY}"`, '"message":"m"');
  const apply = (changes: readonly unknown[]): number => {
    assert.equal(isChangeList(changes), true, 'another tab would accept them');
    const { rejected } = run(...(JSON.parse(rename(changes)) as Parameters<typeof run>));
    assert.deepEqual(rejected, []);
    return changes.length;
  };
  const read = (...texts: readonly string[]): void => {
    task.connect();
    texts.forEach((content, second) => {
      const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
      task.apply({ type: 'response_chunk', fields: { timestamp, content } });
    });
    apply(task.drainChanges(true));
  };
  const end = (): void => {
    const timestamp = new Date(Date.UTC(2026, 0, 2)).toISOString();
    task.apply({ type: 'agent_processing_complete', fields: { timestamp, content: '' } });
    apply(task.drainChanges(true));
  };
  /** The incomplete text at present, as a view would read it. */
  const listIncomplete = () => {
    apply(task.createIncompleteTextChanges() ?? []);
    const { parts } = message();
    const found = parts.children(ACTIVITY).flatMap((key) => {
      const part = parts.get(key);
      if (part?.kind !== 'incomplete-activity') return [];
      return [{ key, tool: part.tool, payload: part.payload, text: part.text?.read() }];
    });
    for (const { key: part } of found) run({ type: 'remove', message: 'm', part });
    return found.map(({ key: _key, ...rest }) => rest);
  };
  return { read, end, listIncomplete };
}

const TOOL = 'tool:c1';

test('task state lists a result without its end tag as incomplete text of its tool', () => {
  const { read, listIncomplete } = setup();
  read(RESULT);
  assert.deepEqual(listIncomplete(), [{ tool: TOOL, payload: 'result', text: '{"found":[1,2' }]);
});

test('task state lists an incomplete input without the beginning of its end tag', () => {
  const { read, listIncomplete } = setup();
  read(`${TOOL_START}<<TOOL_STEP_INPUT_START>>{"q":1}<<TOOL_STEP_INP`);
  assert.deepEqual(listIncomplete(), [{ tool: TOOL, payload: 'input', text: '{"q":1}' }]);
});

test('task state lists an unfinished tag as incomplete text without a tool', () => {
  const { read, listIncomplete } = setup();
  read('Hello <<TOOL_STEP_STA');
  assert.deepEqual(listIncomplete(), [{ tool: null, payload: null, text: '<<TOOL_STEP_STA' }]);
});

test('task state lists no incomplete text when all text was parsed', () => {
  const { read, listIncomplete } = setup();
  read('Hello.');
  assert.deepEqual(listIncomplete(), []);
});

test('task state lists the same incomplete text after an equal replay', () => {
  const { read, listIncomplete } = setup();
  read(RESULT);
  const earlier = listIncomplete();
  read(RESULT);
  assert.deepEqual(listIncomplete(), earlier);
});

test('task state lists longer incomplete text after a longer replay', () => {
  const { read, listIncomplete } = setup();
  read(RESULT);
  read(RESULT, ',3');
  assert.deepEqual(listIncomplete(), [{ tool: TOOL, payload: 'result', text: '{"found":[1,2,3' }]);
});

test('task state lists no incomplete text once the rest of it has arrived', () => {
  const { read, listIncomplete } = setup();
  read(RESULT);
  read(RESULT, ']}<<TOOL_STEP_RESULT_END>>');
  assert.deepEqual(listIncomplete(), []);
});

test('task state lists no incomplete text when the run has ended', () => {
  const { read, end, listIncomplete } = setup();
  read(RESULT);
  end();
  assert.deepEqual(listIncomplete(), []);
});

test('task state returns no incomplete text while a replay is not shown', () => {
  const task = new TaskState({
    message: ANSWER_KEY,
    onDiagnostic: () => undefined,
    shownSize: 1000,
  });
  task.connect();
  task.apply({ type: 'response_chunk', fields: { content: RESULT } });
  task.drainChanges(true);
  assert.equal(task.createIncompleteTextChanges(), null);
});
