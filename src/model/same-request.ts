import type { Key } from './json.js';

/** What identifies an input request in its message. */
interface RequestIdentity {
  readonly key: Key;
  /** Id of the waiting execution of a tool; null for a request of the agent. */
  readonly executionId: string | null;
}

/**
 * Whether two pending requests of a message are the same. An execution has only one pending request. On the page that has received it, a
 * further request of an execution has a key of its own; in the stored thread it has the key of the first one.
 */
export function isSameRequest(one: RequestIdentity, other: RequestIdentity): boolean {
  return (
    one.key === other.key || (one.executionId !== null && one.executionId === other.executionId)
  );
}
