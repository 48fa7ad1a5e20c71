import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend } from '../../src/backends/backend.js';
import { createLazyBackend } from '../../src/backends/lazy-backend.js';
import { createLazyUbikBackend } from '../../src/backends/ubik/lazy-ubik.js';
import { createUbikBackend } from '../../src/backends/ubik/index.js';
import { isUbikError, UbikError } from '../../src/errors.js';
import type { Batch } from '../../src/model/change.js';

const INFO = { name: 'mine', capabilities: new Set(['rename'] as const), idleTimeout: 7 };
const KEYS = { thread: 't', user: null, answer: 'a' };
const DRAFT = { text: 'x', attachments: [] };
const UNUSED = new AbortController().signal;

/** A service that counts how often it was made, and cannot be fetched the first `failures` times. */
function setup(methods: Partial<Backend>, failures: unknown[] = []) {
  let made = 0;
  let loaded: Backend | undefined;
  const load = (): Promise<Backend> => {
    const failure = failures.shift();
    // What `import()` rejects with is whatever it is.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    if (failure) return Promise.reject(failure);
    made += 1;
    loaded = { ...INFO, ...methods } as Backend;
    return Promise.resolve(loaded);
  };
  const backend = createLazyBackend({ info: INFO, load });
  return { backend, made: () => made, loaded: () => loaded };
}

test('is made with the first call, once', async () => {
  const renamed: string[][] = [];
  const { backend, made } = setup({
    renameThread: (...args) => Promise.resolve(void renamed.push(args)),
  });
  assert.equal(made(), 0);
  assert.equal(backend.idleTimeout, 7);
  await Promise.all([backend.renameThread?.('a', '1'), backend.renameThread?.('b', '2')]);
  assert.equal(made(), 1);
  assert.deepEqual(renamed, [
    ['a', '1'],
    ['b', '2'],
  ]);
});

test('says that its code could not be loaded, and tries again with the next call', async () => {
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

test('hands on what a run tells, and that nobody listens any more', async () => {
  let left = false;
  const batch: Batch = { thread: 't', time: 0, changes: [] };
  const { backend } = setup({
    async *send() {
      try {
        for (;;) yield await Promise.resolve(batch);
      } finally {
        left = true;
      }
    },
  });
  for await (const seen of backend.send('t', DRAFT, KEYS, UNUSED)) {
    assert.equal(seen, batch);
    break;
  }
  assert.equal(left, true);
});

test('hands on what was found odd, and forgets only what is there', async () => {
  const forgotten: string[] = [];
  const { backend, loaded } = setup({
    renameThread: () => Promise.resolve(),
    releaseRun: (thread) => void forgotten.push(thread),
  });
  const run = { id: null, keys: KEYS, finishedRuns: [] };
  backend.releaseRun?.('early', run);
  const odd: string[] = [];
  backend.onDiagnostic = ({ code }) => odd.push(code);
  await backend.renameThread?.('a', 'b');
  loaded()?.onDiagnostic?.(new UbikError('misuse'));
  backend.releaseRun?.('late', run);
  assert.deepEqual([forgotten, odd], [['late'], ['misuse']]);
});

test('has every method that the service has', () => {
  const options = { baseUrl: 'https://agents.example/api' };
  const names = (backend: Backend): string[] =>
    Object.entries(backend)
      .flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
      .filter((name) => !['loadExecution', 'followExecution'].includes(name))
      .toSorted();
  assert.deepEqual(names(createLazyUbikBackend(options)), names(createUbikBackend(options)));
});

test('asks for incomplete text only once its code is there', async () => {
  const run = { id: null, keys: KEYS, finishedRuns: [] };
  const changes = [{ type: 'remove', message: 'm', part: 'p' }] as const;
  const { backend, made } = setup({
    getIncompleteText: (...args) => (args[0] === 't' && args[1] === run ? changes : null),
    renameThread: () => Promise.resolve(),
  });
  assert.equal(backend.getIncompleteText?.('t', run), null);
  assert.equal(made(), 0);
  await backend.renameThread?.('t', 'Title');
  assert.equal(backend.getIncompleteText?.('t', run), changes);
});
