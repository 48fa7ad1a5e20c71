import type { Draft } from '../../backends/backend.js';
import type { Key } from '../../model/json.js';
import type { Attachment } from '../../model/message.js';
import type { Environment, Timer } from '../../stream/environment.js';
import type { KeptNotes } from './kept-notes.js';

/** What {@link Drafts} is made from. */
export interface DraftsOptions {
  readonly environment: Pick<Environment, 'setTimer' | 'clearTimer'>;
  readonly notes: KeptNotes;
  /** How long a draft rests before it is stored, in ms. */
  readonly delay: number;
  /** The server's id of a thread; null while it has none. */
  readonly idOf: (thread: Key) => string | null;
  readonly onChange: (thread: Key | null) => void;
}

const EMPTY: Draft = { text: '', attachments: [] };

/**
 * Unsent text, one for each thread and one for the thread to be made. While a message is on its way its text is out of the draft,
 * but stays stored, so that a reload in the middle loses nothing.
 */
export class Drafts {
  readonly #options: DraftsOptions;
  readonly #drafts = new Map<Key | null, Draft>();
  /** Texts on their way: still stored. */
  readonly #sending = new Map<Key | null, Draft>();
  readonly #timers = new Map<Key | null, Timer>();

  constructor(options: DraftsOptions) {
    this.#options = options;
  }

  /** The draft of a thread; null: of the thread to be made. */
  get(thread: Key | null): Draft {
    return this.#drafts.get(thread) ?? EMPTY;
  }

  /** Replaces a draft; it is stored when it has rested. */
  set(thread: Key | null, draft: Draft): void {
    this.#put(thread, draft);
    this.#cancel(thread);
    const timer = this.#options.environment.setTimer(() => {
      this.#store(thread);
    }, this.#options.delay);
    this.#timers.set(thread, timer);
  }

  /** Takes a text out to be sent. One that the host sends by itself leaves what the person typed. */
  send(thread: Key | null, draft: Draft): void {
    this.#sending.set(thread, draft);
    if (this.get(thread).text === draft.text) this.#put(thread, EMPTY);
    this.#store(thread);
  }

  /** The service has taken it. */
  sent(thread: Key | null): void {
    if (this.#sending.delete(thread)) this.#store(thread);
  }

  /** The service has refused it: it is the draft again, before whatever was typed since. */
  giveBack(thread: Key | null, draft: Draft): void {
    this.#sending.delete(thread);
    this.#put(thread, join(draft, this.get(thread)));
    this.#store(thread);
  }

  /** What belonged to one thread belongs to another: a new thread got its key, or lost it again. */
  move(from: Key | null, to: Key | null): void {
    for (const texts of [this.#drafts, this.#sending]) {
      const text = texts.get(from);
      if (text) texts.set(to, text);
      texts.delete(from);
    }
    this.#cancel(from);
  }

  /** The new thread of a key has an id now: its texts are stored there and no longer as those of a thread to be made. */
  settle(thread: Key): void {
    this.#options.notes.remove('draft', '');
    this.#store(thread);
  }

  /** Takes a draft that was stored earlier, unless something was typed here already. */
  restore(thread: Key | null, stored: unknown): void {
    const draft = readDraft(stored);
    if (draft && !this.#drafts.has(thread)) this.#put(thread, draft);
  }

  /** Stores what rests and forgets all timers. */
  close(): void {
    for (const thread of [...this.#timers.keys()]) this.#store(thread);
  }

  #id(thread: Key | null): string {
    return (thread === null ? null : this.#options.idOf(thread)) ?? '';
  }

  #put(thread: Key | null, draft: Draft): void {
    const before = this.get(thread);
    this.#drafts.set(thread, draft);
    if (before.text !== draft.text || before.attachments !== draft.attachments) {
      this.#options.onChange(thread);
    }
  }

  #store(thread: Key | null): void {
    this.#cancel(thread);
    const draft = join(this.#sending.get(thread) ?? EMPTY, this.get(thread));
    const empty = draft.text === '' && draft.attachments.length === 0;
    if (empty) this.#options.notes.remove('draft', this.#id(thread));
    else this.#options.notes.write('draft', this.#id(thread), draft);
  }

  #cancel(thread: Key | null): void {
    const timer = this.#timers.get(thread);
    if (timer) this.#options.environment.clearTimer(timer);
    this.#timers.delete(thread);
  }
}

function join(first: Draft, second: Draft): Draft {
  const texts = [first.text, second.text].filter((text) => text !== '');
  return { text: texts.join('\n\n'), attachments: [...first.attachments, ...second.attachments] };
}

/** Reads a stored draft; null when it is none. It is from an earlier version at worst, so it is looked at closely. */
function readDraft(value: unknown): Draft | null {
  if (typeof value !== 'object' || value === null || !('text' in value)) return null;
  const { text } = value;
  const attachments = 'attachments' in value ? value.attachments : null;
  if (typeof text !== 'string') return null;
  return { text, attachments: Array.isArray(attachments) ? attachments.filter(isAttachment) : [] };
}

function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('name' in value)) {
    return false;
  }
  return typeof value.id === 'string' && typeof value.name === 'string';
}
