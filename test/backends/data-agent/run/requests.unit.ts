import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputAnswer } from '../../../../src/backends/backend.js';
import type { Batch } from '../../../../src/model/change.js';
import {
  createDataAgentBackend,
  type DataAgentBackendOptions,
} from '../../../../src/backends/data-agent/index.js';
import { errorOf } from '../../../helpers/http-client.js';
import { createTestEnvironment } from '../../../helpers/test-environment.js';
import {
  getPendingQuestion,
  getPendingRequest,
  Reader,
} from '../../../conformance/backend-conformance.js';
import {
  method,
  noSignal,
  readFixture,
  rejoin,
  send,
  setupRun,
  shown,
} from '../support/connect.js';
import { AGENT, refuse, type ScriptedService } from '../support/scripted-service.js';

const PLAIN = readFixture('e01-plain-answer');
const COMPLETION = 'POST /chat/completion';

const ALL_OPTIONS = {
  is_need_history: true,
  is_need_doc_retrival_post_process: true,
  is_need_progress: true,
  enable_dependency_cache: true,
};

async function ask(service: ScriptedService, reader: Reader, text?: string) {
  service.scripts.push({ events: PLAIN });
  const { stream, keys } = send(reader, text);
  assert.equal(await reader.read(stream), null);
  return keys;
}

test('data agent backend sends a question with all members of `chat_option`', async () => {
  const { service, reader } = await setupRun();
  await ask(service, reader, 'Where are the pumps?');
  assert.deepEqual(service.requestsFor(COMPLETION)[0]?.body, {
    agent_id: AGENT,
    agent_key: AGENT,
    agent_version: 'latest',
    executor_version: 'v2',
    conversation_id: reader.session,
    query: 'Where are the pumps?',
    stream: true,
    inc_stream: true,
    chat_mode: 'normal',
    chat_option: ALL_OPTIONS,
  });
});

test('data agent backend overrides its message options with those of the draft', async () => {
  const { service, reader, backend } = await setupRun({
    agentVersion: 'v3',
    executorVersion: 'v1',
    chatOption: { is_need_history: false },
    messageOptions: { model: 'small', inputs: { river: 'Rhine' } },
    buildQuestion: (text, { title }) => `${title}: ${text}`,
  });
  service.scripts.push({ events: PLAIN });
  const draft = {
    text: 'What is there?',
    attachments: [{ id: 'f', name: 'a.csv' }],
    options: { deepThinking: true },
    context: { title: 'Depot 7', data: { depot: 7 } },
  };
  await reader.read(backend.send(reader.session, draft, reader.makeKeys(), noSignal()));
  const { body } = service.requestsFor(COMPLETION)[0] ?? {};
  assert.deepEqual(
    [
      body?.['agent_version'],
      body?.['executor_version'],
      body?.['model_name'],
      body?.['chat_mode'],
    ],
    ['v3', 'v1', 'small', 'deep_thinking'],
  );
  assert.deepEqual(body?.['custom_querys'], { river: 'Rhine', depot: 7 });
  assert.deepEqual(body?.['selected_files'], [{ file_name: 'a.csv' }]);
  assert.equal(body?.['query'], 'Depot 7: What is there?');
  assert.deepEqual(body?.['chat_option'], { ...ALL_OPTIONS, is_need_history: false });
});

test('data agent backend wraps a context that is not an object, and sends none when the draft removes it', async () => {
  const context = { title: 'Note', data: 'text' };
  const { service, reader, backend } = await setupRun({ messageOptions: { context } });
  await ask(service, reader);
  service.scripts.push({ events: PLAIN });
  const draft = { text: 'Now?', attachments: [], context: null };
  await reader.read(backend.send(reader.session, draft, reader.makeKeys(), noSignal()));
  const [first, second] = service.requestsFor(COMPLETION);
  assert.deepEqual(first?.body['custom_querys'], { context: 'text' });
  assert.equal(second?.body['custom_querys'], undefined);
});

test('data agent backend sends the business domain with every request of a run', async () => {
  const { service, reader, backend } = await setupRun({ businessDomain: 'bd_7' });
  service.scripts.push({ events: PLAIN });
  service.cuts = [
    { after: 5, then: 'break' },
    { after: Infinity, then: 'close' },
  ];
  const { stream, keys } = send(reader);
  await reader.read(stream);
  await reader.read(rejoin(reader, keys));
  await method(backend, 'stop')(reader.session, { id: null, keys, otherRunIds: [] });
  await backend.loadThread(reader.session);
  const sent = service.received.map(({ method: verb, path, headers }) => {
    return [`${verb} ${path.split('/').at(-1) ?? ''}`, headers.get('x-business-domain')];
  });
  const verbs = new Set(sent.map(([route]) => route));
  for (const route of ['POST completion', 'POST resume', 'POST termination', 'POST conversation']) {
    assert.ok(verbs.has(route), route);
  }
  assert.deepEqual(
    sent.filter(([, domain]) => domain !== 'bd_7'),
    [],
  );
});

test('data agent question shows the title of a context that its query contains, live and stored', async () => {
  const { service, reader, backend } = await setupRun({
    buildQuestion: (text, { title, data }) =>
      `【上下文: ${title}】\n${JSON.stringify(data, null, 2)}\n\n${text}`,
  });
  service.scripts.push({ events: PLAIN });
  const keys = reader.makeKeys();
  const context = { title: 'Depot 7', data: { depot: 7, note: 'one\n\ntwo' } };
  const draft = { text: 'Where?\n\nWhen?', attachments: [], context };
  assert.equal(await reader.read(backend.send(reader.session, draft, keys, noSignal())), null);
  assert.equal(reader.message(keys.user ?? '').contextTitle, 'Depot 7');
  const [stored] = (await backend.loadThread(reader.session)).messages;
  assert.equal(stored?.fields.contextTitle, 'Depot 7');
  assert.deepEqual(stored.parts, [{ kind: 'text', key: 'text', text: 'Where?\n\nWhen?' }]);
  service.scripts.push({ events: PLAIN });
  const id = reader.message(keys.answer).id ?? '';
  const regenerate = method(backend, 'regenerate');
  const again = reader.makeKeys(false);
  await reader.read(regenerate(reader.session, id, { context }, again, noSignal()));
  const queries = service.requestsFor(COMPLETION).map(({ body }) => body['query']);
  assert.equal(queries[1], queries[0]);
});

for (const [place, buildQuestion] of [
  ['before', (text, { title }) => `${title}: ${text.trim()}`],
  ['around', (text, { title, data }) => `${title}: ${text}\n\n${JSON.stringify(data)}`],
] satisfies [string, DataAgentBackendOptions['buildQuestion']][]) {
  test(`data agent backend adds a context ${place} a question once, also when the question is asked again`, async () => {
    const { service, reader, backend } = await setupRun({ buildQuestion });
    const context = { title: 'Depot 7', data: { depot: 7 } };
    const read = (stream: AsyncIterable<Batch>): Promise<unknown> => {
      service.scripts.push({ events: PLAIN });
      return reader.read(stream);
    };
    const keys = reader.makeKeys();
    const draft = (text: string) => ({ text, attachments: [], context });
    await read(backend.send(reader.session, draft('What?'), keys, noSignal()));
    const idOf = (key: string | null): string => reader.message(key ?? '').id ?? '';
    const [question, answer] = [idOf(keys.user), idOf(keys.answer)];
    const again = reader.makeKeys(false);
    const regenerate = method(backend, 'regenerate');
    await read(regenerate(reader.session, answer, { context }, again, noSignal()));
    const edit = method(backend, 'edit');
    // After a reload, the field contains the stored question.
    for (const text of ['And now?', buildQuestion('And then?', context)]) {
      await read(edit(reader.session, question, draft(text), reader.makeKeys(), noSignal()));
    }
    const bodies = service.requestsFor(COMPLETION).map(({ body }) => body);
    assert.deepEqual(
      bodies.map(({ query }) => query),
      ['What?', 'What?', 'And now?', 'And then?'].map((text) => buildQuestion(text, context)),
    );
    assert.deepEqual(bodies.at(-1)?.['custom_querys'], { depot: 7 });
  });
}

for (const [what, buildQuestion] of [
  ['throws', () => assert.fail()],
  ['returns no text', () => undefined as unknown as string],
] satisfies [string, DataAgentBackendOptions['buildQuestion']][]) {
  test(`data agent backend sends no question when \`buildQuestion\` ${what}`, async () => {
    const context = { title: 'Depot 7', data: {} };
    const { service, reader } = await setupRun({ buildQuestion, messageOptions: { context } });
    assert.equal((await reader.read(send(reader).stream))?.code, 'misuse');
    assert.deepEqual(service.requestsFor(COMPLETION), []);
  });
}

test('data agent backend uses the older prefix for every request of a run', async () => {
  const { service, reader } = await setupRun({ prefix: '/api/agent-app/v1' });
  await ask(service, reader);
  await reader.backend.loadThread(reader.session);
  const others = service.received.filter(({ path }) => !path.startsWith('/api/agent-app/v1/'));
  assert.deepEqual(others, []);
});

test('data agent backend uses the first question as the title of an untitled conversation', async () => {
  const { service, reader } = await setupRun();
  await ask(service, reader, `  ${'Où ? 😀 '.repeat(20)}`);
  await ask(service, reader, 'And then?');
  const renamed = service.requestsFor(`PUT /conversation/${reader.session}`);
  const titles = renamed.flatMap(({ body }) => body['title'] ?? []);
  assert.deepEqual(titles, [[...'Où ? 😀 '.repeat(20)].slice(0, 50).join('')]);
  assert.equal(reader.thread.title, titles[0]);
});

test('data agent backend closes the stream of a run whose reader stops before the first event', async () => {
  const { service, reader } = await setupRun();
  service.scripts.push({ events: PLAIN });
  for await (const { changes } of send(reader).stream) {
    assert.deepEqual(
      changes.map(({ type }) => type),
      ['thread'],
    );
    break;
  }
  assert.equal(service.openStreams, 0);
});

test('data agent backend keeps the title of a titled conversation', async () => {
  const { service, reader, backend } = await setupRun();
  const { id } = await backend.createThread({ title: 'Pumps' });
  service.scripts.push({ events: PLAIN });
  const draft = { text: 'Where?', attachments: [] };
  await reader.read(backend.send(id, draft, reader.makeKeys(), noSignal()));
  assert.equal(service.conversations.get(id)?.title, 'Pumps');
});

test('data agent backend keeps the title that the user has given to an untitled conversation', async () => {
  const { service, reader, backend } = await setupRun();
  await method(backend, 'renameThread')(reader.session, 'Pumps');
  await ask(service, reader, 'Where are they?');
  assert.equal(service.conversations.get(reader.session)?.title, 'Pumps');
});

test('data agent backend regenerates an answer by its id, with the text of its question', async () => {
  const { service, reader, backend } = await setupRun();
  const { answer } = await ask(service, reader, 'Where are the pumps?');
  const id = reader.message(answer).id ?? '';
  service.scripts.push({ events: PLAIN });
  const keys = reader.makeKeys(false);
  const regenerate = method(backend, 'regenerate');
  assert.equal(await reader.read(regenerate(reader.session, id, {}, keys, noSignal())), null);
  const { body } = service.requestsFor(COMPLETION)[1] ?? {};
  assert.equal(body?.['regenerate_assistant_message_id'], id);
  assert.equal(body?.['regenerate_user_message_id'], undefined);
  assert.equal(body?.['query'], 'Where are the pumps?');
  const { state, content } = shown(reader, keys.answer);
  assert.equal(state, 'complete');
  assert.deepEqual(content, shown(reader, answer).content);
});

test('data agent backend regenerates an answer with the files of its question', async () => {
  const { service, reader, backend } = await setupRun();
  service.scripts.push({ events: PLAIN }, { events: PLAIN });
  const keys = reader.makeKeys();
  const draft = { text: 'What is in it?', attachments: [{ id: 'f', name: 'a.csv' }] };
  await reader.read(backend.send(reader.session, draft, keys, noSignal()));
  const id = reader.message(keys.answer).id ?? '';
  const regenerate = method(backend, 'regenerate');
  await reader.read(regenerate(reader.session, id, {}, reader.makeKeys(false), noSignal()));
  const bodies = service.requestsFor(COMPLETION).map(({ body }) => body);
  assert.deepEqual(
    bodies.map((body) => body['selected_files']),
    [[{ file_name: 'a.csv' }], [{ file_name: 'a.csv' }]],
  );
});

test('data agent backend regenerates with the settings of the last message, unless others are given', async () => {
  const { service, reader, backend } = await setupRun();
  const regenerate = method(backend, 'regenerate');
  service.scripts.push({ events: PLAIN });
  const keys = reader.makeKeys();
  const draft = { text: 'Why?', attachments: [], options: { deepThinking: true } };
  await reader.read(backend.send(reader.session, draft, keys, noSignal()));
  const id = reader.message(keys.answer).id ?? '';
  for (const settings of [
    {},
    { options: {} },
    { context: { title: 'Rhine', data: { river: 7 } } },
  ]) {
    service.scripts.push({ events: PLAIN });
    const again = reader.makeKeys(false);
    await reader.read(regenerate(reader.session, id, settings, again, noSignal()));
  }
  const bodies = service.requestsFor(COMPLETION).map(({ body }) => body);
  assert.deepEqual(
    bodies.map((body) => body['chat_mode']),
    ['deep_thinking', 'deep_thinking', 'normal', 'normal'],
  );
  assert.deepEqual(bodies.at(-1)?.['custom_querys'], { river: 7 });
});

test('data agent backend resumes a regenerated answer although its id is that of a finished one', async () => {
  const { service, reader, backend } = await setupRun();
  const { answer } = await ask(service, reader);
  const id = reader.message(answer).id ?? '';
  service.scripts.push({ events: PLAIN });
  service.cuts = [{ after: 0, then: 'break' }];
  const keys = reader.makeKeys(false);
  await reader.read(method(backend, 'regenerate')(reader.session, id, {}, keys, noSignal()));
  service.finish();
  const run = { id: null, keys, otherRunIds: [] };
  assert.equal(await reader.read(method(backend, 'rejoin')(reader.session, run, noSignal())), null);
  assert.equal(reader.message(keys.answer).status, 'complete');
});

test('data agent backend edits a question by its id', async () => {
  const { service, reader, backend } = await setupRun();
  const { user } = await ask(service, reader);
  const id = reader.message(user ?? '').id ?? '';
  assert.notEqual(id, '');
  service.scripts.push({ events: PLAIN });
  const draft = { text: 'Where are the valves?', attachments: [] };
  const edit = method(backend, 'edit');
  await reader.read(edit(reader.session, id, draft, reader.makeKeys(), noSignal()));
  const { body } = service.requestsFor(COMPLETION)[1] ?? {};
  assert.equal(body?.['regenerate_user_message_id'], id);
  assert.equal(body?.['query'], 'Where are the valves?');
});

test('data agent backend rejects with not-found when the message to regenerate is not stored', async () => {
  const { service, reader, backend } = await setupRun();
  const regenerate = method(backend, 'regenerate');
  const stream = regenerate(reader.session, 'gone', {}, reader.makeKeys(false), noSignal());
  assert.equal((await reader.read(stream))?.code, 'not-found');
  assert.equal(service.requestsFor(COMPLETION).length, 0);
});

test('data agent backend ignores that a run to stop has already ended, but not the rejection of the request', async () => {
  const { service, reader, backend } = await setupRun();
  const keys = await ask(service, reader);
  const stop = method(backend, 'stop');
  await stop(reader.session, { id: '01RUN-A', keys, otherRunIds: [] });
  service.overrides.push({ route: 'POST /chat/termination', respond: () => refuse(403, 'x') });
  const error = await errorOf(stop(reader.session, { id: null, keys, otherRunIds: [] }));
  assert.equal(error.code, 'forbidden');
});

async function askForApproval() {
  const setup = await setupRun();
  const { service, reader } = setup;
  service.scripts.push(
    { events: readFixture('e06-approval-request'), status: 'processing' },
    { events: readFixture('e06-approval-continued') },
  );
  const { stream, keys } = send(reader);
  assert.equal(await reader.read(stream), null);
  return { ...setup, keys };
}

test('data agent backend creates an input request for an approval with the arguments of the tool', async () => {
  const { reader, keys } = await askForApproval();
  const { status, state } = shown(reader, keys.answer);
  assert.deepEqual([status, state], ['waiting', 'waiting']);
  const request = getPendingRequest(reader.message(keys.answer));
  assert.deepEqual(
    [request.level, request.prompt, request.toolName, request.inputTypes],
    ['tool', 'Send this mail?', 'send_mail', ['json']],
  );
  assert.deepEqual(request.schema, {
    type: 'object',
    properties: {
      to: { type: 'string' },
      options: {
        type: 'object',
        properties: { urgent: { type: 'boolean' } },
        required: ['urgent'],
      },
    },
    required: ['to', 'options'],
    default: { to: 'ops@plant.example', options: { urgent: true } },
  });
});

const DECISIONS: readonly [
  title: string,
  answer: InputAnswer,
  action: string,
  changed: readonly object[],
][] = [
  [
    'only the changed arguments',
    { type: 'json', value: { to: 'night@plant.example', options: { urgent: true } } },
    'confirm',
    [{ key: 'to', value: 'night@plant.example' }],
  ],
  ['unknown arguments removed', { type: 'json', value: { cc: 'x' } }, 'confirm', []],
  ['a confirmation', { type: 'json', value: true }, 'confirm', []],
  ['a refusal', { type: 'json', value: false }, 'skip', []],
  ['the refusal of a declined request', { type: 'declined', text: 'No.' }, 'skip', []],
];
for (const [title, answer, action, changed] of DECISIONS) {
  test(`data agent backend sends a decision with ${title}`, async () => {
    const { service, reader, backend, keys } = await askForApproval();
    const asked = getPendingQuestion(reader.message(keys.answer));
    const question = { ...asked, message: keys.answer };
    const provide = method(backend, 'provideInput');
    const stream = provide(reader.session, question, answer, keys, noSignal());
    assert.equal(await reader.read(stream), null);
    const request = reader.message(keys.answer).parts.get(question.key);
    assert.equal(request?.kind === 'request-activity' && request.state, 'answered');
    const { body } = service.requestsFor(COMPLETION)[1] ?? {};
    const info = body?.['resume_interrupt_info'] as Record<string, unknown>;
    assert.deepEqual([info['action'], info['modified_args']], [action, changed]);
    const events = readFixture('e06-approval-request');
    const sent = events.find(({ key }) => key.at(-1) === 'interrupt_info')?.content as Record<
      string,
      unknown
    >;
    assert.deepEqual(info['resume_handle'], sent['handle']);
    assert.deepEqual(info['data'], sent['data']);
    assert.deepEqual(
      [body?.['agent_run_id'], body?.['interrupted_assistant_message_id'], body?.['query']],
      ['01RUN-F', '01MSG-F2', ''],
    );
    const { state, content } = shown(reader, keys.answer);
    assert.equal(state, 'complete');
    assert.match(JSON.stringify(content), /Mail sent\./u);
  });
}

for (const content of ['stored', 'emptied'] as const) {
  for (const [title, answer, action, changed] of DECISIONS) {
    test(`data agent backend sends a decision with ${title} about an approval of a stored message with ${content} content`, async () => {
      const { service, reader, keys: asked } = await askForApproval();
      const [, waiting] = service.messagesOf(reader.session);
      // The service stores the content of an answer that is in progress as an empty text.
      if (waiting && content === 'emptied') waiting.content = '';
      // Another page knows the conversation from the service alone.
      const backend = createDataAgentBackend({
        agentId: AGENT,
        environment: createTestEnvironment({ respond: service.respond }),
      });
      const { messages, unfinishedRun } = await backend.loadThread(reader.session);
      const stored = messages.at(-1);
      assert.deepEqual([stored?.fields.status, unfinishedRun], ['waiting', null]);
      const [request] = stored?.requests ?? [];
      const pending = getPendingRequest(reader.message(asked.answer));
      const {
        part: _part,
        parent: _parent,
        text: _text,
        kind: _kind,
        state: _state,
        ...live
      } = pending;
      assert.ok(request);
      assert.deepEqual(request, { ...live, message: '' });
      const other = new Reader(backend);
      await other.open();
      const keys = other.makeKeys(false);
      const provide = method(backend, 'provideInput');
      const stream = provide(reader.session, request, answer, keys, noSignal());
      assert.equal(await other.read(stream), null);
      const { body } = service.requestsFor(COMPLETION)[1] ?? {};
      const info = body?.['resume_interrupt_info'] as Record<string, unknown>;
      assert.deepEqual([info['action'], info['modified_args']], [action, changed]);
      assert.deepEqual(
        [body?.['agent_run_id'], body?.['interrupted_assistant_message_id']],
        ['01RUN-F', '01MSG-F2'],
      );
      const { state, content: parts } = shown(other, keys.answer);
      assert.equal(state, 'complete');
      assert.match(JSON.stringify(parts), /Mail sent\./u);
    });
  }
}

test('data agent backend rejects a decision with not-open when the message no longer waits for it', async () => {
  const { service, reader, backend, keys } = await askForApproval();
  const asked = getPendingQuestion(reader.message(keys.answer));
  const question = { ...asked, message: keys.answer };
  const answer = { type: 'json', value: true } as const;
  const provide = method(backend, 'provideInput');
  const refused = () => refuse(400, 'AgentAPP.InvalidParameter.RequestBody');
  service.overrides.push({ route: COMPLETION, respond: refused });
  const open = await reader.read(provide(reader.session, question, answer, keys, noSignal()));
  assert.equal(open?.code, 'bad-request', 'the message still waits');
  service.overrides.push({ route: COMPLETION, respond: refused });
  Object.assign(service.messagesOf(reader.session).at(-1) ?? {}, { status: 'cancelled' });
  const late = await reader.read(provide(reader.session, question, answer, keys, noSignal()));
  assert.equal(late?.code, 'not-open');
});

test('data agent backend stops a run that waits for an approval', async () => {
  const { service, reader, backend, keys } = await askForApproval();
  service.overrides.push({
    route: 'POST /chat/termination',
    respond: () => {
      Object.assign(service.messagesOf(reader.session).at(-1) ?? {}, { status: 'cancelled' });
      return new Response(null, { status: 204 });
    },
  });
  await method(backend, 'stop')(reader.session, { id: null, keys, otherRunIds: [] });
  assert.deepEqual(service.requestsFor('POST /chat/termination')[0]?.body, {
    conversation_id: reader.session,
    agent_run_id: '01RUN-F',
    interrupted_assistant_message_id: '01MSG-F2',
  });
  assert.equal(await reader.read(rejoin(reader, keys)), null);
  assert.equal(reader.message(keys.answer).status, 'stopped');
});

test('data agent backend sends the model and the inputs of a draft, and ignores options of other types', async () => {
  const { service, reader, backend } = await setupRun({
    messageOptions: { model: 'small', inputs: { river: 'Rhine' }, deepThinking: true },
  });
  for (const options of [
    { model: 'deep', inputs: { river: 'Main' }, deepThinking: false },
    { model: 7, inputs: 'x', deepThinking: 'no' },
  ]) {
    service.scripts.push({ events: PLAIN });
    const draft = { text: 'Why?', attachments: [], options };
    await reader.read(backend.send(reader.session, draft, reader.makeKeys(), noSignal()));
  }
  const sent = service
    .requestsFor(COMPLETION)
    .map(({ body }) => [body['model_name'], body['custom_querys'], body['chat_mode']]);
  assert.deepEqual(sent, [
    ['deep', { river: 'Main' }, 'normal'],
    ['small', { river: 'Rhine' }, 'deep_thinking'],
  ]);
});

test('data agent backend calls buildQuestion only for a message with a text and a context', async () => {
  const { service, reader, backend } = await setupRun({ buildQuestion: () => 'built' });
  const attachments = [{ id: 'f', name: 'a.csv' }];
  const context = { title: 'Depot 7', data: { depot: 7 } };
  for (const draft of [
    { text: '', attachments, context },
    { text: 'Why?', attachments },
    { text: 'Why?', attachments, context },
  ]) {
    service.scripts.push({ events: PLAIN });
    await reader.read(backend.send(reader.session, draft, reader.makeKeys(), noSignal()));
  }
  const queries = service.requestsFor(COMPLETION).map(({ body }) => body['query']);
  assert.deepEqual(queries, ['', 'Why?', 'built']);
});

for (const [status, code] of [
  [403, 'forbidden'],
  [429, 'rate-limited'],
] as const) {
  test(`data agent backend rejects with ${code} when resuming is rejected with ${status}, without loading the stored messages`, async () => {
    const { service, reader } = await setupRun();
    service.scripts.push({ events: PLAIN });
    service.cuts = [{ after: 5, then: 'break' }];
    const { stream, keys } = send(reader);
    await reader.read(stream);
    const count = service.received.length;
    service.overrides.push({ route: 'POST /chat/resume', respond: () => refuse(status, 'x') });
    assert.equal((await reader.read(rejoin(reader, keys)))?.code, code);
    assert.equal(service.received.length, count + 1);
  });
}

test('data agent backend loads the stored messages when resuming is rejected with 400', async () => {
  const { service, reader } = await setupRun();
  service.scripts.push({ events: PLAIN });
  service.cuts = [{ after: 5, then: 'break' }];
  const { stream, keys } = send(reader);
  await reader.read(stream);
  service.finish();
  service.overrides.push({ route: 'POST /chat/resume', respond: () => refuse(400, 'x') });
  assert.equal(await reader.read(rejoin(reader, keys)), null);
  assert.equal(reader.message(keys.answer).status, 'complete');
});

test('data agent backend does not use a question without a text as the title', async () => {
  const { service, reader, backend } = await setupRun();
  service.scripts.push({ events: PLAIN });
  const draft = { text: ' ', attachments: [{ id: 'f', name: 'a.csv' }] };
  await reader.read(backend.send(reader.session, draft, reader.makeKeys(), noSignal()));
  assert.deepEqual(service.requestsFor(`PUT /conversation/${reader.session}`), []);
  await ask(service, reader, 'Why?');
  assert.equal(service.conversations.get(reader.session)?.title, 'Why?');
});

test('data agent backend regenerates an answer with the question before it when the service does not name its question', async () => {
  const { service, reader, backend } = await setupRun();
  await ask(service, reader, 'Where are the pumps?');
  const [, stored] = service.messagesOf(reader.session);
  assert.ok(stored);
  Object.assign(stored, { reply_id: '' });
  service.scripts.push({ events: PLAIN });
  const keys = reader.makeKeys(false);
  const regenerate = method(backend, 'regenerate');
  await reader.read(regenerate(reader.session, stored.id, {}, keys, noSignal()));
  assert.equal(service.requestsFor(COMPLETION)[1]?.body['query'], 'Where are the pumps?');
});

test('data agent backend sends a decision with the settings of the last message', async () => {
  const { service, reader, backend } = await setupRun();
  service.scripts.push(
    { events: readFixture('e06-approval-request'), status: 'processing' },
    { events: readFixture('e06-approval-continued') },
  );
  const keys = reader.makeKeys();
  const draft = { text: 'Write.', attachments: [], options: { deepThinking: true, model: 'deep' } };
  await reader.read(backend.send(reader.session, draft, keys, noSignal()));
  const asked = getPendingQuestion(reader.message(keys.answer));
  const question = { ...asked, message: keys.answer };
  const answer = { type: 'json', value: true } as const;
  const provide = method(backend, 'provideInput');
  await reader.read(provide(reader.session, question, answer, keys, noSignal()));
  const { body } = service.requestsFor(COMPLETION)[1] ?? {};
  assert.deepEqual([body?.['chat_mode'], body?.['model_name']], ['deep_thinking', 'deep']);
});
