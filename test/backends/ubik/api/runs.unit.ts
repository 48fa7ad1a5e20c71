import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setupRecorded } from '../support/recorded-session.js';
import { Deferred } from '../../../helpers/deferred.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import {
  eventsResponse,
  streamResponse,
  KEYS,
  printEvents,
  SESSION,
  signal,
} from '../support/ubik-session.js';

/** A stream that is open until the test ends it. */
function createOpenStream() {
  let end = (): void => undefined;
  return {
    end: () => end(),
    response: () =>
      streamResponse(
        new ReadableStream<Uint8Array>({
          start: (controller) => {
            const hello = { type: 'connection_established', task_id: 't1' };
            controller.enqueue(new TextEncoder().encode(printEvents([hello])));
            end = () => controller.close();
          },
        }),
      ),
  };
}

test('send includes attachments; edit and regenerate do not', async () => {
  const { session, sent } = setupRecorded((_path, method) =>
    method === 'POST'
      ? eventsResponse([{ type: 'agent_processing_complete', content: 'x' }])
      : jsonResponse({ items: [] }),
  );
  const draft = { text: 'Read', attachments: [{ id: 'd1', name: 'Rivers.pdf' }] };
  await session.read(session.backend.send(SESSION, draft, KEYS, signal));
  await session.read(session.backend.edit(SESSION, 'm1', draft, KEYS, signal));
  await session.read(session.backend.regenerate(SESSION, 'm2', {}, KEYS, signal));
  assert.deepEqual(
    sent.filter((line) => line.startsWith('POST')),
    [
      'POST /agent-sessions/s1/messages {"content":"Read","attachment_document_ids":["d1"],"stream":true}',
      'POST /agent-sessions/s1/messages/m1/edit {"content":"Read","stream":true}',
      'POST /agent-sessions/s1/messages/m2/regenerate {"stream":true}',
    ],
  );
});

test('stop sends one request, after which the end of the stream ends the run as stopped', async () => {
  const stream = createOpenStream();
  const { session, sent } = setupRecorded((path, method) => {
    if (path.endsWith('/stop')) return jsonResponse({});
    if (method !== 'POST') return jsonResponse({ items: [] });
    return stream.response();
  });
  const draft = { text: 'Hi', attachments: [] };
  const reading = session.read(session.backend.send(SESSION, draft, KEYS, signal));
  await session.environment.settle();
  await session.backend.stop(SESSION, { id: 't1', keys: KEYS, otherRunIds: [] });
  stream.end();
  assert.equal(await reading, null);
  assert.equal(session.answer.status, 'stopped');
  assert.equal(sent.filter((line) => line.endsWith('/stop')).length, 1);
});

test('a run that is rejoined after an accepted stop is stopped when its stream ends, though this page has not read the run before', async () => {
  const { session } = setupRecorded((path) => {
    if (path.endsWith('/stop')) return jsonResponse({});
    if (!path.endsWith('/stream')) return jsonResponse({ items: [] });
    const chunk = { type: 'response_chunk', content: 'Half' };
    return streamResponse(printEvents([{ type: 'connection_established', task_id: 't1' }, chunk]));
  });
  const run = { id: 't1', keys: KEYS, otherRunIds: [] };
  await session.backend.stop(SESSION, run);
  assert.equal(await session.read(session.backend.rejoin(SESSION, run, signal)), null);
  assert.equal(session.answer.status, 'stopped');
});

test('a stop that is accepted after the run was released does not end another run of the same answer', async () => {
  const { session } = setupRecorded((path) => {
    if (path.endsWith('/stop')) return jsonResponse({});
    if (!path.endsWith('/stream')) return jsonResponse({ items: [] });
    const chunk = { type: 'response_chunk', content: 'Half' };
    return streamResponse(printEvents([{ type: 'connection_established', task_id: 't2' }, chunk]));
  });
  const run = { id: 't1', keys: KEYS, otherRunIds: [] };
  const stopped = session.backend.stop(SESSION, run);
  session.backend.releaseRun(SESSION, run);
  await stopped;
  const error = await session.read(session.backend.rejoin(SESSION, { ...run, id: 't2' }, signal));
  assert.equal(error?.code, 'interrupted');
});

test('a stop that is accepted after the run was released and rejoined ends it with its stream', async () => {
  const accepted = new Deferred<Response>();
  const stream = createOpenStream();
  const { session } = setupRecorded((path) => {
    if (path.endsWith('/stop')) return accepted.promise;
    if (!path.endsWith('/stream')) return jsonResponse({ items: [] });
    return stream.response();
  });
  const run = { id: 't1', keys: KEYS, otherRunIds: [] };
  const stopped = session.backend.stop(SESSION, run);
  session.backend.releaseRun(SESSION, run);
  const reading = session.read(session.backend.rejoin(SESSION, run, signal));
  await session.environment.settle();
  accepted.resolve(jsonResponse({}));
  await stopped;
  stream.end();
  assert.equal(await reading, null);
  assert.equal(session.answer.status, 'stopped');
});
