import type { Draft } from '../../backends/backend.js';
import type { Json, Key } from '../../model/json.js';
import type { Attachment, Message } from '../../model/message.js';
import type { Timer } from '../../transport/environment.js';
import type { ControllerContext } from '../controller-context.js';
import { hasArrived } from './delivery.js';
import { replaceEntry, findEntry, type TabEntry } from './tab-entries.js';

/** A text that may have been sent. */
interface Piece {
  readonly draft: Draft;
  /** How many questions stood before it when it was sent; null when it surely has not arrived. */
  readonly asked: number | null;
}

/** The unsent text of one thread. */
interface Unsent {
  /** What the draft consists of, in order. */
  readonly pieces: readonly Piece[];
  /** All pieces in one. */
  readonly draft: Draft;
  /** What is on its way or was given up there: out of the draft, but still stored, so that a reload loses none of it. */
  readonly sending: readonly Piece[];
  /** Runs while the draft rests. */
  readonly timer: Timer | null;
}

const EMPTY: Draft = { text: '', attachments: [] };
const NOTHING: Unsent = { pieces: [], draft: EMPTY, sending: [], timer: null };

/** Unsent text, one for each thread and one for the thread to be made (null). Each tab stores its own. */
export class Drafts {
  readonly #conversation: ControllerContext;
  readonly #held = new Map<Key | null, Unsent>();
  /** What other tabs had stored and this one has begun with, by the id of the thread. */
  readonly #copied = new Map<string, TabEntry>();
  /** Counts what was typed for the thread to be made. */
  #typed = 0;

  constructor(conversation: ControllerContext) {
    this.#conversation = conversation;
  }

  get(thread: Key | null): Draft {
    return this.#of(thread).draft;
  }

  /** Replaces a draft; it is stored when it has rested. */
  set(thread: Key | null, draft: Draft): void {
    if (thread === null) this.#typed += 1;
    const { environment, limits } = this.#conversation;
    const timer = environment.setTimer(() => this.#change(thread, {}), limits.draftDelay);
    const pieces = isEmpty(draft) ? [] : [{ draft, asked: null }];
    this.#change(thread, { pieces, draft, timer });
  }

  /** Takes a text out to be sent after so many questions. One that the host sends by itself leaves what the person typed. */
  send(thread: Key, sending: Draft, asked: number): void {
    this.keep(thread, sending, asked);
    this.take(thread, sending);
  }

  /** Stores a text that is being sent after so many questions and that is not the draft, such as an edited message. */
  keep(thread: Key, draft: Draft, asked: number): void {
    this.#change(thread, { sending: [...this.#of(thread).sending, { draft, asked }] });
  }

  /** A text is kept elsewhere. */
  take(thread: Key, { text }: Draft): void {
    if (this.get(thread).text === text) this.#changePieces(thread, []);
  }

  /** The service has taken it, or somebody else keeps it. */
  sent(thread: Key, draft: Draft): void {
    const { sending } = this.#of(thread);
    const found = findPiece(sending, draft);
    if (found) this.#change(thread, { sending: sending.filter((piece) => piece !== found) });
  }

  /**
   * The service has refused it: it is the draft again, before whatever was typed since. One `inDoubt` may have arrived nevertheless:
   * it goes when the thread is read and contains it.
   */
  giveBack(thread: Key | null, draft: Draft, inDoubt = false): void {
    const { pieces, sending } = this.#of(thread);
    const found = findPiece(sending, draft);
    const asked = inDoubt ? (found?.asked ?? null) : null;
    this.#changePieces(
      thread,
      [{ draft, asked }, ...pieces],
      sending.filter((piece) => piece !== found),
    );
  }

  /** The thread was read and has these questions: what is among them has arrived, whatever became of its request. */
  confirm(thread: Key, questions: readonly Message[]): void {
    const { pieces, sending } = this.#of(thread);
    const isOpen = ({ draft, asked }: Piece): boolean => !hasArrived(draft, asked, questions);
    if ([...pieces, ...sending].every(isOpen)) return;
    this.#changePieces(thread, pieces.filter(isOpen), sending.filter(isOpen));
  }

  /** What belonged to one thread belongs to another, before what is there: a new thread got its key, or lost it again. */
  move(from: Key | null, to: Key | null): void {
    const unsent = this.#held.get(from);
    this.drop(from);
    if (!unsent) return;
    const { sending, pieces } = this.#of(to);
    this.#changePieces(to, [...unsent.pieces, ...pieces], [...unsent.sending, ...sending]);
  }

  /**
   * Observes what is typed from now on while no thread is shown. The returned function moves that text to the thread that is about to be
   * shown, behind the draft that is stored for it; what was there before remains the draft of the thread to be created.
   */
  observeTyping(): (to: Key) => void {
    const [before, typed] = [this.#held.get(null), this.#typed];
    return (to) => {
      const unsent = this.#held.get(null);
      if (this.#typed === typed || !unsent) return;
      this.drop(null);
      if (before) this.#hold(null, { ...before, timer: null });
      this.#changePieces(to, [...this.#of(to).pieces, ...unsent.pieces]);
      this.#store('');
    };
  }

  /** The new thread of a key has an id now: its texts are stored there and no longer as those of a thread to be made. */
  settle(thread: Key): void {
    // Stored in the new place first: a page that is closed between the two finds the text twice rather than not at all.
    this.#change(thread, {});
    this.#store('');
  }

  /** What is stored for a thread by its id, from this tab or else from the one that has stored last. */
  async read(id: string): Promise<TabEntry | null> {
    const { environment, notes } = this.#conversation;
    const [note, tab] = await Promise.all([notes.read('draft', id), environment.tabId()]);
    const found = findEntry(note, tab);
    if (found && found.tab !== tab) this.#copied.set(id, found);
    return found;
  }

  /** Takes a draft that was stored earlier, unless something was typed here already. What was on its way is left out when it has arrived. */
  restore(thread: Key | null, stored: TabEntry | null, questions: readonly Message[] = []): void {
    const found = readEntry(stored?.entry);
    if (found.length === 0 || this.#held.has(thread)) return;
    const pieces = found.filter(({ draft, asked }) => !hasArrived(draft, asked, questions));
    // What is stored is left as it is, so that a text in doubt is compared again after the next reload.
    if (pieces.length === found.length)
      this.#hold(thread, { ...NOTHING, pieces, draft: joinAll(pieces) });
    else this.#changePieces(thread, pieces);
  }

  /** Forgets a thread here; what is stored stays. */
  drop(thread: Key | null): void {
    const { timer } = this.#of(thread);
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
    this.#copied.clear();
  }

  #of(thread: Key | null): Unsent {
    return this.#held.get(thread) ?? NOTHING;
  }

  #changePieces(
    thread: Key | null,
    pieces: readonly Piece[],
    sending = this.#of(thread).sending,
  ): void {
    this.#change(thread, { pieces, draft: joinAll(pieces), sending });
  }

  /** Changes what is held, and stores it unless it rests. */
  #change(thread: Key | null, fields: Partial<Unsent>): void {
    const unsent = { ...this.#of(thread), timer: null, ...fields };
    this.#hold(thread, unsent);
    if (!unsent.timer) this.#store(this.#conversation.idOf(thread));
  }

  #hold(thread: Key | null, unsent: Unsent): void {
    const { draft } = this.#of(thread);
    this.drop(thread);
    this.#held.set(thread, unsent);
    if (draft !== unsent.draft) this.#conversation.notify({ type: 'draft-changed', thread });
  }

  /** Stores the unsent text of a thread by its id: of all that have none yet in one place. */
  #store(id: string): void {
    const all = [...this.#held]
      .filter(([thread]) => this.#conversation.idOf(thread) === id)
      .map(([, unsent]) => unsent);
    const sending = all.flatMap((unsent) => unsent.sending);
    const pieces = all.flatMap((unsent) => unsent.pieces);
    const entry = [...sending, ...pieces].length === 0 ? null : { sending, pieces };
    const copied = this.#copied.get(id) ?? null;
    if (!entry) this.#copied.delete(id);
    void this.#conversation.notes.change('draft', id, (note, tab) =>
      replaceEntry(note, tab, entry as unknown as Json, copied),
    );
  }
}

function isEmpty({ text, attachments }: Draft): boolean {
  return text === '' && attachments.length === 0;
}

/** The piece with a text; the oldest, so that of two equal ones the one stays that has more questions before it. */
function findPiece(pieces: readonly Piece[], { text }: Draft): Piece | undefined {
  return pieces.find(({ draft }) => draft.text === text);
}

function joinAll(pieces: readonly Piece[]): Draft {
  const [first = { draft: EMPTY }, ...others] = pieces;
  if (others.length === 0) return first.draft;
  const texts = pieces.map(({ draft }) => draft.text).filter((text) => text !== '');
  return {
    text: texts.join('\n\n'),
    attachments: pieces.flatMap(({ draft }) => draft.attachments),
  };
}

/** Reads what a tab has stored: what was on its way, then the draft. It is from an earlier version at worst, so it is looked at closely. */
function readEntry(entry: unknown): readonly Piece[] {
  const { pieces, sending, asked } = Object(entry) as { readonly [name: string]: unknown };
  if (Array.isArray(pieces) && Array.isArray(sending)) {
    return [sending, pieces].flat().flatMap((piece: unknown) => {
      const { draft, asked: count } = Object(piece) as { readonly [name in keyof Piece]?: unknown };
      return readPiece(draft, count);
    });
  }
  // An earlier version had one text on its way at most, and said of the draft itself only when there was none.
  const first = readPiece(sending, asked);
  return [...first, ...readPiece(entry, first.length > 0 ? null : asked)];
}

function readPiece(value: unknown, asked: unknown): readonly Piece[] {
  const { text, attachments } = Object(value) as { [name in keyof Draft]?: unknown };
  if (typeof text !== 'string') return [];
  const files = Array.isArray(attachments) ? (attachments as Attachment[]) : [];
  const draft = { text, attachments: files };
  return isEmpty(draft) ? [] : [{ draft, asked: typeof asked === 'number' ? asked : null }];
}
