import type { Message } from '../../model/message.js';
import { createMessageElement, MessageView } from '../../message/message-view.js';
import { messagePlainText } from '../../message/message-text.js';
import { createContentText } from '../../message/content-lang.js';
import type { ListPlace } from './list-place.js';
import type { Entry, MessageGroup } from './message-group.js';

/** Height of a message apart from its text, and of a line of it with so many characters, in px: for a place that was never drawn. */
const GUESS = { around: 40, line: 23, characters: 80 };

/** Turns messages of groups into outlines, and outlines into messages. */
export class MessagePlaceholders {
  readonly #place: ListPlace;
  /** Views that are about to take the place of their outlines: they have a frame to draw what they say. */
  readonly #coming = new Map<Entry, MessageView>();

  constructor(place: ListPlace) {
    this.#place = place;
  }

  /** Adds a message to a group. */
  add(group: MessageGroup, message: Message): Entry {
    const text = messagePlainText(message);
    group.height += GUESS.around + GUESS.line * Math.ceil(text.length / GUESS.characters);
    return group.add(message, this.#create(message, text));
  }

  /** Makes one rich, at once. */
  enrich(entry: Entry): void {
    entry.group.enrich(entry, this.#now(entry));
  }

  /**
   * Makes outlines of a group rich, the last ones first, as long as there is time. What is made in one call is shown by the next:
   * until then it has drawn its text. True while there is more to do.
   */
  enrichSome(group: MessageGroup, hasTime: () => boolean): boolean {
    for (const [entry, view] of this.#coming) {
      // It may have gone meanwhile, or have become rich by a change.
      if (entry.view || !entry.group.entries.has(entry)) view.dispose();
      else entry.group.enrich(entry, view.message, view);
    }
    this.#coming.clear();
    const left = [...group.entries].filter(({ view }) => !view);
    while (left.length > 0 && hasTime()) {
      const entry = left.pop() as Entry;
      this.#coming.set(entry, new MessageView(this.#now(entry), this.#place.context));
    }
    return left.length > 0 || this.#coming.size > 0;
  }

  /** Leaves of a group only the texts of its messages. */
  outline(group: MessageGroup): void {
    for (const entry of group.entries) {
      entry.view?.dispose();
      entry.view = null;
      this.#replace(entry);
    }
    group.rich = 0;
  }

  /** Writes the words of outlines again. */
  redraw(group: MessageGroup): void {
    for (const entry of group.entries) if (!entry.view) this.#replace(entry);
  }

  #replace(entry: Entry): void {
    const { node } = entry;
    entry.node = this.#create(this.#now(entry));
    node.replaceWith(entry.node);
  }

  #create(message: Message, text = messagePlainText(message)): HTMLElement {
    const { locale } = this.#place.context;
    // The box is named by a word of ours; what it says may be in another language.
    const node = createMessageElement(message, locale, createContentText(text, locale));
    node.classList.add('outline');
    node.dir = 'auto';
    return node;
  }

  /** The record of a message as it is now. */
  #now({ message }: Entry): Message {
    return this.#place.find(message.key) ?? message;
  }
}
