import type { StreamController } from '../../conversation/controller-types.js';
import { element } from '../../internal/element.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { shownPath } from '../../parts/thread-path.js';
import { MessageView } from '../../parts/message-view.js';
import type { ViewContext } from '../../parts/part-view.js';
import { Follow } from './follow.js';

/** Messages of one group: a closed group costs nothing while it is out of sight. */
const GROUP = 25;

/** The messages of one way through a thread, in groups, in a box that follows its end. */
export class TranscriptView {
  readonly node = element('div', 'transcript');
  /** The box that scrolls. */
  readonly scroller = element('div', 'scroller');
  /** What stands in place of messages while there are none; filled by the element around. */
  readonly empty = element('div', 'empty');
  readonly #context: ViewContext;
  readonly #column = element('div', 'column');
  readonly #latest = element('button', 'latest');
  readonly #follow: Follow;
  readonly #views = new Map<Key, MessageView>();
  #shown: Key[] = [];
  #controller: StreamController | null = null;
  #head: Key | null = null;

  constructor(context: ViewContext) {
    this.#context = context;
    const { scroller } = this;
    scroller.tabIndex = 0;
    scroller.setAttribute('role', 'region');
    scroller.part.add('transcript');
    this.#column.append(this.empty);
    scroller.append(this.#column);
    this.#latest.type = 'button';
    this.#latest.hidden = true;
    this.#latest.dataset['ubikAct'] = 'latest';
    this.node.append(scroller, this.#latest);
    this.#follow = new Follow({
      scroller,
      content: this.#column,
      onChange: (following) => (this.#latest.hidden = following),
    });
    this.label();
  }

  /** The newest message of the way that is shown; null: the thread's own head. */
  set head(head: Key | null) {
    this.#head = head;
    this.invalidate();
  }

  /** Writes the words of the frame again, such as in another language. */
  label(): void {
    const { locale } = this.#context;
    this.scroller.setAttribute('aria-label', locale.text('conversation'));
    this.#latest.textContent = locale.text('latest');
    this.#views.forEach((view) => {
      view.redraw();
    });
  }

  /** Shows the thread of a controller; null shows nothing. */
  connect(controller: StreamController | null): void {
    this.#controller = controller;
    this.clear();
    this.sync();
    this.#follow.jump();
  }

  /** Takes a change of the current thread. */
  apply(change: Change): void {
    if (change.do === 'thread' || change.do === 'item') {
      if (change.do === 'thread' && change.set.head !== undefined) this.invalidate();
      return;
    }
    const { message: key } = change;
    const view = this.#views.get(key);
    const message = this.#controller?.thread?.messages.get(key);
    if (view && message) view.apply(change, message);
    if (change.do === 'message' || (change.do === 'remove' && change.part === null))
      this.invalidate();
  }

  /** The view of a message, when it is shown. */
  viewOf(message: Key): MessageView | undefined {
    return this.#views.get(message);
  }

  /** Goes to the end and follows it. */
  jump(): void {
    this.#follow.jump();
  }

  /** Asks for a look at the way in the coming frame. */
  readonly invalidate = (): void => {
    this.#context.frames.schedule(this.sync);
  };

  /** Brings the list of messages in line with the way that is shown: what stands stays, the rest is taken out and put in. */
  readonly sync = (): void => {
    const thread = this.#controller?.thread;
    const path = thread ? shownPath(thread, this.#head ?? thread.head) : [];
    let kept = 0;
    while (kept < path.length && path[kept]?.key === this.#shown[kept]) kept += 1;
    for (const key of this.#shown.slice(kept)) this.#remove(key);
    for (const message of path.slice(kept)) this.#append(message);
    this.#shown = path.map(({ key }) => key);
    this.empty.hidden = path.length > 0;
  };

  /** Takes all messages out. */
  clear(): void {
    for (const key of this.#shown) this.#remove(key);
    this.#shown = [];
  }

  /** Begins or ends to watch the page around it. */
  run(going: boolean): void {
    if (going) this.#follow.start();
    else this.#follow.stop();
  }

  #append(message: Message): void {
    const view = new MessageView(message, this.#context);
    this.#views.set(message.key, view);
    let group = this.#column.lastElementChild;
    if (!group?.classList.contains('group') || group.childElementCount >= GROUP) {
      // A full group is left behind: its place is kept, its boxes are made only when they come into sight.
      if (group?.classList.contains('group')) group.classList.add('closed');
      group = element('div', 'group');
      this.#column.append(group);
    }
    group.append(view.node);
  }

  #remove(key: Key): void {
    const view = this.#views.get(key);
    if (!view) return;
    const group = view.node.parentElement;
    view.dispose();
    view.node.remove();
    this.#views.delete(key);
    group?.classList.remove('closed');
    if (group?.childElementCount === 0) group.remove();
  }
}
