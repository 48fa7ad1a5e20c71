import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThreadContent } from '../../../../src/backends/backend.js';
import { USER_TEXT } from '../../../../src/model/message.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import { createTestEnvironment } from '../../../helpers/test-environment.js';
import {
  eventsResponse,
  printEvents,
  SESSION,
  setupSession,
  streamResponse,
  type UbikSession,
} from '../support/ubik-session.js';

const REQUEST_CONTENT =
  '<<INPUT_REQUIRED_START>>\nYour email?\nExpected input types: text\ncheckpoint_name: mail\n<<INPUT_REQUIRED_END>>';
const TOOL_CONTENT =
  '<<TOOL_STEP_START/confirm:x1>>\n<<TOOL_STEP_INPUT_START>>\n{}\n<<TOOL_STEP_INPUT_END>>';

interface Service {
  readonly messages: readonly object[];
  readonly head?: string;
  readonly checkpoints?: readonly object[];
  readonly execution?: object;
  /** Responds to the request for the stream of a task; by default, the service has none. */
  readonly stream?: () => Response;
}

function message(
  id: string,
  role: string,
  content: string,
  parent: string | null,
  second = 1,
): object {
  const created_at = `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
  return { id, role, content, created_at, parent_id: parent, sibling_ids: [], task_id: null };
}

function setupStored(service: Service): UbikSession & { load: () => Promise<ThreadContent> } {
  const session = setupSession((request) => {
    const path = new URL(request.url).pathname;
    if (path.endsWith('/messages')) {
      return jsonResponse({ items: service.messages, active_head_id: service.head ?? null });
    }
    if (path.endsWith('/checkpoints'))
      return jsonResponse({ checkpoints: service.checkpoints ?? [] });
    if (path.endsWith('/stream')) return service.stream?.() ?? jsonResponse({ detail: '' }, 404);
    if (path.includes('/tool-executions/')) {
      return service.execution
        ? jsonResponse(service.execution)
        : jsonResponse({ detail: '' }, 404);
    }
    return jsonResponse({
      id: SESSION,
      status: 'active',
      title: 'A thread',
      created_at: '',
      updated_at: '',
    });
  });
  const load = (): Promise<ThreadContent> => session.backend.loadThread(SESSION);
  return Object.assign(Object.create(session) as UbikSession, { load });
}

test('loadThread orders the branch from the head by parents, whatever the order of the items', async () => {
  const { load } = setupStored({
    messages: [
      message('c', 'user', 'Third', 'b', 1),
      message('a', 'user', 'First', null, 3),
      message('b', 'assistant', 'Second', 'a', 2),
    ],
    head: 'c',
  });
  const { messages, headId, thread } = await load();
  assert.deepEqual(
    messages.map(({ id }) => id),
    ['a', 'b', 'c'],
  );
  assert.equal(headId, 'c');
  assert.equal(thread.title, 'A thread');
});

test('loadThread orders several roots by time, each as the parent of the next', async () => {
  const { load } = setupStored({
    messages: [message('b', 'user', 'B', null, 2), message('a', 'user', 'A', null, 1)],
  });
  assert.deepEqual(
    (await load()).messages.map(({ id, parentId }) => [id, parentId]),
    [
      ['a', null],
      ['b', 'a'],
    ],
  );
});

test('loadThread connects what follows a message with an unknown role to what precedes it', async () => {
  const { load } = setupStored({
    messages: [
      message('a', 'user', 'A', null, 1),
      message('b', 'assistant', 'B', 'a', 2),
      message('x', 'tool', 'X', 'b', 3),
      message('c', 'assistant', 'C', 'x', 4),
    ],
  });
  assert.deepEqual(
    (await load()).messages.map(({ id, parentId }) => [id, parentId]),
    [
      ['a', null],
      ['b', 'a'],
      ['c', 'b'],
    ],
  );
});

test('loadThread parses tags in messages of the assistant only', async () => {
  const text = '<<thinking>>quoted<</thinking>> \ue000x\ue001';
  const { load } = setupStored({
    messages: [
      message('a', 'user', text, null),
      message('b', 'assistant', '<<thinking>>x', 'a', 2),
    ],
  });
  const [user, answer] = (await load()).messages;
  assert.deepEqual(user?.parts, [
    { kind: 'text', key: USER_TEXT, text: '<<thinking>>quoted<</thinking>> \uFFFDx\uFFFD' },
  ]);
  assert.equal(answer?.parts[0]?.kind, 'thinking');
});

test('loadThread lists the message itself among its siblings', async () => {
  const sibling = { ...message('a', 'user', 'A', null), sibling_ids: ['z'] };
  const { load } = setupStored({ messages: [sibling] });
  assert.deepEqual([...((await load()).messages[0]?.fields.siblingIds ?? [])].sort(), ['a', 'z']);
});

test('loadThread reports the request of the head as pending when its checkpoint is listed', async () => {
  const { load } = setupStored({
    messages: [
      message('a', 'user', 'Go', null),
      message('b', 'assistant', REQUEST_CONTENT, 'a', 2),
    ],
    checkpoints: [{ checkpoint_name: 'mail', task_id: 't1', created_at: '2026-01-01T00:00:00Z' }],
  });
  const { messages, unfinishedRun: unfinished } = await load();
  assert.equal(messages.at(-1)?.requests[0]?.checkpointName, 'mail');
  assert.equal(messages.at(-1)?.fields.status, 'waiting');
  assert.equal(unfinished, null, 'a waiting run is not rejoined');
});

test('loadThread does not report a request whose checkpoint is not listed', async () => {
  const { load } = setupStored({
    messages: [
      message('a', 'user', 'Go', null),
      message('b', 'assistant', REQUEST_CONTENT, 'a', 2),
    ],
  });
  const head = (await load()).messages.at(-1);
  assert.deepEqual(head?.requests, []);
  assert.equal(head?.fields.status, 'complete');
});

test('loadThread does not report the request of an older message, and does not list checkpoints for it', async () => {
  const session = setupStored({
    messages: [
      message('a', 'user', 'Go', null),
      message('b', 'assistant', REQUEST_CONTENT, 'a', 2),
      message('c', 'user', 'Never mind', 'b', 3),
      message('d', 'assistant', 'Fine.', 'c', 4),
    ],
    checkpoints: [{ checkpoint_name: 'mail' }],
  });
  const { messages } = await session.load();
  assert.ok(messages.every(({ requests }) => requests.length === 0));
  assert.ok(!session.environment.requests.some(({ url }) => url.pathname.endsWith('/checkpoints')));
});

test('loadThread does not report an answered request', async () => {
  const answered = REQUEST_CONTENT.replace(
    'checkpoint_name: mail',
    'checkpoint_name: mail\n<<USER_INPUT_PROVIDED_START>>{"input":"x","type":"text"}<<USER_INPUT_PROVIDED_END>>',
  );
  const { load } = setupStored({
    messages: [message('a', 'user', 'Go', null), message('b', 'assistant', answered, 'a', 2)],
    checkpoints: [{ checkpoint_name: 'mail' }],
  });
  assert.deepEqual((await load()).messages.at(-1)?.requests, []);
});

for (const [status, count] of [
  ['waiting_for_input', 1],
  ['completed', 0],
] as const) {
  test(`loadThread reports ${count} pending requests of a tool whose execution is ${status}`, async () => {
    const { load } = setupStored({
      messages: [message('a', 'user', 'Go', null), message('b', 'assistant', TOOL_CONTENT, 'a', 2)],
      execution: { id: 'x1', tool_id: 'k', status, inputs: { question: 'Proceed?' } },
    });
    const { requests = [], parts = [] } = (await load()).messages.at(-1) ?? {};
    assert.equal(requests.length, count);
    if (count > 0) {
      assert.deepEqual([requests[0]?.prompt, requests[0]?.toolName], ['Proceed?', 'confirm']);
      assert.deepEqual(requests[0]?.toolInput, { question: 'Proceed?' });
    }
    const [tool] = parts;
    assert.equal(tool?.kind === 'tool' ? tool.state : '', count > 0 ? 'waiting' : 'incomplete');
  });
}

/** A service with an unanswered question of the task `t1`. */
function storedQuestion(content: string, more: Partial<Service>): Service {
  return {
    messages: [
      message('a', 'user', 'Go', null),
      { ...message('b', 'assistant', content, 'a', 2), task_id: 't1' },
    ],
    checkpoints: [{ checkpoint_name: 'mail' }],
    ...more,
  };
}

const streamRequests = ({ environment }: UbikSession): string[] =>
  environment.requests.flatMap(({ url }) =>
    url.pathname.endsWith('/stream') ? [url.pathname + url.search] : [],
  );

const HELLO = { type: 'connection_established', task_id: 't1' };
const TIME = '2026-01-01T00:00:00Z';
const QUESTION = {
  type: 'input_required',
  checkpoint_name: 'mail',
  prompt: 'Your email?',
  input_types: ['choice'],
  options: ['a@b.c', 'd@e.f'],
  schema: { type: 'string' },
  timeout: 60,
  timestamp: TIME,
};

test('loadThread reads the choices, the schema and the deadline of a request from the events of its task, once', async () => {
  const earlier = { ...QUESTION, prompt: 'Another?', options: ['no'] };
  const other = { ...QUESTION, checkpoint_name: 'other', options: ['never'] };
  const ofTool = {
    type: 'tool_input_required',
    tool_execution_id: 'x',
    tool_input: { options: [1] },
  };
  const session = setupStored(
    storedQuestion(REQUEST_CONTENT, {
      stream: () => eventsResponse([HELLO, earlier, QUESTION, other, ofTool]),
    }),
  );
  for (let load = 0; load < 2; load += 1) {
    const [request] = (await session.load()).messages.at(-1)?.requests ?? [];
    const { options, schema, inputTypes, deadline, prompt } = request ?? assert.fail();
    assert.deepEqual(options, QUESTION.options);
    assert.deepEqual(schema, QUESTION.schema);
    assert.deepEqual(inputTypes, ['choice']);
    assert.equal(prompt, 'Your email?');
    assert.equal(deadline, Date.parse(TIME) + 60_000);
  }
  assert.deepEqual(streamRequests(session), [
    `/v1/agent-sessions/${SESSION}/stream?task_id=t1&include_chunks=false`,
  ]);
});

for (const [what, prompt, task] of [
  ['another prompt', 'Your other email?', 't1'],
  ['the same prompt', 'Your email?', 't2'],
] as const) {
  test(`loadThread does not report a request with the data of an earlier one at the same checkpoint: ${what}, task ${task}`, async () => {
    const later = { ...QUESTION, prompt, options: ['later'] };
    const service = storedQuestion(REQUEST_CONTENT, {
      stream: () => eventsResponse([HELLO, QUESTION]),
    });
    const session = setupStored(service);
    await session.load();
    Object.assign(service, {
      messages: [
        ...service.messages,
        message('c', 'user', 'a@b.c', 'b', 3),
        {
          ...message('d', 'assistant', REQUEST_CONTENT.replace('Your email?', prompt), 'c', 4),
          task_id: task,
        },
      ],
      stream: () => eventsResponse([{ ...HELLO, task_id: task }, later]),
    });
    const [request] = (await session.load()).messages.at(-1)?.requests ?? [];
    assert.deepEqual([request?.prompt, request?.options], [prompt, ['later']]);
  });
}

test('loadThread reads the choices of the request of a tool from its inputs, and its input types from the events', async () => {
  const inputs = { question: 'Proceed?', options: ['now', 'later'], schema: { type: 'string' } };
  const event = {
    type: 'tool_input_required',
    tool_execution_id: 'x1',
    tool_name: 'confirm',
    tool_input: { question: 'Proceed?' },
    input_types: ['choices'],
  };
  const execution = { id: 'x1', tool_id: 'k', status: 'waiting_for_input', inputs };
  for (const stream of [undefined, () => eventsResponse([HELLO, event])]) {
    const { load } = setupStored(
      storedQuestion(TOOL_CONTENT, { execution, ...(stream && { stream }) }),
    );
    const [request] = (await load()).messages.at(-1)?.requests ?? [];
    const { options, schema, inputTypes, toolInput } = request ?? assert.fail();
    assert.deepEqual([options, schema, toolInput], [inputs.options, inputs.schema, inputs]);
    assert.deepEqual(inputTypes, stream ? ['choices'] : ['text']);
  }
});

test('loadThread finds the event of a request whose prompt is stored with other white space', async () => {
  const event = { ...QUESTION, prompt: ' Your\n email? ' };
  const { load } = setupStored(
    storedQuestion(REQUEST_CONTENT, { stream: () => eventsResponse([HELLO, event]) }),
  );
  const [request] = (await load()).messages.at(-1)?.requests ?? [];
  assert.deepEqual([request?.prompt, request?.options], ['Your email?', QUESTION.options]);
});

for (const [what, stream] of [
  ['the service has no stream', () => jsonResponse({ detail: '' }, 404)],
  ['the stream is of another task', () => eventsResponse([{ ...HELLO, task_id: 't2' }, QUESTION])],
  ['the stream ends without it', () => eventsResponse([HELLO])],
  [
    'the stream ends after an earlier request at the same checkpoint',
    () => eventsResponse([HELLO, { ...QUESTION, prompt: 'Your other email?' }]),
  ],
] as const) {
  test(`loadThread reports a request as it is stored when ${what}`, async () => {
    const { load } = setupStored(storedQuestion(REQUEST_CONTENT, { stream }));
    const [request] = (await load()).messages.at(-1)?.requests ?? [];
    assert.deepEqual([request?.options, request?.inputTypes], [null, ['text']]);
  });
}

test('loadThread waits for the events of a request for a second at most, and closes their stream', async () => {
  let isClosed = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(printEvents([HELLO])));
    },
    cancel: () => {
      isClosed = true;
    },
  });
  const session = setupStored(
    storedQuestion(REQUEST_CONTENT, { stream: () => streamResponse(body) }),
  );
  const loading = session.load();
  await session.environment.advance(999);
  assert.equal(isClosed, false);
  await session.environment.advance(1);
  const [request] = (await loading).messages.at(-1)?.requests ?? [];
  assert.equal(request?.options, null);
  assert.equal(isClosed, true);
});

test('loadThread closes the stream of a task as soon as it has its requests', async () => {
  let isClosed = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(printEvents([HELLO, QUESTION])));
    },
    cancel: () => {
      isClosed = true;
    },
  });
  const { load } = setupStored(
    storedQuestion(REQUEST_CONTENT, { stream: () => streamResponse(body) }),
  );
  const [request] = (await load()).messages.at(-1)?.requests ?? [];
  assert.deepEqual(request?.options, QUESTION.options);
  assert.equal(isClosed, true);
});

/** An event that is longer than what is read at once. */
const LONG = { type: 'tool_update', message: 'x'.repeat(70_000) };
for (const [what, asked] of [
  ['was answered', 40],
  ['has expired', 90],
] as const) {
  test(`loadThread reports the deadline of the last request of an execution whose first one ${what}`, async () => {
    const execution = { id: 'x1', tool_id: 'k', status: 'waiting_for_input', inputs: {} };
    const now = createTestEnvironment().now();
    const event = (secondsAgo: number) => ({
      type: 'tool_input_required',
      tool_execution_id: 'x1',
      timeout: 60,
      timestamp: new Date(now - secondsAgo * 1000).toISOString(),
    });
    let isClosed = false;
    const text = new TextEncoder().encode(printEvents([HELLO, event(asked), LONG, event(10)]));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(text),
      cancel: () => void (isClosed = true),
    });
    const session = setupStored(
      storedQuestion(TOOL_CONTENT, { execution, stream: () => streamResponse(body) }),
    );
    const loading = session.load();
    // The stream is read until it has been silent for 100 ms, because it may have a further request of the tool.
    await session.environment.advance(99);
    assert.equal(isClosed, false);
    await session.environment.advance(1);
    const [request] = (await loading).messages.at(-1)?.requests ?? [];
    assert.deepEqual([request?.deadline, isClosed], [now + 50_000, true]);
  });
}

test('loadThread reports an unfinished run when the last message has no answer', async () => {
  const open = setupStored({ messages: [message('a', 'user', 'Go', null)] });
  assert.notEqual((await open.load()).unfinishedRun, null);
  const done = setupStored({
    messages: [message('a', 'user', 'Go', null), message('b', 'assistant', 'Done.', 'a', 2)],
  });
  assert.equal((await done.load()).unfinishedRun, null);
});

test('loadThread returns the ids of the other runs of a thread with its unfinished run', async () => {
  const { load } = setupStored({
    messages: [
      { ...message('a', 'user', 'First', null, 1), task_id: 't1' },
      { ...message('b', 'assistant', 'Answer', 'a', 2), task_id: 't1' },
      { ...message('c', 'user', 'Second', 'b', 3), task_id: 't2' },
    ],
  });
  const { unfinishedRun } = await load();
  assert.equal(unfinishedRun?.id, 't2');
  assert.deepEqual([...new Set(unfinishedRun.otherRunIds)], ['t1']);
});

test('loadThread rejects with not-an-api when the response is not a list of messages', async () => {
  const session = setupSession(() => jsonResponse({ hello: 'world' }));
  await assert.rejects(session.backend.loadThread(SESSION), { code: 'not-an-api' });
});

test('loadThread skips invalid messages', async () => {
  const { load } = setupStored({
    messages: [
      null as never,
      { id: 'x' },
      { id: 'None', role: 'user' },
      message('a', 'user', 'A', null),
    ],
  });
  assert.deepEqual(
    (await load()).messages.map(({ id }) => id),
    ['a'],
  );
});

test('loadThread uses the newest message without a successor as head when the service names none', async () => {
  const { load } = setupStored({
    messages: [
      message('c', 'user', 'Third', 'b', 1),
      message('a', 'user', 'First', null, 3),
      message('b', 'assistant', 'Second', 'a', 2),
    ],
  });
  assert.deepEqual(
    (await load()).messages.map(({ id }) => id),
    ['a', 'b', 'c'],
  );
});

test('loadThread maps the roles of messages and skips unknown roles', async () => {
  const { load } = setupStored({
    messages: ['system', 'human', 'assistant', 'user', 'tool'].map((role, at) =>
      message(role, role, 'Text', null, at),
    ),
  });
  assert.deepEqual(
    (await load()).messages.map(({ fields }) => fields.role),
    ['system', 'user', 'assistant', 'user'],
  );
});

test('loadThread asks with the name of a tool whose execution has no question', async () => {
  const { load } = setupStored({
    messages: [message('a', 'user', 'Go', null), message('b', 'assistant', TOOL_CONTENT, 'a', 2)],
    execution: { id: 'x1', tool_id: 'k', status: 'waiting_for_input', inputs: {} },
  });
  const [request] = (await load()).messages.at(-1)?.requests ?? [];
  assert.deepEqual([request?.prompt, request?.inputTypes], ['confirm', ['text']]);
});

test('loadThread looks up the executions of the last eight unfinished tools', async () => {
  const starts = Array.from({ length: 10 }, (_, at) => `<<TOOL_STEP_START/confirm:x${at}>>\n`);
  const session = setupStored({
    messages: [
      message('a', 'user', 'Go', null),
      message('b', 'assistant', starts.join(''), 'a', 2),
    ],
  });
  await session.load();
  const ids = session.environment.requests.flatMap(
    ({ url }) => /\/tool-executions\/(\w+)$/.exec(url.pathname)?.[1] ?? [],
  );
  assert.deepEqual(
    ids.sort(),
    Array.from({ length: 8 }, (_, at) => `x${at + 2}`),
  );
});

/** Ids of the messages that a service with this head sends. */
async function loadIds(messages: readonly object[], head?: string): Promise<string[]> {
  const { load } = setupStored({ messages, ...(head !== undefined && { head }) });
  return (await load()).messages.map(({ id }) => id);
}

test('loadThread sorts by time when other messages follow the head', async () => {
  const messages = [
    message('c', 'user', 'Third', 'b', 1),
    message('a', 'user', 'First', null, 3),
    message('b', 'assistant', 'Second', 'a', 2),
  ];
  assert.deepEqual(await loadIds(messages, 'b'), ['c', 'b', 'a']);
});

test('loadThread keeps a parent that precedes its message when other messages are not on the path to the head', async () => {
  const { load } = setupStored({
    messages: [
      message('a', 'user', 'A', null, 1),
      message('b', 'assistant', 'B', 'a', 2),
      message('c', 'assistant', 'C', 'a', 3),
    ],
    head: 'c',
  });
  assert.deepEqual(
    (await load()).messages.map(({ parentId }) => parentId),
    [null, 'a', 'a'],
  );
});

test('loadThread orders messages whose parents form a cycle from the head', async () => {
  const messages = [message('a', 'user', 'A', 'b', 1), message('b', 'assistant', 'B', 'a', 2)];
  assert.deepEqual(await loadIds(messages, 'a'), ['b', 'a']);
});

test('loadThread keeps the order of several roots when one has no time', async () => {
  const messages = [
    message('b', 'user', 'B', null, 2),
    { ...message('x', 'user', 'X', null), created_at: 'unknown' },
    message('a', 'user', 'A', null, 1),
  ];
  assert.deepEqual(await loadIds(messages), ['b', 'x', 'a']);
});

test('loadThread reads a message without a text as one without parts', async () => {
  const { load } = setupStored({ messages: [message('a', 'user', '', null)] });
  assert.deepEqual((await load()).messages[0]?.parts, []);
});
