import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import {
  createBackend,
  findContentFormat,
  hasBackend,
  registerBackend,
  registerContentFormat,
  type ContentFormat,
} from '../../src/controller/registry.js';
import { Deferred } from '../helpers/deferred.js';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { ScriptedBackend } from './scripted-backend.js';

const createFormat = (): ContentFormat => ({ parse: () => [] });

test('createBackend creates a registered backend by its name, and throws for an unknown name', () => {
  const environment = createTestEnvironment();
  const options = { baseUrl: null, getToken: null, agentId: null, environment };
  assert.equal(hasBackend('mine'), false);
  assert.throws(() => createBackend('mine', options), { code: 'misuse' });
  registerBackend('mine', () => new ScriptedBackend(() => 0));
  assert.equal(createBackend('mine', options).name, 'scripted');
});

test('findContentFormat returns a format synchronously when the format itself was registered, not its loader', () => {
  const format = createFormat();
  registerContentFormat('ready', format);
  assert.equal(findContentFormat('ready'), format);
});

test('findContentFormat loads a format once', async () => {
  const format = createFormat();
  let loads = 0;
  registerContentFormat('loaded', () => {
    loads += 1;
    return Promise.resolve(format);
  });
  assert.equal(await findContentFormat('loaded'), format);
  assert.equal(findContentFormat('loaded'), format);
  assert.equal(loads, 1);
});

test('findContentFormat calls a loader once while its call is pending', async () => {
  const format = createFormat();
  const loading = new Deferred<ContentFormat>();
  let loads = 0;
  registerContentFormat('pending', () => {
    loads += 1;
    return loading.promise;
  });
  const found = [findContentFormat('pending'), findContentFormat('pending')];
  loading.resolve(format);
  for (const each of found) assert.equal(await each, format);
  assert.equal(loads, 1);
});

test('findContentFormat returns a promise of this realm for one of another realm, or of a page that replaces Promise', async () => {
  const format = createFormat();
  const foreign = runInNewContext('Promise') as PromiseConstructor;
  registerContentFormat('foreign', () => foreign.resolve(format));
  const found = findContentFormat('foreign');
  assert.ok(found instanceof Promise);
  assert.equal(await found, format);
});

test('findContentFormat calls a loader again that failed', async () => {
  const format = createFormat();
  let loads = 0;
  registerContentFormat('failing', () => {
    loads += 1;
    return loads < 3 ? Promise.reject(new Error('offline')) : Promise.resolve(format);
  });
  for (const _ of [1, 2])
    await assert.rejects(Promise.resolve(findContentFormat('failing')), /offline/);
  assert.equal(await findContentFormat('failing'), format);
  assert.equal(findContentFormat('failing'), format);
  assert.equal(loads, 3);
});

test('findContentFormat keeps a format that was registered while another one was loading', async () => {
  const [first, second] = [createFormat(), createFormat()];
  const loading = new Deferred<ContentFormat>();
  registerContentFormat('replaced', () => loading.promise);
  const found = findContentFormat('replaced');
  registerContentFormat('replaced', second);
  loading.resolve(first);
  assert.equal(await found, first);
  assert.equal(findContentFormat('replaced'), second);
});

test('findContentFormat returns undefined for an unknown name', () => {
  assert.equal(findContentFormat('constructor'), undefined);
});
