import { html, nothing, render, type ReactiveControllerHost } from 'lit';
import type { Onboarding } from '../../backends/backend.js';
import type { ControllerNotice } from '../../conversation/controller-types.js';
import { isUbikError } from '../../errors.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { PartOf } from '../../model/part.js';
import { CitationCard } from '../../parts/citation.js';
import { explainError } from '../../parts/explain-error.js';
import { armedRequests } from '../../parts/thread-path.js';
import type { MarkdownPolicy } from '../../parts/markdown-body.js';
import { RequestView } from '../../parts/request/request-view.js';
import { pageState } from '../connection/page-state.js';
import { ConversationLink } from '../connection/conversation-link.js';
import type { Session } from '../connection/session.js';
import { Announcer } from './announcer.js';
import { ComposerView } from './composer-view.js';
import { StatusView } from './status-view.js';
import { TranscriptView } from './transcript-view.js';

/** States of a run in which nothing new can be sent. */
const RUNNING = new Set(['sending', 'streaming', 'stopping', 'stalled', 'broken', 'rejoining']);

/** What a frame needs of its element. */
export interface ChatFrameOptions {
  readonly host: ReactiveControllerHost & HTMLElement;
  errorDetails(): boolean;
  policy(): MarkdownPolicy;
  /** Greeting and starters that the page gives; they win over the service's. */
  welcome(): Partial<Onboarding>;
  /** Does once more what could not be done at the start. */
  reload(): void;
}

/** A request that waits for an answer of the person. */
interface Armed {
  readonly message: Key;
  readonly request: PartOf<'request-activity'>;
}

/** Transcript, line of state, composer and voice around one session: what `<ubik-chat>` shows. */
export class ChatFrame {
  readonly link: ConversationLink;
  readonly transcript: TranscriptView;
  readonly composer: ComposerView;
  readonly status: StatusView;
  readonly announcer = new Announcer();
  readonly #options: ChatFrameOptions;
  readonly #seen: IntersectionObserver;
  #onboarding: Onboarding | null = null;
  #observed: Element | null = null;
  #sending = false;
  #stopWaking: (() => void) | null = null;

  constructor(options: ChatFrameOptions) {
    this.#options = options;
    this.link = new ConversationLink(options.host, {
      connected: this.#handleConnected,
      changed: this.#handleChange,
      noticed: this.#handleNotice,
      label: this.#label,
      run: this.#run,
      errorDetails: () => options.errorDetails(),
      policy: () => options.policy(),
      attempt: (act) => void this.attempt(act),
      provideInput: (...answer) => this.#provide(...answer),
    });
    const { context } = this.link;
    this.transcript = new TranscriptView(context);
    this.composer = new ComposerView(context, {
      send: (text) => void this.send(text),
      stop: () => void this.attempt(this.#session?.stop()),
      edit: (text) => this.#session?.controller.setDraft({ text, attachments: [] }),
    });
    this.status = new StatusView(context, {
      rejoin: () => void this.attempt(this.#session?.controller.rejoin()),
      reload: () => {
        options.reload();
      },
      showRequest: () => {
        this.#findRequestView(this.#findArmed())?.focus();
      },
    });
    this.#seen = new IntersectionObserver(
      ([entry]) => {
        this.status.set({ hiddenRequest: entry !== undefined && !entry.isIntersecting });
      },
      { root: this.transcript.scroller },
    );
  }

  /** Listens to acts in the root that holds the views. */
  listen(root: HTMLElement): void {
    new CitationCard(root, () => this.link.context);
    root.addEventListener('click', this.#handleClick);
  }

  /** Sends a text; it answers the agent's open question when there is one. False when it was not sent. */
  async send(text: string): Promise<boolean> {
    const session = this.#session;
    if (!session || this.#sending) return false;
    const armed = this.#findArmed();
    this.#sending = true;
    this.composer.set({ error: '' });
    this.transcript.jump();
    try {
      if (armed?.request.level !== 'agent') return await session.send({ text, attachments: [] });
      await session.provideInput(armed.message, armed.request.key, { type: 'text', text });
      session.controller.setDraft({ text: '', attachments: [] });
      return true;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.composer.set({ error: explainError(error, this.link.context.locale) });
      return false;
    } finally {
      this.#sending = false;
    }
  }

  /** Greeting and starters of the service. */
  welcome(onboarding: Onboarding | null): void {
    this.#onboarding = onboarding;
    this.drawEmpty();
  }

  /** Asks for a look at the state of the run in the coming frame. */
  readonly invalidate = (): void => {
    this.link.context.frames.schedule(this.refresh);
  };

  /** Brings line of state and composer in line with the run. */
  readonly refresh = (): void => {
    const controller = this.#session?.controller;
    const run = controller?.thread?.run ?? null;
    const armed = this.#findArmed();
    this.status.set({ run, online: pageState.online });
    this.composer.set({
      running: run !== null && RUNNING.has(run.state),
      stopping: run?.state === 'stopping',
      canStop: run?.state !== 'sending' && (controller?.backend.capabilities.has('stop') ?? false),
      disabled: !controller,
      question: armed?.request.level === 'agent' ? armed.request.prompt : '',
    });
    this.#watch(armed);
    this.drawEmpty();
  };

  get #session(): Session | null {
    return this.link.session;
  }

  readonly #handleConnected = ({ controller }: Session): void => {
    this.transcript.connect(controller);
    this.composer.value = controller.draft().text;
    this.status.set({ loadError: null });
    this.refresh();
  };

  readonly #label = (): void => {
    this.transcript.label();
    this.composer.label();
    this.status.draw();
    this.drawEmpty();
  };

  readonly #run = (going: boolean): void => {
    this.#stopWaking?.();
    this.#stopWaking = going ? pageState.onWake(this.invalidate) : null;
    this.transcript.run(going);
  };

  readonly #handleChange = (change: Change): void => {
    this.transcript.apply(change);
    if (change.do !== 'text') this.invalidate();
    else if (change.message === this.#session?.controller.thread?.run.answer) {
      this.#speak(change.message, change.part, false);
    }
  };

  readonly #handleNotice = (notice: ControllerNotice): void => {
    const { locale } = this.link.context;
    switch (notice.type) {
      case 'draft-changed':
        this.composer.value = this.#session?.controller.draft().text ?? '';
        break;
      case 'thread-changed':
        this.composer.value = this.#session?.controller.draft().text ?? '';
        this.composer.set({ error: '' });
        this.transcript.jump();
        break;
      case 'auth-required':
        this.status.set({ signIn: true });
        break;
      case 'run-started':
        this.status.set({ signIn: false });
        break;
      case 'run-ended':
        this.#finish();
        this.announcer.say(locale.text('finished'));
        break;
      case 'run-paused':
        this.announcer.say(
          `${locale.text('waitingForYou')} ${this.#findArmed()?.request.prompt ?? ''}`,
        );
        break;
      case 'run-stopped':
        this.announcer.say(locale.text('stopped'));
        break;
      case 'run-failed':
      case 'run-interrupted':
        this.announcer.say(explainError(notice.error, locale));
        break;
      default:
    }
    this.invalidate();
  };

  async #provide(
    message: Key,
    request: Key,
    answer: Parameters<Session['provideInput']>[2],
  ): Promise<void> {
    const root = this.transcript.node.getRootNode();
    const inForm = root instanceof ShadowRoot && root.activeElement?.closest('.request');
    await this.#session?.provideInput(message, request, answer);
    // The form is about to go, and the focus with it.
    if (inForm) this.composer.focus();
  }

  /** Acts whose failure the session has already told; here the person is told. */
  async attempt(act: Promise<unknown> | undefined): Promise<void> {
    try {
      await act;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (error.code !== 'aborted') {
        this.composer.set({ error: explainError(error, this.link.context.locale) });
      }
    }
  }

  /** The oldest request of the newest message that waits for an answer. */
  #findArmed(): Armed | null {
    const session = this.#session;
    const thread = session?.controller.thread;
    const message = thread?.messages.get(thread.head ?? '');
    if (!session || !message) return null;
    const request = armedRequests(message).find(({ key }) => !session.isTaken(message.key, key));
    return request ? { message: message.key, request } : null;
  }

  #findRequestView(armed: Armed | null): RequestView | undefined {
    if (!armed) return undefined;
    const view = this.transcript.viewOf(armed.message);
    const part = view?.viewOf(armed.request.part ?? '') ?? view?.viewOf(armed.request.key);
    return part instanceof RequestView ? part : undefined;
  }

  /** Watches whether the open question can be seen. */
  #watch(armed: Armed | null): void {
    const node = this.#findRequestView(armed)?.node ?? null;
    if (node === this.#observed) return;
    this.#seen.disconnect();
    this.#observed = node;
    if (node) this.#seen.observe(node);
    else this.status.set({ hiddenRequest: false });
  }

  #speak(message: Key, key: Key, ended: boolean): void {
    const part = this.#session?.controller.thread?.messages.get(message)?.parts.get(key);
    if (part?.kind === 'text' && part.text) this.announcer.follow(part.text, ended);
  }

  /** Says what is left of the last text. */
  #finish(): void {
    const thread = this.#session?.controller.thread;
    const message = thread?.messages.get(thread.run.answer ?? '');
    const last = message?.parts
      .children(null)
      .filter((key) => message.parts.get(key)?.kind === 'text')
      .at(-1);
    if (message && last !== undefined) this.#speak(message.key, last, true);
  }

  /** Draws what stands in place of messages. */
  drawEmpty(): void {
    const { locale } = this.link.context;
    const given = this.#options.welcome();
    const greeting = given.greeting ?? this.#onboarding?.greeting ?? locale.text('greeting');
    const starters = (given.starters?.length ? given.starters : this.#onboarding?.starters) ?? [];
    const { loading, loadError, signIn } = this.status.state;
    render(
      loading || loadError !== null || signIn
        ? nothing
        : html`<p class="greeting" dir="auto">${greeting}</p>
            ${
              starters.length === 0
                ? nothing
                : html`<ul class="starters" aria-label=${locale.text('starters')}>
                    ${starters.slice(0, 4).map(
                      (text) =>
                        html`<li>
                          <button
                            class="starter"
                            type="button"
                            dir="auto"
                            @click=${() => void this.send(text)}
                          >
                            ${text}
                          </button>
                        </li>`,
                    )}
                  </ul>`
            }`,
      this.transcript.empty,
    );
  }

  readonly #handleClick = (event: MouseEvent): void => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    if (target.closest('[data-ubik-act=latest]')) {
      this.transcript.jump();
      this.transcript.scroller.focus({ preventScroll: true });
    }
    this.link.handleLink(event);
  };
}
