import type { CheckpointInfo } from '../../backends/backend.js';
import { createFieldChange, type Change } from '../../model/change.js';
import { equalJson, type Json } from '../../model/json.js';
import type { Message, RestoreOrigin } from '../../model/message.js';
import { pathTo, type Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { findMethod } from '../find-method.js';
import { mergeList } from '../data/lists.js';

/** Most beginnings that are kept for a thread; the oldest go. */
const MOST_KEPT = 100;

/** Where an answer began: under the task that wrote it, since histories do not tell it. */
interface KeptOrigin extends RestoreOrigin {
  readonly task: string;
}

/** Where the answers of threads began that went back to a checkpoint, as far as this browser was there. */
export interface Origins {
  /** Reads what was kept of a thread. */
  read(id: string): Promise<void>;
  /** Keeps what a thread shows, and gives it what it lacks. */
  settle(thread: Thread): void;
  /** Forgets everything here; what is stored stays. */
  clear(): void;
}

/** What is kept of them under service and user; what the metadata of checkpoints says of the others. */
export function createOrigins(conversation: ControllerContext): Origins {
  const kept = new Map<string, readonly KeptOrigin[]>();
  /** Tasks whose beginning the service was asked for. */
  const asked = new Set<string>();
  return {
    async read(id) {
      const note = await conversation.notes.read('origins', id);
      if (!kept.has(id)) kept.set(id, Array.isArray(note) ? note.filter(isKept) : []);
    },
    settle(thread) {
      const { id } = thread;
      if (id === null) return;
      const held = kept.get(id) ?? [];
      tellOrigins(conversation, thread, new Map(held.map((one) => [one.task, one])));
      const now = [...new Map([...held, ...listOrigins(thread)].map((one) => [one.task, one]))];
      const next = now.map(([, one]) => one).slice(-MOST_KEPT);
      kept.set(id, next);
      if (!equalJson(held, next)) conversation.notes.keep('origins', id, next);
      const doubtful = listDoubtful(thread).filter((task) => !asked.has(task));
      for (const task of doubtful) asked.add(task);
      if (doubtful.length > 0 && conversation.backend.listCheckpoints) {
        conversation.quietly(() => fetchCheckpoints(conversation, thread));
      }
    },
    clear() {
      kept.clear();
      asked.clear();
    },
  };
}

/** Reads the checkpoints of a thread into their list, and what they say about the beginnings of answers into these. */
export async function fetchCheckpoints(
  conversation: ControllerContext,
  thread: Thread,
): Promise<readonly CheckpointInfo[]> {
  const read = findMethod(conversation.backend, 'listCheckpoints');
  const checkpoints = await read(thread.id ?? '', conversation.closing.signal);
  // Names may repeat, so their keys are their places in the service's order.
  const entries = checkpoints.map((checkpoint, at) => [`${at}`, toJson(checkpoint)] as const);
  const gone = [...thread.list('checkpoints').keys()].slice(entries.length);
  const list = [...entries, ...gone.map((key) => [key] as const)];
  mergeList(conversation, thread, 'checkpoints', list);
  const told = checkpoints.map(({ taskId, restoredFrom: origin }) => [taskId, origin] as const);
  tellOrigins(conversation, thread, new Map(told.filter(([, origin]) => origin)));
  return checkpoints;
}

/** Plain data already; only its interface does not say so. */
function toJson(checkpoint: CheckpointInfo): Json {
  return { ...checkpoint } as unknown as Json;
}

function isKept(value: unknown): value is KeptOrigin {
  const { task, checkpoint, hint } = Object(value) as Partial<Record<string, unknown>>;
  const isHint = hint === null || typeof hint === 'string';
  return typeof task === 'string' && typeof checkpoint === 'string' && isHint;
}

/** Gives answers their beginning, by the task that wrote them. */
function tellOrigins(
  conversation: ControllerContext,
  thread: Thread,
  origins: ReadonlyMap<string | null, RestoreOrigin | null | undefined>,
): void {
  const changes = [...thread.messages.values()].flatMap((message): Change[] => {
    const found = message.restoredFrom ?? origins.get(taskOf(thread, message));
    if (!found || message.restoredFrom) return [];
    const { checkpoint, hint } = found;
    return [createFieldChange(message.key, null, 'restoredFrom', { checkpoint, hint })];
  });
  conversation.commit(thread.key, changes);
}

function listOrigins(thread: Thread): KeptOrigin[] {
  return [...thread.messages.values()].flatMap((message) => {
    const task = taskOf(thread, message);
    return message.restoredFrom && task !== null ? [{ task, ...message.restoredFrom }] : [];
  });
}

/** Tasks of answers that are shown, have other versions, and may have begun at a checkpoint. */
function listDoubtful(thread: Thread): string[] {
  return pathTo(thread).flatMap((message) => {
    const { role, restoredFrom: origin, siblingIds, taskId } = message;
    const isVersion = role === 'assistant' && siblingIds.length > 1;
    return isVersion && origin === null && taskId !== null ? [taskId] : [];
  });
}

/** The task that wrote a message; the run knows it before the message does. */
function taskOf({ run }: Thread, { key, taskId, role }: Message): string | null {
  if (role !== 'assistant') return null;
  return taskId ?? (run.answer === key ? run.id : null);
}
