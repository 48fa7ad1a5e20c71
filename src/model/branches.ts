import type { Key } from './json.js';
import type { Message } from './message.js';
import { pathTo, type Thread } from './thread.js';

/** One version of a message. `message` is null for a version that has not been loaded. */
export interface Version {
  readonly id: string | null;
  readonly message: Message | null;
}

/** Loaded messages by parent (null for roots), in the order in which they were loaded. */
export type MessageChildren = ReadonlyMap<Key | null, readonly Message[]>;

/** Groups the messages of a thread by parent. System messages are hidden: their children move up to their parent. */
export function groupByParent({ messages }: Thread): MessageChildren {
  const children = new Map<Key | null, Message[]>();
  for (const message of messages.values()) {
    if (message.role === 'system') continue;
    const parent = visibleParentOf(messages, message);
    const siblings = children.get(parent);
    if (siblings) siblings.push(message);
    else children.set(parent, [message]);
  }
  return children;
}

/**
 * Returns the parent of a message, skipping system messages; null for a root, when the parent is not loaded, and when system messages form a
 * cycle.
 */
export function visibleParentOf(messages: Thread['messages'], { parent }: Message): Key | null {
  const skipped = new Set<Key>();
  for (let key = parent; key !== null && !skipped.has(key);) {
    const before = messages.get(key);
    if (before?.role !== 'system') return before ? key : null;
    skipped.add(key);
    key = before.parent;
  }
  return null;
}

/**
 * Lists all versions of a message, given its loaded versions `known`. Sorted by creation time if all are loaded; otherwise in the order
 * of the service's `siblingIds`, which is arbitrary.
 */
export function listVersions(known: readonly Message[]): readonly Version[] {
  const found = new Map<string, Version>();
  const unnamed: Version[] = [];
  for (const id of known.flatMap(({ siblingIds }) => siblingIds))
    found.set(id, { id, message: null });
  for (const message of known) {
    const { id } = message;
    if (id === null) unnamed.push({ id, message });
    else found.set(id, { id, message });
  }
  const versions = [...found.values(), ...unnamed];
  if (versions.some(({ message }) => message === null)) return versions;
  // An invalid time makes the difference NaN, which counts as equal.
  return versions.sort((one, other) => creationTime(one) - creationTime(other) || 0);
}

/** Returns the creation time for sorting. A message whose time is unknown is sorted last. */
function creationTime({ message }: Version): number {
  return message?.createdAt ?? Number.MAX_VALUE;
}

/** One of several branches with the same parent. Its `id` and `message` are those of the message that it begins with. */
export interface Branch extends Version {
  /**
   * Key of the last shown message if it is the shown branch; else of the leaf that is found by following, from each message,
   * the child that was loaded last. Null when no message is loaded.
   */
  readonly head: Key | null;
  /** Whether it is the shown branch. */
  readonly shown: boolean;
}

/** Returns the branches that begin with the versions of a message. Empty for an unknown message. */
export function branchesAt(thread: Thread, key: Key): readonly Branch[] {
  const message = thread.messages.get(key);
  if (!message) return [];
  const children = groupByParent(thread);
  const shown = new Set(pathTo(thread));
  const parent = visibleParentOf(thread.messages, message);
  return listVersions(children.get(parent) ?? []).map((version) => {
    const isShown = version.message !== null && shown.has(version.message);
    const leaf = version.message && findLastLoadedLeaf(children, version.message.key);
    return { ...version, head: isShown ? thread.head : leaf, shown: isShown };
  });
}

/** Returns the branch to which the user can go back from the one that begins with a message: the previous version, else the next one, else null. */
export function findPreviousBranch(thread: Thread, key: Key): Branch | null {
  const branches = branchesAt(thread, key);
  const at = branches.findIndex(({ message }) => message?.key === key);
  return branches[at - 1] ?? branches[at + 1] ?? null;
}

/** Follows, from each message, the child that was loaded last, down to a leaf. Stops at a cycle. */
function findLastLoadedLeaf(children: MessageChildren, key: Key): Key {
  const seen = new Set<Key>();
  let end = key;
  for (let next: Key | undefined = key; next !== undefined && !seen.has(next);) {
    seen.add(next);
    end = next;
    next = children.get(next)?.at(-1)?.key;
  }
  return end;
}
