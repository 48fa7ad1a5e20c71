import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend, InputRequest, StoredMessage } from '../../../src/backends/backend.js';
import { shareAcrossTabs } from '../../../src/backends/multi-tab/index.js';
import { contentOf, stored } from '../../controller/scripted-backend.js';
import { AGENT_REQUEST } from '../../helpers/agent-request.js';
import { MemoryTabs } from '../../helpers/memory-tabs.js';
import { createTestEnvironment } from '../../helpers/test-environment.js';

const QUESTION = stored('m1', 'user', 'Hello', { runId: 'r1' });
const ANSWER = stored('m2', 'assistant', 'Hi', { runId: 'r1' });
const NEXT = stored('m3', 'user', 'More');

/** Loads a thread while another tab reads a run of it. `run`: the id of that run; undefined when no tab reads one. */
async function load(
  messages: readonly StoredMessage[],
  run: string | null | undefined,
  unfinished: string | null = null,
) {
  const tabs = new MemoryTabs();
  const environment = createTestEnvironment();
  const other = tabs.open();
  other.subscribe((message) => {
    const isQuery = (message as { readonly type?: unknown }).type === 'query';
    const header = { thread: 'T', term: 1, seq: 0, started: false, answered: null };
    if (isQuery && run !== undefined) other.post({ type: 'leader', run, ...header });
  });
  const content = contentOf('T', messages, unfinished);
  const backend = {
    name: 'backend',
    capabilities: new Set(),
    idleTimeout: 1,
    loadThread: async () => {
      await environment.settle();
      return content;
    },
  } as unknown as Backend;
  const loaded = await shareAcrossTabs(backend, tabs.open(), environment).loadThread('T');
  return { content, loaded };
}

test('a thread whose user message another tab is sending has an unfinished run', async () => {
  const { loaded } = await load([QUESTION, ANSWER, NEXT], 'r2');
  assert.deepEqual(loaded.unfinishedRun, {
    id: 'r2',
    keys: { thread: 'T', user: null, answer: 'm3' },
    otherRunIds: ['r1', 'r1'],
  });
});

test('a thread whose last answer another tab reads has an unfinished run', async () => {
  const { loaded } = await load([QUESTION, ANSWER], 'r1');
  assert.deepEqual(loaded.unfinishedRun, {
    id: 'r1',
    keys: { thread: 'T', user: null, answer: 'm2' },
    otherRunIds: [],
  });
});

test('a loaded thread is unchanged when the tab that has read its run was closed without a message', async () => {
  const tabs = new MemoryTabs();
  const environment = createTestEnvironment();
  const content = contentOf('T', [QUESTION, ANSWER]);
  const backend = {
    name: 'backend',
    capabilities: new Set(),
    idleTimeout: 1,
    loadThread: () => Promise.resolve(content),
  } as unknown as Backend;
  const shared = shareAcrossTabs(backend, tabs.open(), environment);
  const changed: string[] = [];
  shared.onExternalChange = (thread) => changed.push(thread);
  const header = { thread: 'T', term: 1, seq: 0, answered: null };
  tabs.open().post({ type: 'leader', run: 'r1', ...header, started: true });
  await environment.settle();
  assert.deepEqual(changed, ['T']);
  assert.equal(await shared.loadThread('T'), content);
});

const asking: StoredMessage = { ...ANSWER, requests: [AGENT_REQUEST satisfies InputRequest] };
for (const [what, messages, run, unfinished] of [
  ['no other tab reads it', [QUESTION], undefined, null],
  ['the id of the other run is unknown', [QUESTION], null, null],
  ['it has no messages', [], 'r1', null],
  ['its last answer is of another run', [QUESTION, ANSWER], 'r2', null],
  ['its last answer has a request', [QUESTION, asking], 'r1', null],
  ['the service lists an unfinished run', [QUESTION, ANSWER], 'r1', 'r9'],
] as const) {
  test(`a loaded thread is unchanged when ${what}`, async () => {
    const { content, loaded } = await load(messages, run, unfinished);
    assert.equal(loaded, content);
  });
}
