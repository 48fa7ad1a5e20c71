import assert from 'node:assert/strict';
import { isUbikError, type UbikError } from '../../src/errors.js';
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type TokenRequest,
} from '../../src/transport/http.js';
import {
  createTestEnvironment,
  type Respond,
  type TestEnvironmentOptions,
} from './test-environment.js';

/** The base URL of {@link setupHttp}. */
export const BASE = 'https://api.test/api/v1';

/** A request for tests in which the request does not matter. */
export const GET: HttpRequest = { method: 'GET', path: '/things' };

/** A JSON response. */
export function jsonResponse(value: unknown, status = 200, headers: Record<string, string> = {}) {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** A client over a scripted network. `getToken` returns `token-1`, `token-2`, …; `tokenReasons` records its reasons. */
export function setupHttp(
  respond: Respond = () => jsonResponse({ ok: true }),
  options: Partial<HttpClientOptions> = {},
  environmentOptions: TestEnvironmentOptions = {},
) {
  const environment = createTestEnvironment({ ...environmentOptions, respond });
  const tokenReasons: TokenRequest['reason'][] = [];
  const getToken = ({ reason }: TokenRequest) => {
    tokenReasons.push(reason);
    return `token-${tokenReasons.length}`;
  };
  const client = createHttpClient({ environment, baseUrl: BASE, getToken, ...options });
  return { environment, client, tokenReasons };
}

/** The `UbikError` that a promise rejects with. Fails when it does not. */
export async function errorOf(promise: Promise<unknown>): Promise<UbikError> {
  const error = await promise.then(
    () => assert.fail('The promise did not reject.'),
    (reason: unknown) => reason,
  );
  assert.ok(isUbikError(error), String(error));
  return error;
}
