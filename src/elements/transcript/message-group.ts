import { element } from '../../dom/element.js';
import type { Message } from '../../model/message.js';
import { MessageView } from '../../message/message-view.js';
import type { ViewContext } from '../../message/part-view.js';

/** Maximum number of messages in one group. */
export const GROUP_SIZE = 25;

/** One message of the list, shown by a placeholder or a view. */
export interface Entry {
  /** The message when it was added; it may have changed since. */
  readonly message: Message;
  readonly group: MessageGroup;
  /** The node in the document: that of the placeholder or of the view. Null until the message is inserted. */
  node: HTMLElement | null;
  /** Null until the message is rendered: for a placeholder, and before the message is inserted. */
  view: MessageView | null;
}

/** A group of messages that the browser lays out only near the viewport. Each message has a view, or a placeholder with its plain text. */
export class MessageGroup {
  readonly node = element('div', 'group');
  readonly entries = new Set<Entry>();
  /** Number of messages with a view. */
  renderedCount = 0;
  /** Number of messages with a node. */
  #insertedCount = 0;
  /** Estimated height of the messages that were added without being rendered, in px. Not reduced when they are rendered. */
  estimatedHeight = 0;
  readonly #context: ViewContext;

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** Whether all messages have a node. */
  get isInserted(): boolean {
    return this.#insertedCount === this.entries.size;
  }

  /** Appends a message without a node. */
  add(message: Message): Entry {
    const entry: Entry = { message, group: this, node: null, view: null };
    this.entries.add(entry);
    return entry;
  }

  /**
   * Gives the group its estimated height until all messages have a node, so that the group has this height even while the browser does not
   * skip its layout.
   */
  reserveHeight(): void {
    this.node.style.minBlockSize = `${this.estimatedHeight}px`;
  }

  /** Removes a message and disposes its view. */
  remove(entry: Entry): void {
    if (entry.view) this.renderedCount -= 1;
    if (entry.node) this.#insertedCount -= 1;
    entry.view?.dispose();
    entry.node?.remove();
    this.entries.delete(entry);
    this.#releaseHeight();
  }

  /** Removes the group and disposes its views. */
  dispose(): void {
    this.node.remove();
    for (const { view } of this.entries) view?.dispose();
    this.entries.clear();
  }

  /** Renders a message synchronously with `prepared` or a new view, and returns the view. `message` is the current state of `entry.message`. */
  render(entry: Entry, message: Message, prepared?: MessageView): MessageView {
    if (entry.view) return entry.view;
    const view = prepared ?? new MessageView(message, this.#context);
    this.place(entry, view.node);
    entry.view = view;
    this.renderedCount += 1;
    return view;
  }

  /** Sets the node of a message: replaces the previous one, or inserts it in the order of the messages. */
  place(entry: Entry, node: HTMLElement): void {
    if (entry.node) entry.node.replaceWith(node);
    else {
      this.node.insertBefore(node, this.#nodeAfter(entry));
      this.#insertedCount += 1;
      this.#releaseHeight();
    }
    entry.node = node;
  }

  #releaseHeight(): void {
    if (this.isInserted) this.node.style.minBlockSize = '';
  }

  /** Returns the node of the next message that has one; null when there is none. */
  #nodeAfter(entry: Entry): HTMLElement | null {
    let isAfter = false;
    for (const other of this.entries) {
      if (isAfter && other.node) return other.node;
      isAfter ||= other === entry;
    }
    return null;
  }
}
