import type { RunRef } from '../../backend.js';
import type { ShownSize } from './hidden-task.js';
import type { TaskMemory } from './task-memory.js';

/** What is remembered of one session. */
interface SessionNotes {
  /** By the message that is written. */
  readonly runs: Map<string, TaskMemory>;
  /** Tasks that are known to be over, or to belong to a message that was read. */
  readonly knownTasks: Set<string>;
  /** How much of a task's message stood in what was read last. */
  readonly loaded: Map<string, ShownSize>;
  /** The newest message that was read, when an assistant wrote it. */
  head: { readonly taskId: string | null; readonly size: ShownSize } | null;
}

/** Tasks that are not over, over all their connections, and what was read of the ones before. */
export class TaskRegistry {
  readonly #sessions = new Map<string, SessionNotes>();

  /** The memory of the run that writes a message. */
  of(session: string, message: string): TaskMemory | undefined {
    return this.#sessions.get(session)?.runs.get(message);
  }

  /** The memory of a run; undefined when there is none. */
  find(session: string, ref: RunRef): TaskMemory | undefined {
    const memory = this.of(session, ref.keys.answer);
    const isOther = ref.id !== null && memory?.run.taskId != null && memory.run.taskId !== ref.id;
    return isOther ? undefined : memory;
  }

  /** The memory of a task's run. */
  findTask(session: string, taskId: string | null): TaskMemory | undefined {
    const runs = [...(this.#sessions.get(session)?.runs.values() ?? [])];
    return runs.find(({ run }) => !run.ended && (taskId === null || run.taskId === taskId));
  }

  /** Keeps the memory of a run. */
  keep(session: string, memory: TaskMemory): void {
    this.#notesOf(session).runs.set(memory.message, memory);
  }

  /** Lets a run go. */
  forget(session: string, ref: RunRef): void {
    const notes = this.#sessions.get(session);
    const memory = notes?.runs.get(ref.keys.answer);
    if (!notes || !memory) return;
    if (memory.run.taskId !== null) notes.knownTasks.add(memory.run.taskId);
    notes.runs.delete(ref.keys.answer);
  }

  /** Lets the run go that writes a message. */
  drop(session: string, message: string): void {
    this.#sessions.get(session)?.runs.delete(message);
  }

  /** Whether a task belongs to what came before: a stream that brings it brings nothing new. */
  isKnown(session: string, taskId: string): boolean {
    return this.#sessions.get(session)?.knownTasks.has(taskId) ?? false;
  }

  /** A task is over, or belongs to a message that was read. */
  noteKnown(session: string, taskId: string): void {
    this.#notesOf(session).knownTasks.add(taskId);
  }

  /** A message of this task was read, this large. */
  noteLoaded(session: string, taskId: string, size: ShownSize): void {
    this.#notesOf(session).loaded.set(taskId, size);
  }

  /** How much of a task's message is shown already without our doing. */
  loadedSize(session: string, taskId: string | null): ShownSize | undefined {
    return taskId === null ? undefined : this.#sessions.get(session)?.loaded.get(taskId);
  }

  /** The newest message that was read; null when an assistant did not write it. */
  noteHead(session: string, head: SessionNotes['head']): void {
    this.#notesOf(session).head = head;
  }

  /** See {@link noteHead}. */
  head(session: string): SessionNotes['head'] {
    return this.#sessions.get(session)?.head ?? null;
  }

  /** A session is gone. */
  forgetSession(session: string): void {
    this.#sessions.delete(session);
  }

  #notesOf(session: string): SessionNotes {
    const known = this.#sessions.get(session);
    if (known) return known;
    const notes: SessionNotes = {
      runs: new Map(),
      knownTasks: new Set(),
      loaded: new Map(),
      head: null,
    };
    this.#sessions.set(session, notes);
    return notes;
  }
}
