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
  type Answer,
  type TestEnvironmentOptions,
} from './test-environment.js';

/** The service that {@link setupHttp} talks to. */
export const BASE = 'https://api.test/api/v1';

/** A request of no interest. */
export const GET: HttpRequest = { method: 'GET', path: '/things' };

/** An answer of the service. */
export function answerJson(value: unknown, status = 200, headers: Record<string, string> = {}) {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** A client over a scripted network. Its host gives `token-1`, `token-2`, …; `asked` tells why. */
export function setupHttp(
  answer: Answer = () => answerJson({ ok: true }),
  options: Partial<HttpClientOptions> = {},
  page: TestEnvironmentOptions = {},
) {
  const environment = createTestEnvironment({ ...page, answer });
  const asked: TokenRequest['reason'][] = [];
  const getToken = ({ reason }: TokenRequest) => {
    asked.push(reason);
    return `token-${asked.length}`;
  };
  const client = createHttpClient({ environment, baseUrl: BASE, getToken, ...options });
  return { environment, client, asked };
}

/** What a promise was rejected with; fails when it was not, or not with a `UbikError`. */
export async function errorOf(promise: Promise<unknown>): Promise<UbikError> {
  const error = await promise.then(
    () => assert.fail('was not rejected'),
    (reason: unknown) => reason,
  );
  assert.ok(isUbikError(error), String(error));
  return error;
}
