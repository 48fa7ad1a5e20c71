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
  const load = async () => (await import('./index.js')).createUbikBackend(options);
  const { baseUrl, environment } = options;
  return createLazyBackend(
    { info: getUbikInfo(options), load },
    { service: baseUrl, userKey, environment },
  );
}

/** Loads the parser of UBIK's stored messages. */
export async function loadUbikFormat(): Promise<{
  readonly parse: typeof format.parseContent;
  readonly parseInSlices: typeof format.parseInSlices;
}> {
  const { parseContent: parse, parseInSlices } = await import('./index.js');
  return { parse, parseInSlices };
}
