import type { Draft } from '../../backends/backend.js';
import { findReason, UbikError } from '../../errors.js';
import { createItemChange } from '../../model/change.js';
import type { Json, Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { isWaiting, type Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import type { QueuedMessage } from '../controller-types.js';
import { listShownRequests } from '../requests/input-requests.js';
import { toUbikError } from '../run/classify-error.js';
import { startRun, type RunPlan } from '../run/run-session.js';
import { isStoredRunWaiting, stopRun } from '../run/stop-run.js';
import { countUserMessages, isDelivered } from './delivery.js';
import { assertNotEmpty, planUserMessage, send } from './message-actions.js';
import { normalizeLineEnds } from './message-text.js';

/** A message of a queue with its key. */
type QueueEntry = readonly [Key, QueuedMessage];

/** A message as it is stored. */
interface StoredQueuedMessage extends QueuedMessage {
  /** The number of user messages before it at the time of sending. Named as in the storage of earlier versions. */
  readonly asked?: number;
}

/** An entry of the record of a queue. Null marks a message that was sent or removed. */
type StoredEntry = readonly [Key, StoredQueuedMessage | null];

/** Maximum number of stored markers of removed messages, per thread. They tell other tabs that still show these messages to remove them. */
const MAX_REMOVED = 100;
/** Maximum length of a record in UTF-16 units. With its key, a record then stays below the limit of an entry in `transport/storage.ts`. */
const MAX_LENGTH = 250_000;

/** The queued messages of all threads, in the list `queue` of each thread and in the storage, which other tabs change as well. */
export class MessageQueue {
  readonly #context: ControllerContext;
  /**
   * Threads in which another tab sends a queued message, until this tab has sent the next message. If the service lists the run of the other
   * tab late, it rejects the message of this tab as `busy`.
   */
  readonly claimedElsewhere = new Set<Key>();
  /** Messages that this tab has removed or sent: a record that was read before still contains them. */
  readonly #removed = new Set<Key>();

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** Returns the messages of a thread, oldest first. */
  list(thread: Thread): QueueEntry[] {
    return [...thread.list('queue')] as unknown as QueueEntry[];
  }

  /** Returns the message to send next: the one marked `next`, else the oldest. */
  findNext(thread: Thread): QueueEntry | undefined {
    const all = this.list(thread);
    return all.find(([, message]) => message.next) ?? all[0];
  }

  /** Sets a message in the list and in the storage; null removes it. One that another tab has sent or removed is removed here, too. */
  set(thread: Thread, key: Key, message: QueuedMessage | null): void {
    void this.update(thread, key, message).then((isStored) => {
      if (!isStored) this.#setItem(thread, key, null);
    });
  }

  /** Sets a message like {@link set}. If another tab has sent or removed it, resolves to false, and the message stays in the list. */
  update(thread: Thread, key: Key, message: QueuedMessage | null): Promise<boolean> {
    if (!message) this.#removed.add(key);
    this.#setItem(thread, key, message);
    return this.#store(thread.id, key, message);
  }

  /** Inserts a message before all others, in the list and in the storage. */
  prepend(thread: Thread, key: Key, message: QueuedMessage): void {
    const others = this.list(thread);
    for (const [other] of others) this.#setItem(thread, other, null);
    this.#setItem(thread, key, message);
    for (const [other, value] of others) this.#setItem(thread, other, value);
    void this.#context.storage.update('queue', thread.id ?? '', (record) => {
      const all = readStored(record);
      all.delete(key);
      return toRecord([[key, message], ...all]);
    });
  }

  /**
   * Claims a message to send it, so that no other tab does. Resolves to the message as it is stored: `waiting` if it was claimed; `sending`
   * or `paused` if another tab is about to send it or has paused it; null if another tab has sent or removed it. A message that was not
   * claimed is removed from the list, unless it is paused. If the storage has neither the message nor a marker of its removal, it was cleared
   * or had no room for the message, and the message is claimed.
   *
   * @param isRequested Whether the user has asked to send it. Then a `paused` message is claimed, too, and a `sending` one, because the
   *   other tab may be closed.
   */
  async claim(
    thread: Thread,
    [key, message]: QueueEntry,
    isRequested: boolean,
  ): Promise<QueuedMessage | null> {
    let claimed = message as QueuedMessage | null;
    const asked = countUserMessages(thread);
    this.#setItem(thread, key, { ...message, state: 'sending' });
    await this.#context.storage.update('queue', thread.id ?? '', (record) => {
      const all = readStored(record);
      const stored = all.get(key);
      claimed = stored === undefined ? message : stored;
      if (claimed && isRequested) claimed = { ...claimed, state: 'waiting' };
      if (claimed?.state === 'waiting') all.set(key, { ...claimed, state: 'sending', asked });
      return toRecord(all);
    });
    if (claimed?.state !== 'waiting') {
      this.#setItem(thread, key, claimed?.state === 'paused' ? claimed : null);
    }
    return claimed;
  }

  /**
   * Pauses all waiting messages. If the thread could not be created, the messages become the draft.
   *
   * @param reason Why the next message is not sent; null when there is no error to show, for example when the user has stopped the run.
   */
  pauseAll(thread: Thread, reason: UbikError | null): void {
    const isCreated = this.#context.isCreated(thread);
    const [next] = this.findNext(thread) ?? [];
    for (const [key, message] of this.list(thread).reverse()) {
      if (!isCreated) {
        this.set(thread, key, null);
        this.#context.drafts.restoreSending(null, draftOf(message));
      } else if (message.state === 'waiting') {
        const failure = key === next && reason && describeFailure(reason);
        this.set(thread, key, { ...message, ...failure, state: 'paused', next: false });
      }
    }
  }

  /** Stores the messages of a thread under the id that the service has given it. */
  storeUnderId(key: Key): void {
    const { storage, store } = this.#context;
    const thread = store.threads.get(key);
    const messages = thread ? this.list(thread) : [];
    if (!thread || messages.length === 0) return;
    for (const [each, message] of messages) void this.#store(thread.id, each, message);
    // Other messages of the record may belong to another thread that is being created.
    const moved = new Set(messages.map(([each]) => each));
    void storage.update('queue', '', (record) =>
      [...readStored(record)].filter(([each]) => !moved.has(each)),
    );
  }

  /**
   * Adds the stored messages to the list of a thread as `paused`; while a run is active, waiting ones stay `waiting`. A message that was being
   * sent is removed from the storage instead when it is among the user messages.
   */
  restore(thread: Thread, record: unknown, userMessages: readonly Message[]): void {
    const isBusy = this.#context.isBusy(thread);
    for (const [key, { asked, ...message }] of listStored(record)) {
      const { state } = message;
      if (state === 'sending' && isDelivered(message, asked, userMessages)) {
        void this.#store(thread.id, key, null);
      } else if (!thread.list('queue').has(key) && !this.#removed.has(key)) {
        const isKept = isBusy && state === 'waiting';
        this.#setItem(thread, key, { ...message, state: isKept ? state : 'paused', next: false });
      }
    }
  }

  /** Turns the stored messages of a thread that was never created into the draft. */
  restoreAsDraft(record: unknown): void {
    const messages = listStored(record);
    if (messages.length === 0) return;
    for (const [key] of messages) void this.#store(null, key, null);
    this.#context.drafts.restoreQueued(
      null,
      messages.map(([, message]) => draftOf(message)),
    );
  }

  /**
   * Sends the next message of a thread whose run has completed, or which has none. When the run was stopped or has failed, sends the
   * next message only if it is marked `next`, and otherwise pauses the queue. When the run was rejected, pauses the queue, unless the run of
   * another tab explains that: the thread is then reloaded, which continues the queue.
   */
  advance(
    { plan, thread }: { readonly plan?: RunPlan; readonly thread: Thread },
    rejection: UbikError | null = null,
  ): void {
    const context = this.#context;
    const { state } = thread.run;
    if (!hasNoPausedRun(thread) || context.isBusy(thread)) return;
    if (rejection?.code === 'busy' && this.claimedElsewhere.has(thread.key)) return;
    const isRequested = this.findNext(thread)?.[1].next === true;
    const isComplete = state === 'complete' || state === 'idle';
    if (!rejection && (isComplete || isRequested)) sendNext(context, thread);
    else {
      // Without a `call`, this page has only joined the run. The user need not know that such a run no longer exists.
      const reason = plan?.call ? rejection : null;
      this.pauseAll(thread, reason ?? (state === 'failed' ? new UbikError('run-failed') : null));
    }
  }

  #setItem(thread: Thread, key: Key, message: QueuedMessage | null): void {
    const value = message ? (message as unknown as Json) : undefined;
    this.#context.commit(thread.key, [createItemChange('queue', key, value)]);
  }

  /**
   * Stores one message and leaves the others unchanged, because another tab may have sent messages that are still listed here. Resolves to
   * whether it was stored, which it is not if another tab has sent or removed it.
   */
  async #store(id: string | null, key: Key, message: QueuedMessage | null): Promise<boolean> {
    let isStored = true;
    await this.#context.storage.update('queue', id ?? '', (record) => {
      const all = readStored(record);
      isStored = message === null || all.get(key) !== null;
      if (isStored) all.set(key, message);
      const removed = [...all].filter(([, each]) => each === null).slice(0, -MAX_REMOVED);
      for (const [each] of removed) all.delete(each);
      return toRecord(all);
    });
    return isStored;
  }
}

/** Returns the queued messages of a controller. */
export function queueOf(context: ControllerContext): MessageQueue {
  return (context.queue ??= new MessageQueue(context));
}

/**
 * Adds a message to the queue of the active run; see `StreamController`.
 *
 * @param writtenDraft The draft at the time of the call. The user may have gone on writing while this module was being loaded.
 */
export async function enqueue(
  context: ControllerContext,
  draft: Draft,
  writtenDraft: Draft,
  now = false,
): Promise<void> {
  const { currentThread: thread, environment } = context;
  const queue = queueOf(context);
  assertNotEmpty(draft);
  // While the run waits for the user, the service would treat the message as the answer.
  if (!thread || canSend(context, thread, true)) {
    const sending = send(context, draft);
    if (thread) removeFromDraft(context, thread.key, draft, writtenDraft);
    await sending;
    // The run has ended while this module was loading. The page expects the notice of a queued message.
    if (thread) context.notify({ type: 'queued-sent', thread: thread.key, draft });
    return;
  }
  const key = environment.uuid();
  // A message that is queued while the run is being stopped is sent next.
  const next = now || thread.run.state === 'stopping';
  queue.set(thread, key, { ...draftOf(draft), state: 'waiting', next, error: null });
  removeFromDraft(context, thread.key, draft, writtenDraft);
  // While the agent asks, the message waits in the queue like any other.
  if (now && !hasAgentRequest(thread)) await sendNow(context, thread, key);
}

/**
 * Removes a text that was just queued or sent, and the attachments of `writtenDraft`, from the current draft, if `writtenDraft` has this text
 * and the draft still begins with it. Text and attachments that were added since then stay.
 */
function removeFromDraft(
  { drafts }: ControllerContext,
  thread: Key,
  { text }: Draft,
  writtenDraft: Draft,
): void {
  const draft = drafts.get(thread);
  const typed = normalizeLineEnds(text);
  if (writtenDraft.text !== typed || !draft.text.startsWith(typed)) return;
  const removed = writtenDraft.attachments.map(({ id }) => id);
  drafts.set(thread, {
    text: draft.text.slice(typed.length),
    attachments: draft.attachments.filter(({ id }) => !removed.includes(id)),
  });
  drafts.flush();
}

/** Replaces text and attachments of a queued message, and sends the next message if possible. */
export async function updateQueued(
  context: ControllerContext,
  key: Key,
  draft: Draft,
): Promise<void> {
  const { thread, message } = requireQueued(context, key);
  assertNotEmpty(draft);
  const changed = { ...message, ...draftOf(draft), error: null };
  // When another tab has sent or removed the message, the new text stays in the list, so that it is not lost.
  if (!(await queueOf(context).update(thread, key, changed))) throw createMissingError();
  sendNext(context, thread);
}

/** Removes a message from the queue, and sends the next one if possible. */
export function removeQueued(context: ControllerContext, key: Key): void {
  const { thread } = requireQueued(context, key);
  queueOf(context).set(thread, key, null);
  sendNext(context, thread);
}

/** Pauses or resumes a queued message; see `StreamController`. */
export function pauseQueued(context: ControllerContext, key: Key, paused = true): void {
  const { thread, message } = requireQueued(context, key);
  const hasEndedEarly = ['stopped', 'failed'].includes(thread.run.state);
  const state = paused || hasEndedEarly ? 'paused' : 'waiting';
  queueOf(context).set(thread, key, { ...message, state });
  sendNext(context, thread);
}

/** Sends a queued message at once, before the others; stops the active run. */
export async function sendQueued(context: ControllerContext, key: Key): Promise<void> {
  const { thread } = requireQueued(context, key);
  await sendNow(context, thread, key);
}

/** Resumes all paused messages, which are then sent in order. */
export function resumeQueue(context: ControllerContext): void {
  const { currentThread: thread } = context;
  const queue = queueOf(context);
  if (!thread) return;
  for (const [key, message] of queue.list(thread)) {
    if (message.state === 'paused') {
      queue.set(thread, key, { ...message, state: 'waiting', error: null });
    }
  }
  sendNext(context, thread, true);
}

/** Sends the next message if it waits and {@link canSend} allows it. `isRequested`: the user has asked to send it. */
function sendNext(context: ControllerContext, thread: Thread, isRequested = false): void {
  const { options } = context;
  const queue = queueOf(context);
  if (!canSend(context, thread, isRequested)) return;
  const entry = queue.findNext(thread);
  if (entry?.[1].state !== 'waiting') return;
  if (options.page?.online === false) {
    queue.pauseAll(thread, new UbikError('network'));
    return;
  }
  const claim = queue.claim(thread, entry, isRequested);
  context.runInBackground(async () => sendClaimed(context, thread, entry[0], await claim));
}

async function sendClaimed(
  context: ControllerContext,
  thread: Thread,
  key: Key,
  message: QueuedMessage | null,
): Promise<void> {
  const { drafts, sequencer } = context;
  const queue = queueOf(context);
  // A pending branch switch determines which message the queued one follows.
  await sequencer.pendingSwitch(thread);
  if (context.closed || !context.store.threads.has(thread.key)) return;
  if (message?.state === 'sending') {
    // The run of the other tab is joined, so that the next message is sent after it.
    queue.claimedElsewhere.add(thread.key);
    context.onExternalChange?.(thread.id ?? '');
    return;
  }
  if (message?.state !== 'waiting') {
    sendNext(context, thread);
    return;
  }
  // Another run has started meanwhile.
  if (!canSend(context, thread, true)) {
    queue.set(thread, key, { ...message, state: 'waiting' });
    return;
  }
  const draft = draftOf(message);
  const before = countUserMessages(thread);
  let isUncertain = false;
  let isRepeated = false;
  const plan = planUserMessage(context, thread, draft, {
    onAccepted: () => {
      queue.claimedElsewhere.delete(thread.key);
      if (isUncertain) drafts.finishSending(thread.key, draft);
      else queue.set(thread, key, null);
      context.notify({ type: 'queued-sent', thread: thread.key, draft });
    },
    onRejected: (error) => {
      // The service has listed the run of the other tab late: the message waits for the end of that run and is then sent again.
      isRepeated = queue.claimedElsewhere.delete(thread.key) && error.code === 'busy';
      if (isRepeated) return queue.set(thread, key, { ...message, state: 'waiting' });
      const failure = describeFailure(error);
      const paused = { ...message, ...failure, state: 'paused', next: false } as const;
      if (!isUncertain) return queue.set(thread, key, paused);
      drafts.finishSending(thread.key, draft);
      queue.prepend(thread, key, paused);
    },
  });
  await startRun(context, plan).catch((thrown: unknown) => {
    if (isRepeated) return;
    const error = toUbikError(thrown);
    const queued = thread.list('queue').get(key) as QueuedMessage | undefined;
    // Whether the message was delivered can remain unknown for long. It is moved from the queue to the texts that are being sent, so that it
    // does not block the queue.
    if (queued?.state === 'sending' && thread.run.state === 'interrupted') {
      isUncertain = true;
      drafts.storeSending(thread.key, draft, before);
      queue.set(thread, key, null);
    }
    context.notify({ type: 'error', error });
    throw error;
  });
}

/** Marks a message as the next one and stops the active run for it. */
async function sendNow(context: ControllerContext, thread: Thread, key: Key): Promise<void> {
  const queue = queueOf(context);
  const queued = thread.list('queue').get(key) as QueuedMessage & object;
  // The service would treat the message as the answer to the request.
  if (hasAgentRequest(thread)) throw new UbikError('busy');
  queue.set(thread, key, { ...queued, state: 'waiting', next: true, error: null });
  if (!context.isBusy(thread) && !isShownRunWaiting(thread)) {
    sendNext(context, thread, true);
    return;
  }
  try {
    await stopRun(context, thread);
  } catch (error) {
    // The user may have edited or paused the message meanwhile.
    const current = thread.list('queue').get(key) as QueuedMessage | undefined;
    if (current) queue.set(thread, key, { ...current, next: false });
    throw error;
  }
}

/** Whether a run waits for the user on the shown branch. */
export function isShownRunWaiting(thread: Thread): boolean {
  return isWaiting(thread) || isStoredRunWaiting(thread);
}

/** Whether no run of the thread waits for the user, on any branch, or was interrupted. */
function hasNoPausedRun({ run: { state } }: Thread): boolean {
  return state !== 'waiting' && state !== 'interrupted';
}

/**
 * Whether a message can be sent now. While a run waits for the user on another branch, or is interrupted, only a message that the user has
 * requested is sent.
 */
function canSend(context: ControllerContext, thread: Thread, isRequested: boolean): boolean {
  const canFollow = (isRequested || hasNoPausedRun(thread)) && !isShownRunWaiting(thread);
  const isIdle = !context.isBusy(thread) && !context.sequencer.hasScheduledRun(thread);
  return !context.closed && canFollow && isIdle && !hasAgentRequest(thread);
}

/** Whether the agent asks the user, also in a thread without a run, as after a reload of the page. */
export function hasAgentRequest(thread: Thread): boolean {
  return listShownRequests(thread).some(({ level }) => level === 'agent');
}

/** Returns a queued message with its thread, which need not be the current one. */
function requireQueued({ currentThread, store }: ControllerContext, key: Key) {
  const thread = [currentThread, ...store.threads.values()].find((each) =>
    each?.list('queue').has(key),
  );
  const message = thread?.list('queue').get(key) as QueuedMessage | undefined;
  if (!thread || !message) throw createMissingError();
  if (message.state === 'sending') throw new UbikError('busy');
  return { thread, message };
}

function createMissingError(): UbikError {
  return new UbikError('misuse', 'No queued message has this key.');
}

/** Returns the fields of a message that say why it was not sent. */
function describeFailure(error: UbikError): Pick<QueuedMessage, 'error' | 'serviceError'> {
  const { code, serviceError = null } = findReason(error);
  return { error: code, serviceError };
}

/** Returns the fields of a message that are sent. */
export function draftOf({ text, attachments, options, context }: Draft): Draft {
  return {
    text,
    attachments,
    ...(options && { options }),
    ...(context === undefined ? {} : { context }),
  };
}

/** Parses a stored queue, which an earlier version may have written. */
function readStored(record: unknown): Map<Key, StoredQueuedMessage | null> {
  const entries = Array.isArray(record) ? (record as unknown[]) : [];
  return new Map(
    entries.filter((entry): entry is StoredEntry => {
      const [key, message] = Array.isArray(entry) ? (entry as unknown[]) : [];
      const { text, attachments } = Object(message) as { [name in keyof QueuedMessage]?: unknown };
      const isMessage = typeof text === 'string' && Array.isArray(attachments);
      return typeof key === 'string' && (message === null || isMessage);
    }),
  );
}

/** Returns the record of a queue, without the longest messages if it is too long, so that changes of the other messages are stored. */
function toRecord(all: Iterable<StoredEntry>): readonly StoredEntry[] {
  const entries = [...all];
  const lengths = entries.map((entry) => JSON.stringify(entry).length + 1);
  while (lengths.reduce((sum, length) => sum + length, 1) > MAX_LENGTH) {
    const longest = lengths.indexOf(Math.max(...lengths));
    entries.splice(longest, 1);
    lengths.splice(longest, 1);
  }
  return entries;
}

/** Returns the stored messages that were not removed, oldest first. */
function listStored(record: unknown): (readonly [Key, StoredQueuedMessage])[] {
  return [...readStored(record)].flatMap(
    ([key, message]): (readonly [Key, StoredQueuedMessage])[] => (message ? [[key, message]] : []),
  );
}
