import { element } from '../../internal/element.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { MessageView } from '../../parts/message-view.js';
import { createMessageBox, outlineOf } from '../../parts/outline.js';
import type { ViewContext } from '../../parts/part-view.js';

/** Height of a message apart from its text, and of a line of it with so many characters, in px: for a place that was never drawn. */
const GUESS = { around: 40, line: 23, characters: 80 };

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
  rich = 0;
  /** A person has done something in it: what was opened stays open. */
  isTouched = false;
  readonly #context: ViewContext;
  /** Views that are about to take the place of their outlines: they have a frame to draw what they say. */
  readonly #coming = new Map<Entry, MessageView>();
  /** About how high its outlines are, in px. */
  height = 0;

  constructor(context: ViewContext) {
    this.#context = context;
    const touch = (): void => void (this.isTouched = true);
    for (const type of ['click', 'input']) this.node.addEventListener(type, touch);
  }

  /** Whether there are outlines in it. */
  get isOutlined(): boolean {
    return this.rich < this.entries.size;
  }

  /** Shows a message behind the others. */
  add(message: Message, isRich: boolean): Entry {
    const view = isRich ? new MessageView(message, this.#context) : null;
    const node = view?.node ?? this.#outline(message, true);
    const entry: Entry = { message, group: this, node, view };
    this.entries.add(entry);
    if (isRich) this.rich += 1;
    this.node.append(node);
    return entry;
  }

  remove(entry: Entry): void {
    this.#coming.get(entry)?.dispose();
    this.#coming.delete(entry);
    if (entry.view) this.rich -= 1;
    entry.view?.dispose();
    entry.node.remove();
    this.entries.delete(entry);
  }

  /** Takes it out, with all that is in it. */
  dispose(): void {
    this.node.remove();
    for (const { view } of this.entries) view?.dispose();
    for (const view of this.#coming.values()) view.dispose();
    this.#coming.clear();
  }

  /** Makes one message rich, at once. `message`: its record now. */
  enrich(entry: Entry, message: Message): MessageView {
    if (!entry.view) {
      const view = this.#coming.get(entry) ?? new MessageView(message, this.#context);
      this.#coming.delete(entry);
      entry.node.replaceWith(view.node);
      Object.assign(entry, { view, node: view.node });
      this.rich += 1;
    }
    return entry.view as MessageView;
  }

  /**
   * Makes outlines rich, the last ones first, as long as there is time. What is made in one call is shown by the next: until then
   * it has drawn its text. True while there is more to do.
   */
  enrichSome(find: (key: Key) => Message | undefined, hasTime: () => boolean): boolean {
    for (const [entry, view] of this.#coming) this.enrich(entry, view.message);
    const left = [...this.entries].filter(({ view }) => !view);
    while (left.length > 0 && hasTime()) {
      const entry = left.pop() as Entry;
      const message = find(entry.message.key) ?? entry.message;
      this.#coming.set(entry, new MessageView(message, this.#context));
    }
    return left.length > 0 || this.#coming.size > 0;
  }

  /** Leaves only the texts of its messages, and their place. */
  outline(find: (key: Key) => Message | undefined): void {
    for (const view of this.#coming.values()) view.dispose();
    this.#coming.clear();
    for (const entry of this.entries) {
      const { view, message, node } = entry;
      if (!view) continue;
      view.dispose();
      entry.node = this.#outline(find(message.key) ?? message);
      entry.view = null;
      node.replaceWith(entry.node);
    }
    this.rich = 0;
  }

  /** Writes its words again. */
  redraw(find: (key: Key) => Message | undefined): void {
    for (const entry of this.entries) {
      const { view, message, node } = entry;
      if (view) view.redraw();
      else node.replaceWith((entry.node = this.#outline(find(message.key) ?? message)));
    }
  }

  #outline(message: Message, isNew = false): HTMLElement {
    const text = outlineOf(message);
    const lines = Math.ceil(text.length / GUESS.characters);
    if (isNew) this.height += GUESS.around + GUESS.line * lines;
    const node = createMessageBox(message, this.#context.locale, text);
    node.classList.add('outline');
    node.dir = 'auto';
    return node;
  }
}
