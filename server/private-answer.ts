import type { ServerResponse } from 'node:http';

/** What an answer depends on besides its address: the person, known by a cookie or a token, and what of the request is forwarded. */
const VARIES = ['Accept', 'Accept-Language', 'Authorization', 'Cookie'];

/**
 * Headers of an answer that is meant for one person: no cache may keep it, and one that does so all the same may not give it to
 * anybody else. What the integrator's server lets the answer vary on stays.
 *
 * @param isStream Whether it must reach the page piece by piece: nothing on the way may then collect or compress it.
 */
export function describePrivateAnswer(
  response: ServerResponse,
  isStream = false,
): Readonly<Record<string, string>> {
  const known = [response.getHeader('vary') ?? []].flat().map(String);
  return {
    'cache-control': isStream ? 'private, no-store, no-transform' : 'private, no-store',
    vary: [...known, ...VARIES].join(', '),
    ...(isStream ? { 'x-accel-buffering': 'no' } : {}),
  };
}
