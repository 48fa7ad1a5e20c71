import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveStoredAnswer } from '../../../../src/backends/data-agent/projection/answer-projection.js';
import { canonicalize } from '../../../../src/model/canonicalize.js';
import { DataAgentClient, textOf } from '../../../demo/data-agent/data-agent-client.js';
import { startTestServer } from '../../../demo/test-server.js';
import { ShownAnswer } from './shown-answer.js';

/** Questions to the local Data Agent, with the kinds of parts in its answers other than text and thinking. */
const QUESTIONS: readonly (readonly [question: string, ...kinds: readonly string[]])[] = [
  ['Hello'],
  ['多瑙河流经哪些国家？', 'tool', 'table'],
  ['How does an answer survive a broken network?', 'tool', 'passages'],
  ['Search the web for shipping on the Danube', 'web-search'],
  ['Draw a chart of the longest rivers', 'tool', 'table', 'tool', 'chart'],
  ['画一个饼图', 'tool', 'table', 'tool', 'chart'],
  ['What is the total discharge?', 'tool', 'metric'],
  ['Ask the expert what decides the discharge', 'tool'],
  ['What is 12.5 * (3 + 4)^2?', 'tool'],
];

function kindsOf(parts: ReturnType<typeof deriveStoredAnswer>['parts']): string[] {
  return parts
    .flatMap(({ kind, parts: inside = [] }) => [kind, ...kindsOf(inside)])
    .filter((kind) => kind !== 'text' && kind !== 'thinking');
}

test('answers of the local Data Agent have the same parts stored as live', async (context) => {
  const server = await startTestServer(context);
  const client = await DataAgentClient.connect(server.url);
  for (const [question, ...kinds] of QUESTIONS) {
    const id = await client.createConversation(question);
    const shown = new ShownAnswer();
    const options = { conversation_id: id, chat_mode: 'deep_thinking' };
    for (const { key: path, action, content: value } of await client.ask(question, options)) {
      shown.apply({ path, action: action as 'upsert', value });
    }
    shown.finish();
    const message = (await client.messages(id)).at(-1);
    const content = JSON.parse(textOf(message?.['content'])) as unknown;
    const stored = deriveStoredAnswer({ message: { content, ext: {} }, error: null });
    assert.deepEqual(canonicalize(stored.parts), canonicalize(shown.parts), question);
    assert.deepEqual(stored.activity, shown.view.activity, question);
    assert.deepEqual(kindsOf(stored.parts), kinds, question);
  }
});
