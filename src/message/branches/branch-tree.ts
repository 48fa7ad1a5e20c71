import {
  groupByParent,
  listVersions,
  type MessageChildren,
  type Version,
} from '../../model/branches.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { pathTo, type Thread } from '../../model/thread.js';

/** The place of a point among those under the same one. */
export interface SiblingPosition {
  readonly position: number;
  readonly size: number;
}

/** A point of the map: a version with what follows it up to the next place with several, or a checkpoint in there. */
export interface BranchPoint {
  /** What no other point of the map has. */
  readonly key: string;
  readonly kind: 'version' | 'checkpoint';
  /** Its messages; none of a version of which only the name is known. */
  readonly messages: readonly Message[];
  /** The service's name of the message to step to. */
  readonly id: string | null;
  /** A message at the same place that is known. */
  readonly siblingKey: Key | null;
  /** What a checkpoint is called. */
  readonly name: string;
  /** Which version of how many it is, from 1; a number of 0 is not known. */
  readonly number: number;
  readonly count: number;
  /** Whether it lies on the way that is shown. */
  readonly active: boolean;
  /** Whether the way that is shown ends in it. */
  readonly isHead: boolean;
  /** Place of the point before it in the list; -1: none. */
  readonly parent: number;
  /** Depth in the tree, from 1. */
  readonly level: number;
  /** Column in the drawing, from 0: a way keeps its own, what turns off gets the next one. */
  readonly lane: number;
}

/** A version that is to be put into the list. */
interface PendingVersion {
  readonly version: Version;
  readonly siblingKey: Key | null;
  readonly number: number;
  readonly count: number;
  readonly parent: number;
  readonly level: number;
  readonly lane: number;
}

/**
 * The points of a thread that are known, each behind the one that it turns off from; at one place, the way that goes on comes last, in
 * the column of what is before it. A circle of parents leads nowhere.
 */
export function listBranchPoints(thread: Thread): readonly BranchPoint[] {
  const children = groupByParent(thread);
  const active = new Set(pathTo(thread).map(({ key }) => key));
  const points: BranchPoint[] = [];
  // A list of what is to be done in place of calls inside of calls: a conversation may be deep.
  const turns = pendingVersionsAt(children, null, active, { parent: -1, level: 1, lane: 0 });
  for (let turn = turns.pop(); turn; turn = turns.pop()) {
    const { version, parent, level, lane } = turn;
    const messages = version.message ? segmentFrom(children, version.message) : [];
    const last = messages.at(-1);
    const at = points.length;
    points.push({
      ...turn,
      // The same before and after the version was read.
      key: version.id === null ? (version.message?.key ?? '') : `version ${version.id}`,
      kind: 'version',
      messages,
      id: last?.id ?? version.id,
      name: '',
      active: active.has(version.message?.key ?? ''),
      isHead: last !== undefined && last.key === thread.head,
      parent,
    });
    for (const message of messages) {
      points.push(...checkpointsIn(message, { parent: at, level: level + 1, lane, active }));
    }
    if (last)
      turns.push(
        ...pendingVersionsAt(children, last.key, active, { parent: at, level: level + 1, lane }),
      );
  }
  return points;
}

/** What turns off at a place, in the order in which it is taken from the end: the way that goes on first, to be shown last. */
function pendingVersionsAt(
  children: MessageChildren,
  place: Key | null,
  active: ReadonlySet<Key>,
  { parent, level, lane }: Pick<PendingVersion, 'parent' | 'level' | 'lane'>,
): PendingVersion[] {
  const known = children.get(place) ?? [];
  const versions = listVersions(known);
  const isOrdered = versions.every(({ message }) => message !== null);
  const onward =
    versions.find(({ message }) => active.has(message?.key ?? '')) ??
    versions.filter(({ message }) => message !== null).at(-1);
  const turns = versions.map((version, index) => ({
    version,
    siblingKey: known[0]?.key ?? null,
    number: isOrdered ? index + 1 : 0,
    count: versions.length,
    parent,
    level,
    lane: version === onward ? lane : lane + 1,
  }));
  return [
    ...turns.filter(({ version }) => version === onward),
    ...turns.filter(({ version }) => version !== onward).reverse(),
  ];
}

/** A message and what follows it, up to the next place with several versions. From a root there are no circles. */
function segmentFrom(children: MessageChildren, first: Message): readonly Message[] {
  const stretch = [first];
  for (let next = children.get(first.key); next?.length === 1;) {
    const [message] = next;
    if (!message || listVersions(next).length > 1) break;
    stretch.push(message);
    next = children.get(message.key);
  }
  return stretch;
}

function checkpointsIn(
  message: Message,
  {
    active,
    ...place
  }: Pick<PendingVersion, 'parent' | 'level' | 'lane'> & { readonly active: ReadonlySet<Key> },
): BranchPoint[] {
  const { key, id, parts } = message;
  return parts.children(null).flatMap((part) => {
    const found = parts.get(part);
    if (found?.kind !== 'checkpoint' || !found.name) return [];
    const point = { key: `${key} ${part}`, kind: 'checkpoint', messages: [message], id } as const;
    const lone = { siblingKey: key, number: 1, count: 1, active: active.has(key), isHead: false };
    return [{ ...point, ...lone, ...place, name: found.name }];
  });
}

/** Which of how many each point is under the one before it, from 1. */
export function siblingPositions(points: readonly BranchPoint[]): readonly SiblingPosition[] {
  const sizes = new Map<number, number>();
  const positions = points.map(({ parent }) => {
    const position = (sizes.get(parent) ?? 0) + 1;
    sizes.set(parent, position);
    return position;
  });
  return points.map(({ parent }, at) => ({
    position: positions[at] ?? 1,
    size: sizes.get(parent) ?? 1,
  }));
}

/** Characters of a text that stand for all of it. */
const LENGTH = 120;
/** What would move, hide or turn round the words beside it. */
const CONTROLS = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uE000\uE001]+/gu;

/** Marks of Markdown at the start of a line, and around words: they would be read as noise. */
const MARKS = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|```.*|-{3,}[ \t]*$)|\*\*|`/gmu;

/** The beginning of what a message says, in one line; empty when it says nothing. */
export function messageExcerpt({ parts }: Message): string {
  for (const key of parts.children(null)) {
    const part = parts.get(key);
    const text = part?.kind === 'text' ? part.text?.read().slice(0, 4 * LENGTH) : '';
    const line = text?.replace(MARKS, '').replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
    if (line) return line.length > LENGTH ? `${line.slice(0, LENGTH)}…` : line;
  }
  return '';
}
