import type { GetToken } from '../../transport/http.js';
import type { Backend } from '../backend.js';
import { createLazyBackend } from '../lazy-backend.js';
import type * as format from './content/content-parser.js';
import { getUbikInfo, type UbikBackendOptions } from './options.js';

/**
 * Creates a backend for UBIK agent sessions whose code is loaded with the first call.
 *
 * @param userKey identifies the user: only the tabs of one user share their runs
 */
export function createLazyUbikBackend(
  options: UbikBackendOptions,
  userKey?: string | null,
): Backend {
  const { baseUrl, environment, getToken: hostToken } = options;
  const load = async (getToken: GetToken | undefined) =>
    (await import('./session-backend.js')).createSessionBackend({ ...options, getToken }).backend;
  return createLazyBackend(
    { info: getUbikInfo(options), getToken: hostToken, load },
    { service: baseUrl, userKey, environment },
  );
}

/** Loads the parser of UBIK's stored messages. */
export async function loadUbikFormat(): Promise<{
  readonly parse: typeof format.parseContent;
  readonly parseInSlices: typeof format.parseInSlices;
}> {
  const { parseContent: parse, parseInSlices } = await import('./content/content-parser.js');
  return { parse, parseInSlices };
}
