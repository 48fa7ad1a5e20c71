import { element } from '../../dom/element.js';
import type { Message } from '../../model/message.js';
import { MessageView } from '../../message/message-view.js';
import type { ViewContext } from '../../message/part-view.js';

/** One message of the list, shown by a placeholder or a view. */
export interface Entry {
  readonly message: Message;
  readonly group: MessageGroup;
  /** The node in the document: that of the placeholder or of the view. */
  node: HTMLElement;
  /** Null for a placeholder. */
  view: MessageView | null;
}

/** A group of messages that the browser lays out only near the viewport. Each message has a view, or a placeholder with its plain text. */
export class MessageGroup {
  readonly node = element('div', 'group');
  readonly entries = new Set<Entry>();
  /** Number of messages with a view. */
  renderedCount = 0;
  /** Estimated height of the placeholders, in px. */
  estimatedHeight = 0;
  readonly #context: ViewContext;

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** Appends a message: as `placeholder`, or with a new view if there is none. */
  add(message: Message, placeholder?: HTMLElement): Entry {
    const view = placeholder ? null : new MessageView(message, this.#context);
    const node = placeholder ?? (view as MessageView).node;
    const entry: Entry = { message, group: this, node, view };
    this.entries.add(entry);
    if (view) this.renderedCount += 1;
    this.node.append(node);
    return entry;
  }

  remove(entry: Entry): void {
    if (entry.view) this.renderedCount -= 1;
    entry.view?.dispose();
    entry.node.remove();
    this.entries.delete(entry);
  }

  /** Removes the group and disposes its views. */
  dispose(): void {
    this.node.remove();
    for (const { view } of this.entries) view?.dispose();
    this.entries.clear();
  }

  /** Replaces a placeholder synchronously with `prepared` or a new view, and returns the view. `message` is the current record. */
  render(entry: Entry, message: Message, prepared?: MessageView): MessageView {
    if (entry.view) return entry.view;
    const view = prepared ?? new MessageView(message, this.#context);
    entry.node.replaceWith(view.node);
    Object.assign(entry, { view, node: view.node });
    this.renderedCount += 1;
    return view;
  }
}
