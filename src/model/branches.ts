import type { Key } from './json.js';
import type { Message } from './message.js';
import type { Thread } from './thread.js';

/** One version of a message. Of one that was not read, only the server's id is known. */
export interface Version {
  readonly id: string | null;
  readonly message: Message | null;
}

/** The messages that are known, by the one before them (null: roots), in the order in which they became known. */
export type Children = ReadonlyMap<Key | null, readonly Message[]>;

/** Sorts the messages of a thread by the one before them. What the system says is hidden: what follows it takes its place. */
export function childrenOf({ messages }: Thread): Children {
  const children = new Map<Key | null, Message[]>();
  for (const message of messages.values()) {
    if (message.role === 'system') continue;
    const place = placeOf(messages, message);
    const siblings = children.get(place);
    if (siblings) siblings.push(message);
    else children.set(place, [message]);
  }
  return children;
}

/** The message before a message, as far as it is known and shown; null: it is a root. */
export function placeOf(messages: Thread['messages'], { parent }: Message): Key | null {
  const before = messages.get(parent ?? '');
  const place = before?.role === 'system' ? before.parent : parent;
  return place !== null && messages.has(place) ? place : null;
}

/**
 * All versions at a place of the tree, from those that are known there: in the order of their making when all of them are, else
 * as the service names them, which says nothing about their order.
 */
export function versionsAt(known: readonly Message[]): readonly Version[] {
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
  return versions.sort((one, other) => timeOf(one) - timeOf(other) || 0);
}

function timeOf({ message }: Version): number {
  return message?.createdAt ?? Number.MAX_VALUE;
}

/** How many known messages follow a message, on all ways. */
export function countAfter(children: Children, key: Key): number {
  let count = 0;
  const ways = [key];
  const seen = new Set(ways);
  for (let at = ways.pop(); at !== undefined; at = ways.pop()) {
    for (const { key: next } of children.get(at) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push(next);
      count += 1;
    }
  }
  return count;
}
