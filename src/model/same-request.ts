import type { Key } from './json.js';

/** What identifies an input request in its message. */
interface RequestIdentity {
  readonly key: Key;
  /** Id of the waiting execution of a tool; null for a request of the agent. */
  readonly executionId: string | null;
}

/**
 * Whether two requests of a message are the same if both are pending. A further request of an execution has another key on the page that has
 * received it, but not in the stored thread. An execution has only one pending request.
 */
export function isSameRequest(one: RequestIdentity, other: RequestIdentity): boolean {
  return (
    one.key === other.key || (one.executionId !== null && one.executionId === other.executionId)
  );
}
