import { ACTIVITY } from '../../../src/model/part.js';
import { canonicalize } from '../../../src/model/canonicalize.js';
import type { CanonicalPart } from '../../../src/model/part-schema.js';
import type { Message } from '../../../src/model/message.js';
import { findVersions } from '../../../src/message/branches/version-pager.js';
import type { Tab } from './tab.js';
import { listShown } from './world.js';

/** What a tab shows, without what the service does not store. */
export interface View {
  readonly id: string | null;
  readonly title: string;
  readonly messages: readonly ShownMessage[];
}

interface ShownMessage {
  readonly id: string | null;
  readonly role: string;
  readonly status: string;
  /** The ids of all versions, including its own, in their order. */
  readonly versions: readonly string[];
  readonly parts: readonly CanonicalPart[];
  /** The prompts of its pending requests. */
  readonly pendingPrompts: readonly string[];
}

/** What a tab shows of its current thread. `wasDetached`: it has detached a run, which it then shows as interrupted. */
export function viewOf(tab: Tab, wasDetached = false): View {
  const { thread } = tab.controller;
  // UBIK stores every ended answer as complete.
  const ends = new Set(['stopped', 'failed', ...(wasDetached ? ['interrupted'] : [])]);
  return {
    id: thread?.id ?? null,
    title: thread?.title ?? '',
    messages: listShown(tab).map((message) => viewMessage(tab, message, ends)),
  };
}

function viewMessage(tab: Tab, message: Message, ends: ReadonlySet<string>): ShownMessage {
  const { id, role, status, parts } = message;
  const pendingPrompts = parts.children(ACTIVITY).flatMap((key) => {
    const part = parts.get(key);
    return part?.kind === 'request-activity' && part.state === 'pending' ? [part.prompt] : [];
  });
  return {
    id,
    role,
    status: ends.has(status) ? 'complete' : status,
    versions: versionsOf(tab, message),
    parts: canonicalize(message),
    pendingPrompts,
  };
}

/** The versions of a message; in the order of the service until all are loaded. */
function versionsOf({ controller: { thread } }: Tab, message: Message): string[] {
  const all = thread ? findVersions(thread, message)?.all : null;
  return all ? all.flatMap(({ id }) => id ?? []) : [message.id ?? []].flat();
}

/** The first difference of two values and its path; null when they are equal. */
export function findDifference(left: unknown, right: unknown, at = ''): string | null {
  if (Object.is(left, right)) return null;
  if (!isObject(left) || !isObject(right)) {
    return `${at}: ${JSON.stringify(left)} instead of ${JSON.stringify(right)}`;
  }
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const name of names) {
    const found = findDifference(left[name], right[name], `${at}/${name}`);
    if (found !== null) return found;
  }
  return null;
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
