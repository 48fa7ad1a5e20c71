import type { Backend } from '../backend.js';
import { deferBackend } from '../defer-backend.js';
import type { UbikBackendOptions } from './options.js';
import { outlineOf } from './outline.js';
import type { parseContent } from './tags/parse-content.js';

/** A backend for UBIK agent sessions whose code is fetched when it is first called. */
export function deferUbikBackend(options: UbikBackendOptions): Backend {
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
    async () => (await import('./index.js')).createUbikBackend(options),
  );
}

/** Fetches the reader of UBIK's stored messages. */
export async function loadUbikFormat(): Promise<{ parse: typeof parseContent }> {
  const { parseContent: parse } = await import('./index.js');
  return { parse };
}
