import type { Frame, FrameScheduler } from '../../dom/frames.js';
import { textLength } from '../../message/part-selectors.js';
import type { Message } from '../../model/message.js';
import type { Entry, MessageGroup } from './message-group.js';

/** Where messages are inserted: before or after the shown ones, or before the newest ones of a list that was just opened with them. */
export type InsertionOrder = 'before' | 'after' | 'opening';

/** Maximum of what is rendered at once: messages, and UTF-16 units of their texts. It fills a viewport, or most of it. */
const AT_ONCE = { messages: 25, text: 1536 };
/** Maximum of what is rendered when it is inserted, in the same units. Messages beyond it become placeholders. */
const RENDERED = { messages: 100, text: 262_144 };

/** Options of {@link MessageInsertion}. */
export interface InsertionOptions {
  readonly frames: FrameScheduler;
  /** Inserts a message, rendered or as a placeholder. Does nothing if it was already inserted or removed. */
  insert(entry: Entry, isRendered: boolean): void;
  /** Runs a function that inserts messages, the first of them into `group`. */
  insertInto(group: MessageGroup, insert: () => void): void;
}

/**
 * Inserts the messages of a long list within the frame budget. The newest messages are inserted first, except after other messages, where the
 * oldest are. The first ones to be inserted are rendered, unless they come before messages that have been shown for a while; all that are not
 * rendered become placeholders.
 */
export class MessageInsertion {
  readonly #options: InsertionOptions;
  /** The messages still to be inserted, the next one last. */
  readonly #entries: Entry[] = [];
  /** How many messages, and how much text, may still be rendered. */
  #left = { ...RENDERED };

  constructor(options: InsertionOptions) {
    this.#options = options;
  }

  /** Whether messages are still to be inserted. */
  get isActive(): boolean {
    return this.#entries.length > 0;
  }

  /** The group of the next message. */
  get nextGroup(): MessageGroup | undefined {
    return this.#entries.at(-1)?.group;
  }

  /**
   * Prepares for a list that opens at its end. Returns how many of its newest messages are rendered at once; the others are added before
   * them, as `opening`.
   */
  open(messages: readonly Message[]): number {
    this.#left = { ...RENDERED };
    let count = 0;
    for (let message; (message = messages.at(-1 - count)) && this.#fitsAtOnce; count += 1)
      this.#count(message);
    return count;
  }

  /** Adds messages in their order. Inserts the first ones now, if they come after others. */
  add(entries: readonly Entry[], where: InsertionOrder): void {
    // In a loop, because a call with so many arguments fails.
    for (const entry of where === 'after' ? [...entries].reverse() : entries)
      this.#entries.push(entry);
    if (where === 'before') this.#left = { messages: 0, text: 0 };
    if (where === 'after') {
      this.#left = { ...RENDERED };
      while (this.isActive && this.#fitsAtOnce) this.#insertNext();
    }
    if (this.isActive) this.#options.frames.schedule(this.#insertSome);
  }

  /** Inserts all messages now. */
  finish(): void {
    while (this.isActive) this.#insertNext();
  }

  /** Inserts no more messages. */
  clear(): void {
    this.#entries.length = 0;
    this.#options.frames.cancel(this.#insertSome);
  }

  readonly #insertSome = (frame: Frame): boolean => {
    const group = this.nextGroup;
    const insert = (): void => {
      do this.#insertNext();
      while (this.isActive && frame.hasTime());
    };
    if (group) this.#options.insertInto(group, insert);
    return this.isActive;
  };

  #insertNext(): void {
    const entry = this.#entries.pop();
    if (!entry) return;
    const isRendered = this.#left.messages > 0 && this.#left.text > 0;
    this.#options.insert(entry, isRendered);
    this.#count(entry.message);
  }

  /** Whether less was rendered since `#left` was last reset to `RENDERED` than is rendered at once. */
  get #fitsAtOnce(): boolean {
    const { messages, text } = this.#left;
    return RENDERED.messages - messages < AT_ONCE.messages && RENDERED.text - text < AT_ONCE.text;
  }

  #count({ parts }: Message): void {
    this.#left.messages -= 1;
    this.#left.text -= textLength(parts);
  }
}
