import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deferred } from '../../../helpers/deferred.js';
import { method, readFixture, rejoin, send, setupRun, shown } from '../support/connect.js';
import { refuse } from '../support/scripted-service.js';

/** When a run is stopped: the events before it, the ids that are known by then, and the shown parts. */
const POINTS: readonly {
  readonly where: string;
  readonly fixture: string;
  readonly after: number;
  readonly ids: Readonly<Record<string, string>>;
  readonly shown: RegExp;
}[] = [
  {
    where: 'before the first event',
    fixture: 'e01-plain-answer',
    after: 0,
    ids: {},
    shown: /^\[\]$/u,
  },
  {
    where: 'in the middle of a text',
    fixture: 'e01-plain-answer',
    after: 8,
    ids: { agent_run_id: '01RUN-A' },
    shown: /"Spare pumps are"/u,
  },
  {
    where: 'while a tool is running',
    fixture: 'e02-sql-tool',
    after: 6,
    ids: { agent_run_id: '01RUN-B' },
    shown: /"text2sql"/u,
  },
];

for (const { where, fixture, after, ids, shown: expected } of POINTS) {
  test(`data agent run is stopped ${where}, and keeps the shown parts`, async () => {
    const { service, reader, backend, environment } = await setupRun();
    service.scripts.push({ events: readFixture(fixture) });
    service.cuts = [{ after, then: 'stay' }];
    const stays = service.whenStreamStays();
    const { stream, keys } = send(reader);
    const reading = reader.read(stream);
    await stays;
    await environment.settle();
    const run = { id: reader.thread.run.id, keys, otherRunIds: [] };
    await method(backend, 'stop')(reader.session, run);
    assert.equal(
      service.messagesOf(reader.session).at(-1)?.status,
      'cancelled',
      'stop resolves when the run is over',
    );
    assert.equal(await reading, null);
    assert.deepEqual(service.requestsFor('POST /chat/termination')[0]?.body, {
      conversation_id: reader.session,
      ...ids,
    });
    const { status, state, id, content } = shown(reader, keys.answer);
    assert.deepEqual([status, state], ['stopped', 'stopped']);
    assert.match(JSON.stringify(content), expected);
    assert.notEqual(id, null, 'the stored message has an id');
    assert.equal(service.openStreams, 0);
  });
}

test('data agent run is shown as stopped when its stored answer cannot be read', async () => {
  const { service, reader, backend, environment } = await setupRun();
  service.scripts.push({ events: readFixture('e01-plain-answer') });
  service.cuts = [{ after: 8, then: 'stay' }];
  const stays = service.whenStreamStays();
  const { stream, keys } = send(reader);
  const reading = reader.read(stream);
  await stays;
  await environment.settle();
  const route = `GET /conversation/${reader.session}`;
  service.overrides.push({ route, respond: () => refuse(403, 'Forbidden') });
  await method(backend, 'stop')(reader.session, { id: null, keys, otherRunIds: [] });
  await reading;
  const { status, state } = shown(reader, keys.answer);
  assert.deepEqual([status, state], ['stopped', 'stopped']);
});

test('data agent run is stopped while its question has no response yet', async () => {
  const { service, reader, backend, environment } = await setupRun();
  service.scripts.push({ events: readFixture('e01-plain-answer') });
  service.cuts = [{ after: 0, then: 'stay' }];
  const response = new Deferred<undefined>();
  service.responseDelay = response.promise;
  const { stream, keys } = send(reader);
  const reading = reader.read(stream);
  await environment.settle();
  await method(backend, 'stop')(reader.session, { id: null, keys, otherRunIds: [] });
  response.resolve(undefined);
  assert.equal(await reading, null);
  const { status, state } = shown(reader, keys.answer);
  assert.deepEqual([status, state], ['stopped', 'stopped']);
});

test('data agent run whose stream has not named it is stopped by the id that the caller knows', async () => {
  const { service, reader, backend, environment } = await setupRun();
  service.scripts.push({ events: readFixture('e01-plain-answer') });
  service.cuts = [{ after: 0, then: 'stay' }];
  const stays = service.whenStreamStays();
  const { stream, keys } = send(reader);
  const reading = reader.read(stream);
  await stays;
  await environment.settle();
  await method(backend, 'stop')(reader.session, { id: '01RUN-A', keys, otherRunIds: [] });
  assert.equal(await reading, null);
  const [request] = service.requestsFor('POST /chat/termination');
  assert.equal(request?.body['agent_run_id'], '01RUN-A');
});

test('data agent run cancels its stream when the consumer stops reading', async () => {
  const { service, reader, environment } = await setupRun();
  service.scripts.push({ events: readFixture('e01-plain-answer') });
  service.cuts = [{ after: 8, then: 'stay' }];
  const { stream, keys } = send(reader);
  await reader.read(stream, () => /Spare/u.test(JSON.stringify(shown(reader, keys.answer))));
  assert.equal(reader.message(keys.answer).status, 'streaming');
  await environment.settle();
  assert.equal(service.openStreams, 0);
});

test('data agent run that is rejoined after an accepted stop is stopped when its stream ends, though this page has not read the run before', async () => {
  const { service, reader, backend } = await setupRun();
  service.overrides.push(
    { route: 'POST /chat/termination', respond: () => new Response(null, { status: 204 }) },
    {
      route: 'POST /chat/resume',
      respond: () =>
        new Response(': no event\n\n', { headers: { 'content-type': 'text/event-stream' } }),
    },
  );
  const { keys } = send(reader);
  await method(backend, 'stop')(reader.session, { id: '01RUN-A', keys, otherRunIds: [] });
  assert.equal(await reader.read(rejoin(reader, keys)), null);
  assert.equal(reader.message(keys.answer).status, 'stopped');
});

test('data agent run that writes a stopped answer again completes, though the stop was accepted after the first run had been released', async () => {
  const { service, reader, backend, environment } = await setupRun();
  service.scripts.push({ events: readFixture('e01-plain-answer') });
  service.cuts = [{ after: 8, then: 'stay' }];
  const stays = service.whenStreamStays();
  const { stream, keys } = send(reader);
  void reader.read(stream);
  await stays;
  await environment.settle();
  const run = { id: reader.thread.run.id, keys, otherRunIds: [] };
  const stopped = method(backend, 'stop')(reader.session, run);
  method(backend, 'releaseRun')(reader.session, run);
  await stopped;
  service.overrides.push({
    route: 'POST /chat/resume',
    respond: () => {
      const events = readFixture('e01-plain-answer').map(
        (each) => `data: ${JSON.stringify(each)}\n\n`,
      );
      return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  assert.equal(await reader.read(rejoin(reader, keys)), null);
  assert.equal(reader.message(keys.answer).status, 'complete');
});
