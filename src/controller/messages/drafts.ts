import type { Draft } from '../../backends/backend.js';
import { equalJson, type Json, type Key } from '../../model/json.js';
import type { Attachment, Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { Timer } from '../../transport/environment.js';
import type { ControllerContext } from '../controller-context.js';
import { isDelivered, listUserMessages } from './delivery.js';
import { normalizeLineEnds } from './message-text.js';
import { findEntry, replaceEntry, type TabEntry } from './tab-entries.js';

/** A text that is unsent or whose delivery is uncertain. */
interface PendingText {
  readonly draft: Draft;
  /** The number of user messages before it at the time of sending; null if it was certainly not delivered. */
  readonly before: number | null;
}

/** The unsent texts of one thread. */
interface UnsentTexts {
  /** The texts of which the draft consists, in order. */
  readonly pieces: readonly PendingText[];
  /** The pieces as one draft. */
  readonly draft: Draft;
  /**
   * Texts that are being sent, or whose delivery could not be determined. Not part of the draft, but stored, so that a reload restores
   * them.
   */
  readonly sending: readonly PendingText[];
  /** Timer that stores the draft `draftDelay` after the last edit; null when it is stored. */
  readonly timer: Timer | null;
}

/** The text that the user types while a thread is being opened. */
export interface TypedText {
  /**
   * Appends the text to the draft of a thread. A draft from before the opening remains the draft of the thread to be created. Does
   * nothing when nothing was typed.
   */
  moveTo(thread: Key): void;
}

const EMPTY_DRAFT: Draft = { text: '', attachments: [] };
const NO_TEXTS: UnsentTexts = { pieces: [], draft: EMPTY_DRAFT, sending: [], timer: null };

/** The drafts of all threads and of the thread to be created (null). Each tab stores its own drafts. */
export class Drafts {
  readonly #context: ControllerContext;
  readonly #texts = new Map<Key | null, UnsentTexts>();
  /** Entries of other tabs from which drafts of this tab were restored, by the service's id of the thread. */
  readonly #copiedEntries = new Map<string, TabEntry>();
  /** Number of edits of the draft of the thread to be created. */
  #editCount = 0;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  get(thread: Key | null): Draft {
    return this.#textsOf(thread).draft;
  }

  /** Replaces a draft and stores it after `draftDelay`. An unchanged draft keeps its pieces, so that texts that may be delivered remain known. */
  set(thread: Key | null, value: Draft): void {
    const draft = normalizeDraft(value);
    if (thread === null) this.#editCount += 1;
    const { environment, limits } = this.#context;
    const timer = environment.setTimer(() => this.#change(thread, {}), limits.draftDelay);
    const { pieces, draft: previous } = this.#textsOf(thread);
    const isSame =
      draft.text === previous.text && equalJson(draft.attachments, previous.attachments);
    const edited = isEmpty(draft) ? [] : [{ draft, before: null }];
    this.#change(thread, { pieces: isSame ? pieces : edited, draft, timer });
  }

  /** Stores a text that is being sent, and clears the draft if it has this text. `before`: the number of user messages before it. */
  startSending(thread: Key, draft: Draft, before: number): void {
    this.storeSending(thread, draft, before);
    if (this.get(thread).text === normalizeLineEnds(draft.text)) this.#changePieces(thread, []);
  }

  /** Stores a text that is being sent, such as the new version of an edited message, and leaves the draft unchanged. */
  storeSending(thread: Key, draft: Draft, before: number): void {
    this.#change(thread, { sending: [...this.#textsOf(thread).sending, { draft, before }] });
  }

  /** Removes a text from those being sent, because the service has accepted it or the caller keeps it elsewhere. */
  finishSending(thread: Key, draft: Draft): void {
    const { sending } = this.#textsOf(thread);
    const found = findText(sending, draft);
    if (found) this.#change(thread, { sending: sending.filter((text) => text !== found) });
  }

  /**
   * Prepends to the draft a text that was not sent, was rejected, or is missing in the stored thread. If it `mayBeDelivered` nevertheless,
   * it is removed when a loaded thread contains it.
   */
  restoreSending(thread: Key | null, draft: Draft, mayBeDelivered = false): void {
    const { pieces, sending } = this.#textsOf(thread);
    const found = findText(sending, draft);
    const before = mayBeDelivered ? (found?.before ?? null) : null;
    this.#changePieces(
      thread,
      [{ draft, before }, ...pieces],
      sending.filter((text) => text !== found),
    );
  }

  /** Adds queued texts to the draft: after the texts that were being sent, and before the text typed while they were queued. */
  restoreQueued(thread: Key | null, queued: readonly Draft[]): void {
    const { pieces } = this.#textsOf(thread);
    const sent = pieces.filter(({ before }) => before !== null);
    const typed = pieces.filter(({ before }) => before === null);
    const added = queued.map((draft) => ({ draft, before: null }));
    this.#changePieces(thread, [...sent, ...added, ...typed]);
  }

  /** Removes the texts that are among the user messages of the loaded thread, regardless of the result of their request. */
  removeDelivered(thread: Thread): void {
    const { pieces, sending } = this.#textsOf(thread.key);
    // Listing the messages of a long thread takes time, and most threads have no such text.
    if (pieces.length + sending.length === 0) return;
    const userMessages = listUserMessages(thread);
    const isUnsent = ({ draft, before }: PendingText): boolean =>
      !isDelivered(draft, before, userMessages);
    if ([...pieces, ...sending].every(isUnsent)) return;
    this.#changePieces(thread.key, pieces.filter(isUnsent), sending.filter(isUnsent));
  }

  /** Moves the texts of one thread in front of those of another: when a thread is created, and back when its creation has failed. */
  move(from: Key | null, to: Key | null): void {
    const texts = this.#texts.get(from);
    this.release(from);
    if (!texts) return;
    const { sending, pieces } = this.#textsOf(to);
    this.#changePieces(to, [...texts.pieces, ...pieces], [...texts.sending, ...sending]);
  }

  /** Observes what the user types from now on while no thread is shown. */
  observeTyping(): TypedText {
    const [previous, editCount] = [this.#texts.get(null), this.#editCount];
    return {
      moveTo: (thread) => {
        const texts = this.#texts.get(null);
        if (this.#editCount === editCount || !texts) return;
        this.release(null);
        if (previous) this.#set(null, { ...previous, timer: null });
        this.#changePieces(thread, [...this.#textsOf(thread).pieces, ...texts.pieces]);
        this.#store('');
      },
    };
  }

  /** Stores the texts of a thread under the id that the service has given it. */
  storeUnderId(thread: Key): void {
    // The new record is written first: if the page is closed in between, the text is stored twice and not lost.
    this.#change(thread, {});
    this.#store('');
  }

  /** Reads the stored entry of a thread: that of this tab, else the one written last. */
  async readStored(id: string): Promise<TabEntry | null> {
    const { environment, storage } = this.#context;
    const [record, tab] = await Promise.all([storage.read('draft', id), environment.tabId()]);
    const found = findEntry(record, tab);
    if (found && found.tab !== tab) this.#copiedEntries.set(id, found);
    return found;
  }

  /**
   * Restores a stored draft, unless the thread has one; what was typed for the thread to be created before its draft was read follows it. Omits
   * texts that were being sent and are among the user messages.
   */
  restore(
    thread: Key | null,
    stored: TabEntry | null,
    userMessages: readonly Message[] = [],
  ): void {
    const texts = readEntry(stored?.entry);
    const typed = thread === null ? this.#textsOf(null).pieces : [];
    if (texts.length === 0 || (this.#texts.has(thread) && typed.length === 0)) return;
    const pieces = texts.filter(({ draft, before }) => !isDelivered(draft, before, userMessages));
    // The stored entry is left unchanged, so that the next reload compares uncertain texts again.
    if (typed.length === 0 && pieces.length === texts.length)
      this.#set(thread, { ...NO_TEXTS, pieces, draft: joinDrafts(pieces) });
    else this.#changePieces(thread, [...pieces, ...typed]);
  }

  /** Removes the texts of a thread from memory; the storage is unchanged. */
  release(thread: Key | null): void {
    const { timer } = this.#textsOf(thread);
    if (timer) this.#context.environment.clearTimer(timer);
    this.#texts.delete(thread);
  }

  /** Stores all drafts with a running timer. */
  flush(): void {
    for (const [thread, { timer }] of [...this.#texts]) if (timer) this.#change(thread, {});
  }

  /** Stores all drafts with a running timer, and clears the memory. */
  close(): void {
    this.flush();
    this.#texts.clear();
    this.#copiedEntries.clear();
  }

  #textsOf(thread: Key | null): UnsentTexts {
    return this.#texts.get(thread) ?? NO_TEXTS;
  }

  #changePieces(
    thread: Key | null,
    pieces: readonly PendingText[],
    sending = this.#textsOf(thread).sending,
  ): void {
    this.#change(thread, { pieces, draft: joinDrafts(pieces), sending });
  }

  /** Changes the texts of a thread, and stores them unless a timer is set. */
  #change(thread: Key | null, fields: Partial<UnsentTexts>): void {
    const texts = { ...this.#textsOf(thread), timer: null, ...fields };
    this.#set(thread, texts);
    if (!texts.timer) this.#store(this.#context.serviceIdOf(thread));
  }

  #set(thread: Key | null, texts: UnsentTexts): void {
    const { draft } = this.#textsOf(thread);
    this.release(thread);
    this.#texts.set(thread, texts);
    if (draft !== texts.draft) this.#context.notify({ type: 'draft-changed', thread });
  }

  /** Stores the texts of a thread by the service's id. Threads without an id share one record. */
  #store(id: string): void {
    const all = [...this.#texts]
      .filter(([thread]) => this.#context.serviceIdOf(thread) === id)
      .map(([, texts]) => texts);
    const sending = all.flatMap((texts) => texts.sending).map(toStored);
    const pieces = all.flatMap((texts) => texts.pieces).map(toStored);
    const entry = [...sending, ...pieces].length === 0 ? null : { sending, pieces };
    const copied = this.#copiedEntries.get(id) ?? null;
    if (!entry) this.#copiedEntries.delete(id);
    void this.#context.storage.update('draft', id, (record, tab) =>
      replaceEntry(record, tab, entry as unknown as Json, copied),
    );
  }
}

function isEmpty({ text, attachments }: Draft): boolean {
  return text === '' && attachments.length === 0;
}

/** Returns the first pending text that equals a draft: of several equal texts, the one that was sent first. */
function findText(texts: readonly PendingText[], { text }: Draft): PendingText | undefined {
  return texts.find(({ draft }) => draft.text === text);
}

/** Joins pieces to one draft. The pieces keep their line ends, because they are compared with the messages of the service. */
function joinDrafts(pieces: readonly PendingText[]): Draft {
  const texts = pieces.map(({ draft }) => draft.text).filter((text) => text !== '');
  return normalizeDraft({
    text: texts.join('\n\n'),
    attachments: pieces.flatMap(({ draft }) => draft.attachments),
  });
}

/** Returns a draft with the line ends of a text field, to which each document is attached once. */
function normalizeDraft(draft: Draft): Draft {
  return {
    ...draft,
    text: normalizeLineEnds(draft.text),
    attachments: [...new Map(draft.attachments.map((one) => [one.id, one])).values()],
  };
}

/** Converts a text to its stored form, which uses the names of earlier versions. Options and context of a message are not stored. */
function toStored({ draft, before }: PendingText): { draft: Draft; asked: number | null } {
  const { text, attachments } = draft;
  return { draft: { text, attachments }, asked: before };
}

/** Parses a stored entry, which an earlier version may have written: texts that were being sent, then the draft. */
function readEntry(entry: unknown): readonly PendingText[] {
  const { pieces, sending, asked } = Object(entry) as { readonly [name: string]: unknown };
  if (Array.isArray(pieces) && Array.isArray(sending)) {
    return [sending, pieces].flat().flatMap((stored: unknown) => {
      const { draft, asked: before } = Object(stored) as { readonly [name: string]: unknown };
      return readText(draft, before);
    });
  }
  // An earlier version stored at most one text that was being sent, and `asked` belonged to the draft if there was none.
  const first = readText(sending, asked);
  return [...first, ...readText(entry, first.length > 0 ? null : asked)];
}

function readText(value: unknown, before: unknown): readonly PendingText[] {
  const { text, attachments } = Object(value) as { [name in keyof Draft]?: unknown };
  if (typeof text !== 'string') return [];
  const files = Array.isArray(attachments) ? (attachments as Attachment[]) : [];
  const draft = { text, attachments: files };
  return isEmpty(draft) ? [] : [{ draft, before: typeof before === 'number' ? before : null }];
}
