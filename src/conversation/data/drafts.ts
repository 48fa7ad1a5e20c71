import type { Draft } from '../../backends/backend.js';
import type { Key } from '../../model/json.js';
import type { Attachment } from '../../model/message.js';
import type { Timer } from '../../stream/environment.js';
import type { Conversation } from '../conversation.js';
import { hasArrived, type NewestQuestion } from './arrival.js';

/** The unsent text of one thread. */
interface Unsent {
  readonly draft: Draft;
  /** What is on its way: out of the draft, but still stored, so that a reload in the middle loses nothing. */
  readonly sending: Draft;
  /** How many questions stood before `sending`, or before a draft that a page was sending when it went away; null when nothing is in doubt. */
  readonly asked: number | null;
  /** Runs while the draft rests. */
  readonly timer: Timer | null;
}

const EMPTY: Draft = { text: '', attachments: [] };
const NOTHING: Unsent = { draft: EMPTY, sending: EMPTY, asked: null, timer: null };

/** Unsent text, one for each thread and one for the thread to be made (null). */
export class Drafts {
  readonly #conversation: Conversation;
  readonly #held = new Map<Key | null, Unsent>();

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  get(thread: Key | null): Draft {
    return this.#held.get(thread)?.draft ?? EMPTY;
  }

  /** Replaces a draft; it is stored when it has rested. */
  set(thread: Key | null, draft: Draft): void {
    const { environment, limits } = this.#conversation;
    const timer = environment.setTimer(() => this.#change(thread, {}), limits.draftDelay);
    this.#change(thread, { draft, timer, ...(this.#isSending(thread) ? {} : { asked: null }) });
  }

  /** Takes a text out to be sent after so many questions. One that the host sends by itself leaves what the person typed. */
  send(thread: Key, sending: Draft, asked: number): void {
    this.keep(thread, sending, asked);
    this.take(thread, sending);
  }

  /** Stores a text that is being sent after so many questions and that is not the draft, such as an edited message. */
  keep(thread: Key, sending: Draft, asked: number): void {
    this.#change(thread, { sending, asked });
  }

  /** A text is kept elsewhere. */
  take(thread: Key, { text }: Draft): void {
    if (this.get(thread).text === text) this.#change(thread, { draft: EMPTY });
  }

  /** The service has taken it. */
  sent(thread: Key): void {
    this.#change(thread, { sending: EMPTY, asked: null });
  }

  /** The service has refused it: it is the draft again, before whatever was typed since. */
  giveBack(thread: Key | null, draft: Draft): void {
    this.#change(thread, { sending: EMPTY, asked: null, draft: join(draft, this.get(thread)) });
  }

  /** What belonged to one thread belongs to another, before what is there: a new thread got its key, or lost it again. */
  move(from: Key | null, to: Key | null): void {
    const unsent = this.#held.get(from);
    this.drop(from);
    if (!unsent) return;
    const { sending, draft, asked } = this.#held.get(to) ?? NOTHING;
    this.#change(to, {
      sending: join(unsent.sending, sending),
      draft: join(unsent.draft, draft),
      asked: unsent.asked ?? asked,
    });
  }

  /** The new thread of a key has an id now: its texts are stored there and no longer as those of a thread to be made. */
  settle(thread: Key): void {
    // Stored in the new place first: a page that is closed between the two finds the text twice rather than not at all.
    this.#change(thread, {});
    this.#store('');
  }

  /** Takes a draft that was stored earlier, unless something was typed here already. What was on its way is left out when it has arrived. */
  restore(thread: Key | null, stored: unknown, newest: NewestQuestion | null = null): void {
    const draft = readDraft(stored);
    if (!draft || this.#held.has(thread)) return;
    const note = stored as { readonly sending?: unknown; readonly asked?: unknown };
    const sending = readDraft(note.sending);
    const [first, second] = sending ? [sending, draft] : [draft, EMPTY];
    if (hasArrived(first, note.asked, newest)) return this.#change(thread, { draft: second });
    const asked = typeof note.asked === 'number' ? note.asked : null;
    this.#change(thread, { draft: join(first, second), asked });
  }

  /** Forgets a thread here; what is stored stays. */
  drop(thread: Key | null): void {
    const { timer } = this.#held.get(thread) ?? {};
    if (timer) this.#conversation.environment.clearTimer(timer);
    this.#held.delete(thread);
  }

  /** Stores what rests. */
  flush(): void {
    for (const [thread, { timer }] of [...this.#held]) if (timer) this.#change(thread, {});
  }

  /** Stores what rests, and forgets everything here. */
  close(): void {
    this.flush();
    this.#held.clear();
  }

  #isSending(thread: Key | null): boolean {
    return !isEmpty(this.#held.get(thread)?.sending ?? EMPTY);
  }

  /** Changes what is held, and stores it unless it rests. */
  #change(thread: Key | null, fields: Partial<Unsent>): void {
    const known = this.#held.get(thread);
    const unsent = { ...NOTHING, ...known, timer: null, ...fields };
    this.drop(thread);
    this.#held.set(thread, unsent);
    if (!unsent.timer) this.#store(this.#conversation.idOf(thread));
    if ((known?.draft ?? EMPTY) !== unsent.draft)
      this.#conversation.notify({ type: 'draft-changed', thread });
  }

  /** Stores the unsent text of a thread by its id: of all that have none yet in one place. */
  #store(id: string): void {
    const all = [...this.#held].filter(([thread]) => this.#conversation.idOf(thread) === id);
    const sending = all.map(([, unsent]) => unsent.sending).reduce(join, EMPTY);
    const draft = all.map(([, unsent]) => unsent.draft).reduce(join, EMPTY);
    const asked = all.map(([, unsent]) => unsent.asked).find((count) => count !== null);
    const note = { ...draft, ...(!isEmpty(sending) && { sending }), asked };
    this.#conversation.notes.keep('draft', id, isEmpty(sending) && isEmpty(draft) ? null : note);
  }
}

function isEmpty({ text, attachments }: Draft): boolean {
  return text === '' && attachments.length === 0;
}

function join(first: Draft, second: Draft): Draft {
  const texts = [first.text, second.text].filter((text) => text !== '');
  return { text: texts.join('\n\n'), attachments: [...first.attachments, ...second.attachments] };
}

/** Reads a stored draft; null when it is none. It is from an earlier version at worst, so it is looked at closely. */
function readDraft(value: unknown): Draft | null {
  const { text, attachments } = Object(value) as { [name in keyof Draft]?: unknown };
  if (typeof text !== 'string') return null;
  return { text, attachments: Array.isArray(attachments) ? (attachments as Attachment[]) : [] };
}
