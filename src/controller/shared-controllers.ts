import type { StreamController } from './controller-types.js';
import type { GetToken } from './registry.js';

/** What two elements must have in common to share a controller. */
export interface ControllerIdentity {
  /** Name of the service. */
  readonly service: string;
  /** Resolved address of the service; null: the default of the backend. */
  readonly baseUrl: string | null;
  /** The thread that the element names; null: none. */
  readonly threadId: string | null;
  /** Identifies one of several chats of a host page. */
  readonly storageKey: string;
  readonly getToken: GetToken | null;
  readonly agentId: string | null;
  readonly userKey: string | null;
  /** Whether drafts and queued messages are stored. */
  readonly persistDrafts: boolean;
}

/** Replaces `getToken` for elements without one. */
const NO_TOKEN = {};
/** Replaces `getToken` for elements with a `userKey`: each of their functions returns a token of that user. */
const KNOWN_USER = {};
/** Controllers by `getToken`, so that they can be collected with it, then by the rest of the identity. */
const shared = new WeakMap<object, Map<string, StreamController>>();

/**
 * Returns the open controller of an identity, or creates it. Elements with the same `userKey` belong to the same user whatever their
 * `getToken`; without a `userKey` they must have the same function. Elements that name a thread share its controller; those that name
 * none share one only with the same `storageKey`. `create` must return a controller with `keepAlive: false`; a closed one is not
 * returned again.
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
 * The user key of a value that a host gives. Null for values that identify no user: anything but a text or a whole number, and the empty
 * text, which hosts pass while nobody is signed in.
 */
export function readUserKey(value: unknown): string | null {
  if (Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
