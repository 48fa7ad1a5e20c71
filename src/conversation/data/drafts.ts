import type { Draft } from '../../backends/backend.js';
import type { Key } from '../../model/json.js';
import type { Attachment } from '../../model/message.js';
import type { Timer } from '../../stream/environment.js';
import type { Conversation } from '../conversation.js';

/** The unsent text of one thread. */
interface Unsent {
  readonly draft: Draft;
  /** What is on its way: out of the draft, but still stored, so that a reload in the middle loses nothing. */
  readonly sending: Draft;
  /** Runs while the draft rests. */
  readonly timer: Timer | null;
}

const EMPTY: Draft = { text: '', attachments: [] };

/** Unsent text, one for each thread and one for the thread to be made (null). */
export type Drafts = ReturnType<typeof createDrafts>;

/** No drafts yet. */
export function createDrafts(conversation: Conversation) {
  const { environment, limits, notes } = conversation;
  const held = new Map<Key | null, Unsent>();
  const get = (thread: Key | null): Draft => held.get(thread)?.draft ?? EMPTY;
  /** Forgets a thread here; what is stored stays. */
  const drop = (thread: Key | null): void => {
    const { timer } = held.get(thread) ?? {};
    if (timer) environment.clearTimer(timer);
    held.delete(thread);
  };
  /** Changes what is held, and stores it unless it rests. */
  const change = (thread: Key | null, fields: Partial<Unsent>): void => {
    const before = get(thread);
    const unsent = { sending: EMPTY, draft: EMPTY, ...held.get(thread), timer: null, ...fields };
    drop(thread);
    held.set(thread, unsent);
    if (!unsent.timer)
      notes.keep('draft', conversation.idOf(thread), orNull(join(unsent.sending, unsent.draft)));
    if (before !== unsent.draft) conversation.notify({ type: 'draft-changed', thread });
  };
  return {
    get,
    drop,
    /** Replaces a draft; it is stored when it has rested. */
    set(thread: Key | null, draft: Draft): void {
      change(thread, {
        draft,
        timer: environment.setTimer(() => change(thread, {}), limits.draftDelay),
      });
    },
    /** Takes a text out to be sent. One that the host sends by itself leaves what the person typed. */
    send(thread: Key, sending: Draft): void {
      change(thread, get(thread).text === sending.text ? { sending, draft: EMPTY } : { sending });
    },
    /** A text is kept elsewhere. */
    take(thread: Key, { text }: Draft): void {
      if (get(thread).text === text) change(thread, { draft: EMPTY });
    },
    /** The service has taken it. */
    sent: (thread: Key): void => change(thread, { sending: EMPTY }),
    /** The service has refused it: it is the draft again, before whatever was typed since. */
    giveBack(thread: Key | null, draft: Draft): void {
      change(thread, { sending: EMPTY, draft: join(draft, get(thread)) });
    },
    /** What belonged to one thread belongs to another: a new thread got its key, or lost it again. */
    move(from: Key | null, to: Key | null): void {
      const unsent = held.get(from);
      drop(from);
      if (unsent) held.set(to, { ...unsent, timer: null });
    },
    /** The new thread of a key has an id now: its texts are stored there and no longer as those of a thread to be made. */
    settle(thread: Key): void {
      notes.keep('draft', '', null);
      change(thread, {});
    },
    /** Takes a draft that was stored earlier, unless something was typed here already, or it has arrived as a message. */
    restore(thread: Key | null, stored: unknown, arrived: string | null = null): void {
      const draft = readDraft(stored);
      if (!draft || held.has(thread)) return;
      change(thread, draft.text.trim() === arrived ? {} : { draft });
    },
    /** Stores what rests and forgets all timers. */
    close(): void {
      for (const [thread, { timer }] of held) if (timer) change(thread, {});
    },
  };
}

function orNull(draft: Draft): Draft | null {
  return draft.text === '' && draft.attachments.length === 0 ? null : draft;
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
