import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { Backend, NewThread } from '../backends/backend.js';
import type { StreamController } from '../conversation/controller-types.js';
import type { GetToken } from '../conversation/registry.js';
import { isUbikError } from '../errors.js';
import { warnOnce } from '../internal/warn-once.js';
import type { ImagePolicy } from '../markdown/url-policy.js';
import { ControllerProvider } from './connection/controller-context.js';
import { openService } from './connection/open-service.js';
import { baseStyles } from './styles/base.js';
import { chatStyles, composerStyles, transcriptStyles } from './styles/chat.js';
import { markdownStyles } from './styles/markdown.js';
import { messageStyles } from './styles/message.js';
import { partStyles } from './styles/parts.js';
import { ChatFrame } from './views/chat-frame.js';

/** Values that attributes with a fixed choice may have; anything else is warned about and counts as the default. */
const CHOICES = {
  theme: ['', 'light', 'dark', 'auto'],
  layout: ['', 'inline', 'panel', 'bubble', 'page'],
  density: ['', 'comfortable', 'compact'],
  imagePolicy: ['', 'link', 'data', 'allow'],
} as const;

/** An attribute that is not there when it says nothing. */
const optional = { toAttribute: (value: string) => value || null };

/**
 * A whole conversation with an agent: what was said and done, requests for input, the state of the connection, and a field to
 * write in.
 *
 * Give it the address of the service and a way to get tokens; it starts one microtask after it is put into the page. Or give it a
 * `backend` or a `controller` of your own. It opens the thread of `thread-id`, else the newest one of `userKey` that was open
 * here, else it greets; a thread is made with the first message.
 *
 * @example
 * <ubik-chat base-url="/api/ubik" style="height: 100vh"></ubik-chat>
 * <script>
 *   document.querySelector('ubik-chat').getToken = () => fetch('/token', { method: 'POST' }).then((r) => r.text());
 * </script>
 *
 * @tagname ubik-chat
 * @fires {UbikMessageSendEvent} ubik-message-send - before a message is sent; cancelable
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service has taken the message
 * @fires {UbikRunStartedEvent} ubik-run-started - the agent has begun, or a run that was on was joined
 * @fires {UbikRunEndedEvent} ubik-run-ended - the answer is complete
 * @fires {UbikRunPausedEvent} ubik-run-paused - the agent waits for an answer of the person
 * @fires {UbikRunStopEvent} ubik-run-stop - before the service is asked to end the run; cancelable
 * @fires {UbikRunStoppedEvent} ubik-run-stopped - the run was ended on request
 * @fires {UbikRunFailedEvent} ubik-run-failed - the agent failed, or the service refused
 * @fires {UbikRunInterruptedEvent} ubik-run-interrupted - the connection broke and could not be taken up again
 * @fires {UbikInputRequiredEvent} ubik-input-required - the agent or a tool asks for something; cancelable, the host may answer
 * @fires {UbikInputProvideEvent} ubik-input-provide - before an answer is sent; cancelable
 * @fires {UbikInputProvidedEvent} ubik-input-provided - the service has taken the answer
 * @fires {UbikCheckpointNavigateEvent} ubik-checkpoint-navigate - before going back to a checkpoint; cancelable, the hint can be changed
 * @fires {UbikCheckpointNavigatedEvent} ubik-checkpoint-navigated - the agent goes on from a checkpoint
 * @fires {UbikThreadOpenEvent} ubik-thread-open - before another thread is shown; cancelable
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - the messages of a thread have been read
 * @fires {UbikThreadCreateEvent} ubik-thread-create - before the first message makes a thread; cancelable
 * @fires {UbikThreadCreatedEvent} ubik-thread-created - the service has made a thread
 * @fires {UbikLinkOpenEvent} ubik-link-open - before a link of a message is followed; cancelable
 * @fires {UbikImageLoadEvent} ubik-image-load - before a remote picture is loaded; cancelable
 * @fires {UbikAuthRequiredEvent} ubik-auth-required - the service wants to know who this is
 * @fires {UbikErrorEvent} ubik-error - something went wrong, and the person was told
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - something was odd and changed nothing
 * @csspart base - the whole
 * @csspart transcript - the box that scrolls
 * @csspart message - one message; also `question` or `answer`
 * @csspart question - a message of the person
 * @csspart answer - a message of the agent
 * @csspart text - what was said
 * @csspart thinking - what was thought
 * @csspart step - one step
 * @csspart tool - one call of a tool
 * @csspart checkpoint - a point to go back to
 * @csspart request - a request for input
 * @csspart error - an error of the agent
 * @csspart citation - a citation in a text
 * @csspart sources - the sources at the end of an answer
 * @csspart status - the line about connection and run
 * @csspart composer - the field with its button
 * @csspart input - the field
 * @csspart send - the button that sends or stops
 * @cssprop [--ubik-accent] - focus, primary buttons, links; the page's accent colour by default
 * @cssprop [--ubik-text] - colour of text
 * @cssprop [--ubik-background] - colour behind everything
 * @cssprop [--ubik-danger] - colour of errors
 * @cssprop [--ubik-success] - colour of what is done
 * @cssprop [--ubik-on-accent] - text on the accent colour; black or white by default
 * @cssprop [--ubik-muted] - text that matters less
 * @cssprop [--ubik-line] - hairlines
 * @cssprop [--ubik-surface] - cards
 * @cssprop [--ubik-tint] - the person's messages
 * @cssprop [--ubik-radius=0.625rem] - corners of cards; the others follow
 * @cssprop [--ubik-radius-card] - corners of cards, code and tables alone
 * @cssprop [--ubik-radius-control] - corners of buttons and fields alone
 * @cssprop [--ubik-font] - font; the page's by default
 */
export class UbikChat extends LitElement {
  static override styles = [
    baseStyles,
    messageStyles,
    partStyles,
    transcriptStyles,
    composerStyles,
    chatStyles,
    markdownStyles,
  ];

  /** Name of a registered service. */
  @property() service = 'ubik';
  /** Address of the service; its own default when empty. */
  @property({ attribute: 'base-url' }) baseUrl = '';
  /** The thread to open; empty for the newest or a new one. */
  @property({ attribute: 'thread-id' }) threadId = '';
  /** The assistant to talk to, where the service has several. */
  @property({ attribute: 'agent-id' }) agentId = '';
  /** How the chat stands in the page; at present all of them are `inline`. */
  @property({ reflect: true, converter: optional }) layout = '';
  /** `light`, `dark` or `auto` (as the system); by default as the page's `color-scheme` says. */
  @property({ reflect: true, converter: optional }) theme = '';
  /** `comfortable` (default) or `compact`. */
  @property({ reflect: true, converter: optional }) density = '';
  /** Language of the interface; by default that of the page. */
  @property({ reflect: true, converter: optional }) override lang = '';
  /** What becomes of remote pictures: `link` (default), `data` or `allow`. */
  @property({ attribute: 'image-policy' }) imagePolicy = '';
  /** Where relative links of messages lead; by default nowhere. */
  @property({ attribute: 'link-base' }) linkBase = '';
  /** Where the optional parts of the bundle are; by default beside it. */
  @property({ attribute: 'assets-url' }) assetsUrl = '';
  /** Whether technical details of errors may be shown. */
  @property({ type: Boolean, attribute: 'error-details' }) errorDetails = false;
  /** What stands above an empty conversation; by default what the service says. */
  @property() greeting = '';
  /** Up to four questions that an empty conversation offers; by default those of the service. */
  @property({ attribute: false }) starters: readonly string[] = [];
  /** The service, made by the page. */
  @property({ attribute: false }) backend: Backend | null = null;
  /** The conversation, made by the page, who also closes it. */
  @property({ attribute: false }) controller: StreamController | null = null;
  /** Gives a token for the person who uses the page; asked before each connection, and again when one was refused. */
  @property({ attribute: false }) getToken: GetToken | null = null;
  /** Whose data this is: without it nothing outlives the tab. */
  @property({ attribute: false }) userKey: string | null = null;
  /** Options of the service for threads that the first message makes. */
  @property({ attribute: false }) newThread: NewThread | null = null;

  readonly #provider = new ControllerProvider(this);
  readonly #frame: ChatFrame;
  #started = false;
  #loads = 0;

  constructor() {
    super();
    this.#frame = new ChatFrame({
      host: this,
      errorDetails: () => this.errorDetails,
      policy: () => ({
        imagePolicy: (this.#choice('imagePolicy') || 'link') as ImagePolicy,
        linkBase: this.linkBase,
      }),
      welcome: () => ({
        ...(this.greeting ? { greeting: this.greeting } : {}),
        starters: Array.isArray(this.starters) ? this.starters : [],
      }),
      reload: () => {
        this.#started = false;
        this.#start();
      },
    });
  }

  /** The server's id of the thread that is shown; null while there is none. */
  get currentThreadId(): string | null {
    return this.#frame.link.session?.controller.thread?.id ?? null;
  }

  /** Sends a message as if the person had written it. False when it was not sent. */
  send(text: string): Promise<boolean> {
    return this.#frame.composer.send(text);
  }

  /** Asks the agent to stop. */
  async stop(): Promise<void> {
    await this.#frame.composer.attempt(this.#frame.link.session?.stop());
  }

  /** Shows another thread, by the server's id. */
  async openThread(id: string): Promise<void> {
    const { session } = this.#frame.link;
    if (session) await this.#load(() => session.openThread(id));
  }

  /** Leaves the thread; the next message makes a new one. */
  startThread(): void {
    this.#frame.link.session?.controller.newThread();
  }

  /** Puts the focus into the field. */
  override focus(): void {
    this.#frame.composer.view.focus();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    queueMicrotask(() => {
      this.#start();
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    for (const name of Object.keys(CHOICES) as (keyof typeof CHOICES)[]) {
      if (changed.has(name)) this.#choice(name);
    }
  }

  protected override firstUpdated(): void {
    const root = this.renderRoot.querySelector<HTMLElement>('.ubik');
    if (root) this.#frame.listen(root);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('lang')) this.#frame.link.relabel();
    if (changed.has('theme')) this.#readAccent();
    if (changed.has('greeting') || changed.has('starters')) this.#frame.drawEmpty();
    if (!this.#started) return;
    const service = ['controller', 'backend', 'service', 'baseUrl', 'agentId', 'userKey'] as const;
    const token = changed.has('getToken') && !changed.get('getToken');
    if (token || service.some((name) => changed.has(name))) {
      this.#started = false;
      this.#start();
    } else if (changed.has('threadId') && this.threadId !== (this.currentThreadId ?? '')) {
      void this.#open();
    }
  }

  protected override render(): TemplateResult {
    const { transcript, status, composer, announcer } = this.#frame;
    return html`<div class="ubik" part="base">
      ${transcript.node} ${status.node} ${composer.view.node} ${announcer.node}
    </div>`;
  }

  /** A value of a fixed choice; the default when the page gave one that we do not know. */
  #choice(name: keyof typeof CHOICES): string {
    const value = this[name];
    if ((CHOICES[name] as readonly string[]).includes(value)) return value;
    warnOnce(
      `<ubik-chat> knows no ${name} "${value}". Use one of: ${CHOICES[name].slice(1).join(', ')}.`,
    );
    return '';
  }

  /** The page's accent colour is no value that a style sheet could read. */
  #readAccent(): void {
    const { accentColor } = getComputedStyle(this);
    const root = this.renderRoot.querySelector<HTMLElement>('.ubik');
    if (accentColor && accentColor !== 'auto')
      root?.style.setProperty('--_page-accent', accentColor);
  }

  #start(): void {
    if (!this.isConnected) return;
    const { link } = this.#frame;
    const known = link.controller;
    const controller = this.controller ?? (this.#started && link.isOpen ? known : this.#connect());
    if (!controller) return;
    const first = !this.#started || controller !== known;
    this.#started = true;
    link.use(controller);
    this.#provider.provide(controller);
    if (!first) return;
    this.#frame.status.set({ signIn: false });
    void this.#welcome(controller);
    if (!controller.thread && !this.controller) void this.#open();
  }

  #connect(): StreamController | null {
    try {
      return openService({
        backend: this.backend,
        service: this.service,
        baseUrl: this.baseUrl || null,
        threadId: this.threadId || null,
        agentId: this.agentId || null,
        userKey: this.userKey,
        getToken: this.getToken,
        newThread: this.newThread,
        latestToken: () => this.getToken,
      });
    } catch (error) {
      // What the page gave cannot be used; it is told, and the person sees that there is nothing.
      if (!isUbikError(error)) throw error;
      warnOnce(error.message);
      this.#frame.link.report(error);
      this.#frame.status.set({ loadError: error.code });
      return null;
    }
  }

  /** Shows the thread that the page names, else the newest one. */
  async #open(): Promise<void> {
    const controller = this.#frame.link.session?.controller;
    if (!controller) return;
    const { threadId } = this;
    await this.#load(() => (threadId ? controller.openThread(threadId) : controller.openLatest()));
  }

  async #load(load: () => Promise<unknown>): Promise<void> {
    const { status } = this.#frame;
    const turn = (this.#loads += 1);
    status.set({ loading: true, loadError: null });
    let loadError: string | null = null;
    try {
      await load();
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (error.code !== 'aborted') loadError = error.code;
    }
    if (turn === this.#loads) status.set({ loading: false, loadError });
    this.#frame.drawEmpty();
  }

  async #welcome(controller: StreamController): Promise<void> {
    try {
      this.#frame.welcome(await controller.onboarding());
    } catch (error) {
      // A greeting is not worth a complaint: ours is shown.
      if (!isUbikError(error)) throw error;
    }
  }
}
