import type { Backend } from '../backend.js';
import { createLazyBackend } from '../lazy-backend.js';
import { DATA_AGENT_INFO, type DataAgentBackendOptions } from './options.js';

/** A backend for a Data Agent whose code is loaded when it is first called. */
export function createLazyDataAgentBackend(
  options: DataAgentBackendOptions & {
    /** Whose data this is: the tabs of that user share their runs. */
    readonly userKey?: string | null | undefined;
  },
): Backend {
  const load = async () => (await import('./index.js')).createDataAgentBackend(options);
  const { agentId, baseUrl, userKey, environment } = options;
  return createLazyBackend(
    { info: DATA_AGENT_INFO, load },
    { baseUrl: `${baseUrl ?? '/'} ${agentId ?? ''}`, userKey, environment },
  );
}
