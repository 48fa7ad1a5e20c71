import type { CheckpointInfo } from '../../backends/backend.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { pathTo, type Thread } from '../../model/thread.js';
import { textOfMessage } from '../threads/merge-thread-content.js';

/** What stands after a point of the shown way: going back to it leaves that behind. */
export interface ContentAfter {
  /** Messages after the one in which the point stands. */
  readonly messages: number;
  readonly steps: number;
  /** Calls of tools. */
  readonly tools: number;
}

/** Most of a question that is told, in UTF-16 units. */
const LONGEST_QUESTION = 200;

/** A checkpoint, and where it stands. */
export interface CheckpointEntry {
  readonly info: CheckpointInfo;
  /** The message in which it stands; null when this page has not read it. */
  readonly message: Message | null;
  /** Its part in there; null when the message does not show it. */
  readonly part: Key | null;
  /** Whether it stands on the way that is shown. */
  readonly shown: boolean;
  /** Number of the step after which it was set; null while unknown. */
  readonly step: number | null;
  /** What that step does; empty while unknown. */
  readonly title: string;
  /** What the answer answers, in which it stands; empty while unknown. */
  readonly question: string;
  /** What would be left behind; null when it stands on a way that this page has not read. */
  readonly after: ContentAfter | null;
}

/** What is in a message, or in it after one of its parts. */
interface Extent {
  readonly steps: number;
  readonly tools: number;
}

/** The message in which a checkpoint was set, or that has taken it over: rather one of the shown way. */
export function findCheckpointMessage(
  thread: Thread,
  { name, taskId, restorable }: CheckpointInfo,
  shown: readonly Message[] = pathTo(thread),
): Message | null {
  const isSet = ({ taskId: task, role }: Message): boolean =>
    role === 'assistant' && taskId !== null && task === taskId;
  // Of equal names the older ones stand only where they were set: a message that was taken over has the newest.
  const has = ({ parts }: Message): boolean => restorable && parts.get(keyOf(name)) !== undefined;
  const held = [...thread.messages.values()];
  return shown.find(isSet) ?? shown.find(has) ?? held.find(isSet) ?? held.find(has) ?? null;
}

/** The checkpoints of a thread in the order of their coming, as far as they were read. */
export function readTimeline(thread: Thread): readonly CheckpointEntry[] {
  const shown = pathTo(thread);
  const after = measureAfter(shown);
  const places = new Map(shown.map(({ key }, at) => [key, at]));
  const infos = ([...thread.list('checkpoints').values()] as unknown[]).filter(isCheckpoint);
  const counts = new Map<string, number>();
  return infos.map((info) => {
    const message = findCheckpointMessage(thread, info, shown);
    const alike = JSON.stringify([info.name, info.taskId]);
    const same = counts.get(alike) ?? 0;
    counts.set(alike, same + 1);
    const part = message && findPart(message, info.name, same);
    const place = message ? placeOf(thread, places, message) : -1;
    const isShown = message !== null && shown[place] === message;
    const inside = isShown ? extentOf(message, part) : NOTHING;
    const step = message && part !== null ? stepBefore(message, part) : null;
    const rest = after[place + 1] ?? { messages: 0, ...NOTHING };
    return {
      info,
      message,
      part,
      shown: isShown,
      step: info.step ?? step?.number ?? null,
      title: info.title ?? step?.title ?? '',
      question: message ? questionOf(thread, message) : '',
      after: message && {
        messages: rest.messages,
        steps: rest.steps + inside.steps,
        tools: rest.tools + inside.tools,
      },
    };
  });
}

const NOTHING: Extent = { steps: 0, tools: 0 };

/** Key of the part that shows a checkpoint; a second one of the same name in a message has a number. */
function keyOf(name: string, before = 0): Key {
  return `checkpoint:${name}${before > 0 ? `#${before + 1}` : ''}`;
}

/** The list holds what the service said; a host may have put notes of its own into it. */
function isCheckpoint(value: unknown): value is CheckpointInfo {
  return typeof (value as Partial<CheckpointInfo> | null)?.name === 'string';
}

function findPart({ parts }: Message, name: string, before: number): Key | null {
  const keys = [keyOf(name, before), keyOf(name)];
  return keys.find((key) => parts.get(key)?.kind === 'checkpoint') ?? null;
}

/** For each message of a way, what stands from it on. */
function measureAfter(shown: readonly Message[]): readonly ContentAfter[] {
  const after: ContentAfter[] = [];
  let sum: ContentAfter = { messages: 0, ...NOTHING };
  for (const message of [...shown].reverse()) {
    const { steps, tools } = extentOf(message, null);
    const seen = message.role === 'system' ? 0 : 1;
    sum = {
      messages: sum.messages + seen,
      steps: sum.steps + steps,
      tools: sum.tools + tools,
    };
    after.unshift(sum);
  }
  return after;
}

/** Where on the shown way a message stands, or the last one before its own way parts from it; -1: they have nothing in common. */
function placeOf(thread: Thread, places: ReadonlyMap<Key, number>, message: Message): number {
  return pathTo(thread, message.key).reduce((place, { key }) => places.get(key) ?? place, -1);
}

/** Steps and tools of a message, in it after a part or (null) altogether. */
function extentOf(message: Message, part: Key | null): Extent {
  const kinds = listKeys(message, null).map((key) => ({
    key,
    kind: message.parts.get(key)?.kind,
  }));
  const after = kinds.slice(kinds.findIndex(({ key }) => key === part) + 1);
  const count = (wanted: string): number => after.filter(({ kind }) => kind === wanted).length;
  return { steps: count('step'), tools: count('tool') };
}

/** Keys of all parts of the content, as they are read. */
function listKeys(message: Message, parent: Key | null): Key[] {
  return message.parts.children(parent).flatMap((key) => [key, ...listKeys(message, key)]);
}

/** The beginning of what a message answers. */
function questionOf({ messages }: Thread, { parent }: Message): string {
  const asked = messages.get(parent ?? '');
  return asked?.role === 'user' ? textOfMessage(asked).slice(0, LONGEST_QUESTION) : '';
}

/** The last step that began before a part. */
function stepBefore(
  message: Message,
  part: Key,
): { readonly number: number | null; readonly title: string } | null {
  const keys = listKeys(message, null);
  for (const key of keys.slice(0, keys.indexOf(part)).reverse()) {
    const found = message.parts.get(key);
    if (found?.kind === 'step') return found;
  }
  return null;
}
