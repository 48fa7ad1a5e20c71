import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskMemory } from '../../../src/backends/ubik/run/task-memory.js';
import { areChanges, ANSWER } from '../../../src/backends/shared-tab/wire/read-changes.js';
import { ACTIVITY } from '../../../src/model/part.js';
import { setupMessage } from '../../helpers/model-message.js';

const CARD = '<<TOOL_STEP_START/search:c1>>';
const RESULT = `${CARD}<<TOOL_STEP_RESULT_START>>{"found":[1,2`;

/** A memory whose stream is cut and replayed; `cut` ends a connection and gives how many changes that told. */
function setup() {
  const { message, run } = setupMessage();
  const memory = new TaskMemory({ message: ANSWER, onDiagnostic: () => undefined });
  const rename = (text: unknown): string =>
    JSON.stringify(text).replaceAll(`"message":"${ANSWER}"`, '"message":"m"');
  const apply = (changes: readonly unknown[]): number => {
    assert.equal(areChanges(changes), true, 'another tab takes them');
    const { refused } = run(...(JSON.parse(rename(changes)) as Parameters<typeof run>));
    assert.deepEqual(refused, []);
    return changes.length;
  };
  const read = (...texts: readonly string[]): void => {
    memory.connect();
    texts.forEach((content, second) => {
      const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
      memory.take({ type: 'response_chunk', fields: { timestamp, content } });
    });
    apply(memory.takeChanges(true));
  };
  const end = (): void => {
    const timestamp = new Date(Date.UTC(2026, 0, 2)).toISOString();
    memory.take({ type: 'agent_processing_complete', fields: { timestamp, content: '' } });
    apply(memory.takeChanges(true));
  };
  const held = () => {
    const { parts } = message();
    return parts.children(ACTIVITY).flatMap((key) => {
      const part = parts.get(key);
      if (part?.kind !== 'held-activity') return [];
      return [{ tool: part.tool, payload: part.payload, text: part.text?.read() }];
    });
  };
  return { read, end, held, cut: () => apply(memory.takeHeld()) };
}

const TOOL = 'tool:c1';

test('a result that is cut is told as held when its connection is over', () => {
  const { read, cut, held } = setup();
  read(RESULT);
  assert.deepEqual(held(), []);
  cut();
  assert.deepEqual(held(), [{ tool: TOOL, payload: 'result', text: '{"found":[1,2' }]);
});

test('an input that is cut is told without the beginning of its end tag', () => {
  const { read, cut, held } = setup();
  read(`${CARD}<<TOOL_STEP_INPUT_START>>{"q":1}<<TOOL_STEP_INP`);
  cut();
  assert.deepEqual(held(), [{ tool: TOOL, payload: 'input', text: '{"q":1}' }]);
});

test('an unfinished tag is told as held text of no tool', () => {
  const { read, cut, held } = setup();
  read('Hello <<TOOL_STEP_STA');
  cut();
  assert.deepEqual(held(), [{ tool: null, payload: null, text: '<<TOOL_STEP_STA' }]);
});

test('nothing is told as held when all text was read', () => {
  const { read, cut } = setup();
  read('Hello.');
  assert.equal(cut(), 0);
});

test('a replay that brings no more tells nothing again', () => {
  const { read, cut } = setup();
  read(RESULT);
  assert.equal(cut(), 2);
  read(RESULT);
  assert.equal(cut(), 0);
});

test('a replay that brings more replaces what was held', () => {
  const { read, cut, held } = setup();
  read(RESULT);
  cut();
  read(RESULT, ',3');
  cut();
  assert.deepEqual(held(), [{ tool: TOOL, payload: 'result', text: '{"found":[1,2,3' }]);
});

test('held text is gone when the rest of it has come', () => {
  const { read, cut, held } = setup();
  read(RESULT);
  cut();
  read(RESULT, ']}<<TOOL_STEP_RESULT_END>>');
  cut();
  assert.deepEqual(held(), []);
});

test('held text is gone when the run has ended', () => {
  const { read, cut, end, held } = setup();
  read(RESULT);
  cut();
  end();
  cut();
  assert.deepEqual(held(), []);
});
