import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identity } from '../auth/identity.js';
import { ApiError } from './api-error.js';

/** A request that was matched to a route. */
export interface ApiRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Query parameters of the URL. */
  readonly query: URLSearchParams;
  /** Values of the `{…}` placeholders of the path. */
  readonly params: ReadonlyMap<string, string>;
  readonly identity: Identity;
}

/** Handles a request. A returned value is sent as JSON; undefined means that the handler has sent the response. */
export type Handler = (call: ApiRequest) => unknown;

interface Route {
  readonly method: string;
  readonly parts: readonly string[];
  readonly handler: Handler;
}

/** A router by method and path. */
export class Router {
  readonly #routes: Route[] = [];

  /** @param path Such as `/agent-sessions/{session_id}`. */
  on(method: string, path: string, handler: Handler): void {
    this.#routes.push({ method, parts: split(path), handler });
  }

  /** Finds the route of a path. Throws an `ApiError`: 404 for an unknown path, 405 for a known path with another method. */
  find(
    method: string,
    path: string,
  ): { readonly handler: Handler; readonly params: ReadonlyMap<string, string> } {
    const parts = split(path);
    const allowed = new Set<string>();
    for (const route of this.#routes) {
      const params = match(route.parts, parts);
      if (params === null) continue;
      if (route.method === method) return { handler: route.handler, params };
      allowed.add(route.method);
    }
    if (allowed.size > 0) {
      throw new ApiError(405, 'Method Not Allowed', { allow: [...allowed].sort().join(', ') });
    }
    throw new ApiError(404, 'Not Found');
  }
}

function split(path: string): string[] {
  return path.split('/').slice(1);
}

function match(
  route: readonly string[],
  parts: readonly string[],
): ReadonlyMap<string, string> | null {
  if (route.length !== parts.length) return null;
  const params = new Map<string, string>();
  for (const [index, expected] of route.entries()) {
    const part = parts[index] ?? '';
    if (expected.startsWith('{')) {
      const value = decode(part);
      if (value === null || value === '') return null;
      params.set(expected.slice(1, -1), value);
    } else if (expected !== part) {
      return null;
    }
  }
  return params;
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null; // An incomplete percent escape matches no route.
  }
}
