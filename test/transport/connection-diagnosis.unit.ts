import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { diagnoseConnection } from '../../src/transport/connection-diagnosis.js';
import { replaceGlobals } from '../helpers/replace-globals.js';
import { createTestEnvironment, type Respond } from '../helpers/test-environment.js';

/** A page on https, which browser tests cannot have. */
function setupPage(context: TestContext, respond: Respond, onLine = true) {
  const page = new EventTarget();
  const globals = {
    location: { protocol: 'https:', origin: 'https://page.test' },
    navigator: { onLine },
    addEventListener: page.addEventListener.bind(page),
  };
  replaceGlobals(context, globals);
  const environment = createTestEnvironment({ respond });
  const report = (fields: object) =>
    page.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), fields));
  return { environment, report };
}

const unreachable: Respond = () => {
  throw new TypeError('Failed to fetch');
};

test('diagnoseConnection reports an http address as mixed content without a request', async (context) => {
  const { environment } = setupPage(context, unreachable);
  for (const host of ['service.test', 'localhost.test', '128.0.0.1', 'not127.0.0.1.test']) {
    assert.deepEqual(
      await diagnoseConnection(`http://${host}/`, environment),
      { kind: 'mixed-content' },
      host,
    );
  }
  assert.equal(environment.requests.length, 0);
});

test('diagnoseConnection treats http on localhost as secure', async (context) => {
  const { environment } = setupPage(context, () => new Response());
  for (const host of ['localhost:1', 'app.localhost:1', '127.0.0.1:1', '[::1]:1']) {
    assert.deepEqual(
      await diagnoseConnection(`http://${host}/`, environment),
      { kind: 'undecided' },
      host,
    );
  }
});

test('diagnoseConnection cannot decide between network and preflight when another origin allows simple requests, and finds no cause for the origin of the page', async (context) => {
  const { environment } = setupPage(context, () => new Response());
  for (const [address, kind] of [
    ['https://other.test/v1', 'undecided'],
    ['https://page.test/v1', 'unknown'],
  ] as const) {
    assert.deepEqual(await diagnoseConnection(address, environment), { kind }, address);
  }
});

test('diagnoseConnection names the CSP directive that blocks the request', async (context) => {
  const { environment, report } = setupPage(context, unreachable);
  const diagnosis = diagnoseConnection('https://refused.test/v1', environment);
  await environment.settle();
  const violation = { blockedURI: 'https://refused.test/v1', effectiveDirective: 'connect-src' };
  report({ ...violation, blockedURI: 'inline', disposition: 'enforce' });
  report({ ...violation, blockedURI: 'https://other.test/', disposition: 'enforce' });
  report({ ...violation, disposition: 'report', effectiveDirective: 'only reported' });
  report({ ...violation, disposition: 'enforce' });
  assert.deepEqual(await diagnosis, { kind: 'csp', directive: 'connect-src' });
  assert.equal(environment.timers, 0);
});

test('diagnoseConnection reports unreachable when no response arrives and no policy blocks', async (context) => {
  const { environment } = setupPage(context, unreachable);
  const diagnosis = diagnoseConnection('https://silent.test/', environment);
  await environment.advance(250);
  assert.deepEqual(await diagnosis, { kind: 'unreachable' });
  assert.equal(environment.timers, 0);
});

test('diagnoseConnection reports CORS when only a no-cors request succeeds', async (context) => {
  const { environment } = setupPage(context, ({ mode, url }) =>
    environment.requests.at(-1)?.init.mode === 'no-cors'
      ? new Response()
      : unreachable({ mode, url } as never),
  );
  assert.deepEqual(await diagnoseConnection('https://closed.test/', environment), { kind: 'cors' });
  const [{ init } = { init: null }] = environment.requests;
  assert.deepEqual([init?.credentials, init?.referrerPolicy], ['omit', 'no-referrer']);
});

test('diagnoseConnection shares its requests between simultaneous calls', async (context) => {
  const { environment } = setupPage(context, () => new Response());
  const diagnose = () => diagnoseConnection('https://once.test/', environment);
  await Promise.all([diagnose(), diagnose()]);
  assert.equal(environment.requests.length, 2);
});

test('diagnoseConnection does not reuse what it has found before in another network, such as that of a hotel', async (context) => {
  let isPortal = true;
  const { environment } = setupPage(context, (request) =>
    isPortal && environment.requests.at(-1)?.init.mode === 'cors'
      ? unreachable(request)
      : new Response(),
  );
  const diagnose = () => diagnoseConnection('https://travel.test/', environment);
  assert.deepEqual(await diagnose(), { kind: 'cors' });
  isPortal = false;
  assert.deepEqual(await diagnose(), { kind: 'undecided' });
});

test('diagnoseConnection reports unknown without a request while the page is offline', async (context) => {
  const { environment } = setupPage(context, unreachable, false);
  assert.deepEqual(await diagnoseConnection('http://offline.test/', environment), {
    kind: 'unknown',
  });
  assert.equal(environment.requests.length, 0);
});
