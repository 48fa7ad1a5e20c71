import type { CheckpointInfo } from '../../backends/backend.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { pathTo, type Thread } from '../../model/thread.js';
import { textOfMessage } from '../messages/message-text.js';

/** The amount of content after a checkpoint on the shown branch, which the branch of a restored checkpoint does not contain. */
export interface ContentAfter {
  /** Number of messages after the one with the checkpoint, without those of the role `system`. */
  readonly messages: number;
  readonly steps: number;
  /** Number of tool calls. */
  readonly tools: number;
}

/** Maximum length of {@link CheckpointEntry.question}, in UTF-16 units. */
const MAX_QUESTION_LENGTH = 200;

/** A checkpoint and its position in the thread. */
export interface CheckpointEntry {
  readonly info: CheckpointInfo;
  /** The message that contains the checkpoint; null when the message is not loaded. */
  readonly message: Message | null;
  /** Key of the checkpoint part in the message; null when the message has none. */
  readonly part: Key | null;
  /** Whether the message is on the shown branch. */
  readonly shown: boolean;
  /** Number of the step before the checkpoint; null while unknown. */
  readonly step: number | null;
  /** Title of that step; empty while unknown. */
  readonly title: string;
  /** The beginning of the user message that the run answers; empty while unknown. */
  readonly question: string;
  /** The content after the checkpoint on the shown branch; null when its message is not loaded. */
  readonly after: ContentAfter | null;
}

/** Steps and tool calls of a message, or of the rest of a message after a part. */
type StepCounts = Pick<ContentAfter, 'steps' | 'tools'>;

const NO_STEPS: StepCounts = { steps: 0, tools: 0 };

/** Returns the message that contains a checkpoint, preferably on the shown branch; null when it is not loaded. */
export function findCheckpointMessage(
  thread: Thread,
  { name, runId, restorable }: CheckpointInfo,
  shown: readonly Message[] = pathTo(thread),
): Message | null {
  const isOfRun = ({ runId: run, role }: Message): boolean =>
    role === 'assistant' && runId !== null && run === runId;
  // A checkpoint part contains a name but no run. In a message that was copied to another branch, the part therefore counts as the newest
  // checkpoint of that name, the only one that can be restored. An older checkpoint is found by its run only.
  const hasPart = ({ parts }: Message): boolean =>
    restorable && parts.get(keyOf(name)) !== undefined;
  const all = [...thread.messages.values()];
  return (
    shown.find(isOfRun) ?? shown.find(hasPart) ?? all.find(isOfRun) ?? all.find(hasPart) ?? null
  );
}

/** Returns the loaded checkpoints of a thread with their positions, in the order of the service. */
export function readTimeline(thread: Thread): readonly CheckpointEntry[] {
  const infos = ([...thread.list('checkpoints').values()] as unknown[]).filter(isCheckpoint);
  // The rest of the function takes time proportional to the length of the thread.
  if (infos.length === 0) return [];
  const shown = pathTo(thread);
  const countsFrom = countFromEach(shown);
  const positions = new Map(shown.map(({ key }, at) => [key, at]));
  const repetitions = new Map<string, number>();
  return infos.map((info) => {
    const message = findCheckpointMessage(thread, info, shown);
    const identity = JSON.stringify([info.name, info.runId]);
    const repetition = repetitions.get(identity) ?? 0;
    repetitions.set(identity, repetition + 1);
    const part = message && findPart(message, info.name, repetition);
    const position = message ? positionOf(thread, positions, message) : -1;
    const isShown = message !== null && shown[position] === message;
    const inMessage = isShown ? countSteps(message, part) : NO_STEPS;
    const step = message && part !== null ? findStepBefore(message, part) : null;
    const following = countsFrom[position + 1] ?? { messages: 0, ...NO_STEPS };
    return {
      info,
      message,
      part,
      shown: isShown,
      step: info.step ?? step?.number ?? null,
      title: info.title ?? step?.title ?? '',
      question: message ? questionOf(thread, message) : '',
      after: message && {
        messages: following.messages,
        steps: following.steps + inMessage.steps,
        tools: following.tools + inMessage.tools,
      },
    };
  });
}

/** Returns the key of a checkpoint part. If a message contains a name repeatedly, the keys after the first one end with a number, from `#2`. */
function keyOf(name: string, repetition = 0): Key {
  return `checkpoint:${name}${repetition > 0 ? `#${repetition + 1}` : ''}`;
}

/** Whether an item of the list is a checkpoint. The host can add other items with `setListItem`. */
function isCheckpoint(value: unknown): value is CheckpointInfo {
  return typeof (value as Partial<CheckpointInfo> | null)?.name === 'string';
}

function findPart({ parts }: Message, name: string, repetition: number): Key | null {
  const keys = [keyOf(name, repetition), keyOf(name)];
  return keys.find((key) => parts.get(key)?.kind === 'checkpoint') ?? null;
}

/** Returns for each message of a branch the counts of the message and all later ones. */
function countFromEach(shown: readonly Message[]): readonly ContentAfter[] {
  const counts: ContentAfter[] = [];
  let sum: ContentAfter = { messages: 0, ...NO_STEPS };
  for (const message of [...shown].reverse()) {
    const { steps, tools } = countSteps(message, null);
    const visible = message.role === 'system' ? 0 : 1;
    sum = {
      messages: sum.messages + visible,
      steps: sum.steps + steps,
      tools: sum.tools + tools,
    };
    counts.push(sum);
  }
  return counts.reverse();
}

/** Returns the position of a message on the shown branch, or of the last message that its branch shares with the shown one; -1 for none. */
function positionOf(thread: Thread, positions: ReadonlyMap<Key, number>, message: Message): number {
  return pathTo(thread, message.key).reduce((last, { key }) => positions.get(key) ?? last, -1);
}

/** Counts the steps and tools of a message after a part, or (null) of the whole message. */
function countSteps(message: Message, part: Key | null): StepCounts {
  const keys = listKeys(message, null);
  const start = part === null ? 0 : keys.indexOf(part) + 1;
  const kinds = keys.slice(start).map((key) => message.parts.get(key)?.kind);
  const count = (counted: string): number => kinds.filter((kind) => kind === counted).length;
  return { steps: count('step'), tools: count('tool') };
}

/** Returns the keys of all content parts under a part, or (null) of the whole message, in reading order. */
function listKeys(message: Message, parent: Key | null): Key[] {
  return message.parts.children(parent).flatMap((key) => [key, ...listKeys(message, key)]);
}

/** Returns the beginning of the user message that a message answers. */
function questionOf({ messages }: Thread, { parent }: Message): string {
  const question = messages.get(parent ?? '');
  return question?.role === 'user' ? textOfMessage(question).slice(0, MAX_QUESTION_LENGTH) : '';
}

/** Returns the last step that begins before a part. */
function findStepBefore(
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
