import type { Key } from './json.js';
import type { Message } from './message.js';
import { pathTo, type Thread } from './thread.js';

/** One version of a message. Of one that was not read, only the server's id is known. */
export interface Version {
  readonly id: string | null;
  readonly message: Message | null;
}

/** The messages that are known, by the one before them (null: roots), in the order in which they became known. */
export type MessageChildren = ReadonlyMap<Key | null, readonly Message[]>;

/** Sorts the messages of a thread by the one before them. What the system says is hidden: what follows it takes its place. */
export function groupByParent({ messages }: Thread): MessageChildren {
  const children = new Map<Key | null, Message[]>();
  for (const message of messages.values()) {
    if (message.role === 'system') continue;
    const place = visibleParentOf(messages, message);
    const siblings = children.get(place);
    if (siblings) siblings.push(message);
    else children.set(place, [message]);
  }
  return children;
}

/** The message before a message, as far as it is known and shown; null: it is a root. */
export function visibleParentOf(messages: Thread['messages'], { parent }: Message): Key | null {
  const before = messages.get(parent ?? '');
  const place = before?.role === 'system' ? before.parent : parent;
  return place !== null && messages.has(place) ? place : null;
}

/**
 * All versions at a place of the tree, from those that are known there: in the order of their making when all of them are, else
 * as the service names them, which says nothing about their order.
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
  return versions.sort((one, other) => creationTime(one) - creationTime(other) || 0);
}

function creationTime({ message }: Version): number {
  return message?.createdAt ?? Number.MAX_VALUE;
}

/** How many known messages follow a message, on all ways. */
export function countDescendants(children: MessageChildren, key: Key): number {
  let count = 0;
  const pending = [key];
  const seen = new Set(pending);
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const { key: next } of children.get(at) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      pending.push(next);
      count += 1;
    }
  }
  return count;
}

/** One of the ways that go on from the same place, by the version of the message with which it begins. */
export interface Branch extends Version {
  /** Its newest message, as far as this page knows; null when it has read nothing of it. */
  readonly head: Key | null;
  /** Whether it is the one that is shown. */
  readonly shown: boolean;
}

/** The ways that go on from where a message stands, its own among them. */
export function branchesAt(thread: Thread, key: Key): readonly Branch[] {
  const message = thread.messages.get(key);
  if (!message) return [];
  const children = groupByParent(thread);
  const shown = new Set(pathTo(thread));
  const place = visibleParentOf(thread.messages, message);
  return listVersions(children.get(place) ?? []).map((version) => {
    const isShown = version.message !== null && shown.has(version.message);
    const newest = version.message && findNewestLeaf(children, version.message.key);
    return { ...version, head: isShown ? thread.head : newest, shown: isShown };
  });
}

/** The way that was left when a message began another one: the one made before it, else any other. Null when there is none. */
export function findPreviousBranch(thread: Thread, key: Key): Branch | null {
  const branches = branchesAt(thread, key);
  const at = branches.findIndex(({ message }) => message?.key === key);
  return branches[at - 1] ?? branches[at + 1] ?? null;
}

/** The end of the newest way below a message. */
function findNewestLeaf(children: MessageChildren, key: Key): Key {
  const seen = new Set<Key>();
  let end = key;
  for (let next: Key | undefined = key; next !== undefined && !seen.has(next);) {
    seen.add(next);
    end = next;
    next = children.get(next)?.at(-1)?.key;
  }
  return end;
}
