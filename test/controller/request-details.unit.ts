import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputRequest, ThreadContent } from '../../src/backends/backend.js';
import type { ControllerContext } from '../../src/controller/controller-context.js';
import { recordRequestDetails } from '../../src/controller/requests/request-details.js';
import {
  completeRequests,
  loadRequestDetails,
} from '../../src/controller/threads/complete-requests.js';
import type { Change } from '../../src/model/change.js';
import { ACTIVITY } from '../../src/model/part.js';
import { AGENT_REQUEST } from '../helpers/agent-request.js';
import { contentOf, stored } from './scripted-backend.js';

type Fields = Partial<Pick<InputRequest, 'options' | 'schema' | 'deadline' | 'prompt'>>;

/** Request details of one browser. `record` is what is stored of the thread `a`. */
function setupDetails(record: unknown = null) {
  const written: unknown[] = [];
  const storage = {
    read: () => Promise.resolve(record),
    write: (_kind: string, _id: string, value: unknown) => void written.push(value),
  };
  const context = { requestDetails: new Map(), storage } as unknown as ControllerContext;
  const details = {
    load: (id: string) => loadRequestDetails(context, id),
    record: (id: string | null, change: Change) => recordRequestDetails(context, id, change),
    addTo: (content: ThreadContent) => completeRequests(context, content),
    clear: () => context.requestDetails.clear(),
  };
  const complete = (request: InputRequest): InputRequest | undefined => {
    const asking = { ...stored('m', 'assistant', ''), requests: [request] };
    return details.addTo(contentOf('a', [asking])).messages[0]?.requests[0];
  };
  return { details, written, complete };
}

/** The change that adds a request. */
function requestChange(fields: Fields = {}, request: InputRequest = AGENT_REQUEST): Change {
  const { key, message: _, ...question } = { ...request, ...fields };
  const state = { kind: 'request-activity', toolName: null, part: null, state: 'pending' } as const;
  return {
    type: 'part',
    message: 'm',
    part: key,
    parent: ACTIVITY,
    before: null,
    value: { ...question, ...state },
  };
}

for (const fields of [{ options: [1, 2] }, { schema: { type: 'integer' } }, { deadline: 5 }]) {
  test(`request details store a request that has ${Object.keys(fields).join()} alone`, () => {
    const { details, written, complete } = setupDetails();
    details.record('a', requestChange(fields));
    assert.equal(written.length, 1);
    assert.deepEqual(complete(AGENT_REQUEST), { ...AGENT_REQUEST, ...fields });
  });
}

test('request details ignore other changes', () => {
  const { details, written } = setupDetails();
  details.record('a', requestChange());
  details.record(null, requestChange({ deadline: 5 }));
  details.record('a', { type: 'remove', message: 'm', part: 'p' });
  const part = { message: 'm', part: 'p', parent: null, before: null } as const;
  details.record('a', { type: 'part', ...part, value: { kind: 'text' } });
  assert.deepEqual(written, []);
});

test('request details replace those of the same request and keep the last twenty', () => {
  const { details, written, complete } = setupDetails();
  const request = (at: number) => ({ ...AGENT_REQUEST, prompt: `Question ${at}` });
  for (let at = 0; at < 21; at += 1)
    details.record('a', requestChange({ prompt: `Question ${at}`, deadline: at }));
  details.record('a', requestChange({ prompt: 'Question 20', deadline: 99 }));
  assert.equal((written.at(-1) as unknown[]).length, 20);
  assert.equal(complete(request(0))?.deadline, null);
  assert.equal(complete(request(1))?.deadline, 1);
  assert.equal(complete(request(20))?.deadline, 99);
});

test('request details identify the request of a tool by its execution', () => {
  const { details, complete } = setupDetails();
  const tool = { ...AGENT_REQUEST, level: 'tool', executionId: 'e1' } as const;
  details.record('a', requestChange({ deadline: 5 }, tool));
  assert.equal(complete({ ...tool, checkpointName: 'other' })?.deadline, 5);
  assert.equal(complete({ ...tool, executionId: 'e2' })?.deadline, null);
  assert.equal(complete(AGENT_REQUEST)?.deadline, null);
});

test('request details identify the request of the agent by its checkpoint', () => {
  const { details, complete } = setupDetails();
  details.record('a', requestChange({ deadline: 5 }));
  assert.equal(complete({ ...AGENT_REQUEST, executionId: 'e1' })?.deadline, 5);
  assert.equal(complete({ ...AGENT_REQUEST, checkpointName: 'c2' })?.deadline, null);
});

test('request details do not override the fields that a stored request has', () => {
  const { details, complete } = setupDetails();
  details.record('a', requestChange({ options: [1], schema: { type: 'integer' }, deadline: 5 }));
  const own = { options: [2], schema: { type: 'number' }, deadline: 6 };
  assert.deepEqual(complete({ ...AGENT_REQUEST, ...own }), { ...AGENT_REQUEST, ...own });
});

test('request details leave a thread without stored details unchanged', () => {
  const { details } = setupDetails();
  const content = contentOf('b', [stored('m', 'assistant', '')]);
  assert.equal(details.addTo(content), content);
});

/** A stored entry for {@link AGENT_REQUEST}; its name identifies the request by level, checkpoint and prompt. */
const VALID = {
  name: JSON.stringify(['agent', 'c1', 'Which year?']),
  options: [1],
  schema: null,
  deadline: null,
};

test('request details are loaded once and do not replace what was recorded since', async () => {
  const { details, complete } = setupDetails([VALID]);
  await details.load('a');
  assert.deepEqual(complete(AGENT_REQUEST)?.options, [1]);
  details.record('a', requestChange({ options: [7] }));
  await details.load('a');
  assert.deepEqual(complete(AGENT_REQUEST)?.options, [7]);
  details.clear();
  assert.equal(complete(AGENT_REQUEST)?.options, null);
});

for (const [what, record] of [
  ['that is no list', VALID],
  ['whose entry is null', [null]],
  ['without a name', [{ ...VALID, name: 1 }]],
  ['without options', [{ ...VALID, options: undefined }]],
  ['without a schema', [{ ...VALID, schema: undefined }]],
  ['whose deadline is no time', [{ ...VALID, deadline: '5' }]],
] as const) {
  test(`request details ignore a record ${what}`, async () => {
    const { details, complete } = setupDetails(record);
    await details.load('a');
    assert.equal(complete(AGENT_REQUEST)?.options, null);
  });
}

test('request details accept a stored deadline', async () => {
  const { details, complete } = setupDetails([{ ...VALID, deadline: 5 }]);
  await details.load('a');
  assert.equal(complete(AGENT_REQUEST)?.deadline, 5);
});
