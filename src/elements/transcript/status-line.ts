import { html, nothing, type TemplateResult } from 'lit';
import type { Locale, StringName } from '../../locales/locale.js';
import type { UbikError } from '../../errors.js';
import { explainCode, explainError } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import type { Run, RunState, Thread } from '../../model/thread.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** The state that the status line shows. */
export interface ConnectionStatus {
  readonly run: Run | undefined;
  /** Whether a run is in progress. */
  readonly isRunning: boolean;
  /** Whether the service can rejoin a run. */
  readonly canRejoin: boolean;
  /** Whether the service requires authentication. */
  readonly needsSignIn: boolean;
  /** `loading` while the thread loads; the error, or its code, when the thread, the views or the gate could not be loaded; else empty. */
  readonly loadState: UbikError | string;
  /** Whether a requested stop has taken too long. */
  readonly isStopOverdue: boolean;
  /** In ms since the epoch. */
  readonly now: number;
}

/** Actions of the status line. */
export interface StatusActions {
  rejoin(): void;
  /** Loads again what could not be loaded. */
  reload(): void;
  /** Stops waiting for the run to stop. */
  detach(): void;
}

/** The text, whether something is in progress, and the button, if any. */
interface StatusLine {
  readonly text: string;
  readonly busy?: boolean;
  readonly button?: readonly [StringName, () => void];
}

/** Renders the state of the connection as one line; renders nothing in the normal state. */
export function renderStatusLine(
  status: ConnectionStatus,
  actions: StatusActions,
  locale: Locale,
): TemplateResult | typeof nothing {
  const line = describeStatus(status, actions, locale);
  if (!line) return nothing;
  const { text, busy, button } = line;
  return html`<p class="line ${busy ? 'busy' : ''}">
    <span class="glyph">${renderIcon(busy ? 'dot' : 'alert')}</span
    ><span class="words" dir="auto">${text}</span> ${
      button &&
      html`<button class="quiet" type="button" @click=${button[1]}>
        ${locale.text(button[0])}
      </button>`
    }
  </p>`;
}

/** Explains why the thread, the views or the gate could not be loaded; empty when the status line shows something else. */
export function explainLoadFailure(
  { needsSignIn, loadState }: ConnectionStatus,
  locale: Locale,
): string {
  if (needsSignIn || !loadState || loadState === 'loading') return '';
  const isCode = typeof loadState === 'string';
  return isCode ? explainCode(loadState, locale) : explainError(loadState, locale);
}

function describeStatus(
  status: ConnectionStatus,
  actions: StatusActions,
  locale: Locale,
): StatusLine | null {
  const { run, isRunning, needsSignIn, loadState, isStopOverdue, now } = status;
  const { text } = locale;
  if (needsSignIn) {
    const { button } = describeStatus({ ...status, needsSignIn: false }, actions, locale) ?? {};
    return { text: text('signIn'), ...(button && { button }) };
  }
  if (loadState === 'loading') return { text: text(loadState), busy: true };
  const failure = explainLoadFailure(status, locale);
  if (failure) return { text: failure, button: ['retry', actions.reload] };
  if (!navigator.onLine) return { text: text(isRunning ? 'offlineRun' : 'offline') };
  switch (run?.state) {
    case 'sending':
    case 'stalled':
      return { text: text(run.state), busy: true };
    case 'stopping':
      return {
        text: text(run.state),
        busy: true,
        ...(isStopOverdue && { button: ['stopWaiting', actions.detach] }),
      };
    case 'rejoining':
    case 'broken': {
      // Without a time, an attempt is in progress.
      const count = Math.ceil(((run.retryAt ?? 0) - now) / 1000);
      if (count <= 0) return { text: text('rejoining'), busy: true };
      return { text: text('rejoiningIn', { count }), button: ['retryNow', actions.rejoin] };
    }
    case 'interrupted':
      return {
        text: explainCode(run.state, locale),
        ...(status.canRejoin && { button: ['retry', actions.rejoin] }),
      };
    default:
      return null;
  }
}

/**
 * Measures how long a run has been in its state. Updates the host once a second while the status line depends on the time: during a stop,
 * which may become overdue, and while a run is rejoined.
 */
export class RunTimer {
  readonly #host: ConnectedHost;
  #state: RunState = 'idle';
  #thread: Thread | null | undefined;
  /** When the run entered its state, or its thread was shown in this state, in ms since the epoch. */
  since: number;
  #stopTicking: (() => void) | undefined;

  constructor(host: ConnectedHost) {
    this.#host = host;
    this.since = host.context.clock.now();
  }

  /** Call this with the state of the run before each update. */
  update(state: RunState): void {
    const { context, controller } = this.#host;
    const { clock } = context;
    const thread = controller?.thread;
    if (state !== this.#state || thread !== this.#thread) this.since = clock.now();
    this.#state = state;
    this.#thread = thread;
    if (state === 'stopping' || state === 'rejoining') {
      this.#stopTicking ??= clock.everySecond(this.#host.requestUpdate);
    } else {
      this.#stopTicking?.();
      this.#stopTicking = undefined;
    }
  }

  /** Time since `update` was first called with the stopping run of the shown thread, in ms; 0 if the run is not stopping. */
  get stoppingFor(): number {
    return this.#state === 'stopping' ? this.#host.context.clock.now() - this.since : 0;
  }
}
