import { html, render, type PropertyDeclarations, type PropertyValues } from 'lit';
import type { InputAnswer, Onboarding } from '../../backends/backend.js';
import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import { isUbikError } from '../../errors.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { PartView } from '../../message/part-view.js';
import { langOfContent } from '../../message/content-lang.js';
import { renderSymbol } from '../../message/icons.js';
import { ThreadReading } from '../connection/thread-reading.js';
import { LazyKeyboard } from '../keys/lazy-keyboard.js';
import { CitedPassages } from '../passage/cited-passages.js';
import { deferredViews } from '../views/deferred-views.js';
import { LinkedMessage } from '../views/linked-message.js';
import { RequestPath } from '../views/request-path.js';
import { RunTimer } from '../views/run-timer.js';
import { LazySidePanels } from '../sides/lazy-side-panels.js';
import { renderStatus, type StatusActions } from '../views/status.js';
import { TranscriptView } from '../views/transcript-view.js';
import { LiveRegion } from '../views/live-region.js';
import { renderWelcome } from '../views/welcome.js';
import { ComposingElement } from './composing-element.js';
import { createRunActions } from './run-actions.js';

/** How long the end that was asked for is awaited before the person may leave the run, in ms. */
const STOP_PATIENCE = 30_000;

/** Transcript, line of state, composer and live region of one conversation: all that a chat shows. */
export abstract class ChatFrame extends ComposingElement {
  static override properties: PropertyDeclarations = {
    greeting: {},
    starters: { attribute: false },
    drafts: {},
    stopPatience: { attribute: false },
    assistive: { type: Boolean },
    pinQuestion: { attribute: 'pin-question', type: Boolean },
    announce: {},
  };

  /** What stands above an empty conversation; by default what the service says. */
  greeting = '';
  /** Up to four questions that an empty conversation offers; by default those of the service. */
  starters: readonly string[] = [];
  /** `off`: what is written and not sent is not stored, and is gone with the page. Heard before the chat starts. */
  drafts = '';
  /** How long the end that was asked for is awaited before the person may leave the run, in ms. */
  stopPatience = STOP_PATIENCE;
  /** Whether all messages are rich at all times and nothing folds by itself, for assistive technology; by default old messages far away are their plain text. */
  assistive = false;
  /** Whether a sent question goes to the upper edge and its answer is read downwards; by default the end is followed. */
  pinQuestion = false;
  /** What screen readers are told while an answer comes: `all` (default), `brief` (how the run stands, questions, errors), or `off`. */
  announce = '';

  protected readonly transcript = new TranscriptView(this, this.context);
  /** The service wants to know who this is. */
  protected signIn = false;
  /** How the reading of the shown thread stands. */
  protected readonly reading = new ThreadReading(this.host);
  #onboarding: Onboarding | null = null;
  readonly #liveRegion = new LiveRegion(this.host, () => this.announce);
  readonly #way = new RequestPath(this.host, this.transcript.scroller, () =>
    this.#findRequestView(),
  );
  readonly #sides = new LazySidePanels(this.host);
  readonly #linked = new LinkedMessage(this.host, this.transcript);
  readonly #passages = new CitedPassages(this.host);
  readonly #keys = new LazyKeyboard({
    host: this.host,
    transcript: this.transcript,
    liveRegion: this.#liveRegion,
  });
  readonly #clock = new RunTimer(this.host);

  override connectedCallback(): void {
    super.connectedCallback();
    for (const type of ['online', 'offline']) {
      window.addEventListener(type, this.refresh, { signal: this.present });
    }
    const tell = (): void => {
      this.#liveRegion.state(this.context.locale.text(this.isRunning ? 'offlineRun' : 'offline'));
    };
    window.addEventListener('offline', tell, { signal: this.present });
  }

  /** Does once more what could not be done at the start. */
  protected abstract reload(): void;

  /** Asks the service what an empty conversation shows. */
  protected welcome(conversation: StreamController): void {
    const reading = conversation.onboarding().then((onboarding) => {
      this.#onboarding = onboarding;
      this.refresh();
    });
    // A greeting is not worth a complaint: ours is shown.
    void this.attempt(reading, () => undefined);
  }

  protected override leadTo(message: Key): void {
    this.#sides.close();
    this.transcript.leadTo(message);
  }

  protected override connected(conversation: StreamController): void {
    super.connected(conversation);
    this.transcript.show(conversation);
    this.#sides.connected();
  }

  protected override changed(change: Change): void {
    super.changed(change);
    this.transcript.apply(change);
    this.#liveRegion.changed(change);
  }

  protected override noticed(notice: ControllerNotice): void {
    super.noticed(notice);
    this.#liveRegion.noticed(notice);
    switch (notice.type) {
      case 'thread-changed':
        this.transcript.jump();
        break;
      case 'auth-required':
        this.signIn = true;
        break;
      case 'run-started':
        this.signIn = false;
        break;
      case 'draft-changed':
        // Somebody writes: what draws the answer comes meanwhile.
        deferredViews.prefetch();
        break;
      default:
    }
  }

  protected override sends(): void {
    this.transcript.expect();
  }

  protected override relabel(): void {
    super.relabel();
    this.#sides.redraw();
    this.transcript.redraw();
  }

  protected override async provideInput(
    message: Key,
    request: Key,
    answer: InputAnswer,
  ): Promise<void> {
    const inForm = this.shadowRoot?.activeElement?.closest('.request');
    try {
      await super.provideInput(message, request, answer);
    } catch (error) {
      // The form cannot say it: it goes with the question.
      if (isUbikError(error) && error.code === 'not-open') this.complain(error);
      throw error;
    }
    // The form is about to go, and the focus with it: it goes on at what else is asked, else in the field.
    if (inForm && !this.#way.lead()) this.focus();
  }

  protected override firstUpdated(): void {
    super.firstUpdated();
    this.renderRoot.querySelector('.ubik')?.addEventListener('click', this.#passages.handleClick);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.#clock.look(this.runState);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#way.watch();
    this.#linked.redraw();
  }

  protected override renderContent(): unknown {
    const { transcript, context } = this;
    const { locale } = context;
    // What is still loading, or could not be, is no empty conversation.
    transcript.empty.classList.toggle('blank', this.reading.state !== '' || this.signIn);
    const greeting = this.greeting || (this.#onboarding?.greeting ?? '');
    const starters = this.starters?.length ? this.starters : (this.#onboarding?.starters ?? []);
    render(
      renderWelcome(greeting, starters, locale, (text) => {
        // The button is about to go, and the focus with it.
        transcript.scroller.focus({ preventScroll: true });
        void this.send(text);
      }),
      transcript.empty,
    );
    return html`${this.#sides.render('start')}
      <div class="main">
        <slot name="header" lang=${langOfContent(locale)}></slot>${transcript.node}
        <div class="status-bar" part="status">
          ${this.#linked.node} ${this.#way.render()} ${this.#renderStatus()}
        </div>
        ${this.renderComposer()} ${this.#liveRegion.node}<slot
          name="footer"
          lang=${langOfContent(locale)}
        ></slot>
      </div>
      ${this.#sides.render('end')}`;
  }

  /** The way to the map of the keys, for those who have none at hand. */
  protected override renderBeside(): unknown {
    const { locale } = this.context;
    return html`<button
      class="to-keys"
      type="button"
      title=${locale.text('keys')}
      @click=${this.#keys.help}
    >
      ${renderSymbol('?')}
    </button>`;
  }

  #renderStatus(): unknown {
    const { conversation, context, transcript } = this;
    const acts: StatusActions = {
      ...createRunActions(this.host),
      reload: () => {
        if (transcript.failed) void transcript.load();
        else this.reload();
      },
    };
    return renderStatus(
      {
        run: conversation?.thread?.run,
        running: this.isRunning,
        signIn: this.signIn,
        load: this.reading.state || (transcript.failed ? 'load-failed' : ''),
        late: this.#clock.stopping >= this.stopPatience,
        now: context.clock.now(),
      },
      acts,
      context.locale,
    );
  }

  /** What shows the request that waits for an answer here. */
  #findRequestView(): PartView | undefined {
    const { message = '', request } = this.findArmed() ?? {};
    const view = this.transcript.viewOf(message);
    const part = view?.viewOf(request?.part ?? '') ?? view?.viewOf(request?.key ?? '');
    // A renderer of the page leads nowhere.
    return part?.focus && part;
  }
}
