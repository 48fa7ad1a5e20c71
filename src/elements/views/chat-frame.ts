import type { ReactiveControllerHost } from 'lit';
import type { Onboarding } from '../../backends/backend.js';
import type { ControllerNotice } from '../../conversation/controller-types.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { CitationCard } from '../../parts/citation-card.js';
import { explainError } from '../../parts/explain-error.js';
import type { MarkdownPolicy } from '../../parts/markdown-body.js';
import { RequestView } from '../../parts/request/request-view.js';
import { pageState } from '../connection/page-state.js';
import { ConversationLink } from '../connection/conversation-link.js';
import type { Session } from '../connection/session.js';
import { Announcer } from './announcer.js';
import { ComposerControl, type Armed } from './composer-control.js';
import { drawEmpty } from './empty-view.js';
import { StatusView } from './status-view.js';
import { TranscriptView } from './transcript-view.js';

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

/** Transcript, line of state, composer and voice around one session: what `<ubik-chat>` shows. */
export class ChatFrame {
  readonly link: ConversationLink;
  readonly transcript: TranscriptView;
  readonly composer: ComposerControl;
  readonly status: StatusView;
  readonly announcer = new Announcer();
  readonly #options: ChatFrameOptions;
  readonly #seen: IntersectionObserver;
  #onboarding: Onboarding | null = null;
  #observed: Element | null = null;
  #spoken: Key | null = null;
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
      attempt: (act) => void this.composer.attempt(act),
      provideInput: (...answer) => this.#provide(...answer),
    });
    const { context } = this.link;
    this.transcript = new TranscriptView(context);
    this.composer = new ComposerControl(this.link, () => {
      this.transcript.jump();
    });
    this.status = new StatusView(context, {
      rejoin: () => void this.composer.attempt(this.#session?.controller.rejoin()),
      reload: () => {
        options.reload();
      },
      showRequest: () => {
        this.#findRequestView(this.composer.findArmed())?.focus();
      },
    });
    this.#seen = new IntersectionObserver(
      (entries) => {
        this.status.set({ hiddenRequest: entries.at(-1)?.isIntersecting === false });
      },
      { root: this.transcript.scroller },
    );
  }

  /** Listens to acts in the root that holds the views. */
  listen(root: HTMLElement): void {
    new CitationCard(root, () => this.link.context);
    root.addEventListener('click', this.#handleClick);
  }

  /** Greeting and starters of the service. */
  welcome(onboarding: Onboarding | null): void {
    this.#onboarding = onboarding;
    this.drawEmpty();
  }

  /** Asks for a look at the state of the run in the coming frame. */
  readonly invalidate = (): void => {
    const { frames } = this.link.context;
    // Behind the views, which are to be looked at.
    frames.cancel(this.refresh);
    frames.schedule(this.refresh);
  };

  /** Brings line of state and composer in line with the run. */
  readonly refresh = (): void => {
    const run = this.#session?.controller.thread?.run ?? null;
    this.status.set({ run, online: pageState.online });
    this.composer.refresh();
    this.#watch(this.composer.findArmed());
    this.drawEmpty();
  };

  get #session(): Session | null {
    return this.link.session;
  }

  readonly #handleConnected = ({ controller }: Session): void => {
    this.transcript.connect(controller);
    this.composer.showDraft();
    this.status.set({ loadError: null });
    this.refresh();
  };

  readonly #label = (): void => {
    this.transcript.label();
    this.composer.view.label();
    this.status.draw();
    this.drawEmpty();
  };

  readonly #run = (going: boolean): void => {
    this.#stopWaking?.();
    this.#stopWaking = going ? pageState.onWake(this.invalidate) : null;
    if (going) window.addEventListener('offline', this.invalidate);
    else window.removeEventListener('offline', this.invalidate);
    this.transcript.run(going);
  };

  readonly #handleChange = (change: Change): void => {
    this.transcript.apply(change);
    if (change.do !== 'text') this.invalidate();
    else if (change.message === this.#session?.controller.thread?.run.answer) {
      this.#spoken = change.part;
      this.link.context.frames.schedule(this.#speak);
    }
  };

  readonly #handleNotice = (notice: ControllerNotice): void => {
    const { locale } = this.link.context;
    this.composer.noticed(notice);
    switch (notice.type) {
      case 'thread-changed':
        this.transcript.jump();
        break;
      case 'auth-required':
        this.status.set({ signIn: true });
        break;
      case 'run-started':
        this.status.set({ signIn: false });
        break;
      case 'run-ended':
        this.#speakText(true);
        this.announcer.say(locale.text('finished'));
        break;
      case 'run-paused':
        this.announcer.say(
          `${locale.text('waitingForYou')} ${this.composer.findArmed()?.request.prompt ?? ''}`,
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
    if (inForm) this.composer.view.focus();
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

  /** Says what has been finished of the text that grew last. */
  readonly #speak = (): void => {
    this.#speakText(false);
  };

  #speakText(ended: boolean): void {
    const thread = this.#session?.controller.thread;
    const part = thread?.messages.get(thread.run.answer ?? '')?.parts.get(this.#spoken ?? '');
    if (part?.kind === 'text' && part.text) this.announcer.follow(part.text, ended);
  }

  /** Draws what stands in place of messages. */
  drawEmpty(): void {
    const { loading, loadError, signIn } = this.status.state;
    const { empty } = this.transcript;
    const given = this.#options.welcome();
    const service = this.#onboarding;
    // What is still loading, or could not be, is no empty conversation.
    empty.classList.toggle('blank', loading || loadError !== null || signIn);
    drawEmpty(
      empty,
      {
        greeting: given.greeting ?? service?.greeting ?? null,
        starters: (given.starters?.length ? given.starters : service?.starters) ?? [],
      },
      this.link.context.locale,
      (text) => void this.composer.send(text),
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
