import type { Key } from './json.js';

/** The fields that identify an input request in its message. */
interface RequestIdentity {
  readonly key: Key;
  /** Id of the waiting execution of a tool; null for a request of the agent. */
  readonly executionId: string | null;
}

/**
 * Whether two pending requests of a message are the same. An execution has only one pending request, but the key of that request can
 * differ: a further request of an execution gets a key of its own when it arrives as an event, and the key of the first request when it
 * is loaded with the stored thread.
 */
export function isSameRequest(one: RequestIdentity, other: RequestIdentity): boolean {
  return (
    one.key === other.key || (one.executionId !== null && one.executionId === other.executionId)
  );
}
