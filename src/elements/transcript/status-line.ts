import type { Locale, StringName } from '../../locales/locale.js';
import { explainCode } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import type { Run, RunState } from '../../model/thread.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { html, nothing, type TemplateResult } from 'lit';

/** What the line between transcript and composer tells about. */
export interface ConnectionStatus {
  readonly run: Run | undefined;
  /** Something is under way that the network is needed for. */
  readonly isRunning: boolean;
  /** The service wants to know who this is. */
  readonly needsSignIn: boolean;
  /** `loading` while the thread is, an error code when it could not be, else empty. */
  readonly loadState: string;
  /** The end that was asked for has not come for a long time. */
  readonly isStopOverdue: boolean;
  readonly now: number;
}

/** What the line's buttons do. */
export interface StatusActions {
  rejoin(): void;
  reload(): void;
  leave(): void;
}

/** What is said, whether somebody is at work, and the button that helps. */
interface StatusLine {
  readonly text: string;
  readonly busy?: boolean;
  readonly button?: readonly [StringName, () => void];
}

/** One line, in words, about what the connection is doing; nothing when all is as it should be. */
export function renderStatusLine(
  status: ConnectionStatus,
  actions: StatusActions,
  locale: Locale,
): TemplateResult | typeof nothing {
  const line = describeStatus(status, actions, locale);
  if (!line) return nothing;
  const { text: words, busy, button } = line;
  return html`<p class="line ${busy ? 'busy' : ''}">
    <span class="glyph">${renderIcon(busy ? 'dot' : 'alert')}</span
    ><span class="words" dir="auto">${words}</span> ${
      button &&
      html`<button class="quiet" type="button" @click=${button[1]}>
        ${locale.text(button[0])}
      </button>`
    }
  </p>`;
}

function describeStatus(
  status: ConnectionStatus,
  actions: StatusActions,
  locale: Locale,
): StatusLine | null {
  const {
    run,
    isRunning: running,
    needsSignIn: signIn,
    loadState: load,
    isStopOverdue: late,
    now,
  } = status;
  const { text } = locale;
  if (signIn) return { text: text('signIn') };
  if (load === 'loading') return { text: text(load), busy: true };
  if (load) return { text: explainCode(load, locale), button: ['retry', actions.reload] };
  if (!navigator.onLine) return { text: text(running ? 'offlineRun' : 'offline') };
  switch (run?.state) {
    case 'sending':
    case 'stalled':
    case 'rejoining':
      return { text: text(run.state), busy: true };
    case 'stopping':
      return {
        text: text(run.state),
        busy: true,
        ...(late && { button: ['stopWaiting', actions.leave] }),
      };
    case 'broken': {
      const count = Math.ceil(((run.retryAt ?? 0) - now) / 1000);
      const words = count > 0 ? text('rejoiningIn', { count }) : text('rejoining');
      return { text: words, button: ['retryNow', actions.rejoin] };
    }
    case 'interrupted':
      return { text: text(run.state), button: ['retry', actions.rejoin] };
    default:
      return null;
  }
}

/** How long a run has been asked to stop. The host is drawn each second while its line of state says a time. */
export class RunTimer {
  readonly #host: ConnectedHost;
  #stoppingSince: number | undefined;
  #stopTicking: (() => void) | undefined;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  /** Looks how the run stands now. */
  update(state: RunState): void {
    const { clock } = this.#host.context;
    this.#stoppingSince = state === 'stopping' ? (this.#stoppingSince ?? clock.now()) : undefined;
    if (state === 'stopping' || state === 'broken') {
      this.#stopTicking ??= clock.everySecond(this.#host.requestUpdate);
    } else {
      this.#stopTicking?.();
      this.#stopTicking = undefined;
    }
  }

  /** Ms since the end was asked for; 0 while it was not. */
  get stoppingFor(): number {
    const now = this.#host.context.clock.now();
    return now - (this.#stoppingSince ?? now);
  }
}
