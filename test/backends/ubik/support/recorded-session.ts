import type { UbikBackendOptions } from '../../../../src/backends/ubik/index.js';
import { setupSession, type UbikSession } from './ubik-session.js';

/** A session and the requests that it has sent. */
export interface RecordedSession {
  readonly session: UbikSession;
  /** Method, path below the base path `/v1` with query, and JSON body of each request. */
  readonly sent: string[];
}

/**
 * Creates a session with a service, and records its requests.
 *
 * @param respond Responds to a request by its path, which includes the base path `/v1`, and its method.
 */
export function setupRecorded(
  respond: (path: string, method: string) => Response | Promise<Response>,
  options: Partial<UbikBackendOptions> = {},
): RecordedSession {
  const sent: string[] = [];
  const session = setupSession(async (request) => {
    const { pathname, search } = new URL(request.url);
    const type = request.headers.get('content-type') ?? '';
    const body = type.includes('json') ? ` ${await request.text()}` : '';
    sent.push(`${request.method} ${pathname.replace('/v1', '')}${search}${body}`);
    return respond(pathname, request.method);
  }, options);
  return { session, sent };
}
