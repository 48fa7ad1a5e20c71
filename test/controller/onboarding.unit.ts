import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Onboarding } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { codeOf, setupController } from './setup-controller.js';

test('loadOnboarding returns no greeting and no starters when the service has no onboarding', async () => {
  const { controller } = setupController();
  assert.deepEqual(await controller.loadOnboarding(), { greeting: null, starters: [] });
});

test('loadOnboarding with `reload` replaces the result for all callers, and the next call tries again when it fails', async () => {
  const { controller, backend } = setupController();
  const results: (() => Promise<Onboarding>)[] = [
    () => Promise.resolve({ greeting: 'Hello', starters: [] }),
    () => Promise.resolve({ greeting: '你好', starters: [] }),
    () => Promise.reject(new UbikError('server')),
    () => Promise.resolve({ greeting: 'Hello again', starters: [] }),
  ];
  const loadOnboarding = (): Promise<Onboarding> => {
    return results.shift()?.() ?? Promise.reject(new UbikError('network'));
  };
  Object.assign(backend, { loadOnboarding });
  const greeting = async (): Promise<string | null> => (await controller.loadOnboarding()).greeting;
  assert.equal(await greeting(), 'Hello');
  const reloaded = controller.loadOnboarding(true);
  assert.equal(await greeting(), '你好', 'while it is being loaded again');
  assert.equal((await reloaded).greeting, '你好');
  assert.equal(await codeOf(controller.loadOnboarding(true)), 'server');
  assert.equal(await greeting(), 'Hello again', 'after a failure');
  assert.equal(results.length, 0);
});

test('loadOnboarding requests the onboarding once, and again after a failure', async () => {
  const { controller, backend } = setupController();
  const onboarding: Onboarding = { greeting: 'Hello', starters: [] };
  const answers = [Promise.reject(new UbikError('network')), Promise.resolve(onboarding)];
  let requests = 0;
  const loadOnboarding = (): Promise<Onboarding> => {
    requests += 1;
    return answers.shift() ?? Promise.reject(new UbikError('server'));
  };
  Object.assign(backend, { loadOnboarding });
  const failed = [codeOf(controller.loadOnboarding()), codeOf(controller.loadOnboarding())];
  assert.deepEqual(await Promise.all(failed), ['network', 'network']);
  assert.equal(await controller.loadOnboarding(), onboarding);
  assert.equal(await controller.loadOnboarding(), onboarding);
  assert.equal(requests, 2);
});
