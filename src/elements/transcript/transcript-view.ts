import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import { element } from '../../dom/element.js';
import { isPrinting, onPrintChange } from '../../dom/print.js';
import { isUbikError } from '../../errors.js';
import type { Locale } from '../../locales/locale.js';
import { setContentLocale } from '../../message/content-lang.js';
import type { MessageView } from '../../message/message-view.js';
import type { ViewContext } from '../../message/part-view.js';
import { isRunning, shownBranch } from '../../message/thread-selectors.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { focusMessages } from '../base/focus-messages.js';
import { AutoScroll, ScrollToEndButton } from './auto-scroll.js';
import { lazyViews } from './lazy-views.js';
import type { MessageList, MessageListOptions } from './message-list.js';

/** An element that shows a transcript. */
export interface TranscriptHost extends ReactiveControllerHost {
  readonly assistive: boolean;
  readonly pinQuestion: boolean;
}

/** The messages on one path of a thread, in a box that follows its end. */
export class TranscriptView implements ReactiveController {
  readonly node = element('div', 'transcript');
  /** Shown while there are no messages. The element fills it. */
  readonly emptyState = element('div', 'empty');
  readonly #questionPlaceholder = new QuestionPlaceholder();
  readonly #column = element(
    'div',
    'column is-empty',
    this.emptyState,
    this.#questionPlaceholder.node,
  );
  /** The scroll container. */
  readonly scroller = element('div', 'scroller', this.#column);
  readonly #scrollToEndButton: ScrollToEndButton;
  readonly #autoScroll: AutoScroll;
  readonly #host: TranscriptHost;
  readonly #context: ViewContext;
  #stopObservingPrint: (() => void) | undefined;
  /** Undefined until the views are loaded. */
  #list: MessageList | undefined;
  #controller: StreamController | null = null;
  #head: Key | null | undefined;
  /** Key of the last message that is shown. */
  #lastKey: Key | undefined;
  readonly pendingReveal = new PendingReveal();
  /** Whether the views could not be loaded. The next change tries again. */
  loadFailed = false;

  constructor(host: TranscriptHost, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    this.scroller.tabIndex = 0;
    this.scroller.role = 'region';
    this.scroller.part.add('transcript');
    this.#scrollToEndButton = new ScrollToEndButton(
      () => context.locale,
      () => {
        // Focus first: focusing a message whose beginning is not visible stops following, which `scrollToEnd` resumes.
        focusMessages(this.node);
        this.scrollToEnd();
      },
    );
    this.#autoScroll = new AutoScroll(
      this.scroller,
      this.#column,
      this.#scrollToEndButton.node,
      () => {
        this.#scrollToEndButton.reset();
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
    this.#scrollToEndButton.updateLabel();
    this.#column.ariaLabel = locale.text('messages');
  }

  /** Last message of the shown path; null for the thread's head. */
  set head(head: Key | null) {
    this.#head = head;
    this.#scheduleSync();
  }

  /** Shows the thread of a controller, nothing for null, and discards what was shown before. */
  show(controller: StreamController | null): void {
    this.#controller = controller;
    this.dispose();
    this.#list?.updateRun(controller?.thread);
    this.#sync();
    this.scrollToEnd();
  }

  /** Disposes the views of all messages. */
  dispose(): void {
    this.#list?.clear();
  }

  /** Applies a change of the current thread. */
  apply(change: Change): void {
    if (change.type === 'thread') {
      this.#list?.updateRun(this.#controller?.thread);
      if (change.set.head !== undefined) this.#scheduleSync();
      return;
    }
    if (change.type === 'item') return;
    if (change.type === 'message') this.#scheduleSync();
    const message = this.#controller?.thread?.messages.get(change.message);
    // Without a list, the views are not loaded yet: `#sync` loads them, again after a failure.
    if (message && this.#list) this.#list.apply(change, message);
    else this.#scheduleSync();
  }

  /** The view of a message, if the message is shown. */
  viewOf(message: Key): MessageView | undefined {
    return this.#list?.viewOf(message);
  }

  /** The messages on the shown path, oldest first. */
  get path(): readonly Message[] {
    const thread = this.#controller?.thread;
    return thread ? shownBranch(thread, this.#head ?? thread.head) : [];
  }

  /** The message of a node in the list. */
  messageAt(node: Element): Message | undefined {
    return this.#list?.messageAt(node);
  }

  /** Scrolls to a message, by its service id, as soon as it is rendered on the shown path. An empty id cancels that. */
  reveal(id: string): void {
    this.pendingReveal.set(id || undefined);
    this.#scheduleSync();
  }

  /** The message at the upper edge of the viewport. */
  get firstVisible(): Message | undefined {
    return this.#list?.firstVisible;
  }

  /** Loads the views ahead of time, after the code of the service. */
  async prefetchViews(): Promise<void> {
    await this.#controller?.backend.prepare?.();
    lazyViews.prefetch();
  }

  /**
   * Loads the views, then renders the messages. Reports the first failure. The code of the service is loaded before: its requests precede the
   * first words of an answer, and on a slow network both would share the bandwidth.
   */
  async loadViews(): Promise<void> {
    try {
      await this.#controller?.backend.prepare?.();
      await lazyViews.load();
      this.loadFailed = false;
      this.#scheduleSync();
    } catch (error) {
      // Another attempt at the same time may have failed already.
      if (!this.loadFailed && isUbikError(error)) this.#context.report(error);
      this.loadFailed = true;
    }
    this.#host.requestUpdate();
  }

  /** Scrolls to a shown message and focuses it. */
  focusMessage(message: Key): void {
    const node = this.viewOf(message)?.node;
    if (!node) return;
    node.tabIndex = -1;
    node.focus();
    node.scrollIntoView({ block: 'start' });
  }

  /** Prepares for a message that is about to be sent: follows the end, unless the question will be pinned. */
  prepareForSend(): void {
    this.pendingReveal.set(undefined);
    if (!this.#host.pinQuestion) this.#autoScroll.scrollToEnd();
  }

  /** Scrolls a part of a message to the middle, and no longer follows the end. */
  revealNode(node: Element): void {
    this.#autoScroll.release();
    node.scrollIntoView({ block: 'center' });
  }

  /** Scrolls to the end and follows it. */
  scrollToEnd(): void {
    this.pendingReveal.set(undefined);
    this.#autoScroll.scrollToEnd();
  }

  /** Renders all strings again, for example in another language. */
  redraw(): void {
    this.#list?.redraw(!this.#scrollToEndButton.node.hidden);
  }

  #handleAdded(messages: readonly Message[], isAppended: boolean): void {
    // Sending adds a question and at most its answer.
    const isJustSent = messages.length <= 2 && isRunning(this.#controller?.thread);
    const question = isJustSent && messages.find(({ role }) => role === 'user');
    const node = this.#host.pinQuestion && question && this.viewOf(question.key)?.node;
    if (node) this.#autoScroll.pin(node);
    else if (isAppended && !this.#scrollToEndButton.node.hidden) {
      this.#scrollToEndButton.addNew(messages.length);
    }
    // The element may depend on the messages, for example on an open request.
    this.#host.requestUpdate();
  }

  #scheduleSync(): void {
    this.#context.frames.schedule(this.#sync);
  }

  /** Updates the message list to the shown path. */
  readonly #sync = (): void => {
    const { path } = this;
    this.emptyState.hidden = path.length > 0;
    this.#column.classList.toggle('is-empty', path.length === 0);
    this.#column.role = path.length === 0 ? 'group' : 'feed';
    const views = lazyViews.value;
    if (!views) {
      this.#questionPlaceholder.show(path, this.#context.locale);
      if (path.length > 0) void this.loadViews();
      return;
    }
    if (!this.#list) {
      this.#list = new views.MessageList(this.#listOptions);
      this.#list.assistive = this.#host.assistive;
      this.#list.updateRun(this.#controller?.thread);
    }
    const focused = (this.#column.getRootNode() as Partial<ShadowRoot>).activeElement;
    const added = this.#list.sync(path, () => this.#scheduleSync());
    if (added === null) {
      // More code is loading, after which this is called again. Once messages were rendered, the placeholder is not in the document any more.
      this.#questionPlaceholder.show(path, this.#context.locale);
      return;
    }
    this.#questionPlaceholder.node.remove();
    // Messages that replace others, because another branch is shown, do not count as new.
    const isAppended = path.at(-1 - added)?.key === this.#lastKey;
    this.#lastKey = path.at(-1)?.key;
    this.#autoScroll.releaseRemoved();
    if (added > 0) this.#handleAdded(path.slice(-added), isAppended);
    // The focused node was removed. Focus a message, because the focus would otherwise fall back to the top of the page.
    if (focused && !focused.isConnected) {
      this.#autoScroll.withoutRelease(() => {
        focusMessages(this.node);
      });
    }
    if (this.pendingReveal.id !== undefined) this.#revealMessage(this.pendingReveal.id);
  };

  #revealMessage(id: string): void {
    const node = this.viewOf(this.path.find((message) => message.id === id)?.key ?? '')?.node;
    if (!node) return this.pendingReveal.reportMissing();
    this.pendingReveal.set(undefined);
    this.#autoScroll.release();
    node.scrollIntoView({ block: 'start' });
  }

  /** Options of the message list. */
  get #listOptions(): MessageListOptions {
    return {
      context: this.#context,
      column: this.#column,
      scroller: this.scroller,
      findMessage: (key) => this.#controller?.thread?.messages.get(key),
    };
  }
}

/** A message to scroll to, by its service id, until it is rendered. */
class PendingReveal {
  #id: string | undefined;
  /** The id that was reported as missing. */
  #reportedId: string | undefined;
  /** Called once with the id of a message that is not on the shown path; with null when that is no longer relevant. */
  onMissing: ((id: string | null) => void) | undefined;

  /** Id of the message; undefined when there is none. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Sets another message, or none. */
  set(id: string | undefined): void {
    this.#id = id;
    if (this.#reportedId === undefined) return;
    this.#reportedId = undefined;
    this.onMissing?.(null);
  }

  /** Reports, once for each message, that the message is not on the shown path. */
  reportMissing(): void {
    if (this.#id === undefined || this.#reportedId === this.#id) return;
    this.#reportedId = this.#id;
    this.onMissing?.(this.#id);
  }
}

/** Maximum length of the text of a placeholder, in UTF-16 units. Laying out 100 kB would delay the first message by several frames. */
const MAX_PLACEHOLDER_LENGTH = 8192;

/** The latest question as plain text, shown until the views are loaded. */
export class QuestionPlaceholder {
  readonly node = element('p', 'question-placeholder');

  constructor() {
    this.node.hidden = true;
  }

  /** Shows the latest question of a path. */
  show(path: readonly Message[], locale: Locale): void {
    setContentLocale(this.node, locale);
    const parts = path.filter(({ role }) => role === 'user').at(-1)?.parts;
    const texts = parts?.children(null).map((key) => parts.get(key)?.text?.read() ?? '') ?? [];
    this.node.textContent = texts.join('\n').slice(0, MAX_PLACEHOLDER_LENGTH);
    this.node.hidden = this.node.textContent === '';
  }
}
