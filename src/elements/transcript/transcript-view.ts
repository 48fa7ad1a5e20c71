import type { StreamController } from '../../controller/controller-types.js';
import { element } from '../../dom/element.js';
import type { Frame } from '../../dom/frames.js';
import { isPrinting, onPrintChange } from '../../dom/print.js';
import { isUbikError } from '../../errors.js';
import type { Locale } from '../../locales/locale.js';
import { setContentLocale } from '../../message/content-lang.js';
import type { MessageView } from '../../message/message-view.js';
import type { ViewContext } from '../../message/part-view.js';
import { isRunning, visiblePath } from '../../message/thread-selectors.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { AutoScroll, ScrollToEndButton } from './auto-scroll.js';
import { lazyViews } from './lazy-views.js';
import type { MessageListOptions, MessageList } from './message-list.js';
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** An element with messages, and what the page says about them. */
export interface TranscriptHost extends ReactiveControllerHost {
  readonly assistive: boolean;
  readonly pinQuestion: boolean;
}

/** The messages of one way through a thread, in a box that follows its end. */
export class TranscriptView implements ReactiveController {
  readonly node = element('div', 'transcript');
  /** What stands in place of messages while there are none; filled by the element around. */
  readonly emptyState = element('div', 'empty');
  readonly #questionPlaceholder = new QuestionPlaceholder();
  readonly #column = element(
    'div',
    'column vacant',
    this.emptyState,
    this.#questionPlaceholder.node,
  );
  /** The box that scrolls. */
  readonly scroller = element('div', 'scroller', this.#column);
  readonly #scrollToEndButton: ScrollToEndButton;
  readonly #autoScroll: AutoScroll;
  readonly #footerRefresher: FooterRefresher;
  readonly #host: TranscriptHost;
  readonly #context: ViewContext;
  #stopObservingPrint: (() => void) | undefined;
  /** The messages, once what draws them is there. */
  #list: MessageList | undefined;
  #controller: StreamController | undefined;
  #head: Key | null | undefined;
  readonly pendingReveal = new PendingReveal();
  /** What draws messages could not be fetched. The next change tries again. */
  loadFailed = false;

  constructor(host: TranscriptHost, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    this.scroller.tabIndex = 0;
    this.scroller.role = 'region';
    this.scroller.part.add('transcript');
    this.#footerRefresher = new FooterRefresher(context);
    this.#scrollToEndButton = new ScrollToEndButton(
      () => context.locale,
      () => {
        this.scrollToEnd();
        this.scroller.focus({ preventScroll: true });
      },
    );
    this.#autoScroll = new AutoScroll(
      this.scroller,
      this.#column,
      this.#scrollToEndButton.node,
      () => {
        this.#scrollToEndButton.add(0);
      },
    );
    this.node.append(this.scroller, this.#scrollToEndButton.node);
    host.addController(this);
  }

  hostConnected(): void {
    this.#autoScroll.connect();
    this.#stopObservingPrint = onPrintChange(() => {
      if (isPrinting()) this.#list?.renderForPrint();
    });
  }

  hostDisconnected(): void {
    this.#autoScroll.disconnect();
    this.#stopObservingPrint?.();
  }

  hostUpdate(): void {
    const { locale } = this.#context;
    if (this.#list) this.#list.assistive = this.#host.assistive;
    this.scroller.ariaLabel = locale.text('conversation');
    this.#scrollToEndButton.draw();
    this.#column.ariaLabel = locale.text('messages');
  }

  /** The newest message of the way that is shown; null: the thread's own head. */
  set head(head: Key | null) {
    this.#head = head;
    this.#scheduleSync();
  }

  /** Shows the thread of a controller, anew. */
  show(controller: StreamController): void {
    this.#controller = controller;
    this.dispose();
    this.#sync();
    this.scrollToEnd();
  }

  /** Gives back what its messages hold beyond their nodes. */
  dispose(): void {
    this.#list?.dispose();
  }

  /** Takes a change of the current thread. */
  apply(change: Change): void {
    if (change.type === 'thread' ? change.set.head !== undefined : change.type === 'message') {
      this.#scheduleSync();
    }
    if (change.type === 'thread') {
      this.#footerRefresher.update(
        isRunning(this.#controller?.thread),
        () => this.#list?.views ?? [],
      );
    }
    if (change.type === 'thread' || change.type === 'item') return;
    const { message: key } = change;
    const message = this.#controller?.thread?.messages.get(key);
    // What draws messages may have been out of reach before: with each change it is asked for again.
    if (message && this.#list) this.#list.apply(change, message);
    else this.#scheduleSync();
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
    this.pendingReveal.set(id || undefined);
    this.#scheduleSync();
  }

  /** The message at the upper edge of what can be seen. */
  get firstVisible(): Message | undefined {
    return this.#list?.firstVisible;
  }

  /** Fetches what draws messages, and draws them. */
  async loadViews(): Promise<void> {
    const { loadFailed: failed } = this;
    try {
      await lazyViews.load();
      this.loadFailed = false;
      this.#scheduleSync();
    } catch (error) {
      this.loadFailed = true;
      if (!failed && isUbikError(error)) this.#context.report(error);
    }
    if (failed !== this.loadFailed) this.#host.requestUpdate();
  }

  /** Leads to a message that is shown: to its sight and the focus of the keyboard. */
  focusMessage(message: Key): void {
    const node = this.viewOf(message)?.node;
    if (!node) return;
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: 'start' });
  }

  /** Something is about to be sent: it is followed, or pinned. */
  prepareForSend(): void {
    this.pendingReveal.set(undefined);
    if (!this.#host.pinQuestion) this.#autoScroll.scrollToEnd();
  }

  /** Goes to the end and follows it. */
  scrollToEnd(): void {
    this.pendingReveal.set(undefined);
    this.#autoScroll.scrollToEnd();
  }

  /** Writes all words again, such as in another language. */
  redraw(): void {
    this.#list?.redraw();
  }

  #handleAdded(messages: readonly Message[]): void {
    // A question that was just sent brings its answer along, at most.
    const isSent = messages.length <= 2 && isRunning(this.#controller?.thread);
    const question = isSent && messages.find(({ role }) => role === 'user');
    const node = this.#host.pinQuestion && question && this.viewOf(question.key)?.node;
    if (node) this.#autoScroll.pin(node);
    else if (!this.#scrollToEndButton.node.hidden) this.#scrollToEndButton.add(messages.length);
    // What stands around the messages may look for one of them, such as for an open question.
    this.#host.requestUpdate();
  }

  #scheduleSync(): void {
    this.#context.frames.schedule(this.#sync);
  }

  /** Brings the list of messages in line with the way that is shown: what stands stays, the rest is taken out and put in. */
  readonly #sync = (): void => {
    const { path } = this;
    this.emptyState.hidden = path.length > 0;
    this.#column.classList.toggle('vacant', path.length === 0);
    this.#column.role = path.length === 0 ? 'group' : 'feed';
    const views = lazyViews.value;
    if (!views) {
      this.#questionPlaceholder.show(path, this.#context.locale);
      if (path.length > 0) void this.loadViews();
      return;
    }
    if (!this.#list) {
      this.#questionPlaceholder.node.remove();
      this.#list = new views.MessageList(this.#listOptions);
      this.#list.assistive = this.#host.assistive;
    }
    const held = (this.#column.getRootNode() as Partial<ShadowRoot>).activeElement;
    const added = this.#list.sync(path, () => this.#scheduleSync());
    if (added === null) return;
    if (added > 0) this.#handleAdded(path.slice(-added));
    // What had the focus is gone: the keyboard goes on at the messages, and not at the top of the page.
    if (held && !held.isConnected) this.scroller.focus({ preventScroll: true });
    if (this.pendingReveal.id !== undefined) this.#revealMessage(this.pendingReveal.id);
  };

  #revealMessage(id: string): void {
    const node = this.viewOf(this.path.find((message) => message.id === id)?.key ?? '')?.node;
    if (!node) return this.pendingReveal.reportMissing();
    this.pendingReveal.set(undefined);
    this.#autoScroll.release();
    node.scrollIntoView({ block: 'start' });
  }

  /** Where the messages are, for their list. */
  get #listOptions(): MessageListOptions {
    return {
      context: this.#context,
      column: this.#column,
      scroller: this.scroller,
      findMessage: (key) => this.#controller?.thread?.messages.get(key),
    };
  }
}

/** The message that is to come into sight, by the server's id, from the wish until it is drawn. */
export class PendingReveal {
  #id: string | undefined;
  /** The same, when it was found not to be on the way that is shown. */
  #reportedId: string | undefined;
  /** Hears of one that is not on the way that is shown; null: there is none any more. */
  onMissing: ((id: string | null) => void) | undefined;

  /** Undefined when none is wanted. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Wants another one, or none. */
  set(id: string | undefined): void {
    this.#id = id;
    if (this.#reportedId === undefined) return;
    this.#reportedId = undefined;
    this.onMissing?.(null);
  }

  /** It is not on the way that is shown. Told once. */
  reportMissing(): void {
    if (this.#id === undefined || this.#reportedId === this.#id) return;
    this.#reportedId = this.#id;
    this.onMissing?.(this.#id);
  }
}

/** What was asked last, as plain text: shown until what draws messages is there, however slow the network is. */
export class QuestionPlaceholder {
  readonly node = element('p', 'asked');

  constructor() {
    this.node.hidden = true;
  }

  /** Writes the newest question of a way. */
  show(path: readonly Message[], locale: Locale): void {
    setContentLocale(this.node, locale);
    const parts = path.filter(({ role }) => role === 'user').at(-1)?.parts;
    const texts = parts?.children(null).map((key) => parts.get(key)?.text?.read() ?? '') ?? [];
    this.node.textContent = texts.join('\n');
    this.node.hidden = this.node.textContent === '';
  }
}

/** Draws the ends of messages again when a run begins or is over: what can be done with a message depends on that. */
export class FooterRefresher {
  readonly #context: ViewContext;
  /** A run was on when they were drawn last. */
  #busy = false;
  /** Those that are to be drawn because that has changed. */
  #pending: MessageView[] = [];

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** Whether a run is on now; `views` are the messages that are rich. */
  update(busy: boolean, views: () => MessageView[]): void {
    if (busy === this.#busy) return;
    this.#busy = busy;
    this.#pending = views();
    this.#context.frames.schedule(this.#draw);
  }

  /** The newest first, as many as the frame has time for. */
  readonly #draw = (frame: Frame): boolean => {
    do this.#pending.pop()?.updateActions();
    while (this.#pending.length > 0 && frame.hasTime());
    return this.#pending.length > 0;
  };
}
