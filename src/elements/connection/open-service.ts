import type { Backend, NewThread } from '../../backends/backend.js';
import type { StreamController } from '../../conversation/controller-types.js';
import { createStreamController } from '../../conversation/controller.js';
import { createBackend, type GetToken } from '../../conversation/registry.js';
import { shareController } from '../../conversation/shared-controllers.js';
import { pageState } from './page-state.js';

/** What an element says about the conversation it wants. */
export interface ServiceRequest {
  /** The service itself; else the one registered as `service`. */
  readonly backend: Backend | null;
  readonly service: string;
  readonly baseUrl: string | null;
  readonly threadId: string | null;
  readonly agentId: string | null;
  readonly userKey: string | null;
  readonly getToken: GetToken | null;
  readonly newThread: NewThread | null;
  /** The element's `getToken` at the time of asking: a page may hand in a new function each time it renders. */
  latestToken(): GetToken | null;
}

const names = new WeakMap<Backend, string>();
let named = 0;

/**
 * The conversation for an element: one that another element with the same service, thread and person has, else a new one. It
 * closes with its last holder. Throws `misuse` when the service is not known.
 */
export function openService(request: ServiceRequest): StreamController {
  const { backend, service, threadId, agentId, userKey, getToken } = request;
  const baseUrl = request.baseUrl === null ? null : new URL(request.baseUrl, document.baseURI).href;
  const identity = {
    service: backend ? nameOf(backend) : service,
    baseUrl,
    threadId,
    agentId,
    userKey,
    getToken,
  };
  return shareController(identity, () =>
    createStreamController({
      backend: backend ?? createBackend(service, { baseUrl, agentId, getToken: wrap(request) }),
      storageScope: baseUrl ?? service,
      userKey,
      page: pageState,
      keep: false,
      reportError: (error) => {
        reportError(error);
      },
      ...(request.newThread ? { newThread: request.newThread } : {}),
    }),
  );
}

function wrap({ getToken, latestToken }: ServiceRequest): GetToken | null {
  return getToken && ((ask) => (latestToken() ?? getToken)(ask));
}

/** A backend that the page made is told apart by itself, not by its name. */
function nameOf(backend: Backend): string {
  const name = names.get(backend) ?? `${backend.name}#${(named += 1)}`;
  names.set(backend, name);
  return name;
}
