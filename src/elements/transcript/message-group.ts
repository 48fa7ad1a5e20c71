import { element } from '../../dom/element.js';
import type { Message } from '../../model/message.js';
import { MessageView } from '../../message/message-view.js';
import type { ViewContext } from '../../message/part-view.js';

/** One message in the list: an outline, or a view with all that belongs to it. */
export interface Entry {
  readonly message: Message;
  readonly group: MessageGroup;
  /** What stands in the page: the outline, or the view's. */
  node: HTMLElement;
  /** None: it is an outline. */
  view: MessageView | null;
}

/** Some messages whose boxes the browser makes only when they come near. Each is rich, or an outline: its text, as it was written. */
export class MessageGroup {
  readonly node = element('div', 'group');
  readonly entries = new Set<Entry>();
  /** How many are rich. */
  renderedCount = 0;
  /** About how high its outlines are, in px. */
  estimatedHeight = 0;
  readonly #context: ViewContext;

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** Shows a message behind the others; with an outline as no more than that. */
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

  /** Takes it out, with all that is in it. */
  dispose(): void {
    this.node.remove();
    for (const { view } of this.entries) view?.dispose();
    this.entries.clear();
  }

  /** Makes one message rich, at once; `message` is its record now. */
  render(entry: Entry, message: Message, made?: MessageView): MessageView {
    if (entry.view) return entry.view;
    const view = made ?? new MessageView(message, this.#context);
    entry.node.replaceWith(view.node);
    Object.assign(entry, { view, node: view.node });
    this.renderedCount += 1;
    return view;
  }
}
