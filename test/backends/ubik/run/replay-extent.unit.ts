import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonResponse } from '../../../helpers/http-client.js';
import {
  eventsResponse,
  HELLO,
  KEYS,
  SESSION,
  setupSession,
  signal,
} from '../support/ubik-session.js';

const START = '<<TOOL_STEP_START/find:c1>>';
const QUERY = '{"query": "rain"}';
const FOUND = '{"found": 3}';
const INPUT = `<<TOOL_STEP_INPUT_START>>${QUERY}<<TOOL_STEP_INPUT_END>>`;
const RESULT = `<<TOOL_STEP_RESULT_START>>${FOUND}<<TOOL_STEP_RESULT_END>>`;
const TOOL = `${START}${INPUT}${RESULT}<<TOOL_STEP_END/find:c1>>`;
const STORED = `${TOOL}So.`;

/** Whether a replay of `content` and events, which then breaks, replaces the shown content of a stored message. */
async function isReplayShown(
  content: string,
  task: string | null = 't1',
  events: readonly object[] = [],
): Promise<boolean> {
  const session = setupSession((request) => {
    const path = new URL(request.url).pathname;
    if (path.endsWith('/stream')) {
      return eventsResponse([HELLO, { type: 'response_chunk', content }, ...events]);
    }
    if (path.endsWith('/messages')) {
      const message = { id: 'm1', role: 'assistant', content: STORED, task_id: task };
      return jsonResponse({ items: [message] });
    }
    return jsonResponse({ id: SESSION, title: 'A thread' });
  });
  await session.backend.loadThread(SESSION);
  const run = { id: task, keys: KEYS, otherRunIds: [] };
  await session.read(session.backend.rejoin(SESSION, run, signal));
  return session.batches.some(({ changes }) => changes.some((change) => change.type === 'content'));
}

for (const [what, content, isShown] of [
  ['all of the shown content', STORED, true],
  ['the tool without the text after it', TOOL, false],
  ['the tool without its result', `${START}${INPUT}So.`, false],
  ['the tool without its input', `${START}${RESULT}So.`, false],
  ['as much text in place of the tool', `So.${'x'.repeat(QUERY.length + FOUND.length)}`, false],
] as const) {
  test(`replay with ${what} ${isShown ? 'replaces' : 'does not replace'} a stored message`, async () => {
    assert.equal(await isReplayShown(content), isShown);
  });
}

test('replay with activity in place of text does not replace a stored message', async () => {
  const calls = Array.from({ length: 10 }, (_, at) => ({
    type: 'tool_update',
    tool_execution_id: `x${String(at)}`,
    tool_name: 'find',
    data: { phase: 'searching' },
  }));
  assert.equal(await isReplayShown(TOOL, 't1', calls), false);
  assert.equal(await isReplayShown(STORED, 't1', calls), true);
});

test('replay of a run without an id replaces a stored message only when it is as long', async () => {
  assert.equal(await isReplayShown(TOOL, null), false);
  assert.equal(await isReplayShown(STORED, null), true);
});

test('replay after releaseRun does not replace a stored message while it is shorter', async () => {
  const contents = [STORED, TOOL];
  const session = setupSession((request) => {
    const path = new URL(request.url).pathname;
    if (path.endsWith('/stream')) {
      const content = contents.shift();
      return eventsResponse([HELLO, { type: 'response_chunk', content }]);
    }
    const message = { id: 'm1', role: 'assistant', content: STORED, task_id: 't1' };
    if (path.endsWith('/messages')) return jsonResponse({ items: [message] });
    return jsonResponse({ id: SESSION, title: 'A thread' });
  });
  await session.backend.loadThread(SESSION);
  const run = { id: 't1', keys: KEYS, otherRunIds: [] };
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
