import type { Backend } from '../backend.js';
import { deferBackend } from '../defer-backend.js';
import type { UbikBackendOptions } from './options.js';
import { outlineOf } from './outline.js';
import type { parseContent } from './tags/parse-content.js';

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
    async () =>
      userKey == null
        ? (await import('./index.js')).createUbikBackend(options)
        : (await import('./shared.js')).createSharedUbikBackend(options, userKey),
  );
}

/** Fetches the reader of UBIK's stored messages. */
export async function loadUbikFormat(): Promise<{ parse: typeof parseContent }> {
  const { parseContent: parse } = await import('./index.js');
  return { parse };
}
