import { html, nothing, type TemplateResult } from 'lit';
import type { Locale, StringName } from '../../locales/locale.js';
import type { Run } from '../../model/thread.js';
import { explainCode } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';

/** What the line between transcript and composer tells about. */
export interface Status {
  readonly run: Run | undefined;
  /** Something is under way that the network is needed for. */
  readonly running: boolean;
  /** The service wants to know who this is. */
  readonly signIn: boolean;
  /** `loading` while the thread is, an error code when it could not be, else empty. */
  readonly load: string;
  /** The end that was asked for has not come for a long time. */
  readonly late: boolean;
  readonly now: number;
}

/** What the line's buttons do. */
export interface StatusActions {
  rejoin(): void;
  reload(): void;
  leave(): void;
}

/** What is said, whether somebody is at work, and the button that helps. */
interface Line {
  readonly words: string;
  readonly busy?: boolean;
  readonly button?: readonly [StringName, () => void];
}

/** One line, in words, about what the connection is doing; nothing when all is as it should be. */
export function renderStatus(
  status: Status,
  acts: StatusActions,
  locale: Locale,
): TemplateResult | typeof nothing {
  const line = findLine(status, acts, locale);
  if (!line) return nothing;
  const { words, busy, button } = line;
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

function findLine(status: Status, acts: StatusActions, locale: Locale): Line | null {
  const { run, running, signIn, load, late, now } = status;
  const { text } = locale;
  if (signIn) return { words: text('signIn') };
  if (load === 'loading') return { words: text(load), busy: true };
  if (load) return { words: explainCode(load, locale), button: ['retry', acts.reload] };
  if (!navigator.onLine) return { words: text(running ? 'offlineRun' : 'offline') };
  switch (run?.state) {
    case 'sending':
    case 'stalled':
    case 'rejoining':
      return { words: text(run.state), busy: true };
    case 'stopping':
      return {
        words: text(run.state),
        busy: true,
        ...(late && { button: ['stopWaiting', acts.leave] }),
      };
    case 'broken': {
      const count = Math.ceil(((run.retryAt ?? 0) - now) / 1000);
      const words = count > 0 ? text('rejoiningIn', { count }) : text('rejoining');
      return { words, button: ['retryNow', acts.rejoin] };
    }
    case 'interrupted':
      return { words: text(run.state), button: ['retry', acts.rejoin] };
    default:
      return null;
  }
}
