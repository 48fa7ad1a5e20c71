import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getPendingRequest } from '../../../conformance/backend-conformance.js';
import { method, readFixture, rejoin, send, setupRun, shown } from '../support/connect.js';
import { END, refuse } from '../support/scripted-service.js';
import type { WirePatch } from '../support/json-chains.js';

const PLAIN = readFixture('e01-plain-answer');
const upsert = (key: WirePatch['key'], content: WirePatch['content']): WirePatch => ({
  key,
  content,
  action: 'upsert',
});

test('data agent run completes with its ids, totals and follow-ups', async () => {
  const { service, reader } = await setupRun();
  service.scripts.push({ events: PLAIN });
  const { stream, keys } = send(reader);
  assert.equal(await reader.read(stream), null);
  const { status, state, id, runId, currentRun, usage, followUps } = shown(reader, keys.answer);
  assert.deepEqual([status, state], ['complete', 'complete']);
  assert.deepEqual([id, runId, currentRun], ['01MSG-A2', '01RUN-A', '01RUN-A']);
  assert.deepEqual(usage, { seconds: 3.42, tokens: 918, firstTokenMs: 640 });
  assert.deepEqual(followUps, ['Who holds the key to hall 3?']);
});

test('data agent run without totals reads its outcome and its ids from the stored answer', async () => {
  const ends = { succeded: 'complete', failed: 'failed', cancelled: 'stopped' } as const;
  for (const [status, state] of Object.entries(ends)) {
    const { service, reader } = await setupRun();
    service.scripts.push({ events: readFixture('e12-stop'), status });
    const { stream, keys } = send(reader);
    assert.equal(await reader.read(stream), null);
    assert.equal(shown(reader, keys.answer).state, state);
    assert.notEqual(shown(reader, keys.answer).id, null);
    assert.notEqual(reader.message(keys.user ?? '').id, null);
  }
});

test('data agent run fails when a step is still open at its end, because the executor has died', async () => {
  const { service, reader } = await setupRun();
  const step = { id: 'p1', stage: 'llm', answer: 'Rack 12', status: 'processing' };
  const message = { id: 'M', content: { middle_answer: { progress: [step] } } };
  service.scripts.push({ events: [upsert(['message'], message), END] });
  service.overrides.push({ route: 'GET /conversation/C1', respond: () => refuse(503, 'x') });
  const { stream, keys } = send(reader);
  assert.equal(await reader.read(stream), null);
  const { status, failure } = shown(reader, keys.answer);
  assert.equal(status, 'failed');
  assert.equal(failure?.code, 'run-failed');
});

test('data agent run fails with the description of the error, and keeps the shown parts', async () => {
  for (const name of ['e07-model-failure', 'e07-blanked-message']) {
    const { service, reader } = await setupRun();
    service.scripts.push({ events: readFixture(name), status: 'failed' });
    const { stream, keys } = send(reader);
    assert.equal(await reader.read(stream), null);
    const { status, state, failure, error, id, content } = shown(reader, keys.answer);
    assert.deepEqual([status, state], ['failed', 'failed']);
    assert.match(failure?.message ?? '', /model call failed|Internal error/u);
    assert.deepEqual(error, failure);
    assert.ok(id, 'an emptied id is ignored');
    assert.match(JSON.stringify(content), /Checking the/u);
  }
});

test('data agent run fails when its stream ends after an error without `end`', async () => {
  const { service, reader } = await setupRun();
  const events = [
    upsert(['message'], { id: 'M', content: null }),
    upsert(['error'], 'upstream timeout'),
  ];
  service.scripts.push({ events });
  const { stream, keys } = send(reader);
  assert.equal(await reader.read(stream), null);
  assert.equal(shown(reader, keys.answer).failure?.message, 'upstream timeout');
});

test('data agent run reads an answer that is sent as JSON instead of a stream', async () => {
  const { service, reader } = await setupRun();
  const content = { final_answer: { answer: { text: 'Yes.' } }, middle_answer: { progress: [] } };
  const reply = { assistant_message_id: 'M', message: { id: 'M', content }, error: null };
  const respond = () =>
    new Response(JSON.stringify(reply), { headers: { 'content-type': 'application/json' } });
  service.overrides.push({ route: 'POST /chat/completion', respond });
  const { stream, keys } = send(reader);
  assert.equal(await reader.read(stream), null);
  const { state, content: parts } = shown(reader, keys.answer);
  assert.equal(state, 'complete');
  assert.match(JSON.stringify(parts), /Yes\./u);
});

test('data agent run reads the last event of a stream without a final line break', async () => {
  const { service, reader } = await setupRun();
  const body = PLAIN.map((event) => `data: ${JSON.stringify(event)}`).join('\n\n');
  const respond = () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  service.overrides.push({ route: 'POST /chat/completion', respond });
  const { stream, keys } = send(reader);
  assert.equal(await reader.read(stream), null);
  assert.equal(shown(reader, keys.answer).state, 'complete');
});

test('data agent run skips unsafe patches with a diagnostic and continues', async () => {
  const { service, reader, diagnostics } = await setupRun();
  const hostile = [
    upsert(['__proto__', 'polluted'], 1),
    upsert(['message', 'content', 'constructor'], 1),
    upsert(['message', 'content', 'middle_answer', 'progress', 12_000], 1),
    upsert(
      Array.from({ length: 33 }, () => 'a'),
      1,
    ),
  ];
  const events = PLAIN.flatMap((event) => [...hostile, event]);
  service.scripts.push({ events: [...events] });
  // The scripted service must not apply them either.
  service.stored = PLAIN;
  const { stream, keys } = send(reader);
  assert.equal(await reader.read(stream), null);
  assert.equal(shown(reader, keys.answer).state, 'complete');
  assert.equal(diagnostics.length, hostile.length * PLAIN.length);
  assert.ok(diagnostics.every(({ code }) => code === 'malformed-event'));
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('data agent run that cannot be resumed ends by its stored answer', async () => {
  for (const [status, state] of [
    ['succeded', 'complete'],
    ['cancelled', 'stopped'],
    ['failed', 'failed'],
  ] as const) {
    const { service, reader } = await setupRun();
    service.scripts.push({ events: PLAIN, status });
    service.cuts = [{ after: 7, then: 'break' }];
    const { stream, keys } = send(reader);
    assert.equal((await reader.read(stream))?.code, 'network');
    service.finish();
    assert.equal(await reader.read(rejoin(reader, keys)), null);
    const { state: ended, content } = shown(reader, keys.answer);
    assert.equal(ended, state);
    assert.match(JSON.stringify(content), /kept in \*\*hall 3\*\*/u);
  }
});

test('data agent run that cannot be resumed shows the approval that its stored answer waits for, also when that has no content', async () => {
  for (const content of ['stored', 'emptied'] as const) {
    const { service, reader } = await setupRun();
    service.scripts.push({ events: readFixture('e06-approval-request'), status: 'processing' });
    service.cuts = [{ after: 4, then: 'break' }];
    const { stream, keys } = send(reader);
    assert.equal((await reader.read(stream))?.code, 'network');
    service.finish();
    const [, stored] = service.messagesOf(reader.session);
    if (stored && content === 'emptied') stored.content = '';
    assert.equal(await reader.read(rejoin(reader, keys)), null);
    const message = reader.message(keys.answer);
    assert.equal(message.status, 'waiting');
    assert.equal(getPendingRequest(message).toolName, 'send_mail');
    assert.match(JSON.stringify(shown(reader, keys.answer).content), /I will write to the plant/u);
  }
});

test('data agent run polls its stored answer every 2 s, and rejects as interrupted after a minute', async () => {
  const { service, reader, environment } = await setupRun();
  service.scripts.push({ events: PLAIN });
  service.cuts = [{ after: 5, then: 'break' }];
  service.canResume = false;
  const { stream, keys } = send(reader);
  await reader.read(stream);
  const reading = reader.read(rejoin(reader, keys));
  await environment.advance(70_000);
  const error = await reading;
  assert.deepEqual([error?.code, error?.status], ['interrupted', 204]);
  assert.equal(service.requestsFor('GET /conversation/C1').length, 31);
  assert.equal(reader.message(keys.answer).status, 'streaming');
});

test('data agent run whose response was lost is found by its question, although the controller has loaded its finished answer', async () => {
  const context = { title: 'Depot', data: {} };
  const buildQuestion = (text: string) => `Depot 7: ${text}`;
  for (const options of [{}, { buildQuestion, messageOptions: { context } }]) {
    const { service, reader, backend } = await setupRun(options);
    service.scripts.push({ events: PLAIN });
    service.cuts = [{ after: 0, then: 'break' }];
    const { stream, keys } = send(reader);
    assert.equal((await reader.read(stream))?.code, 'network');
    service.finish();
    const [, answer] = service.messagesOf(reader.session);
    if (answer && !('buildQuestion' in options)) answer.ext = '';
    await backend.loadThread(reader.session);
    // The controller takes a run for another one when the stored question is not what the user has written.
    assert.equal(await reader.read(rejoin(reader, keys, ['01RUN-A'])), null);
    assert.equal(shown(reader, keys.answer).status, 'complete');
    assert.equal(reader.message(keys.answer).id, answer?.id);
  }
});

test('data agent run whose question the service has not received does not show an earlier answer to the same question', async () => {
  const { service, reader, backend } = await setupRun();
  service.scripts.push({ events: PLAIN });
  await reader.read(send(reader).stream);
  service.overrides.push({ route: 'POST /chat/completion', respond: () => refuse(502, 'x') });
  const { stream, keys } = send(reader);
  assert.equal((await reader.read(stream))?.code, 'server');
  const [, answer] = service.messagesOf(reader.session);
  if (answer) answer.ext = '';
  await backend.loadThread(reader.session);
  assert.equal((await reader.read(rejoin(reader, keys)))?.code, 'not-sent');
});

test('data agent run rejects with not-sent when the service has never stored it', async () => {
  const { service, reader } = await setupRun();
  service.scripts.push({ events: PLAIN });
  const first = send(reader);
  await reader.read(first.stream);
  service.overrides.push({ route: 'POST /chat/completion', respond: () => refuse(502, 'x') });
  const second = send(reader);
  assert.equal((await reader.read(second.stream))?.code, 'server');
  const run = { id: null, keys: second.keys, otherRunIds: ['01RUN-A'] };
  const signal = new AbortController().signal;
  const stream = reader.backend.rejoin?.(reader.session, run, signal);
  assert.ok(stream);
  assert.equal((await reader.read(stream))?.code, 'not-sent');
});

test('data agent run rejects at once when it is aborted while it polls its stored answer', async () => {
  const { service, reader, environment } = await setupRun();
  service.scripts.push({ events: PLAIN });
  service.cuts = [{ after: 5, then: 'break' }];
  service.canResume = false;
  const { stream, keys } = send(reader);
  await reader.read(stream);
  const abort = new AbortController();
  const run = { id: null, keys, otherRunIds: [] };
  const rejoined = reader.backend.rejoin?.(reader.session, run, abort.signal);
  assert.ok(rejoined);
  const reading = reader.read(rejoined);
  await environment.advance(3000);
  abort.abort();
  assert.equal((await reading)?.code, 'aborted');
  assert.equal(environment.timers, 0);
});

/** The events of a run with the id of its answer, these other members of its reply, and its total time. */
const withIds = (members: Readonly<Record<string, string>>): WirePatch[] => [
  upsert(['message'], { id: 'M', content: { final_answer: { answer: { text: 'Yes.' } } } }),
  ...Object.entries(members).map(([name, id]) => upsert([name], id)),
  upsert(['message', 'ext'], { total_time: 1 }),
  END,
];

test('data agent run loads its stored answer only for an id that its stream has not sent', async () => {
  const countLoads = async (members: Readonly<Record<string, string>>, asksAgain = false) => {
    const { service, reader, backend } = await setupRun();
    const first = send(reader);
    service.scripts.push({ events: withIds({ user_message_id: 'U1' }) });
    await reader.read(first.stream);
    service.received.length = 0;
    service.scripts.push({ events: withIds(members) });
    const keys = reader.makeKeys(!asksAgain);
    const { signal } = new AbortController();
    const stream = asksAgain
      ? method(backend, 'regenerate')(reader.session, 'M', {}, keys, signal)
      : backend.send(reader.session, { text: 'Why?', attachments: [] }, keys, signal);
    assert.equal(await reader.read(stream), null);
    assert.equal(shown(reader, keys.answer).state, 'complete');
    return service.requestsFor(`GET /conversation/${reader.session}`).length;
  };
  assert.equal(await countLoads({ user_message_id: 'U2' }), 0);
  assert.equal(await countLoads({}), 1);
  // The question is loaded before it is asked again, and nothing after it.
  assert.equal(await countLoads({}, true), 1);
});

test('data agent run completes when its stored answer cannot be loaded and its last step has ended', async () => {
  const { service, reader } = await setupRun();
  const step = { id: 'p1', stage: 'llm', answer: 'Rack 12', status: 'completed' };
  const message = { id: 'M', content: { middle_answer: { progress: [step] } } };
  service.scripts.push({ events: [upsert(['message'], message), END] });
  service.overrides.push({ route: 'GET /conversation/C1', respond: () => refuse(503, 'x') });
  const { stream, keys } = send(reader);
  assert.equal(await reader.read(stream), null);
  assert.equal(shown(reader, keys.answer).status, 'complete');
});

test('data agent run that has no content in its stored answer keeps what it shows', async () => {
  const { service, reader } = await setupRun();
  service.scripts.push({ events: PLAIN, status: 'cancelled' });
  service.cuts = [{ after: 8, then: 'break' }];
  const { stream, keys } = send(reader);
  await reader.read(stream);
  service.finish();
  const [, stored] = service.messagesOf(reader.session);
  if (stored) Object.assign(stored, { content: '', ext: '' });
  assert.equal(await reader.read(rejoin(reader, keys)), null);
  const { content, state } = shown(reader, keys.answer);
  assert.match(JSON.stringify(content), /Spare pumps are/u);
  assert.equal(state, 'stopped');
});

test('data agent run that is released is forgotten: a stop names the run of the caller', async () => {
  const { service, reader, backend } = await setupRun();
  service.scripts.push({ events: PLAIN });
  const { stream, keys } = send(reader);
  await reader.read(stream);
  const stop = method(backend, 'stop');
  await stop(reader.session, { id: 'other', keys, otherRunIds: [] });
  method(backend, 'releaseRun')(reader.session, { id: null, keys, otherRunIds: [] });
  await stop(reader.session, { id: 'other', keys, otherRunIds: [] });
  assert.deepEqual(
    service.requestsFor('POST /chat/termination').map(({ body }) => body['agent_run_id']),
    ['01RUN-A', 'other'],
  );
});

test('data agent run is read up to the limit of its stream, and rejects above it', async () => {
  const length = PLAIN.reduce(
    (sum, event, at) => sum + JSON.stringify({ seq_id: at, ...event }).length,
    0,
  );
  for (const [maxStreamLength, code] of [
    [length, undefined],
    [length - 1, 'message-too-large'],
  ] as const) {
    const { service, reader } = await setupRun({ limits: { maxStreamLength } });
    service.scripts.push({ events: PLAIN });
    assert.equal((await reader.read(send(reader).stream))?.code, code);
  }
});
