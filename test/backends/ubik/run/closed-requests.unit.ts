import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUbikBackend } from '../../../../src/backends/ubik/index.js';
import { createStreamController } from '../../../../src/controller/controller.js';
import type { ControllerNotice } from '../../../../src/controller/controller-types.js';
import { ACTIVITY } from '../../../../src/model/part.js';
import { createTestEnvironment } from '../../../helpers/test-environment.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import { BASE, streamResponse, HELLO, printEvents, SESSION } from '../support/ubik-session.js';
import { sampleOf } from '../../../helpers/sample.js';

const TOOL = { tool_execution_id: 'x1', tool_name: 'confirm' };
const TOOL_START = '<<TOOL_STEP_START/confirm:x1>>\n';
const TOOL_RESULT = '<<TOOL_STEP_RESULT_START>>\n{"confirmed": true}\n<<TOOL_STEP_RESULT_END>>\n';
const TOOL_END = '<<TOOL_STEP_END/confirm:x1>>\n';

const TOOL_REQUEST = {
  type: 'tool_input_required',
  ...TOOL,
  tool_input: { question: 'Remove it?' },
};
const AGENT_REQUEST = { type: 'input_required', checkpoint_name: 'year', prompt: 'Which year?' };
const chunk = (content: string) => ({ type: 'response_chunk', content });
const update = (data: object) => ({ type: 'tool_update', ...TOOL, data });
const complete = (content: string) => ({ type: 'agent_processing_complete', content });

/** A controller, and a service that streams these events for each message. `posts` are the texts of the messages that it got. */
function setup(streamed: readonly object[]) {
  const posts: string[] = [];
  let rejoins = 0;
  let rejoined: readonly object[] = streamed;
  const environment = createTestEnvironment({
    respond: async (request) => {
      const path = new URL(request.url).pathname.replace('/v1', '');
      if (request.method === 'POST' && path.endsWith('/messages')) {
        const { content } = (await request.json()) as { content: string };
        posts.push(content);
        return streamResponse(printEvents(streamed));
      }
      if (path.endsWith('/stream')) {
        rejoins += 1;
        return streamResponse(printEvents(rejoined));
      }
      if (path.endsWith('/messages')) return jsonResponse({ items: [] });
      return jsonResponse({ id: SESSION, status: 'waiting_for_input', title: 'Any' });
    },
  });
  const backend = createUbikBackend({ baseUrl: BASE, environment });
  const controller = createStreamController({ backend, environment });
  const notices: string[] = [];
  controller.onNotice(({ type }: ControllerNotice) => notices.push(type));
  return {
    environment,
    controller,
    notices,
    posts,
    get rejoins() {
      return rejoins;
    },
    rejoinWith: (events: readonly object[]) => (rejoined = events),
    send: async () => {
      const sent = controller.send({ text: 'Go', attachments: [] }).catch(() => undefined);
      await environment.settle();
      await environment.advance(100);
      await sent;
    },
    /** State of the run, status of its message, and the states of its requests. */
    inspect: () => {
      const { thread } = controller;
      const answer = thread?.messages.get(thread.run.answer ?? '');
      const keys = answer?.parts.children(ACTIVITY) ?? [];
      const requests = keys.flatMap((key) => {
        const part = answer?.parts.get(key);
        return part?.kind === 'request-activity' ? [part.state] : [];
      });
      return { run: thread?.run.state, message: answer?.status, requests };
    },
    /** Text of the last part of the answer. */
    text: () => {
      const { thread } = controller;
      const { parts } = thread?.messages.get(thread.run.answer ?? '') ?? {};
      const last = parts?.children(null).at(-1);
      return last === undefined ? '' : (parts?.get(last)?.text?.read() ?? '');
    },
  };
}

for (const [what, toolEnd] of [
  ['the result of the requesting tool', TOOL_RESULT],
  ['the end of the requesting tool', TOOL_END],
  ['the result and the end of the requesting tool', TOOL_RESULT + TOOL_END],
] as const) {
  test(`run with a pending request ends as complete when its final content has ${what}`, async () => {
    const fixture = setup([
      HELLO,
      chunk(TOOL_START),
      TOOL_REQUEST,
      chunk('It was removed.'),
      complete(`${TOOL_START}${toolEnd}It was removed.`),
    ]);
    await fixture.send();
    assert.deepEqual(fixture.inspect(), {
      run: 'complete',
      message: 'complete',
      requests: ['closed'],
    });
    assert.ok(fixture.notices.includes('run-completed'));
    assert.ok(!fixture.notices.includes('run-paused'));
  });
}

test('queued message is sent when the final content shows that the request was answered', async () => {
  const fixture = setup([
    HELLO,
    chunk(TOOL_START),
    TOOL_REQUEST,
    complete(`${TOOL_START}${TOOL_RESULT}${TOOL_END}Removed.`),
  ]);
  const sent = fixture.controller.send({ text: 'Go', attachments: [] });
  await fixture.controller.enqueue({ text: 'And then?', attachments: [] });
  await fixture.environment.advance(5000);
  await sent;
  assert.deepEqual(fixture.posts, ['Go', 'And then?']);
});

test('request of the agent is closed when a final content with steps lacks it', async () => {
  const record = '<<STEP_START>>\nStep 1: Look ✓\nIt is 2025.\n<<STEP_END>>';
  const fixture = setup([HELLO, AGENT_REQUEST, complete(record)]);
  await fixture.send();
  assert.deepEqual(fixture.inspect(), {
    run: 'complete',
    message: 'complete',
    requests: ['closed'],
  });
});

for (const [what, events] of [
  ['is empty', [TOOL_REQUEST, AGENT_REQUEST, complete('')]],
  ['has no tags', [TOOL_REQUEST, AGENT_REQUEST, complete('I have asked.')]],
  [
    'has them unanswered',
    [
      chunk(TOOL_START),
      TOOL_REQUEST,
      AGENT_REQUEST,
      complete(
        `${TOOL_START}<<INPUT_REQUIRED_START>>\nWhich year?\ncheckpoint_name: year\n<<INPUT_REQUIRED_END>>`,
      ),
    ],
  ],
] as const) {
  test(`requests stay pending when the final content ${what}`, async () => {
    const fixture = setup([HELLO, ...events]);
    await fixture.send();
    assert.deepEqual(fixture.inspect(), {
      run: 'waiting',
      message: 'waiting',
      requests: ['pending', 'pending'],
    });
  });
}

test('full content in the middle of a run closes the request of the tool whose result it has', async () => {
  const fixture = setup([
    HELLO,
    chunk(TOOL_START),
    TOOL_REQUEST,
    { type: 'agent_response_update', content: `${TOOL_START}${TOOL_RESULT}` },
  ]);
  fixture.rejoinWith([]);
  await fixture.send();
  assert.equal(fixture.inspect().message, 'streaming');
  assert.deepEqual(fixture.inspect().requests, ['closed']);
});

/** Data of updates that report the end of a tool, or of one of its phases. */
const ENDS = [
  { status: 'completed' },
  { phase: 'completed' },
  { phase: 'CONFIRMATION', status: 'completed', data: { confirmed: true } },
  { status: 'failed', message: 'No' },
  { phase: 'FAILED' },
  { status: 'cancelled' },
  { phase: 'canceled' },
];

for (const data of ENDS) {
  test(`stream is rejoined when it breaks after ${JSON.stringify(data)} of the requesting tool`, async () => {
    const events = [HELLO, chunk(TOOL_START), TOOL_REQUEST, update(data)];
    const fixture = setup(events);
    const end = `${TOOL_RESULT}${TOOL_END}It was removed.`;
    fixture.rejoinWith([...events, chunk(end), complete('')]);
    await fixture.send();
    await fixture.environment.advance(60_000);
    assert.equal(fixture.rejoins, 1);
    assert.deepEqual(fixture.inspect(), {
      run: 'complete',
      message: 'complete',
      requests: ['closed'],
    });
    assert.equal(fixture.text(), 'It was removed.');
  });
}

test('stream is rejoined when it breaks anywhere between the completion of the requesting tool and its end tag', async () => {
  const before = [HELLO, chunk(TOOL_START), TOOL_REQUEST, update(ENDS[2] ?? {})];
  const whole = printEvents([
    ...before,
    ...(`${TOOL_RESULT}${TOOL_END}`.match(/[^]{1,24}/g) ?? []).map(chunk),
    chunk('It was removed.'),
    complete(''),
  ]);
  const first = printEvents(before).length;
  const last = whole.indexOf(printEvents([chunk('It was removed.')]));
  const fixture = setup([]);
  let cut = first;
  fixture.environment.respond((request) => {
    const path = new URL(request.url).pathname;
    if (request.method === 'POST' && path.endsWith('/messages'))
      return streamResponse(whole.slice(0, cut));
    if (path.endsWith('/stream')) return streamResponse(whole);
    if (path.endsWith('/messages')) return jsonResponse({ items: [] });
    return jsonResponse({ id: `${SESSION}-${String(cut)}`, title: 'Any' });
  });
  const failedCuts: number[] = [];
  const cuts = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  assert.ok(cuts.length > 300, String(cuts.length));
  for (cut of sampleOf(cuts, 7)) {
    fixture.controller.switchToNewThread();
    await fixture.send();
    await fixture.environment.advance(60_000);
    if (fixture.inspect().run !== 'complete' || fixture.text() !== 'It was removed.')
      failedCuts.push(cut);
  }
  assert.deepEqual(failedCuts, []);
});

test('request of a tool stays pending when the tool starts another phase', async () => {
  const fixture = setup([HELLO, TOOL_REQUEST, update({ phase: 'WAITING', status: 'started' })]);
  await fixture.send();
  assert.deepEqual(fixture.inspect(), {
    run: 'waiting',
    message: 'waiting',
    requests: ['pending'],
  });
  assert.equal(fixture.rejoins, 0);
});
