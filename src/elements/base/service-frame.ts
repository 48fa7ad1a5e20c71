import type { PropertyDeclarations, PropertyValues } from 'lit';
import type { Backend, NewThread } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import type { GetToken } from '../../controller/registry.js';
import { isUbikError } from '../../errors.js';
import { UbikThreadOpenEvent } from '../../events/index.js';
import { haveScriptsRun, whenScriptsHaveRun } from '../../dom/page-scripts.js';
import { dispatchError } from './controller-events.js';
import { ChatPlace } from '../connection/chat-place.js';
import { provideController } from './controller-context.js';
import { ServiceChoice } from '../connection/service-choice.js';
import { ChatFrame } from './chat-frame.js';

/** A chat that finds its service and its thread by what the page says. */
export abstract class ServiceFrame extends ChatFrame {
  static override properties: PropertyDeclarations = {
    service: {},
    baseUrl: { attribute: 'base-url' },
    threadId: { attribute: 'thread-id' },
    messageId: { attribute: 'message-id' },
    agentId: { attribute: 'agent-id' },
    backend: { attribute: false },
    getToken: { attribute: false },
    userKey: { attribute: false },
    storageKey: { attribute: 'storage-key' },
    newThread: { attribute: false },
  };

  /** Name of a registered service. */
  service = 'ubik';
  /** Address of the service; its own default when empty. */
  baseUrl = '';
  /** The thread to open; empty for the newest or a new one. */
  threadId = '';
  /** The message of that thread that is brought into sight, by the server's id. */
  messageId = '';
  /** The assistant to talk to, where the service has several. */
  agentId = '';
  /** The service, made by the page. */
  backend: Backend | null = null;
  /**
   * Gives a token for the person who uses the page; asked before each connection, and again when one was refused. Without it, nothing
   * is asked of the service before the scripts of the page have run: one of them may still give it.
   * After 20 s without a token the requests that wait for it fail and nothing is sent; the next request asks again.
   */
  getToken: GetToken | null = null;
  /**
   * Whose data this is, another one for each person of the app: without it, and with an empty one, nothing outlives the tab. All chats of one `userKey` and
   * address are taken for one person's, whatever functions give their tokens.
   */
  userKey: string | null = null;
  /**
   * Which of several chats this is: the conversation that was open last, and what was written for a new one, are remembered under it.
   * By default the element's `id`, else its number among the chats of the page without a name.
   */
  storageKey = '';
  /** Options of the service for threads that the first message makes. */
  newThread: NewThread | null = null;

  readonly #provide = provideController(this);
  readonly #choice = new ServiceChoice();
  readonly #place = new ChatPlace(this);
  /** The conversation that has been welcomed. */
  #welcomed: StreamController | undefined;

  /** The server's id of the thread that is shown; null while there is none. */
  get currentThreadId(): string | null {
    return this.conversation?.thread?.id ?? null;
  }

  /** The server's id of the message at the upper edge of what can be seen; null when there is none. */
  get currentMessageId(): string | null {
    return this.transcript.topmost?.id ?? null;
  }

  /** Shows another thread, by the server's id. */
  async openThread(id: string): Promise<void> {
    await this.#started();
    await this.#load([new UbikThreadOpenEvent({ threadId: id })], (chat) => chat.openThread(id));
  }

  /**
   * Brings a message of the thread into sight and gives it the focus, by the server's id. Of one that stands in another version the
   * person is told, with a way to switch to it.
   */
  showMessage(id: string): void {
    const messages = this.conversation?.thread?.messages.values() ?? [];
    const found = [...messages].find((message) => message.id === id);
    this.transcript.reveal(id);
    if (found) this.leadTo(found.key);
  }

  override async send(text: string): Promise<boolean> {
    await this.#started();
    return super.send(text);
  }

  /** Leaves the thread; the next message makes a new one. */
  startThread(): void {
    this.conversation?.newThread();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#place.release();
  }

  protected override updated(changed: PropertyValues<this>): void {
    // In the order of the page, also where a closed window looks for its conversation later.
    if (this.isConnected && !this.controller) this.#place.claim();
    super.updated(changed);
    const { conversation } = this;
    if (!conversation) return;
    if (conversation !== this.#welcomed) {
      this.#welcomed = conversation;
      this.#provide(conversation);
      this.welcome(conversation);
      if (!conversation.thread && !this.controller) void this.#open();
    } else if (changed.has('threadId') && this.threadId !== (this.currentThreadId ?? '')) {
      void this.#open();
    } else if (changed.has('messageId')) this.transcript.reveal(this.messageId);
  }

  /** The conversation that the page gave, else that of the service it named; looked for again when it changes its mind. */
  protected override find(changed: PropertyValues<this>): StreamController | null {
    if (this.#awaitsToken) {
      void whenScriptsHaveRun().then(this.refresh);
      return null;
    }
    if (this.#choice.stands(changed)) return this.isHeld ? this.conversation : this.#choice.find();
    this.signIn = false;
    this.reading.state = '';
    try {
      return this.#choice.choose(this, () => this.#place.claim());
    } catch (error) {
      // What the page gave cannot be used; it is told, and the person sees that there is nothing.
      if (!isUbikError(error)) throw error;
      dispatchError(this, error);
      this.reading.state = error.code;
      this.refresh();
      return null;
    }
  }

  protected override reload(): void {
    if (this.conversation) void this.#open();
    else {
      this.#choice.forget();
      this.refresh();
    }
  }

  /** Whether the page may still say who the person is: a request without a token would be refused. */
  get #awaitsToken(): boolean {
    const isGiven = this.getToken ?? this.backend ?? this.controller;
    return !isGiven && !this.conversation && !haveScriptsRun();
  }

  /** Waits until there is a conversation to act on, where it waits for the scripts of the page. */
  async #started(): Promise<void> {
    if (!this.#awaitsToken) return;
    await whenScriptsHaveRun();
    await this.updateComplete;
  }

  /** Shows the thread that the page names, else the newest one. */
  #open(): Promise<void> {
    const { threadId } = this;
    return this.#load([], (chat) => (threadId ? chat.openThread(threadId) : chat.openLatest()));
  }

  async #load(
    before: readonly Event[],
    load: (conversation: StreamController) => Promise<unknown>,
  ): Promise<void> {
    const { conversation } = this;
    if (!conversation) return;
    await this.reading.read(
      before,
      () => load(conversation),
      () => {
        this.transcript.reveal(this.messageId);
      },
    );
  }
}
