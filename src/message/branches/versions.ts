import {
  groupByParent,
  countDescendants,
  visibleParentOf,
  listVersions,
  type Version,
} from '../../model/branches.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';

/** The versions at the place of a message, and what they keep out of sight. */
export interface Versions {
  readonly all: readonly Version[];
  /** Where the message is among them, from 0. */
  readonly index: number;
  /** Those of which nothing but the name is known. Until they are read, the order of all is the service's. */
  readonly unloaded: readonly string[];
  /** Messages after the others, as far as this page has seen them. */
  readonly hiddenMessages: number;
  /** The others may have been answered, and this page has not seen how. */
  readonly mayHideMore: boolean;
}

/** The versions of a message; null when it has no other. */
export function findVersions(thread: Thread, message: Message): Versions | null {
  // Most messages have one version, and cost no look at the others.
  if (message.siblingIds.every((id) => id === message.id)) return null;
  const children = groupByParent(thread);
  const known = children.get(visibleParentOf(thread.messages, message)) ?? [message];
  const all = listVersions(known);
  const others = known.filter(({ key }) => key !== message.key);
  const counts = others.map(({ key }) => countDescendants(children, key));
  return {
    all,
    index: all.findIndex((version) => version.message?.key === message.key),
    unloaded: all.flatMap(({ id, message: read }) => (read || id === null ? [] : [id])),
    hiddenMessages: counts.reduce((sum, count) => sum + count, 0),
    mayHideMore: message.role === 'user' && (counts.includes(0) || known.length < all.length),
  };
}
