import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GetToken } from '../../../src/transport/http.js';
import { pathTo } from '../../../src/model/thread.js';
import { codeOf, draftOf } from '../setup-controller.js';
import { sendJson, sendStream, setupHttpController } from './setup-http-controller.js';
import { printEvents } from '../../backends/ubik/support/ubik-session.js';

/** How long requests wait for `getToken`, in ms. */
const TOKEN_TIMEOUT = 20_000;

/** Failures of `getToken`. */
const FAILURES: Readonly<Record<string, GetToken>> = {
  'never answers': () => new Promise<string>(() => undefined),
  'fails as `fetch` does': () => {
    throw new TypeError('Failed to fetch');
  },
};

for (const [name, fail] of Object.entries(FAILURES)) {
  test(`a message that was not sent becomes the draft when getToken ${name}`, async (context) => {
    // An empty token is not kept, so `getToken` is called for each request.
    let getToken: GetToken = () => '';
    const { controller, received, environment, advance } = await setupHttpController(
      context,
      {
        'GET /s1/messages': (response) => sendJson(response, { items: [] }),
        'POST /s1/messages': (response) =>
          sendStream(
            response,
            printEvents([
              { type: 'connection_established', task_id: 't1' },
              { type: 'agent_processing_complete', content: 'Answer' },
            ]),
          ),
      },
      {},
      { getToken: (request) => getToken(request) },
    );
    await controller.openThread('s1');
    getToken = fail;
    const before = received.length;
    const code = codeOf(controller.send(draftOf('Question')));
    await environment.advance(TOKEN_TIMEOUT);
    assert.equal(await code, 'network');
    assert.deepEqual(controller.getDraft(), draftOf('Question'));
    assert.equal(controller.thread?.run.state, 'idle');
    assert.deepEqual(controller.thread && pathTo(controller.thread), []);
    assert.equal(received.length, before);

    getToken = () => 'token';
    await controller.send(controller.getDraft());
    await advance(1000);
    assert.equal(controller.thread?.run.state, 'complete');
    assert.equal(received.filter((request) => request === 'POST /s1/messages').length, 1);
  });
}
