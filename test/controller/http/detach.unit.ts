import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/controller/deferred.js';
import { printEvents } from '../../backends/ubik/support/ubik-session.js';
import { draftOf } from '../setup-controller.js';
import { sendJson, sendStream, setupHttpController } from './setup-http-controller.js';

const EVENTS = [
  { type: 'connection_established', task_id: 't1', connection_id: 'c1' },
  { type: 'response_chunk', content: 'Answer' },
];
const ENDS = {
  complete: { type: 'agent_processing_complete', content: 'Answer' },
  failed: { type: 'agent_processing_error', error: 'Out of memory' },
} as const;

for (const [state, end] of Object.entries(ENDS)) {
  test(`a run that is detached while the ids of its messages are loaded stays ${state}`, async (context) => {
    const requested = createDeferred();
    const fixture = await setupHttpController(context, {
      'POST /s1/messages': (response) => sendStream(response, printEvents([...EVENTS, end])),
      'GET /s1/messages': (response, nth) => {
        // Only the first load, that of the ids, gets no response.
        if (nth === 1) requested.resolve();
        else sendJson(response, { items: [] });
      },
    });
    const { controller } = fixture;
    const types: string[] = [];
    controller.onNotice(({ type }) => types.push(type));
    await controller.send(draftOf('Question'));
    await requested.promise;
    controller.detach();

    assert.equal(controller.thread?.run.state, state);
    assert.equal([...(controller.thread?.messages.values() ?? [])].at(-1)?.status, state);
    const message = state === 'failed' ? 'Out of memory' : undefined;
    assert.equal(controller.thread.run.error?.message, message);
    assert.equal(types.at(-1), state === 'complete' ? 'run-completed' : 'run-failed');
    assert.ok(!types.includes('run-interrupted'));
  });
}
