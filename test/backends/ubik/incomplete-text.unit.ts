import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../../src/backends/ubik/run/task-state.js';
import { ANSWER_KEY, isChangeList } from '../../../src/backends/multi-tab/validate-changes.js';
import { ACTIVITY } from '../../../src/model/part.js';
import { setupMessage } from '../../helpers/model-message.js';

const CARD = '<<TOOL_STEP_START/search:c1>>';
const RESULT = `${CARD}<<TOOL_STEP_RESULT_START>>{"found":[1,2`;

/** A memory whose stream is cut and replayed; `cut` ends a connection and gives how many changes that told. */
function setup() {
  const { message, run } = setupMessage();
  const memory = new TaskState({ message: ANSWER_KEY, onDiagnostic: () => undefined });
  const rename = (text: unknown): string =>
    JSON.stringify(text).replaceAll(`"message":"${ANSWER_KEY}"`, '"message":"m"');
  const apply = (changes: readonly unknown[]): number => {
    assert.equal(isChangeList(changes), true, 'another tab takes them');
    const { rejected } = run(...(JSON.parse(rename(changes)) as Parameters<typeof run>));
    assert.deepEqual(rejected, []);
    return changes.length;
  };
  const read = (...texts: readonly string[]): void => {
    memory.connect();
    texts.forEach((content, second) => {
      const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
      memory.apply({ type: 'response_chunk', fields: { timestamp, content } });
    });
    apply(memory.drainChanges(true));
  };
  const end = (): void => {
    const timestamp = new Date(Date.UTC(2026, 0, 2)).toISOString();
    memory.apply({ type: 'agent_processing_complete', fields: { timestamp, content: '' } });
    apply(memory.drainChanges(true));
  };
  /** What is withheld at present, as a view would find it. */
  const held = () => {
    apply(memory.createIncompleteTextChanges() ?? []);
    const { parts } = message();
    const found = parts.children(ACTIVITY).flatMap((key) => {
      const part = parts.get(key);
      if (part?.kind !== 'incomplete-activity') return [];
      return [{ key, tool: part.tool, payload: part.payload, text: part.text?.read() }];
    });
    for (const { key: part } of found) run({ type: 'remove', message: 'm', part });
    return found.map(({ key: _key, ...rest }) => rest);
  };
  return { read, end, held };
}

const TOOL = 'tool:c1';

test('the memory lists a result without its end tag as incomplete text of its tool', () => {
  const { read, held } = setup();
  read(RESULT);
  assert.deepEqual(held(), [{ tool: TOOL, payload: 'result', text: '{"found":[1,2' }]);
});

test('the memory lists an incomplete input without the beginning of its end tag', () => {
  const { read, held } = setup();
  read(`${CARD}<<TOOL_STEP_INPUT_START>>{"q":1}<<TOOL_STEP_INP`);
  assert.deepEqual(held(), [{ tool: TOOL, payload: 'input', text: '{"q":1}' }]);
});

test('the memory lists an unfinished tag as incomplete text of no tool', () => {
  const { read, held } = setup();
  read('Hello <<TOOL_STEP_STA');
  assert.deepEqual(held(), [{ tool: null, payload: null, text: '<<TOOL_STEP_STA' }]);
});

test('the memory lists no incomplete text when all text was read', () => {
  const { read, held } = setup();
  read('Hello.');
  assert.deepEqual(held(), []);
});

test('the memory lists the same incomplete text after a replay that brings no more', () => {
  const { read, held } = setup();
  read(RESULT);
  const before = held();
  read(RESULT);
  assert.deepEqual(held(), before);
});

test('the memory lists the longer incomplete text after a replay that brings more', () => {
  const { read, held } = setup();
  read(RESULT);
  read(RESULT, ',3');
  assert.deepEqual(held(), [{ tool: TOOL, payload: 'result', text: '{"found":[1,2,3' }]);
});

test('the memory lists no incomplete text when the rest of it has come', () => {
  const { read, held } = setup();
  read(RESULT);
  read(RESULT, ']}<<TOOL_STEP_RESULT_END>>');
  assert.deepEqual(held(), []);
});

test('the memory lists no incomplete text when the run has ended', () => {
  const { read, end, held } = setup();
  read(RESULT);
  end();
  assert.deepEqual(held(), []);
});

test('the memory knows no incomplete text while its task is put together out of sight', () => {
  const memory = new TaskState({
    message: ANSWER_KEY,
    onDiagnostic: () => undefined,
    shownSize: 1000,
  });
  memory.connect();
  memory.apply({ type: 'response_chunk', fields: { content: RESULT } });
  memory.drainChanges(true);
  assert.equal(memory.createIncompleteTextChanges(), null);
});
