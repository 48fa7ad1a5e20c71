import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Backend, RunRef, RunStream } from '../../../src/backends/backend.js';
import { shareAcrossTabs } from '../../../src/backends/multi-tab/index.js';
import { apply } from '../../../src/model/apply.js';
import { createFieldChange, type Change } from '../../../src/model/change.js';
import type { Json } from '../../../src/model/json.js';
import { createStore } from '../../../src/model/store.js';
import { Deferred } from '../../helpers/deferred.js';
import { MemoryTabs } from '../../helpers/memory-tabs.js';
import { ANSWER } from '../../helpers/model-message.js';
import { createTestEnvironment } from '../../helpers/test-environment.js';

/** JSON that is nested deeper than messages between tabs may be. */
const deep = (): Json => Array.from({ length: 120 }).reduce<Json>((inner) => [inner], []);

const keys = { thread: 't', user: null, answer: 'a' };
const streaming: Change = { type: 'thread', set: { run: { state: 'streaming', id: 'r' } } };
const text = (at: number, added: string): Change => {
  return { type: 'text', message: 'a', part: 'p', at, text: added };
};
const begin: readonly Change[] = [
  streaming,
  { type: 'part', message: 'a', part: 'p', parent: null, before: null, value: { kind: 'text' } },
  text(0, 'Hel'),
];
const unsendable = createFieldChange('a', null, 'extra', deep());

/** A service with one run: each connection first gets what was emitted before. `open` opens a tab that rejoins the run. */
async function setup(context: TestContext) {
  const tabs = new MemoryTabs();
  const environment = createTestEnvironment();
  const sent: (readonly Change[])[] = [];
  const opened: string[] = [];
  const aborted: string[] = [];
  let next = new Deferred<void>();
  const emit = async (...changes: Change[]) => {
    sent.push(changes);
    next.resolve();
    next = new Deferred();
    await environment.settle();
  };
  async function* stream(name: string, signal: AbortSignal): RunStream {
    opened.push(name);
    const end = new Deferred<void>();
    signal.addEventListener('abort', () => end.resolve());
    for (let count = 0; !signal.aborted; count += 1) {
      const emitted = next.promise;
      while (count >= sent.length && !signal.aborted) await Promise.race([emitted, end.promise]);
      yield { thread: 't', time: 0, changes: sent[count] ?? [] };
    }
    aborted.push(name);
  }
  const closing = new AbortController();
  context.after(() => closing.abort());
  const open = async (name: string) => {
    const backend = {
      name: 'backend',
      capabilities: new Set(),
      rejoin: (_thread: string, _run: RunRef, signal: AbortSignal) => stream(name, signal),
    } as unknown as Backend;
    const store = createStore();
    apply(store, {
      thread: 't',
      time: 0,
      changes: [{ type: 'message', message: 'a', value: ANSWER }],
    });
    const shown: string[] = [];
    const shared = shareAcrossTabs(backend, tabs.open(), environment);
    const run: RunRef = { id: 'r', keys, otherRunIds: [] };
    const read = async () => {
      for await (const batch of shared.rejoin?.('t', run, closing.signal) ?? []) {
        assert.deepEqual(apply(store, batch).rejected, []);
        const message = store.threads.get('t')?.messages.get('a');
        shown.push(message?.parts.get('p')?.text?.read() ?? '');
      }
    };
    void read().catch(() => undefined);
    await environment.settle();
    return shown;
  };
  return { environment, opened, aborted, emit, open };
}

test('a tab reads a run itself when the state of the run exceeds the limits of messages between tabs', async (context) => {
  const { environment, opened, aborted, emit, open } = await setup(context);
  await emit(...begin, text(3, 'lo'), unsendable);
  await open('A');
  const shown = await open('B');
  assert.deepEqual([opened, shown.at(-1)], [['A', 'B'], 'Hello']);
  await environment.advance(10_000);
  assert.deepEqual([opened, aborted], [['A', 'B'], []]);
});

test('a tab that shows a run of another tab keeps its content when the state begins to exceed the limits of messages between tabs', async (context) => {
  const { environment, opened, aborted, emit, open } = await setup(context);
  await emit(...begin);
  await emit(text(3, 'lo'));
  await open('A');
  const shown = await open('B');
  assert.deepEqual([opened, shown.at(-1)], [['A'], 'Hello']);
  await emit(unsendable);
  await environment.advance(10_000);
  assert.deepEqual([opened, aborted], [['A', 'B'], []]);
  await emit(text(5, ', world'));
  assert.equal(shown.at(-1), 'Hello, world');
  assert.ok(shown.slice(shown.indexOf('Hello')).every((each) => each.startsWith('Hello')));
});
