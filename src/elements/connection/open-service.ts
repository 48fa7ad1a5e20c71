import type { Backend, NewThread } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { createStreamController } from '../../controller/controller.js';
import { createBackend, type GetToken } from '../../controller/registry.js';
import { shareController } from '../../controller/shared-controllers.js';
import { UbikError } from '../../errors.js';
import { readUserKey } from '../../controller/user-key.js';
import { ConnectedElements } from '../base/connected-elements.js';
import { pageState } from './page-state.js';

/** What an element says about the conversation it wants. */
export interface ServiceRequest {
  /** The service itself; else the one registered as `service`. */
  readonly backend: Backend | null;
  readonly service: string;
  readonly baseUrl: string;
  readonly threadId: string;
  readonly agentId: string;
  /** As the page has it: it may name nobody. */
  readonly userKey: unknown;
  readonly getToken: GetToken | null;
  readonly newThread: NewThread | null;
  /** As the page has it: it may be anything. */
  readonly drafts: string;
}

/** A backend that the page made is told apart by itself, not by its name. */
const names = new WeakMap<Backend, string>();
let named = 0;

function nameOf(backend: Backend): string {
  const name = names.get(backend) ?? `${backend.name}#${(named += 1)}`;
  names.set(backend, name);
  return name;
}

function readAddress(baseUrl: string): string | null {
  try {
    return baseUrl ? new URL(baseUrl, document.baseURI).href : null;
  } catch (cause) {
    throw new UbikError('misuse', `"${baseUrl}" is no address.`, { cause });
  }
}

/**
 * The way to the conversation that an element wants at this moment: one that another element with the same service, thread and
 * person has, else a new one. It closes with its last holder. Throws `misuse` when the address is none, the way when the service
 * is not known.
 *
 * @param placeOf tells which chat of the page the element is, at the time of asking
 */
export function prepareService(
  element: ServiceRequest,
  placeOf: () => string,
): () => StreamController {
  const { backend, service, getToken, newThread } = element;
  const userKey = readUserKey(element.userKey);
  const keepDrafts = element.drafts !== 'off';
  const baseUrl = readAddress(element.baseUrl);
  const threadId = element.threadId || null;
  const agentId = element.agentId || null;
  const name = backend ? nameOf(backend) : service;
  const create = (storageKey: string): StreamController => {
    // The element that asked first may have left, and a page may give a new function each time it renders.
    const latestToken: GetToken | null =
      getToken && ((ask) => (findToken(controller) ?? element.getToken ?? getToken)(ask));
    const controller = createStreamController({
      backend:
        backend ?? createBackend(service, { baseUrl, agentId, userKey, getToken: latestToken }),
      storageScope: baseUrl ?? service,
      storageKey,
      userKey,
      keepDrafts,
      page: pageState,
      keep: false,
      reportError: (error) => {
        reportError(error);
      },
      ...(newThread && { newThread }),
    });
    return controller;
  };
  return () => {
    const storageKey = placeOf();
    const where = { service: name, baseUrl, threadId, storageKey, agentId };
    return shareController({ ...where, userKey, getToken, keepDrafts }, () => create(storageKey));
  };
}

/** The token source of an element that is at a conversation. */
function findToken(controller: StreamController): GetToken | null {
  for (const member of ConnectedElements.of(controller).elements) {
    const { getToken } = member as Partial<ServiceRequest>;
    if (getToken) return getToken;
  }
  return null;
}
