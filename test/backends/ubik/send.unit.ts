import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../../src/backends/ubik/index.js';
import { canonicalize } from '../../../src/model/canonicalize.js';
import { jsonResponse } from '../../helpers/http-client.js';
import { eventsResponse, KEYS, SESSION, setupSession } from './support/ubik-session.js';

const DRAFT = { text: 'Weather?', attachments: [] };
const EVENTS = [
  { type: 'connection_established', session_id: 's1', connection_id: 'c1', task_id: 'task1' },
  { type: 'agent_step_started', step: 1, description: 'Look', single_step_agent: false },
  { type: 'response_chunk', step: 1, content: 'Looking.\n<<TOOL_STEP_START/find:c1>>\n' },
  { type: 'tool_update', tool_execution_id: 'c1', tool_name: 'find', data: { phase: 'SEARCH' } },
  {
    type: 'response_chunk',
    step: 1,
    content: '<<TOOL_STEP_INPUT_START>>{}<<TOOL_STEP_INPUT_END>>',
  },
  {
    type: 'response_chunk',
    step: 1,
    content: '<<TOOL_STEP_RESULT_START>>{"a":1}<<TOOL_STEP_RESULT_END>><<TOOL_STEP_END/find:c1>>',
  },
  { type: 'agent_step_completed', step: 1, progress: 100, completed: true, results: {} },
  { type: 'checkpoint_created', checkpoint_name: 'step1_completed' },
  { type: 'response_chunk', content: 'It rains.' },
];
const STORED =
  '<<STEP_START>>\nStep 1: Look ✓\nLooking.\n<<TOOL_STEP_START/find:c1>>\n<<TOOL_STEP_INPUT_START>>\n{}\n' +
  '<<TOOL_STEP_INPUT_END>>\n<<TOOL_STEP_RESULT_START>>\n{"a":1}\n<<TOOL_STEP_RESULT_END>>\n<<TOOL_STEP_END/find:c1>>\n' +
  '<<STEP_END>>\n<<CHECKPOINT_START>>\nCheckpoint: step1_completed\n<<CHECKPOINT_END>>\nIt rains.';

test('send posts once, reads the stream in the response and ends as complete', async () => {
  const session = setupSession((request) => {
    if (request.method !== 'POST') return jsonResponse({ items: [] });
    return eventsResponse([
      ...EVENTS,
      { type: 'agent_processing_complete', message_id: 'm2', content: '' },
    ]);
  });
  const error = await session.read(
    session.backend.send(SESSION, DRAFT, KEYS, new AbortController().signal),
  );
  assert.equal(error, null);
  assert.deepEqual(session.rejected, []);
  assert.equal(session.thread.run.state, 'complete');
  assert.equal(session.thread.run.id, 'task1');
  assert.equal(session.answer.status, 'complete');
  assert.equal(session.answer.id, 'm2');
  assert.equal(session.environment.requests.filter(({ method }) => method === 'POST').length, 1);
  assert.deepEqual(canonicalize(session.answer), canonicalize(parseContent(STORED)));
  assert.equal(session.answer.parts.get('@tool:c1')?.kind, 'tool-activity');
});

test('send changes no shown part when the final content is equal', async () => {
  const session = setupSession((request) => {
    if (request.method !== 'POST') return jsonResponse({ items: [] });
    return eventsResponse([...EVENTS, { type: 'agent_processing_complete', content: STORED }]);
  });
  await session.read(session.backend.send(SESSION, DRAFT, KEYS, new AbortController().signal));
  assert.deepEqual(session.rejected, []);
  assert.deepEqual(session.answer.parts.children(null), [
    'step:1',
    'checkpoint:step1_completed',
    'checkpoint:step1_completed+0:text',
  ]);
  assert.equal(session.answer.parts.get('checkpoint:step1_completed+0:text')?.text?.revision, 0);
});
