import type { Key } from './json.js';
import { childrenOf, placeOf, versionsAt, type Children, type Version } from './branches.js';
import { pathTo, type Thread } from './thread.js';

/** One of the ways that go on from the same place, by the version of the message with which it begins. */
export interface Outcome extends Version {
  /** Its newest message, as far as this page knows; null when it has read nothing of it. */
  readonly head: Key | null;
  /** Whether it is the one that is shown. */
  readonly shown: boolean;
}

/** The ways that go on from where a message stands, its own among them. */
export function outcomesAt(thread: Thread, key: Key): readonly Outcome[] {
  const message = thread.messages.get(key);
  if (!message) return [];
  const children = childrenOf(thread);
  const shown = new Set(pathTo(thread));
  const place = placeOf(thread.messages, message);
  return versionsAt(children.get(place) ?? []).map((version) => {
    const isShown = version.message !== null && shown.has(version.message);
    const newest = version.message && newestBelow(children, version.message.key);
    return { ...version, head: isShown ? thread.head : newest, shown: isShown };
  });
}

/** The way that was left when a message began another one: the one made before it, else any other. Null when there is none. */
export function wayLeft(thread: Thread, key: Key): Outcome | null {
  const outcomes = outcomesAt(thread, key);
  const at = outcomes.findIndex(({ message }) => message?.key === key);
  return outcomes[at - 1] ?? outcomes[at + 1] ?? null;
}

/** The end of the newest way below a message. */
function newestBelow(children: Children, key: Key): Key {
  const seen = new Set<Key>();
  let end = key;
  for (let next: Key | undefined = key; next !== undefined && !seen.has(next);) {
    seen.add(next);
    end = next;
    next = children.get(next)?.at(-1)?.key;
  }
  return end;
}
