import type { StreamController } from './controller-types.js';
import type { GetToken } from './registry.js';

/** What two elements must have in common to share a connection. */
export interface ControllerIdentity {
  /** Name of the service. */
  readonly service: string;
  /** Resolved address of the service; null: the backend's default. */
  readonly baseUrl: string | null;
  /** The thread that the element names; null: none. */
  readonly threadId: string | null;
  /** Which chat of the page it is. */
  readonly storageKey: string;
  readonly getToken: GetToken | null;
  readonly agentId: string | null;
  readonly userKey: string | null;
  /** Whether unsent text is stored. */
  readonly persistDrafts: boolean;
}

/** Stands for the token source of elements without one. */
const NO_TOKEN = {};
/** Stands for the token sources of elements whose page names the person: any of them gives that person's token. */
const NAMED_PERSON = {};
/** By the token source itself, which is forgotten with its page's last use of it; then by the rest. */
const shared = new WeakMap<object, Map<string, StreamController>>();

/**
 * The controller of an identity: the one that another element holds, else the one that `create` makes. Elements of one `userKey` are
 * one person's, whatever function gives their tokens; without a `userKey` only those with the very same function are. Elements that
 * name a thread share it; those that name none share nothing unless they have the same `storageKey`. The controller is made to close
 * with its last holder (`keepAlive: false`), and a closed one is not found again.
 */
export function shareController(
  identity: ControllerIdentity,
  create: () => StreamController,
): StreamController {
  const { getToken, service, baseUrl, threadId, storageKey, agentId, userKey, persistDrafts } =
    identity;
  const source = getToken ? (userKey === null ? getToken : NAMED_PERSON) : NO_TOKEN;
  const conversation = threadId === null ? { storageKey } : { threadId };
  const name = JSON.stringify([service, baseUrl, conversation, agentId, userKey, persistDrafts]);
  const controllers = shared.get(source) ?? new Map<string, StreamController>();
  shared.set(source, controllers);
  const known = controllers.get(name);
  if (known) return known;
  const controller = create();
  controllers.set(name, controller);
  controller.onNotice((notice) => {
    if (notice.type === 'closed' && controllers.get(name) === controller) controllers.delete(name);
  });
  return controller;
}
