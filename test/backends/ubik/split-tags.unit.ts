import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../../src/backends/ubik/run/task-state.js';
import { canonicalize } from '../../../src/model/canonicalize.js';
import { setupMessage } from '../../helpers/model-message.js';

const TEXT =
  'Look: <<thinking>>\nI think.\n<</thinking>>\n<<TOOL_STEP_START/find:c1>>\n<<TOOL_STEP_INPUT_START>>\n{"q":1}\n' +
  '<<TOOL_STEP_INPUT_END>>\n<<TOOL_STEP_RESULT_START>>\n{"a":2}\n<<TOOL_STEP_RESULT_END>>\n<<TOOL_STEP_END/find:c1>>\n' +
  'Found <citation id="p1">[1]</citation>.';

/** The message after the text came in these pieces, and all text that was ever shown on the way. */
function play(pieces: readonly string[], step: number | null): { settled: unknown; shown: string } {
  const { message, run } = setupMessage();
  const memory = new TaskState({ message: 'm', onDiagnostic: () => undefined });
  let shown = '';
  memory.connect();
  for (const content of pieces) {
    memory.apply({
      type: 'response_chunk',
      fields: step === null ? { content } : { content, step },
    });
    for (const change of run(...memory.drainChanges(true)).applied) {
      if (change.type === 'text') shown += change.text;
    }
  }
  memory.apply({ type: 'agent_processing_complete', fields: {} });
  run(...memory.drainChanges(true));
  return { settled: canonicalize(message()), shown };
}

for (const step of [null, 1]) {
  const where = step === null ? 'the main text' : 'a step';
  test(`a tag may be cut anywhere between two chunks of ${where}, and no piece of it is shown`, () => {
    const whole = play([TEXT], step);
    for (let at = 1; at < TEXT.length; at += 1) {
      const { settled, shown } = play([TEXT.slice(0, at), TEXT.slice(at)], step);
      assert.deepEqual(settled, whole.settled, `cut at ${at}`);
      assert.ok(!shown.includes('<'), `cut at ${at} showed ${shown}`);
    }
    assert.deepEqual(play([...TEXT], step).settled, whole.settled);
  });
}
