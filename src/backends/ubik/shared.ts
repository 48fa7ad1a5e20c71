import type { Backend } from '../backend.js';
import { createTabLink, shareAcrossTabs } from '../shared-tab/index.js';
import { createUbikBackend } from './index.js';
import type { UbikBackendOptions } from './options.js';

/** A backend for UBIK agent sessions whose runs are shared by the tabs of one person. */
export function createSharedUbikBackend(options: UbikBackendOptions, userKey: string): Backend {
  const { baseUrl, environment } = options;
  return shareAcrossTabs(createUbikBackend(options), createTabLink(baseUrl, userKey), environment);
}
