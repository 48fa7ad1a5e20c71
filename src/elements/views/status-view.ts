import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../internal/element.js';
import type { Run } from '../../model/thread.js';
import { explainCode } from '../../parts/explain-error.js';
import { renderIcon } from '../../parts/icons.js';
import type { ViewContext } from '../../parts/part-view.js';

/** What the line between transcript and composer tells about. */
export interface StatusState {
  readonly run: Run | null;
  readonly online: boolean;
  /** The service wants to know who this is. */
  readonly signIn: boolean;
  /** Why the thread could not be loaded, by error code; null when it could. */
  readonly loadError: string | null;
  /** The thread is being loaded. */
  readonly loading: boolean;
  /** A request for input that is out of sight. */
  readonly hiddenRequest: boolean;
}

/** What the line's buttons do. */
export interface StatusActs {
  rejoin(): void;
  reload(): void;
  showRequest(): void;
}

/**
 * One line, in words, about what the connection is doing; nothing when all is as it should be. Above it, when a request for input
 * is out of sight, the way to it.
 */
export class StatusView {
  readonly node = element('div', 'status-bar');
  readonly #context: ViewContext;
  readonly #acts: StatusActs;
  #state: StatusState = {
    run: null,
    online: true,
    signIn: false,
    loadError: null,
    loading: false,
    hiddenRequest: false,
  };
  #stopTicking: (() => void) | null = null;

  constructor(context: ViewContext, acts: StatusActs) {
    this.#context = context;
    this.#acts = acts;
    this.node.part.add('status');
  }

  /** What is known now. */
  get state(): StatusState {
    return this.#state;
  }

  /** Takes what has changed. */
  set(state: Partial<StatusState>): void {
    this.#state = { ...this.#state, ...state };
    const counts = this.#state.run?.state === 'broken' && this.#state.run.retryAt !== null;
    if (counts) this.#stopTicking ??= this.#context.clock.everySecond(this.draw);
    else this.#endTicking();
    this.draw();
  }

  dispose(): void {
    this.#endTicking();
  }

  /** Draws now. */
  readonly draw = (): void => {
    const { hiddenRequest } = this.#state;
    const { locale } = this.#context;
    render(
      html`${
        hiddenRequest
          ? html`<button class="request-bar" type="button" @click=${this.#acts.showRequest}>
              ${renderIcon('question')}<span>${locale.text('waitingForYou')}</span>
              <strong>${locale.text('answerNow')}</strong>
            </button>`
          : nothing
      }
      ${this.#renderLine()}`,
      this.node,
    );
  };

  #renderLine(): TemplateResult | typeof nothing {
    const { run, online, signIn, loadError, loading } = this.#state;
    const { locale } = this.#context;
    const state = run?.state;
    if (signIn) return renderLine('alert', locale.text('signIn'));
    if (loadError !== null) {
      return renderLine(
        'alert',
        explainCode(loadError, locale),
        this.#button('retry', this.#acts.reload),
      );
    }
    if (loading) return renderLine('dot', locale.text('loading'), nothing, 'busy');
    if (!online) return renderLine('alert', locale.text(isOn(state) ? 'offlineRun' : 'offline'));
    switch (state) {
      case 'sending':
        return renderLine('dot', locale.text('sending'), nothing, 'busy');
      case 'stopping':
        return renderLine('dot', locale.text('stopping'), nothing, 'busy');
      case 'stalled':
        return renderLine('dot', locale.text('stalled'), nothing, 'busy');
      case 'rejoining':
        return renderLine('dot', locale.text('rejoining'), nothing, 'busy');
      case 'broken':
        return renderLine(
          'alert',
          this.#countdown(run),
          this.#button('retryNow', this.#acts.rejoin),
        );
      case 'interrupted':
        return renderLine(
          'alert',
          locale.text('interrupted'),
          this.#button('retry', this.#acts.rejoin),
        );
      default:
        return nothing;
    }
  }

  #countdown(run: Run | null): string {
    const { locale, clock } = this.#context;
    const count = Math.ceil(((run?.retryAt ?? 0) - clock.now()) / 1000);
    return count > 0 ? locale.text('rejoiningIn', { count }) : locale.text('rejoining');
  }

  #button(words: 'retry' | 'retryNow', act: () => void): TemplateResult {
    return html`<button class="quiet" type="button" @click=${act}>
      ${this.#context.locale.text(words)}
    </button>`;
  }

  #endTicking(): void {
    this.#stopTicking?.();
    this.#stopTicking = null;
  }
}

/** Whether something is under way that the network is needed for. */
function isOn(state: Run['state'] | undefined): boolean {
  return /^(sending|streaming|stopping|stalled|broken|rejoining)$/.test(state ?? '');
}

function renderLine(
  icon: 'dot' | 'alert',
  words: string,
  button: TemplateResult | typeof nothing = nothing,
  className = '',
): TemplateResult {
  return html`<p class="line ${className}">
    <span class="glyph">${renderIcon(icon)}</span
    ><span class="words" dir="auto">${words}</span> ${button}
  </p>`;
}
