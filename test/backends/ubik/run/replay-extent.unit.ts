import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  eventsAnswer,
  HELLO,
  jsonResponse,
  KEYS,
  SESSION,
  setupSession,
  signal,
} from '../support/ubik-session.js';

const START = '<<TOOL_STEP_START/find:c1>>';
const INPUT = '<<TOOL_STEP_INPUT_START>>{"query": "rain"}<<TOOL_STEP_INPUT_END>>';
const RESULT = '<<TOOL_STEP_RESULT_START>>{"found": 3}<<TOOL_STEP_RESULT_END>>';
const CARD = `${START}${INPUT}${RESULT}<<TOOL_STEP_END/find:c1>>`;
const STORED = `${CARD}So.`;

/** What a replay of `content`, which breaks behind it, shows of a message that was read from the service before. */
async function replay(content: string, task: string | null = 't1'): Promise<boolean> {
  const session = setupSession((request) => {
    const path = new URL(request.url).pathname;
    if (path.endsWith('/stream')) {
      return eventsAnswer([HELLO, { type: 'response_chunk', content }]);
    }
    if (path.endsWith('/messages')) {
      const message = { id: 'm1', role: 'assistant', content: STORED, task_id: task };
      return jsonResponse({ items: [message] });
    }
    return jsonResponse({ id: SESSION, title: 'A talk' });
  });
  await session.backend.loadThread(SESSION);
  const run = { id: task, keys: KEYS, finishedRuns: [] };
  await session.read(session.backend.rejoin(SESSION, run, signal));
  return session.batches.some(({ changes }) => changes.some((change) => change.type === 'content'));
}

for (const [what, content, isShown] of [
  ['as much as is shown', STORED, true],
  ['the tool without the text behind it', CARD, false],
  ['the tool without its result', `${START}${INPUT}So.`, false],
  ['the tool without its input', `${START}${RESULT}So.`, false],
  ['as much text in place of the tool', `So.${'x'.repeat(29)}`, false],
] as const) {
  test(`a replay that brings ${what} is ${isShown ? 'shown' : 'kept out of sight'}`, async () => {
    assert.equal(await replay(content), isShown);
  });
}

test('a replay of a run without an id is kept out of sight until it brings as much as is shown', async () => {
  assert.equal(await replay(CARD, null), false);
  assert.equal(await replay(STORED, null), true);
});

test('a replay of a run that was let go is kept out of sight until it brings as much as is shown', async () => {
  const contents = [STORED, CARD];
  const session = setupSession((request) => {
    const path = new URL(request.url).pathname;
    if (path.endsWith('/stream')) {
      const content = contents.shift();
      return eventsAnswer([HELLO, { type: 'response_chunk', content }]);
    }
    const message = { id: 'm1', role: 'assistant', content: STORED, task_id: 't1' };
    if (path.endsWith('/messages')) return jsonResponse({ items: [message] });
    return jsonResponse({ id: SESSION, title: 'A talk' });
  });
  await session.backend.loadThread(SESSION);
  const run = { id: 't1', keys: KEYS, finishedRuns: [] };
  await session.read(session.backend.rejoin(SESSION, run, signal));
  session.backend.releaseRun?.(SESSION, run);
  session.batches.length = 0;
  await session.read(session.backend.rejoin(SESSION, run, signal));
  assert.deepEqual(contents, []);
  const changes = session.batches.flatMap((batch) => batch.changes);
  assert.deepEqual(
    changes.filter((change) => change.type === 'content'),
    [],
  );
});
