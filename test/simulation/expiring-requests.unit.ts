import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../demo/server.js';
import { createUbikBackend } from '../../src/backends/ubik/index.js';
import { createStreamController } from '../../src/controller/controller.js';
import type { StreamController } from '../../src/controller/controller-types.js';
import { listPendingRequests } from '../../src/model/pending-requests.js';
import { pathTo } from '../../src/model/thread.js';
import type { Environment } from '../../src/transport/environment.js';
import { createTestEnvironment } from '../helpers/test-environment.js';

interface Server {
  readonly url: string;
  readonly agent: { createToken(user: string, minutes: number): string } | null;
}

/** Creates the controller of a page of the user `ann`. */
function openPage({ url, agent }: Server, environment: Environment): StreamController {
  const token = agent?.createToken('ann', 60) ?? '';
  const backend = createUbikBackend({
    baseUrl: `${url}/api/v1`,
    environment,
    getToken: () => token,
  });
  return createStreamController({ backend, environment, userKey: 'ann' });
}

/** The pending request of the last message, and the state of its first request, pending or not. */
function readRequest({ thread }: StreamController) {
  const last = thread && pathTo(thread).at(-1);
  assert.ok(last);
  const [pending = null] = listPendingRequests(last);
  const activity = last.parts.children('@activity').map((key) => last.parts.get(key));
  const request = activity.find((one) => one?.kind === 'request-activity');
  return { pending, state: request?.kind === 'request-activity' ? request.state : null };
}

/** Resolves when the run is paused. */
function untilPaused(controller: StreamController): Promise<void> {
  return new Promise((resolve) => {
    controller.onNotice(({ type }) => {
      if (type === 'run-paused') resolve();
    });
  });
}

test('a request with options and a deadline survives a reload of the page, expires, and stays closed after a restart of the server', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ubik-expiry-'));
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  const options = { port: 0, dataDir, speed: 0, controls: true };
  const first = await startServer(options);
  first.controls?.pauseAt({ point: 'deadline' });
  // The test controls the clock of the pages. The server is held before it lets the request expire.
  const environment = createTestEnvironment({ now: Date.now(), respond: fetch });
  const before = openPage(first, environment);
  const paused = untilPaused(before);
  await before.send({ text: 'Ask me yourself for a choice within 0 seconds', attachments: [] });
  await paused;
  const request = readRequest(before).pending;
  assert.deepEqual(request?.options, ['Danube', 'Rhine', 'Loire']);
  await first.controls?.whenPaused();
  const id = before.thread?.id ?? '';

  const after = openPage(first, environment);
  await after.openThread(id);
  const read = readRequest(after).pending;
  assert.deepEqual(read?.options, request.options);
  assert.equal(read?.deadline, request.deadline);
  await environment.advance(Math.max(0, (request.deadline ?? 0) - environment.now()));
  assert.equal(readRequest(after).state, 'expired');
  before.close();
  after.close();
  await first.close();

  const second = await startServer(options);
  const later = openPage(second, environment);
  await later.openThread(id);
  assert.equal(readRequest(later).pending, null, 'nothing can be answered');
  const [, message] = later.thread ? pathTo(later.thread) : [];
  const parts = message
    ? [...message.parts.children(null)].map((key) => message.parts.get(key))
    : [];
  const question = parts.find((part) => part?.kind === 'input-request');
  assert.match(question?.kind === 'input-request' ? (question.answer ?? '') : '', /"expired"/u);
  later.close();
  await second.close();
});
