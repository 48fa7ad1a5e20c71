import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import type { Thread } from '../../model/thread.js';
import type { IconName } from '../../message/icons.js';
import { armedRequests, isAtWork } from '../../message/thread-path.js';
import { OtherPages, takePageLock } from './other-pages.js';

/** What a person should know of a thread before opening it. */
export type ThreadMark = 'running' | 'waiting' | 'unread' | 'failed';

/** What stands for each. */
export const MARK_ICONS: Readonly<Record<ThreadMark, IconName>> = {
  running: 'ring',
  waiting: 'question',
  unread: 'dot',
  failed: 'alert',
};

/** What is left of a run that ended while another thread was shown. */
const LEFT = new Map<ControllerNotice['type'], ThreadMark>([
  ['run-ended', 'unread'],
  ['run-failed', 'failed'],
  ['run-interrupted', 'failed'],
]);
/** What is known of a thread that this page does not show. */
interface LeftMark {
  readonly mark: ThreadMark;
  /** The page in which its run is on; empty when it is over, or nobody knows. */
  readonly page: string;
}

/** Nobody knows how its run went on. */
const NEWS: LeftMark = { mark: 'unread', page: '' };
/** Longest name of a page. */
const NAME_LENGTH = 64;
/** Threads whose marks are kept. */
const MOST = 200;

/**
 * Marks of threads that this browser has followed. Of those that this page has shown, their own data tells; what is left of others
 * is kept for the person, and what one page keeps its others show. Nobody tells how a run went on while no page was there, or after
 * its page has gone: then there may be something new.
 */
export class ThreadMarks {
  readonly #controller: StreamController;
  readonly #changed: (id: string) => void;
  /** Threads that this page has shown: live. */
  readonly #seen = new Map<string, Thread>();
  readonly #left = new Map<string, LeftMark>();
  readonly #pages: OtherPages;
  /** Pages that are no more. */
  readonly #gone = new Set<string>();
  #restored = false;

  /** `takeLock`: tells that this page is there, and hears when others are no more. */
  constructor(
    controller: StreamController,
    changed: (id: string) => void,
    takeLock = takePageLock,
  ) {
    this.#controller = controller;
    this.#changed = changed;
    this.#pages = new OtherPages(controller.environment.uuid(), takeLock);
    void controller.notes.read('marks').then((kept) => this.#restore(kept));
    this.#note();
  }

  /** The mark of a thread by the server's id. */
  of(id: string): ThreadMark | undefined {
    const thread = this.#seen.get(id);
    return (thread && readMark(thread)) ?? this.#left.get(id)?.mark;
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
      if (mark) this.#left.set(thread.id, { mark, page: '' });
    }
    void this.#keep();
    this.#changed(thread.id);
  }

  /** Something was kept by another page, perhaps marks. */
  async reread(): Promise<void> {
    const kept = await this.#controller.notes.read('marks');
    if (this.#restored) this.#adopt(kept);
  }

  /** A thread is gone. */
  forget(id: string): void {
    this.#seen.delete(id);
    if (this.#left.delete(id)) void this.#keep();
  }

  /** Nothing is kept or heard any more; what is on here, others do not hear of. */
  leave(): void {
    this.#pages.leave();
  }

  /** The current thread, which is one of those seen. */
  #note(): Thread | null {
    const { thread } = this.#controller;
    if (thread?.id) this.#seen.set(thread.id, thread);
    return thread;
  }

  async #keep(): Promise<void> {
    // What was kept before is not lost to what is new.
    if (!this.#restored) return;
    const isOn = [...this.#seen.values()].some((thread) => readMark(thread) === 'running');
    // Whoever reads of a run here finds this page there; and reads how it ended before this page is gone.
    if (isOn) await this.#pages.stay(true);
    const ids = [...new Set([...this.#left.keys(), ...this.#seen.keys()])];
    const kept = ids.flatMap((id) => {
      const mark = this.of(id);
      const isOwn = this.#seen.has(id) && mark === 'running';
      const page = isOwn ? this.#pages.own : (this.#left.get(id)?.page ?? '');
      return mark ? [page ? [id, mark, page] : [id, mark]] : [];
    });
    this.#controller.notes.keep('marks', kept.slice(-MOST));
    if (!isOn) void this.#pages.stay(false);
  }

  #restore(kept: unknown): void {
    this.#restored = true;
    for (const [id, { mark, page }] of readMarks(kept)) {
      if (this.#seen.has(id)) continue;
      this.#left.set(id, mark === 'running' && !page ? NEWS : { mark, page });
      if (page) this.#watch(page, true);
      this.#changed(id);
    }
  }

  /** When a page has gone in the middle of its runs, nobody knows how they went on. */
  #watch(page: string, isOld = false): void {
    this.#pages.watch(page, (isSure) => {
      // What was told just now by a page that cannot be watched is believed.
      if (!isSure && !isOld) return;
      if (isSure) this.#gone.add(page);
      // It may have told how they ended before it went.
      void this.reread().then(() => {
        for (const [id, left] of this.#left) {
          if (left.page !== page) continue;
          this.#left.set(id, NEWS);
          this.#changed(id);
        }
      });
    });
  }

  /** Another page of the same person has been at work: what it keeps is how things stand, but for what is shown here. */
  #adopt(kept: unknown): void {
    const current = this.#note();
    const before = new Map(this.#left);
    this.#left.clear();
    for (const [id, left] of readMarks(kept)) {
      const isRead = id === current?.id && (left.mark === 'unread' || left.mark === 'failed');
      if (isRead) continue;
      const isGone = this.#gone.has(left.page);
      this.#left.set(id, isGone ? NEWS : left);
      if (left.page && !isGone) this.#watch(left.page);
    }
    for (const id of new Set([...before.keys(), ...this.#left.keys()])) {
      if (before.get(id)?.mark !== this.#left.get(id)?.mark) this.#changed(id);
    }
  }
}

/** What was kept, as far as it is ours. */
function readMarks(kept: unknown): readonly (readonly [string, LeftMark])[] {
  if (!Array.isArray(kept)) return [];
  return kept.slice(-MOST).flatMap((entry: unknown) => {
    const [id, mark, page] = Array.isArray(entry) ? (entry as unknown[]) : [];
    const isMark =
      mark === 'running' || mark === 'waiting' || mark === 'unread' || mark === 'failed';
    const isPage = typeof page === 'string' && page.length <= NAME_LENGTH && mark === 'running';
    return typeof id === 'string' && isMark
      ? [[id, { mark, page: isPage ? page : '' }] as const]
      : [];
  });
}

function readMark(thread: Thread): ThreadMark | undefined {
  const { messages, head } = thread;
  if (armedRequests(messages.get(head ?? '')).length > 0) return 'waiting';
  return isAtWork(thread) ? 'running' : undefined;
}
