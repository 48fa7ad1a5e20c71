import type { GetToken } from '../../transport/http.js';
import type { Backend } from '../backend.js';
import { createLazyBackend } from '../lazy-backend.js';
import { DATA_AGENT_INFO, type DataAgentBackendOptions } from './options.js';

/** Creates a backend for a Data Agent whose code is loaded with the first call. */
export function createLazyDataAgentBackend(
  options: DataAgentBackendOptions & {
    /** Identifies the user: only the tabs of one user share their runs. */
    readonly userKey?: string | null | undefined;
  },
): Backend {
  const { agentId, baseUrl, userKey, environment, getToken: hostToken } = options;
  const load = async (getToken: GetToken | undefined) =>
    (await import('./index.js')).createDataAgentBackend({ ...options, getToken });
  return createLazyBackend(
    { info: DATA_AGENT_INFO, getToken: hostToken, load },
    { service: `${baseUrl ?? '/'} ${agentId ?? ''}`, userKey, environment },
  );
}
