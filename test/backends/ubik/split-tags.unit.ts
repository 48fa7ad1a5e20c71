import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../../src/backends/ubik/run/task-state.js';
import { canonicalize } from '../../../src/model/canonicalize.js';
import { setupMessage } from '../../helpers/model-message.js';

const TEXT =
  'Look: <<thinking>>\nI think.\n<</thinking>>\n<<TOOL_STEP_START/find:c1>>\n<<TOOL_STEP_INPUT_START>>\n{"q":1}\n' +
  '<<TOOL_STEP_INPUT_END>>\n<<TOOL_STEP_RESULT_START>>\n{"a":2}\n<<TOOL_STEP_RESULT_END>>\n<<TOOL_STEP_END/find:c1>>\n' +
  'Found <citation id="p1">[1]</citation>.';

/** The message after these chunks, and all text that was shown at any time. */
function play(pieces: readonly string[], step: number | null): { content: unknown; shown: string } {
  const { message, run } = setupMessage();
  const task = new TaskState({ message: 'm', onDiagnostic: () => undefined });
  let shown = '';
  task.connect();
  for (const piece of pieces) {
    task.apply({
      type: 'response_chunk',
      fields: step === null ? { content: piece } : { content: piece, step },
    });
    for (const change of run(...task.drainChanges(true)).applied) {
      if (change.type === 'text') shown += change.text;
    }
  }
  task.apply({ type: 'agent_processing_complete', fields: {} });
  run(...task.drainChanges(true));
  return { content: canonicalize(message()), shown };
}

for (const step of [null, 1]) {
  const where = step === null ? 'the main text' : 'a step';
  test(`tag that is split at any position between two chunks of ${where} is never shown`, () => {
    const whole = play([TEXT], step);
    for (let at = 1; at < TEXT.length; at += 1) {
      const { content, shown } = play([TEXT.slice(0, at), TEXT.slice(at)], step);
      assert.deepEqual(content, whole.content, `cut at ${at}`);
      assert.ok(!shown.includes('<'), `cut at ${at} showed ${shown}`);
    }
    assert.deepEqual(play([...TEXT], step).content, whole.content);
  });
}
