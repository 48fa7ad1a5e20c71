import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError } from '../../errors.js';
import { element } from '../../dom/element.js';
import { isOnPaper, onPaper } from '../../dom/paper.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { MessageView } from '../../message/message-view.js';
import type { ViewContext } from '../../message/part-view.js';
import { isRunning, visiblePath } from '../../message/thread-selectors.js';
import type { ListPlace } from '../transcript/list-place.js';
import type { MessageList } from '../transcript/message-list.js';
import { deferredViews } from './deferred-views.js';
import { Follow } from './follow.js';
import { PlainQuestion } from './plain-question.js';
import { RunFooters } from './run-footers.js';
import { WantedMessage } from './pending-reveal.js';
import { ScrollToEndButton } from './scroll-to-end-button.js';

/** An element with messages, and what the page says about them. */
export interface TranscriptHost extends ReactiveControllerHost {
  readonly assistive: boolean;
  readonly pinQuestion: boolean;
}

/** The messages of one way through a thread, in a box that follows its end. */
export class TranscriptView implements ReactiveController {
  readonly node = element('div', 'transcript');
  /** What stands in place of messages while there are none; filled by the element around. */
  readonly empty = element('div', 'empty');
  readonly #asked = new PlainQuestion();
  readonly #column = element('div', 'column vacant', this.empty, this.#asked.node);
  /** The box that scrolls. */
  readonly scroller = element('div', 'scroller', this.#column);
  readonly #way: ScrollToEndButton;
  readonly #follow: Follow;
  readonly #feet: RunFooters;
  readonly #host: TranscriptHost;
  readonly #context: ViewContext;
  #leavePaper: (() => void) | undefined;
  /** The messages, once what draws them is there. */
  #list: MessageList | undefined;
  #controller: StreamController | undefined;
  #head: Key | null | undefined;
  readonly wanted = new WantedMessage();
  /** What draws messages could not be fetched. The next change tries again. */
  failed = false;

  constructor(host: TranscriptHost, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    this.scroller.tabIndex = 0;
    this.scroller.role = 'region';
    this.scroller.part.add('transcript');
    this.#feet = new RunFooters(context);
    this.#way = new ScrollToEndButton(
      () => context.locale,
      () => {
        this.jump();
        this.scroller.focus({ preventScroll: true });
      },
    );
    this.#follow = new Follow(this.scroller, this.#column, this.#way.node, () => {
      this.#way.add(0);
    });
    this.node.append(this.scroller, this.#way.node);
    host.addController(this);
  }

  hostConnected(): void {
    this.#follow.start();
    this.#leavePaper = onPaper(() => {
      if (isOnPaper()) this.#list?.enrichNow();
    });
  }

  hostDisconnected(): void {
    this.#follow.stop();
    this.#leavePaper?.();
  }

  hostUpdate(): void {
    const { locale } = this.#context;
    if (this.#list) this.#list.assistive = this.#host.assistive;
    this.scroller.ariaLabel = locale.text('conversation');
    this.#way.draw();
    this.#column.ariaLabel = locale.text('messages');
  }

  /** The newest message of the way that is shown; null: the thread's own head. */
  set head(head: Key | null) {
    this.#head = head;
    this.#invalidate();
  }

  /** Shows the thread of a controller, anew. */
  show(controller: StreamController): void {
    this.#controller = controller;
    this.dispose();
    this.#sync();
    this.jump();
  }

  /** Gives back what its messages hold beyond their nodes. */
  dispose(): void {
    this.#list?.dispose();
  }

  /** Takes a change of the current thread. */
  apply(change: Change): void {
    if (change.type === 'thread' ? change.set.head !== undefined : change.type === 'message') {
      this.#invalidate();
    }
    if (change.type === 'thread') {
      this.#feet.look(isRunning(this.#controller?.thread), () => this.#list?.views ?? []);
    }
    if (change.type === 'thread' || change.type === 'item') return;
    const { message: key } = change;
    const message = this.#controller?.thread?.messages.get(key);
    // What draws messages may have been out of reach before: with each change it is asked for again.
    if (message && this.#list) this.#list.apply(change, message);
    else this.#invalidate();
  }

  /** The view of a message, when it is shown. */
  viewOf(message: Key): MessageView | undefined {
    return this.#list?.viewOf(message);
  }

  /** The messages of the way that is shown, oldest first. */
  get path(): readonly Message[] {
    const thread = this.#controller?.thread;
    return thread ? visiblePath(thread, this.#head ?? thread.head) : [];
  }

  /** The message that stands in a box of the list. */
  messageAt(node: Element): Message | undefined {
    return this.#list?.messageAt(node);
  }

  /** Brings a message into sight, by the server's id, as soon as it is drawn on the way that is shown. */
  reveal(id: string): void {
    this.wanted.want(id || undefined);
    this.#invalidate();
  }

  /** The message at the upper edge of what can be seen. */
  get topmost(): Message | undefined {
    return this.#list?.topmost;
  }

  /** Fetches what draws messages, and draws them. */
  async load(): Promise<void> {
    const { failed } = this;
    try {
      await deferredViews.load();
      this.failed = false;
      this.#invalidate();
    } catch (error) {
      this.failed = true;
      if (!failed && isUbikError(error)) this.#context.report(error);
    }
    if (failed !== this.failed) this.#host.requestUpdate();
  }

  /** Leads to a message that is shown: to its sight and the focus of the keyboard. */
  leadTo(message: Key): void {
    const node = this.viewOf(message)?.node;
    if (!node) return;
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: 'start' });
  }

  /** Something is about to be sent: it is followed, or pinned. */
  expect(): void {
    this.wanted.want(undefined);
    if (!this.#host.pinQuestion) this.#follow.jump();
  }

  /** Goes to the end and follows it. */
  jump(): void {
    this.wanted.want(undefined);
    this.#follow.jump();
  }

  /** Writes all words again, such as in another language. */
  redraw(): void {
    this.#list?.redraw();
  }

  #lookAtNew(messages: readonly Message[]): void {
    // A question that was just sent brings its answer along, at most.
    const isSent = messages.length <= 2 && isRunning(this.#controller?.thread);
    const question = isSent && messages.find(({ role }) => role === 'user');
    const node = this.#host.pinQuestion && question && this.viewOf(question.key)?.node;
    if (node) this.#follow.pin(node);
    else if (!this.#way.node.hidden) this.#way.add(messages.length);
    // What stands around the messages may look for one of them, such as for an open question.
    this.#host.requestUpdate();
  }

  #invalidate(): void {
    this.#context.frames.schedule(this.#sync);
  }

  /** Brings the list of messages in line with the way that is shown: what stands stays, the rest is taken out and put in. */
  readonly #sync = (): void => {
    const { path } = this;
    this.empty.hidden = path.length > 0;
    this.#column.classList.toggle('vacant', path.length === 0);
    this.#column.role = path.length === 0 ? 'group' : 'feed';
    const views = deferredViews.value;
    if (!views) {
      this.#asked.show(path, this.#context.locale);
      if (path.length > 0) void this.load();
      return;
    }
    if (!this.#list) {
      this.#asked.node.remove();
      this.#list = new views.MessageList(this.#place);
      this.#list.assistive = this.#host.assistive;
    }
    const held = (this.#column.getRootNode() as Partial<ShadowRoot>).activeElement;
    const added = this.#list.show(path, () => this.#invalidate());
    if (added === null) return;
    if (added > 0) this.#lookAtNew(path.slice(-added));
    // What had the focus is gone: the keyboard goes on at the messages, and not at the top of the page.
    if (held && !held.isConnected) this.scroller.focus({ preventScroll: true });
    if (this.wanted.id !== undefined) this.#show(this.wanted.id);
  };

  #show(id: string): void {
    const node = this.viewOf(this.path.find((message) => message.id === id)?.key ?? '')?.node;
    if (!node) return this.wanted.miss();
    this.wanted.want(undefined);
    this.#follow.release();
    node.scrollIntoView({ block: 'start' });
  }

  /** Where the messages are, for their list. */
  get #place(): ListPlace {
    return {
      context: this.#context,
      column: this.#column,
      scroller: this.scroller,
      find: (key) => this.#controller?.thread?.messages.get(key),
    };
  }
}
