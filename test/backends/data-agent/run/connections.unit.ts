import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunKeys } from '../../../../src/backends/backend.js';
import type { Change } from '../../../../src/model/change.js';
import { createStreamController } from '../../../../src/controller/controller.js';
import type { StreamController } from '../../../../src/controller/controller-types.js';
import { ACTIVITY } from '../../../../src/model/part.js';
import { toPartTrees } from '../../../../src/model/part-tree.js';
import { createDataAgentBackend } from '../../../../src/backends/data-agent/index.js';
import { sampleOf } from '../../../helpers/sample.js';
import { createTestEnvironment } from '../../../helpers/test-environment.js';
import { getPendingQuestion, Reader } from '../../../conformance/backend-conformance.js';
import {
  method,
  noSignal,
  readFixture,
  rejoin,
  send,
  setupRun,
  shown,
} from '../support/connect.js';
import type { WirePatch } from '../support/json-chains.js';
import { AGENT, END, type ScriptedService } from '../support/scripted-service.js';

const FIXTURES = [
  'e01-plain-answer',
  'e02-sql-tool',
  'e03-web-search',
  'e04-pie-chart',
  'e05-sub-agent',
  'e06-approval-request',
];

/** Rejoins a run until it has ended, like the controller. */
async function readToEnd(service: ScriptedService, reader: Reader, keys: RunKeys): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (reader.message(keys.answer).status !== 'streaming') return;
    await reader.read(rejoin(reader, keys));
    service.cuts = [];
  }
}

for (const name of FIXTURES) {
  test(`data agent run ends with the same message wherever the connection of ${name} breaks`, async () => {
    const events = readFixture(name);
    const whole = await setupRun();
    whole.service.scripts.push({ events });
    const { stream, keys } = send(whole.reader);
    assert.equal(await whole.reader.read(stream), null);
    const expected = shown(whole.reader, keys.answer);
    assert.notEqual(expected.status, 'streaming');
    for (let after = 0; after < events.length; after += 1) {
      for (const second of sampleOf([Infinity, 0, 3, 6], 2, after)) {
        const { service, reader } = await setupRun();
        service.scripts.push({ events });
        service.cuts = [
          { after, then: 'break' },
          { after: second, then: 'break' },
        ];
        const broken = send(reader);
        const error = await reader.read(broken.stream);
        // A run that waits for an approval needs no stream.
        assert.equal(error === null, reader.message(broken.keys.answer).status === 'waiting');
        await readToEnd(service, reader, broken.keys);
        const place = `${name} after ${String(after)}, then ${String(second)}`;
        assert.deepEqual(shown(reader, broken.keys.answer), expected, place);
        assert.deepEqual(reader.rejected, [], place);
      }
    }
  });
}

test('data agent run continues after an approval wherever its stream breaks', async () => {
  const request = readFixture('e06-approval-request');
  const events = readFixture('e06-approval-continued');
  let expected: unknown = null;
  for (let after = events.length; after >= 0; after -= 1) {
    const { service, reader, backend } = await setupRun();
    service.scripts.push({ events: request, status: 'processing' }, { events });
    const { stream, keys } = send(reader);
    assert.equal(await reader.read(stream), null);
    const asked = getPendingQuestion(reader.message(keys.answer));
    service.cuts = [
      { after, then: 'break' },
      { after: Infinity, then: 'close' },
    ];
    const question = { ...asked, message: keys.answer };
    const answer = { type: 'json', value: { to: 'night@plant.example' } } as const;
    const provide = method(backend, 'provideInput');
    await reader.read(provide(reader.session, question, answer, keys, noSignal()));
    if (reader.thread.run.state !== 'complete') await reader.read(rejoin(reader, keys));
    const { state, content } = shown(reader, keys.answer);
    expected ??= content;
    assert.equal(state, 'complete', String(after));
    assert.deepEqual(content, expected, String(after));
  }
});

const toEvents = (...events: readonly unknown[]) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

/** Answers an approval, in the page that has asked or in one that has loaded the thread; the service responds, and stores this status. */
async function answerApproval(isReloaded: boolean, respond: () => Response, stored: string) {
  const { service, reader } = await setupRun();
  service.scripts.push({ events: readFixture('e06-approval-request'), status: 'processing' });
  const { stream, keys: asked } = send(reader);
  assert.equal(await reader.read(stream), null);
  const request = getPendingQuestion(reader.message(asked.answer));
  const other = isReloaded
    ? new Reader(
        createDataAgentBackend({
          agentId: AGENT,
          environment: createTestEnvironment({ respond: service.respond }),
        }),
      )
    : reader;
  if (isReloaded) await other.open();
  const keys = isReloaded ? other.makeKeys(false) : asked;
  await other.backend.loadThread(reader.session);
  Object.assign(service.messagesOf(reader.session).at(-1) ?? {}, { status: stored });
  service.overrides.push({ route: 'POST /chat/completion', respond });
  const question = { ...request, message: keys.answer };
  const provide = method(other.backend, 'provideInput');
  const answer = { type: 'json', value: true } as const;
  const emitted: Change[] = [];
  const continued = provide(reader.session, question, answer, keys, noSignal());
  const error = await other.read(continued, ({ changes }) => {
    emitted.push(...changes);
    return false;
  });
  assert.equal(error, null);
  return { emitted, reader: other, service, session: reader.session, keys };
}

/** An error that is sent in place of a stream. */
const STREAM_ERROR = {
  HTTPCode: 500,
  BaseError: { error_code: 'AgentAPP.InternalError', description: 'The mail server is down.' },
};

for (const [isReloaded, page] of [
  [false, 'the page that was asked'],
  [true, 'a page that was reloaded'],
] as const) {
  for (const [form, respond] of [
    ['an event', () => toEvents(STREAM_ERROR, END)],
    ['an event, without an end', () => toEvents(STREAM_ERROR)],
    [
      'JSON',
      () => Response.json({ conversation_id: 'C1', error: STREAM_ERROR.BaseError.description }),
    ],
  ] as const) {
    test(`data agent run fails with the error that is sent as ${form} in place of its continuation, in ${page}`, async () => {
      for (const stored of ['failed', 'processing']) {
        const { reader, keys } = await answerApproval(isReloaded, respond, stored);
        const { state, failure, content } = shown(reader, keys.answer);
        assert.deepEqual([state, failure?.message], ['failed', 'The mail server is down.']);
        assert.match(JSON.stringify(content), /The mail server is down\./u);
      }
    });
  }

  test(`data agent run waits again when the service ends its continuation and still waits, in ${page}`, async () => {
    const respond = () => toEvents(END);
    const { reader, keys, service, session, emitted } = await answerApproval(
      isReloaded,
      respond,
      'processing',
    );
    assert.equal(shown(reader, keys.answer).state, 'waiting');
    // When the service accepted the answer, the page marked the request as answered; so the request is emitted as pending again.
    const isPendingAgain = emitted.some(
      (change) =>
        change.type === 'part' &&
        change.value.kind === 'request-activity' &&
        change.value.state === 'pending',
    );
    assert.ok(isPendingAgain);
    const request = getPendingQuestion(reader.message(keys.answer));
    service.scripts.push({ events: readFixture('e06-approval-continued') });
    const provide = method(reader.backend, 'provideInput');
    const question = { ...request, message: keys.answer };
    const answer = { type: 'json', value: true } as const;
    await reader.read(provide(session, question, answer, keys, noSignal()));
    assert.match(JSON.stringify(shown(reader, keys.answer).content), /Mail sent\./u);
  });
}

/** Sends a question whose stream breaks, and rejoins its run with this response. */
async function resumeWith(response: Response, finish: (service: ScriptedService) => void) {
  const { service, reader } = await setupRun();
  service.scripts.push({ events: readFixture('e02-sql-tool') });
  service.cuts = [
    { after: 9, then: 'break' },
    { after: Infinity, then: 'close' },
  ];
  const { stream, keys } = send(reader);
  await reader.read(stream);
  finish(service);
  service.overrides.push({ route: 'POST /chat/resume', respond: () => response });
  return { reader, keys, error: await reader.read(rejoin(reader, keys)) };
}

for (const [what, respond] of [
  ['a proxy has sent an error', () => toEvents(STREAM_ERROR)],
  ['the error of another run has ended the stream', () => toEvents(STREAM_ERROR, END)],
  ['a proxy has sent an error as JSON', () => Response.json(STREAM_ERROR)],
] as const) {
  for (const [state, change] of [
    ['continues', () => undefined],
    ['is complete', (service) => service.finish()],
  ] as const satisfies [string, (service: ScriptedService) => void][]) {
    test(`data agent run that ${state} is shown after ${what} in place of its resumed stream`, async () => {
      const { reader, keys, error } = await resumeWith(respond(), change);
      assert.equal(error?.code, 'interrupted');
      assert.equal(reader.thread.run.state, 'streaming');
      assert.equal(await reader.read(rejoin(reader, keys)), null);
      const { state: end, failure, content } = shown(reader, keys.answer);
      assert.deepEqual([end, failure], ['complete', null]);
      assert.doesNotMatch(JSON.stringify(content), /The mail server is down\./u);
    });
  }
}

test('data agent run fails with the error of its stored answer when its stream contains none', async () => {
  const { service, reader } = await setupRun();
  service.scripts.push({ events: readFixture('e12-stop'), status: 'failed' });
  service.stored = [
    ...readFixture('e12-stop').slice(0, -1),
    {
      key: ['message', 'ext', 'error'],
      content: { type: 'agent_executor', error: 'The executor stopped.' },
      action: 'upsert',
    },
  ];
  const { stream, keys } = send(reader);
  assert.equal(await reader.read(stream), null);
  assert.equal(shown(reader, keys.answer).failure?.message, 'The executor stopped.');
});

test('data agent run never shortens the shown text while a resumed reply is built', async () => {
  const events = readFixture('e02-sql-tool');
  const { service, reader } = await setupRun();
  service.scripts.push({ events });
  service.cuts = [
    { after: 9, then: 'break' },
    { after: Infinity, then: 'close' },
  ];
  const { stream, keys } = send(reader);
  await reader.read(stream);
  const measure = () => JSON.stringify(toPartTrees(reader.message(keys.answer))).length;
  let least = measure();
  assert.ok(least > 100);
  await reader.read(rejoin(reader, keys), () => {
    assert.ok(measure() >= least);
    least = measure();
    return false;
  });
  assert.equal(reader.thread.run.state, 'complete');
});

for (const [snapshot, isSent] of [
  ['that has all names', () => true],
  [
    'without an error, which ends where the second one begins',
    ({ key: [name] }) => name !== 'error',
  ],
] satisfies [string, (event: WirePatch) => boolean][]) {
  test(`data agent run replaces the shown reply at the first complete snapshot ${snapshot}, in one change`, async () => {
    const events = readFixture('e08-resume').filter(isSent);
    const { service, reader } = await setupRun();
    service.scripts.push({ events });
    service.cuts = [
      { after: 0, then: 'break' },
      { after: Infinity, then: 'close' },
    ];
    const { stream, keys } = send(reader);
    await reader.read(stream);
    const seen: { readonly types: readonly string[]; readonly content: string }[] = [];
    await reader.read(rejoin(reader, keys), ({ changes }) => {
      const types = changes
        .filter((change) => change.type === 'content' || ('part' in change && change.part !== null))
        .map(({ type }) => type);
      if (types.length > 0)
        seen.push({ types, content: JSON.stringify(shown(reader, keys.answer)) });
      return false;
    });
    const [swap] = seen;
    assert.deepEqual(swap?.types, ['content']);
    assert.match(swap.content, /"Rack 12 reports a"/u, 'the second snapshot has more');
  });
}

/** A page that can be reloaded: its controllers have the same storage. */
function openPage(service: ScriptedService) {
  const environment = createTestEnvironment({ respond: service.respond });
  const createController = () =>
    createStreamController({
      backend: createDataAgentBackend({ agentId: AGENT, environment }),
      environment,
      userKey: 'user',
    });
  return { environment, createController };
}

/** The last shown message of a page, as JSON and with the ids of its pending requests. */
function readHead({ thread }: StreamController) {
  const head = thread?.messages.get(thread.head ?? '') ?? assert.fail();
  const content = JSON.stringify(toPartTrees(head));
  const activity = head.parts.children(ACTIVITY).map((key) => head.parts.get(key));
  const requests = activity.filter(
    (part) => part?.kind === 'request-activity' && part.state === 'pending',
  );
  const tools = activity.filter((part) => part?.kind === 'tool-activity');
  const state = thread?.run.state;
  return { key: head.key, status: head.status, state, content, requests, tools };
}

const PATH = 'https://page.test/api/agent-factory/v1/app/stock-agent';

/** Lets another client start a run, and closes its stream. */
async function startElsewhere(service: ScriptedService, body: object): Promise<void> {
  const request = new Request(`${PATH}/chat/completion`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const response = await service.respond(request);
  await response.body?.cancel();
}

test('data agent page that was reloaded shows its approval as answered when the response to its answer was lost', async () => {
  const { service, reader } = await setupRun();
  service.scripts.push({ events: readFixture('e06-approval-request'), status: 'processing' });
  await reader.read(send(reader).stream);
  const { environment, createController } = openPage(service);
  const controller = createController();
  await controller.openThread(reader.session);
  const [request] = readHead(controller).requests;
  assert.ok(request);
  service.scripts.push({ events: readFixture('e06-approval-continued') });
  service.cuts = [
    { after: 0, then: 'break' },
    { after: 5, then: 'stay' },
  ];
  const stays = service.whenStreamStays();
  const answered = controller.provideInput(readHead(controller).key, request.key, {
    type: 'json',
    value: true,
  });
  await environment.advance(1000);
  await stays;
  await environment.settle();
  const { state, content, requests } = readHead(controller);
  assert.deepEqual([state, requests], ['streaming', []]);
  assert.match(content, /Mail sent/u);
  assert.equal(await answered, undefined);
  controller.close();
});

test('data agent page joins the run of another client, even if it has recorded an earlier run that it started itself', async () => {
  const { service, reader } = await setupRun();
  const { environment, createController } = openPage(service);
  const earlier = createController();
  await earlier.openThread(reader.session);
  service.scripts.push(
    { events: readFixture('e01-plain-answer') },
    { events: readFixture('e02-sql-tool') },
  );
  service.cuts = [
    { after: 9, then: 'stay' },
    { after: 6, then: 'stay' },
    { after: 8, then: 'stay' },
  ];
  await earlier.send({ text: 'A question', attachments: [] });
  await environment.settle();
  assert.equal(readHead(earlier).state, 'streaming');
  earlier.close();
  service.finish();
  await startElsewhere(service, { conversation_id: reader.session, query: 'Another one' });
  const controller = createController();
  await controller.openThread(reader.session);
  await environment.settle();
  const { state, content } = readHead(controller);
  assert.equal(state, 'streaming');
  assert.match(content, /query the stock table/u);
  controller.close();
});

test('data agent page keeps showing an answer that another client regenerates, until the new answer arrives', async () => {
  const { service, reader } = await setupRun();
  const { environment, createController } = openPage(service);
  const controller = createController();
  await controller.openThread(reader.session);
  service.scripts.push({ events: readFixture('e02-sql-tool') });
  await controller.send({ text: 'A question', attachments: [] });
  await environment.settle();
  // From now on, the page knows that the service has stored the answer.
  await controller.openThread(reader.session);
  const shown = readHead(controller);
  assert.deepEqual([shown.state, shown.tools.length], ['complete', 1]);
  const plain = JSON.stringify(readFixture('e01-plain-answer'));
  const regenerated = JSON.parse(plain.replaceAll('01MSG-A2', '01MSG-B2')) as WirePatch[];
  service.scripts.push({ events: regenerated });
  service.cuts = [
    { after: 0, then: 'stay' },
    { after: 0, then: 'stay' },
    { after: Infinity, then: 'close' },
  ];
  await startElsewhere(service, { conversation_id: reader.session, query: 'A question' });
  await controller.openThread(reader.session);
  await environment.settle();
  const kept = readHead(controller);
  assert.deepEqual([kept.key, kept.state, kept.status], [shown.key, 'rejoining', 'streaming']);
  assert.equal(kept.content, shown.content);
  // After 150 s without an event the stream counts as stalled, and the page rejoins.
  await environment.advance(200_000);
  const { state, content, tools } = readHead(controller);
  assert.deepEqual([state, tools], ['complete', []]);
  assert.match(content, /kept in \*\*hall 3\*\*/u);
  assert.doesNotMatch(content, /query the stock table/u);
  controller.close();
});

test('data agent run in which another client has regenerated an answer is shown, even if the run ended before this page has joined it', async () => {
  const { service, reader, backend } = await setupRun();
  service.scripts.push({ events: readFixture('e01-plain-answer') });
  await reader.read(send(reader).stream);
  service.scripts.push({ events: readFixture('e01-plain-answer') });
  service.cuts = [{ after: 0, then: 'stay' }];
  await startElsewhere(service, { conversation_id: reader.session, query: 'A question' });
  await backend.loadThread(reader.session);
  service.finish();
  const keys = reader.makeKeys(false);
  const run = { id: null, keys, otherRunIds: [] };
  const stream = method(backend, 'rejoin')(reader.session, run, noSignal());
  assert.equal(await reader.read(stream), null);
  assert.equal(shown(reader, keys.answer).status, 'complete');
});

test('data agent run ends by its stored answer when the resumed stream is that of another run', async () => {
  const { service, reader } = await setupRun();
  service.scripts.push(
    { events: readFixture('e01-plain-answer') },
    { events: readFixture('e02-sql-tool') },
  );
  service.cuts = [{ after: 7, then: 'break' }];
  const { stream, keys } = send(reader);
  await reader.read(stream);
  // Meanwhile the run has ended, and another client has started a run.
  service.finish();
  await startElsewhere(service, { conversation_id: reader.session, query: 'Another one' });
  service.cuts = [];
  assert.equal(await reader.read(rejoin(reader, keys)), null);
  const { state, id, content } = shown(reader, keys.answer);
  assert.deepEqual([state, id], ['complete', '01MSG-A2']);
  assert.match(JSON.stringify(content), /kept in \*\*hall 3\*\*/u);
  assert.equal(service.requestsFor('POST /chat/resume').length, 1);
});

test('data agent run counts as stalled after 150 s of silence, because the service sends no heartbeat', async () => {
  const { service, environment, backend } = await setupRun();
  const controller = createStreamController({ backend, environment });
  service.scripts.push({ events: readFixture('e02-sql-tool') });
  service.cuts = [
    { after: 6, then: 'stay' },
    { after: Infinity, then: 'close' },
  ];
  const stays = service.whenStreamStays();
  const completed = new Promise<void>((resolve) => {
    controller.onNotice(({ type }) => {
      if (type === 'run-completed') resolve();
    });
  });
  await controller.send({ text: 'How many?', attachments: [] });
  await stays;
  await environment.advance(149_000);
  assert.equal(service.requestsFor('POST /chat/resume').length, 0);
  assert.equal(controller.thread?.run.state, 'streaming');
  await environment.advance(2_000);
  await completed;
  assert.equal(service.requestsFor('POST /chat/resume').length, 1);
  assert.equal(service.requestsFor('POST /chat/completion').length, 1);
  controller.close();
});
