import type { Backend } from '../backend.js';
import { deferBackend } from '../lazy-backend.js';
import { type UbikBackendOptions, outlineOf } from './options.js';
import type * as format from './content/content-parser.js';

/**
 * A backend for UBIK agent sessions whose code is fetched when it is first called.
 *
 * @param userKey whose data this is: the tabs of that person share their runs
 */
export function deferUbikBackend(options: UbikBackendOptions, userKey?: string | null): Backend {
  return deferBackend(
    outlineOf(options),
    [
      'listThreads',
      'createThread',
      'loadThread',
      'loadMessage',
      'renameThread',
      'deleteThread',
      'navigate',
      'stop',
      'listCheckpoints',
      'listDocuments',
      'upload',
      'link',
      'unlink',
      'star',
      'documentStatus',
      'passage',
      'media',
    ],
    // One file after the other: what a file takes from another by itself would not be asked for again when it was out of reach once.
    async () => {
      const backend = (await import('./index.js')).createUbikBackend(options);
      if (userKey == null) return backend;
      const { createTabLink, shareAcrossTabs } = await import('../multi-tab/index.js');
      const { baseUrl, environment } = options;
      return shareAcrossTabs(backend, createTabLink(baseUrl, userKey), environment);
    },
  );
}

/** Fetches the reader of UBIK's stored messages. */
export async function loadUbikFormat(): Promise<{
  readonly parse: typeof format.parseContent;
  readonly parseInSlices: typeof format.parseInSlices;
}> {
  const { parseContent: parse, parseInSlices } = await import('./index.js');
  return { parse, parseInSlices };
}
