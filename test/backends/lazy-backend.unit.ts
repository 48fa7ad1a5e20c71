import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend } from '../../src/backends/backend.js';
import { createLazyDataAgentBackend } from '../../src/backends/data-agent/lazy-data-agent.js';
import { createLazyBackend } from '../../src/backends/lazy-backend.js';
import { createLazyUbikBackend } from '../../src/backends/ubik/lazy-ubik.js';
import { createUbikBackend } from '../../src/backends/ubik/index.js';
import { isUbikError, UbikError } from '../../src/errors.js';
import type { Batch } from '../../src/model/change.js';
import { Deferred } from '../helpers/deferred.js';
import { replaceGlobals } from '../helpers/replace-globals.js';
import { createTestEnvironment } from '../helpers/test-environment.js';

const INFO = { name: 'mine', capabilities: new Set(['rename'] as const), idleTimeout: 7 };
const KEYS = { thread: 't', user: null, answer: 'a' };
const DRAFT = { text: 'x', attachments: [] };
const noSignal = new AbortController().signal;

/** A lazy backend whose module fails to load with each of `failures` before it loads. Counts how often it was created. */
function setup(methods: Partial<Backend>, failures: unknown[] = []) {
  let created = 0;
  let loaded: Backend | undefined;
  const load = (): Promise<Backend> => {
    const failure = failures.shift();
    // `import()` may reject with any value.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    if (failure) return Promise.reject(failure);
    created += 1;
    loaded = { ...INFO, ...methods } as Backend;
    return Promise.resolve(loaded);
  };
  const backend = createLazyBackend({ info: INFO, load });
  return { backend, created: () => created, loaded: () => loaded };
}

test('lazy backend is loaded once, by the first call', async () => {
  const renamed: string[][] = [];
  const { backend, created } = setup({
    renameThread: (...args) => Promise.resolve(void renamed.push(args)),
  });
  assert.equal(created(), 0);
  assert.equal(backend.idleTimeout, 7);
  await Promise.all([backend.renameThread?.('a', '1'), backend.renameThread?.('b', '2')]);
  assert.equal(created(), 1);
  assert.deepEqual(renamed, [
    ['a', '1'],
    ['b', '2'],
  ]);
});

test('lazy backend rejects with load-failed and retries the load with the next call', async () => {
  const { backend } = setup({ loadThread: () => Promise.reject(new UbikError('not-found')) }, [
    new TypeError('Failed to fetch'),
    new UbikError('misuse'),
  ]);
  for (const code of ['load-failed', 'misuse', 'not-found']) {
    await assert.rejects(
      backend.loadThread('x'),
      (error) => isUbikError(error) && error.code === code,
    );
  }
});

test('lazy backend forwards the batches of a run and the end of the iteration', async () => {
  let closed = false;
  const batch: Batch = { thread: 't', time: 0, changes: [] };
  const { backend } = setup({
    async *send() {
      try {
        for (;;) yield await Promise.resolve(batch);
      } finally {
        closed = true;
      }
    },
  });
  for await (const received of backend.send('t', DRAFT, KEYS, noSignal)) {
    assert.equal(received, batch);
    break;
  }
  assert.equal(closed, true);
});

test('lazy backend forwards diagnostics, and releaseRun only once it is loaded', async () => {
  const released: string[] = [];
  const { backend, loaded } = setup({
    renameThread: () => Promise.resolve(),
    releaseRun: (thread) => void released.push(thread),
  });
  const run = { id: null, keys: KEYS, otherRunIds: [] };
  backend.releaseRun?.('early', run);
  const diagnostics: string[] = [];
  backend.onDiagnostic = ({ code }) => diagnostics.push(code);
  await backend.renameThread?.('a', 'b');
  loaded()?.onDiagnostic?.(new UbikError('misuse'));
  backend.releaseRun?.('late', run);
  assert.deepEqual([released, diagnostics], [['late'], ['misuse']]);
});

test('lazy backend requests the first token while its code is loading', async () => {
  const steps: string[] = [];
  let count = 0;
  const code = new Deferred<undefined>();
  const backend = createLazyBackend({
    info: INFO,
    getToken: ({ reason }) => {
      steps.push(reason);
      return `token-${String(++count)}`;
    },
    load: async (getToken) => {
      steps.push('load');
      await code.promise;
      const askFor = async (reason: 'connect' | 'rejected'): Promise<void> =>
        void steps.push(String(await getToken?.({ reason })));
      const renameThread = (): Promise<void> => askFor('connect');
      const prepare = (): Promise<void> => Promise.resolve(void steps.push('prepare'));
      return { ...INFO, renameThread, prepare } as Partial<Backend> as Backend;
    },
  });
  const renamed = backend.renameThread?.('a', '1');
  await Promise.resolve();
  assert.deepEqual(steps.splice(0), ['connect', 'load']);
  code.resolve(undefined);
  await renamed;
  assert.deepEqual(steps.splice(0), ['prepare', 'token-1']);
  await backend.renameThread?.('a', '2');
  assert.deepEqual(steps, ['connect', 'token-2']);
});

test('lazy backend does not use an early token that was dropped, and reports one that has failed to the first request only', async () => {
  for (const isDropped of [true, false]) {
    let count = 0;
    const tokens: unknown[] = [];
    const backend = createLazyBackend({
      info: INFO,
      getToken: () => {
        if (++count === 1 && !isDropped) throw new Error('not signed in');
        return `token-${String(count)}`;
      },
      load: async (getToken) => {
        await Promise.resolve();
        const renameThread = async (): Promise<void> => {
          const token = await Promise.resolve(getToken?.({ reason: 'connect' })).catch(() => null);
          tokens.push(token);
        };
        return { ...INFO, renameThread } as Partial<Backend> as Backend;
      },
    });
    void backend.prepare?.();
    if (isDropped) backend.forgetToken?.();
    await backend.renameThread?.('a', '1');
    await backend.renameThread?.('a', '2');
    assert.deepEqual(tokens, isDropped ? ['token-2', 'token-3'] : [null, 'token-2']);
  }
});

test('lazy backend loads its code ahead of time with one attempt, and forwards later calls', async () => {
  const calls: string[] = [];
  let attempts = 0;
  const methods = {
    prepare: () => Promise.resolve(void calls.push('prepare')),
    forgetToken: () => void calls.push('forget'),
    renameThread: () => Promise.resolve(),
  };
  const backend = createLazyBackend({
    info: INFO,
    load: () => {
      attempts += 1;
      if (attempts === 1) return Promise.reject(new TypeError('Failed to fetch'));
      return Promise.resolve({ ...INFO, ...methods } as Partial<Backend> as Backend);
    },
  });
  backend.forgetToken?.();
  for (let call = 0; call < 3; call += 1) await backend.prepare?.();
  assert.deepEqual([attempts, calls], [1, []]);
  await backend.renameThread?.('a', '1');
  assert.deepEqual([attempts, calls.splice(0)], [2, ['prepare']]);
  backend.forgetToken?.();
  await backend.prepare?.();
  assert.deepEqual([attempts, calls], [2, ['forget', 'prepare']]);
});

/** Methods of `UbikBackend` that the contract of backends does not have. */
const BEYOND_CONTRACT = ['loadExecution', 'followExecution'];

test('lazy UBIK backend has every method of the contract that the UBIK backend has', () => {
  const options = { baseUrl: 'https://agents.example/api' };
  const names = (backend: Backend): string[] =>
    Object.entries(backend)
      .flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
      .filter((name) => !BEYOND_CONTRACT.includes(name))
      .toSorted();
  assert.deepEqual(names(createLazyUbikBackend(options)), names(createUbikBackend(options)));
});

test('lazy backend returns incomplete text only once it is loaded', async () => {
  const run = { id: null, keys: KEYS, otherRunIds: [] };
  const changes = [{ type: 'remove', message: 'm', part: 'p' }] as const;
  const { backend, created } = setup({
    getIncompleteText: (...args) => (args[0] === 't' && args[1] === run ? changes : null),
    renameThread: () => Promise.resolve(),
  });
  assert.equal(backend.getIncompleteText?.('t', run), null);
  assert.equal(created(), 0);
  await backend.renameThread?.('t', 'Title');
  assert.equal(backend.getIncompleteText?.('t', run), changes);
});

test('lazy Data Agent backend shares its runs with the tabs of one agent at one service', async (context) => {
  const opened: string[] = [];
  class Channel extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      opened.push(name);
    }
  }
  replaceGlobals(context, { BroadcastChannel: Channel, navigator: { locks: {} } });
  const open = async (options: { agentId: string; baseUrl?: string; userKey?: string }) => {
    const environment = createTestEnvironment();
    const backend = createLazyDataAgentBackend({ ...options, environment });
    await assert.rejects(backend.loadThread('x'), { code: 'not-found' });
    return opened.splice(0);
  };
  const first = await open({ agentId: 'a', userKey: 'ann' });
  assert.equal(first.length, 1);
  assert.deepEqual(await open({ agentId: 'a', baseUrl: '/', userKey: 'ann' }), first);
  assert.notDeepEqual(await open({ agentId: 'b', userKey: 'ann' }), first);
  assert.notDeepEqual(await open({ agentId: 'a', baseUrl: '/adp', userKey: 'ann' }), first);
  assert.notDeepEqual(await open({ agentId: 'a', userKey: 'bob' }), first);
  assert.deepEqual(await open({ agentId: 'a' }), [], 'nothing is shared without a user');
});

test('lazy backend passes the listener for external changes on, whenever it is set', async () => {
  const { backend, loaded } = setup({ renameThread: () => Promise.resolve() });
  const early = () => undefined;
  const late = () => undefined;
  backend.onExternalChange = early;
  await backend.renameThread?.('a', 'b');
  assert.equal(loaded()?.onExternalChange, early);
  backend.onExternalChange = late;
  assert.deepEqual([loaded()?.onExternalChange, backend.onExternalChange], [late, late]);
});
