import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setupRecorded } from '../support/recorded-session.js';
import { setupSession, signal, streamResponse } from '../support/ubik-session.js';

test('followExecution yields the events of an execution stream', async () => {
  const { session } = setupRecorded(() =>
    streamResponse(
      'event: tool_update\ndata: {"phase":"A","data":{"x":1}}\n\n' +
        'data: {"event_type":"tool_partial_update","data":{"content":"out"}}\n\n' +
        'event: tool_end\ndata: {"execution_id":"x1","status":"completed","outputs":{"response":"R"}}\n\n',
    ),
  );
  const events = [];
  for await (const event of session.backend.followExecution('x1', signal)) events.push(event);
  assert.deepEqual(events, [
    { type: 'update', data: { phase: 'A', data: { x: 1 } } },
    { type: 'partial', data: { content: 'out' } },
    { type: 'end', data: { response: 'R' } },
  ]);
});

for (const [end, type] of [
  ['tool_end', 'end'],
  ['final_result', 'end'],
  ['error', 'error'],
] as const) {
  test(`followExecution skips unknown events and yields nothing after ${end}`, async () => {
    const { session } = setupRecorded(() =>
      streamResponse(
        'event: heartbeat\ndata: {"at":1}\n\n' +
          `event: ${end}\ndata: {"execution_id":"x1","status":"unknown"}\n\n` +
          'event: tool_update\ndata: {"phase":"A"}\n\n',
      ),
    );
    const events = [];
    for await (const event of session.backend.followExecution('x1', signal)) events.push(event);
    assert.deepEqual(events, [{ type, data: { execution_id: 'x1', status: 'unknown' } }]);
  });
}

test('isInternalField names the ids that the service adds to what tools send', () => {
  const { isInternalField = assert.fail } = setupSession(() => new Response()).backend;
  assert.deepEqual(
    ['execution_id', 'tool_id', 'sub_session_id'].map((name) => isInternalField(name)),
    [true, true, true],
  );
  assert.deepEqual(
    ['id', 'query', 'results', '__proto__'].map((name) => isInternalField(name)),
    [false, false, false, false],
  );
});
