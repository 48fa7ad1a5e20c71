import type { StreamController } from './controller-types.js';
import type { GetToken } from './registry.js';

/** The properties that decide whether two elements share a controller; see {@link shareController}. */
export interface ControllerIdentity {
  /** Name of the service. */
  readonly service: string;
  /** Resolved address of the service; null for the default of the backend. */
  readonly baseUrl: string | null;
  /** Id of the thread that the element opens; null when it has no `thread-id`. */
  readonly threadId: string | null;
  /** Identifies one of several chats of a host page. */
  readonly storageKey: string;
  readonly getToken: GetToken | null;
  readonly agentId: string | null;
  readonly userKey: string | null;
  /** Whether drafts and queued messages are stored. */
  readonly persistDrafts: boolean;
}

/** Owner of controllers for elements without `getToken`. */
const NO_TOKEN = {};
/**
 * Owner of controllers for elements with `getToken` and a `userKey`: functions for the same `userKey` return tokens of the same user. The key is
 * in the rest of the identity.
 */
const KNOWN_USER = {};
/**
 * Controllers by owner and by the rest of the identity. An owner can be a `getToken` function, so that its controllers are
 * garbage-collected with it.
 */
const shared = new WeakMap<object, Map<string, Set<StreamController>>>();

/**
 * Returns the open controller of an identity, or creates it. Elements with the same `userKey` share the controller even if their `getToken`
 * functions differ; without a `userKey` they must have the same function. An element without `getToken` never shares with one that has it.
 * Elements with a thread id share the controller of that thread; elements without one share a controller if they have the same `storageKey`.
 * `create` must return a controller with `keepAlive: false`. A closed controller is not returned again, nor one that `canShare` rejects,
 * because it has changed since it was created.
 */
export function shareController(
  identity: ControllerIdentity,
  create: () => StreamController,
  canShare: (controller: StreamController) => boolean = () => true,
): StreamController {
  const { getToken, service, baseUrl, threadId, storageKey, agentId, userKey, persistDrafts } =
    identity;
  const owner = findOwner(getToken, userKey);
  const target = threadId === null ? { storageKey } : { threadId };
  const name = JSON.stringify([service, baseUrl, target, agentId, userKey, persistDrafts]);
  const byName = shared.get(owner) ?? new Map<string, Set<StreamController>>();
  shared.set(owner, byName);
  const controllers = byName.get(name) ?? new Set();
  byName.set(name, controllers);
  for (const known of controllers) if (canShare(known)) return known;
  const controller = create();
  controllers.add(controller);
  controller.onNotice(({ type }) => {
    if (type !== 'closed') return;
    controllers.delete(controller);
    if (controllers.size === 0) byName.delete(name);
  });
  return controller;
}

/**
 * Returns an object that is the same for the token functions of one user, as far as this is known. Only results for the same `userKey` may be
 * compared.
 */
export function findOwner(getToken: GetToken | null, userKey: string | null): object {
  if (!getToken) return NO_TOKEN;
  return userKey === null ? getToken : KNOWN_USER;
}

/**
 * Normalizes the user key that the host passes. Returns null for values that identify no user: anything but a string or an integer, and
 * the empty string, which hosts pass before the user has signed in.
 */
export function readUserKey(value: unknown): string | null {
  if (Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
