import { firstUnits, truncate } from '../../dom/truncate.js';
import {
  groupByParent,
  listVersions,
  type MessageChildren,
  type Version,
} from '../../model/branches.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { pathTo, type Thread } from '../../model/thread.js';

// `src/elements` must not import values of `src/model`, so it gets this from here.
export { branchesAt, type Branch } from '../../model/branches.js';

/** The position of a point among the children of its parent. */
export interface SiblingPosition {
  /** From 1. */
  readonly position: number;
  readonly size: number;
}

/** A point of the branch map: a version with the messages that follow it up to the next fork, or a checkpoint in one of these messages. */
export interface BranchMapPoint {
  /** Unique in the map; does not change when the version is loaded. */
  readonly key: string;
  readonly kind: 'version' | 'checkpoint';
  /** The messages of the version up to the next fork, empty for a version that is not loaded; for a checkpoint, its message. */
  readonly messages: readonly Message[];
  /** The service's id of the message to switch to. */
  readonly id: string | null;
  /** Key of a loaded message with the same parent; for a checkpoint, of its message. */
  readonly siblingKey: Key | null;
  /** Name of a checkpoint; empty for a version. */
  readonly name: string;
  /** Number of the version, from 1; 0 while the order is unknown. */
  readonly number: number;
  /** Number of versions with the same parent. */
  readonly count: number;
  /** Whether the point is on the shown branch. */
  readonly active: boolean;
  /** Whether the shown branch ends with the messages of the point. */
  readonly isHead: boolean;
  /** Index of the parent point in the list; -1 for a root. */
  readonly parent: number;
  /** Depth in the tree, from 1. */
  readonly level: number;
  /**
   * Column in the drawing, from 0. At each fork, one version stays in the lane of its parent (see {@link listBranchMapPoints}); the others get
   * the next lane.
   */
  readonly lane: number;
}

/** Where a point is attached to the tree. */
type TreePosition = Pick<BranchMapPoint, 'parent' | 'level' | 'lane'>;

/** A version that was not added to the list yet. */
interface PendingVersion extends TreePosition {
  readonly version: Version;
  readonly siblingKey: Key | null;
  readonly number: number;
  readonly count: number;
}

/**
 * Lists the known points of a thread in depth-first order. Of the versions at a fork, the shown one (or, when none is shown, the last one that is
 * loaded) comes last, in the lane of its parent. Messages in a cycle of parents are unreachable and omitted.
 */
export function listBranchMapPoints(thread: Thread): readonly BranchMapPoint[] {
  const children = groupByParent(thread);
  const active = new Set(pathTo(thread).map(({ key }) => key));
  const points: BranchMapPoint[] = [];
  // An explicit stack: recursion could overflow in a long thread.
  const stack = pendingVersionsAt(children, null, active, { parent: -1, level: 1, lane: 0 });
  for (let pending = stack.pop(); pending; pending = stack.pop()) {
    const { version, level, lane } = pending;
    const messages = version.message ? segmentFrom(children, version.message) : [];
    const last = messages.at(-1);
    const inner = { parent: points.length, level: level + 1, lane };
    points.push({
      ...pending,
      key: version.id === null ? (version.message?.key ?? '') : `version ${version.id}`,
      kind: 'version',
      messages,
      id: last?.id ?? version.id,
      name: '',
      active: active.has(version.message?.key ?? ''),
      isHead: last !== undefined && last.key === thread.head,
    });
    for (const message of messages) points.push(...checkpointsIn(message, active, inner));
    if (last) stack.push(...pendingVersionsAt(children, last.key, active, inner));
  }
  return points;
}

/**
 * Returns the versions below a message in the order of a stack: the one that stays in the lane of its parent comes first, so that it is
 * popped last.
 */
function pendingVersionsAt(
  children: MessageChildren,
  parentKey: Key | null,
  active: ReadonlySet<Key>,
  { parent, level, lane }: TreePosition,
): PendingVersion[] {
  const siblings = children.get(parentKey) ?? [];
  const versions = listVersions(siblings);
  const isOrdered = versions.every(({ message }) => message !== null);
  const continuation =
    versions.find(({ message }) => active.has(message?.key ?? '')) ??
    versions.filter(({ message }) => message !== null).at(-1);
  const pending = versions.map((version, index) => ({
    version,
    siblingKey: siblings[0]?.key ?? null,
    number: isOrdered ? index + 1 : 0,
    count: versions.length,
    parent,
    level,
    lane: version === continuation ? lane : lane + 1,
  }));
  return [
    ...pending.filter(({ version }) => version === continuation),
    ...pending.filter(({ version }) => version !== continuation).reverse(),
  ];
}

/** Returns a message and the messages that follow it up to the next fork. Terminates, because a cycle cannot be reached from a root. */
function segmentFrom(children: MessageChildren, first: Message): readonly Message[] {
  const segment = [first];
  for (let next = children.get(first.key); next?.length === 1;) {
    const [message] = next;
    // The only loaded child may have versions that are not loaded.
    if (!message || hasUnloadedVersions(message)) break;
    segment.push(message);
    next = children.get(message.key);
  }
  return segment;
}

/** Whether a message that is the only loaded version has versions that are not loaded. */
function hasUnloadedVersions({ id, siblingIds }: Message): boolean {
  return siblingIds.some((sibling) => sibling !== id);
}

function checkpointsIn(
  message: Message,
  active: ReadonlySet<Key>,
  position: TreePosition,
): BranchMapPoint[] {
  const { key, id, parts } = message;
  return parts.children(null).flatMap((partKey): BranchMapPoint | [] => {
    const part = parts.get(partKey);
    if (part?.kind !== 'checkpoint' || !part.name) return [];
    return {
      ...position,
      key: `${key} ${partKey}`,
      kind: 'checkpoint',
      messages: [message],
      id,
      siblingKey: key,
      name: part.name,
      number: 1,
      count: 1,
      active: active.has(key),
      isHead: false,
    };
  });
}

/** Returns the position of each point among its siblings, for `aria-posinset` and `aria-setsize`. */
export function siblingPositions(points: readonly BranchMapPoint[]): readonly SiblingPosition[] {
  const sizes = new Map<number, number>();
  const positions = points.map(({ parent }) => {
    const position = (sizes.get(parent) ?? 0) + 1;
    sizes.set(parent, position);
    return position;
  });
  return points.map(({ parent }, index) => ({
    position: positions[index] ?? 1,
    size: sizes.get(parent) ?? 1,
  }));
}

/** Longest excerpt of a message, in UTF-16 units. */
const EXCERPT_LENGTH = 120;
/** An inline mark, such as a citation; the last one may be cut off. */
const MARK = /\uE000[^\uE001]*\uE001?/gu;
/** Characters that would move, hide or reverse the text around the excerpt, and the delimiters of inline marks. */
const CONTROLS = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uE000\uE001]+/gu;

/** Markdown syntax at the start of a line and around words, which a screen reader would read out. */
const MARKDOWN_SYNTAX = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|```.*|-{3,}[ \t]*$)|\*\*|`/gmu;

/** Returns the beginning of the first text of a message as one line; empty when it has no text. */
export function messageExcerpt({ parts, role }: Message): string {
  for (const key of parts.children(null)) {
    const part = parts.get(key);
    const text = (part?.kind === 'text' && part.text?.read()) || '';
    // Takes more than the length of the excerpt, because marks, syntax and white space are removed.
    const start = firstUnits(text, 4 * EXCERPT_LENGTH);
    // A text of the user has no marks, but may contain their delimiters.
    const line = (role === 'user' ? start : start.replace(MARK, ''))
      .replace(MARKDOWN_SYNTAX, '')
      .replace(CONTROLS, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (line) return truncate(line, EXCERPT_LENGTH);
  }
  return '';
}
