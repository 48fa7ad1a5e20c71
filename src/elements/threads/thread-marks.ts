import type { ControllerNotice, StreamController } from '../../conversation/controller-types.js';
import type { Thread } from '../../model/thread.js';
import { armedRequests, isAtWork } from '../../parts/thread-path.js';

/** What a person should know of a thread before opening it. */
export type ThreadMark = 'running' | 'waiting' | 'unread' | 'failed';

/** What is left of a run that ended while another thread was shown. */
const LEFT = new Map<ControllerNotice['type'], ThreadMark>([
  ['run-ended', 'unread'],
  ['run-failed', 'failed'],
  ['run-interrupted', 'failed'],
]);
/** Threads whose marks are kept. */
const MOST = 200;

/**
 * Marks of threads that this browser has followed. Of those that this page has shown, their own data tells; what is left of others
 * is kept for the person, and what one page keeps its others show. Nobody tells how a run went on while no page was there: then there
 * may be something new.
 */
export class ThreadMarks {
  readonly #conversation: StreamController;
  readonly #changed: (id: string) => void;
  /** Threads that this page has shown: live. */
  readonly #seen = new Map<string, Thread>();
  readonly #left = new Map<string, ThreadMark>();
  #restored = false;

  constructor(conversation: StreamController, changed: (id: string) => void) {
    this.#conversation = conversation;
    this.#changed = changed;
    void conversation.notes.read('marks').then((kept) => this.#restore(kept));
    this.#note();
  }

  /** The mark of a thread by the server's id. */
  of(id: string): ThreadMark | undefined {
    const thread = this.#seen.get(id);
    return (thread && readMark(thread)) ?? this.#left.get(id);
  }

  /** Something was told about a conversation. */
  hear(notice: ControllerNotice): void {
    const current = this.#note();
    if (!('thread' in notice) || notice.type === 'draft-changed') return;
    const { type, thread: key } = notice;
    const thread =
      key === null ? undefined : [...this.#seen.values()].find((one) => one.key === key);
    if (!thread?.id) return;
    if (thread === current) this.#left.delete(thread.id);
    else {
      const mark = LEFT.get(type);
      if (mark) this.#left.set(thread.id, mark);
    }
    this.#keep();
    this.#changed(thread.id);
  }

  /** Something was kept by another page, perhaps marks. */
  async reread(): Promise<void> {
    const kept = await this.#conversation.notes.read('marks');
    if (this.#restored) this.#adopt(kept);
  }

  /** A thread is gone. */
  forget(id: string): void {
    this.#seen.delete(id);
    if (this.#left.delete(id)) this.#keep();
  }

  /** The current thread, which is one of those seen. */
  #note(): Thread | null {
    const { thread } = this.#conversation;
    if (thread?.id) this.#seen.set(thread.id, thread);
    return thread;
  }

  #keep(): void {
    // What was kept before is not lost to what is new.
    if (!this.#restored) return;
    const ids = [...new Set([...this.#left.keys(), ...this.#seen.keys()])];
    const marks = ids.map((id) => [id, this.of(id)] as const);
    const kept = marks.flatMap(([id, mark]) => (mark ? [[id, mark]] : []));
    this.#conversation.notes.keep('marks', kept.slice(-MOST));
  }

  #restore(kept: unknown): void {
    this.#restored = true;
    for (const [id, mark] of readMarks(kept)) {
      if (this.#seen.has(id)) continue;
      this.#left.set(id, mark === 'running' ? 'unread' : mark);
      this.#changed(id);
    }
  }

  /** Another page of the same person has been at work: what it keeps is how things stand, but for what is shown here. */
  #adopt(kept: unknown): void {
    const current = this.#note();
    const before = new Map(this.#left);
    this.#left.clear();
    for (const [id, mark] of readMarks(kept)) {
      const isRead = id === current?.id && (mark === 'unread' || mark === 'failed');
      if (!isRead) this.#left.set(id, mark);
    }
    for (const id of new Set([...before.keys(), ...this.#left.keys()])) {
      if (before.get(id) !== this.#left.get(id)) this.#changed(id);
    }
  }
}

/** What was kept, as far as it is ours. */
function readMarks(kept: unknown): readonly (readonly [string, ThreadMark])[] {
  if (!Array.isArray(kept)) return [];
  return kept.slice(-MOST).flatMap((entry: unknown) => {
    const [id, mark] = Array.isArray(entry) ? (entry as unknown[]) : [];
    const isMark =
      mark === 'running' || mark === 'waiting' || mark === 'unread' || mark === 'failed';
    return typeof id === 'string' && isMark ? [[id, mark] as const] : [];
  });
}

function readMark(thread: Thread): ThreadMark | undefined {
  const { messages, head } = thread;
  if (armedRequests(messages.get(head ?? '')).length > 0) return 'waiting';
  return isAtWork(thread) ? 'running' : undefined;
}
