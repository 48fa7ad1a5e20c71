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
/** Owner of controllers for elements with `getToken` and a `userKey`: their functions all return tokens of that user. */
const KNOWN_USER = {};
/**
 * Controllers by owner and by the rest of the identity. An owner can be a `getToken` function, so that its controllers are
 * garbage-collected with it.
 */
const shared = new WeakMap<object, Map<string, StreamController>>();

/**
 * Returns the open controller of an identity, or creates it. Elements with the same `userKey` share it even if their `getToken` functions
 * differ; without a `userKey` they must have the same function. An element without `getToken` never shares with one that has it. Elements
 * with a thread id share the controller of that thread; elements without one share a controller if they have the same `storageKey`.
 * `create` must return a controller with `keepAlive: false`. A closed controller is not returned again.
 */
export function shareController(
  identity: ControllerIdentity,
  create: () => StreamController,
): StreamController {
  const { getToken, service, baseUrl, threadId, storageKey, agentId, userKey, persistDrafts } =
    identity;
  const owner = getToken ? (userKey === null ? getToken : KNOWN_USER) : NO_TOKEN;
  const target = threadId === null ? { storageKey } : { threadId };
  const name = JSON.stringify([service, baseUrl, target, agentId, userKey, persistDrafts]);
  const controllers = shared.get(owner) ?? new Map<string, StreamController>();
  shared.set(owner, controllers);
  const known = controllers.get(name);
  if (known) return known;
  const controller = create();
  controllers.set(name, controller);
  controller.onNotice((notice) => {
    if (notice.type === 'closed' && controllers.get(name) === controller) controllers.delete(name);
  });
  return controller;
}

/**
 * Normalizes the user key that the host passes. Returns null for values that identify no user: anything but a string or an integer, and
 * the empty string, which hosts pass before the user has signed in.
 */
export function readUserKey(value: unknown): string | null {
  if (Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
