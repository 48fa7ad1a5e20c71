import type {
  Draft,
  Page,
  PageRequest,
  ThreadContent,
  ThreadSummary,
} from '../../backends/backend.js';
import { isUbikError, UbikError } from '../../errors.js';
import type { Change } from '../../model/change.js';
import type { Json, Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { IDLE_RUN, pathTo, type Thread } from '../../model/thread.js';
import { adoptContent, hasMoreOfAnswer, textOfMessage } from '../data/adopt-content.js';
import type { ConversationCore } from '../conversation-core.js';
import { toUbikError } from '../run/failure.js';
import { findUnfinished } from '../run/unfinished-run.js';

/** Reading, opening, making and naming threads. */
export class ThreadActs {
  readonly #core: ConversationCore;
  /** Threads that are being made. */
  readonly #creating = new Map<Key, Promise<void>>();

  constructor(core: ConversationCore) {
    this.#core = core;
  }

  /** Opens a thread; see `StreamController.openThread`. */
  async open(id: string): Promise<void> {
    const { backend, notes, runs, store } = this.#core;
    const isLatest = this.#core.beginOpening();
    const held = store.threadOf(id);
    if (held) this.#show(held, id);
    if (held && runs.isActive(held.key)) {
      this.#core.tellOpened(held);
      return;
    }
    const reading = Promise.all([notes.read('run', id), notes.read('draft', id)]);
    const content = await backend.loadThread(id);
    const [note, draft] = await reading;
    if (!isLatest()) return;
    const key = store.threadOf(id)?.key ?? store.createKey('thread');
    if (runs.isActive(key)) return;
    if (held && this.#showsMore(held, content)) {
      this.#core.tellOpened(held);
      runs.goOn(held.key);
      return;
    }
    const thread = this.#adopt(key, content);
    this.#core.drafts.restore(key, withoutSent(draft, note, thread));
    this.#show(thread, id);
    this.#core.tellOpened(thread);
    this.#resume(thread, content, note);
  }

  /** Opens the thread that was open last; see `StreamController.openLatest`. */
  async openLatest(): Promise<boolean> {
    const isLatest = this.#core.beginOpening();
    const note = await this.#core.notes.read('latest');
    if (typeof note !== 'string' || !isLatest()) return false;
    try {
      await this.open(note);
      return true;
    } catch (error) {
      if (!isUbikError(error) || error.code !== 'not-found') throw error;
      this.#core.notes.remove('latest', '');
      return false;
    }
  }

  /** Leaves the current thread. */
  leave(): void {
    this.#core.beginOpening();
    this.#core.setCurrent(null);
  }

  /** The current thread, or a new one that is on its way to the service: then `ready` holds until it is there. */
  ensure(): { thread: Key; ready: Promise<void> | null } {
    const { current, store, drafts } = this.#core;
    if (current) return { thread: current.key, ready: this.#creating.get(current.key) ?? null };
    this.#core.beginOpening();
    const key = store.createKey('thread');
    store.commit(key, [{ do: 'thread', set: { title: this.#core.newThread?.title ?? '' } }]);
    drafts.move(null, key);
    this.#core.setCurrent(store.thread(key) ?? null);
    const ready = this.#create(key).finally(() => this.#creating.delete(key));
    this.#creating.set(key, ready);
    return { thread: key, ready };
  }

  /** Reads the list of threads; what comes is in the list `threads` too. */
  async list(page: PageRequest): Promise<Page<ThreadSummary>> {
    const { backend, store } = this.#core;
    if (!backend.listThreads) throw unsupported('list threads');
    const found = await backend.listThreads(page);
    store.commit('', found.items.map(toItem));
    return found;
  }

  /** Gives a thread another title. */
  async rename(id: string, title: string): Promise<void> {
    const { backend, store } = this.#core;
    if (!backend.renameThread) throw unsupported('rename threads');
    await backend.renameThread(id, title);
    this.#retitle(id, title);
    const thread = store.threadOf(id);
    if (thread) store.commit(thread.key, [{ do: 'thread', set: { title } }]);
  }

  /** Deletes a thread. Its run, if one is on, is left. */
  async delete(id: string): Promise<void> {
    const { backend, store, runs, notes } = this.#core;
    if (!backend.deleteThread) throw unsupported('delete threads');
    await backend.deleteThread(id);
    store.commit('', [{ do: 'item', list: 'threads', key: id }]);
    for (const kind of ['run', 'draft'] as const) notes.remove(kind, id);
    if ((await notes.read('latest')) === id) notes.remove('latest', '');
    const thread = store.threadOf(id);
    if (!thread) return;
    runs.drop(thread.key);
    if (this.#core.current === thread) this.leave();
    // Its id is free of it, so that nobody finds it again.
    store.commit(thread.key, [{ do: 'thread', set: { id: null, run: IDLE_RUN } }]);
  }

  /** Shows another version of a message. */
  async navigate(messageId: string): Promise<void> {
    const { backend, current, runs } = this.#core;
    if (!backend.navigate) throw unsupported('show other versions');
    if (current?.id == null) throw new UbikError('misuse', 'No thread is open. Open one first.');
    runs.checkFree(current.key);
    const content = await backend.navigate(current.id, messageId);
    if (!runs.isActive(current.key)) this.#adopt(current.key, content);
  }

  /** Reads a thread's messages again, unless a run began meanwhile. A failure is no more than a diagnostic. */
  async refresh(
    thread: Key,
    isGood: (content: ThreadContent) => boolean = () => true,
  ): Promise<void> {
    const { backend, runs, store } = this.#core;
    const id = store.thread(thread)?.id;
    const session = runs.of(thread);
    if (id == null) return;
    try {
      const content = await backend.loadThread(id);
      const still = runs.of(thread) === session && !runs.isActive(thread) && !this.#core.closed;
      if (still && isGood(content)) this.#adopt(thread, content);
    } catch (error) {
      if (!this.#core.closed) this.#core.diagnose(toUbikError(error));
    }
  }

  async #create(key: Key): Promise<void> {
    const { backend, store, drafts, newThread } = this.#core;
    try {
      const summary = await backend.createThread(newThread);
      if (this.#core.closed) return;
      const { id, title } = summary;
      store.commit(key, [{ do: 'thread', set: { id, title } }]);
      store.commit('', [toItem(summary)]);
      drafts.settle(key);
      this.#core.notes.write('latest', '', id);
      this.#core.notify({ type: 'thread-created', thread: key });
    } catch (error) {
      if (!this.#core.closed) {
        drafts.move(key, null);
        if (this.#core.current?.key === key) this.#core.setCurrent(null);
      }
      throw error;
    }
  }

  /** Whether a run that was given up has shown more than the service has stored. What is shown does not disappear. */
  #showsMore(thread: Thread, content: ThreadContent): boolean {
    const { answer, id, state } = thread.run;
    const shown = answer === null ? undefined : thread.messages.get(answer);
    const began = this.#core.runs.of(thread.key)?.began ?? false;
    return began && state === 'interrupted' && !!shown && !hasMoreOfAnswer(content, shown, id);
  }

  #show(thread: Thread, id: string): void {
    this.#core.setCurrent(thread);
    this.#core.notes.write('latest', '', id);
  }

  #adopt(key: Key, content: ThreadContent): Thread {
    const { store, drafts } = this.#core;
    // A thread comes into being with the first change that names it.
    if (!store.thread(key)) store.commit(key, [{ do: 'thread', set: { id: content.thread.id } }]);
    const thread = store.thread(key);
    if (!thread) throw new UbikError('misuse', 'The thread could not be made.');
    const { changes, lost } = adoptContent(thread, content, () => store.createKey('message'));
    for (const message of lost) drafts.giveBack(key, toDraft(message));
    store.commit(key, changes);
    this.#retitle(content.thread.id ?? '', content.thread.title);
    return thread;
  }

  #resume(thread: Thread, content: ThreadContent, note: unknown): void {
    const { backend, notes, store, runs } = this.#core;
    const createKey = (): Key => store.createKey('message');
    const found = backend.rejoin
      ? findUnfinished(thread, content.unfinished, note, createKey)
      : null;
    if (found) runs.resume(found);
    else {
      if (note !== null && thread.id !== null) notes.remove('run', thread.id);
      // What is shown of an earlier end may not be there any more.
      const { answer } = thread.run;
      if (answer !== null && !thread.messages.has(answer)) {
        store.commit(thread.key, [{ do: 'thread', set: { run: IDLE_RUN } }]);
      }
    }
  }

  #retitle(id: string, title: string): void {
    const { store } = this.#core;
    const listed = store.listed(id);
    if (!isRecord(listed) || listed['title'] === title) return;
    store.commit('', [{ do: 'item', list: 'threads', key: id, value: { ...listed, title } }]);
  }
}

/** A message that is on its way is stored as a draft too. When the thread ends with it, it has arrived. */
function withoutSent(draft: unknown, note: unknown, thread: Thread): unknown {
  if (note === null || typeof draft !== 'object' || draft === null || !('text' in draft))
    return draft;
  const last = pathTo(thread)
    .filter(({ role }) => role === 'user')
    .at(-1);
  const arrived =
    last && typeof draft.text === 'string' && textOfMessage(last) === draft.text.trim();
  return arrived ? null : draft;
}

function toDraft(message: Message): Draft {
  return { text: textOfMessage(message), attachments: message.attachments };
}

function toItem(summary: ThreadSummary): Change {
  return { do: 'item', list: 'threads', key: summary.id, value: { ...summary } };
}

function isRecord(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The error for what a service cannot do. */
export function unsupported(what: string): UbikError {
  return new UbikError('unsupported', `This service cannot ${what}.`);
}
