import { html, nothing, render, type TemplateResult, css } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import {
  readTimeline,
  type CheckpointEntry,
} from '../../controller/checkpoints/checkpoint-timeline.js';
import { element } from '../../dom/element.js';
import { checkpointStrings } from '../../locales/en-checkpoints.js';
import { addDefaultStrings, type Locale } from '../../locales/locale.js';
import type { Change } from '../../model/change.js';
import { explainCode } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { renderContentText, langOfContent } from '../../message/content-lang.js';
import { isRunning } from '../../message/thread-selectors.js';
import { renderAskButton } from '../base/ask-button.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { Panel } from '../base/panel-controller.js';
import { labelOfEntry, listContentAfter } from './restore-dialog.js';

/** Styles of `<ubik-checkpoints>`: a timeline with a dot for each checkpoint. */
const checkpointsStyles = css`
  .checkpoints {
    height: 100%;
    padding: calc(0.75 * var(--_ubik-rem)) var(--_ubik-rem);
    overflow: hidden auto;
    overscroll-behavior: contain;
    h3 {
      margin-block-end: calc(0.375 * var(--_ubik-rem));
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      font-weight: 600;
      text-align: -webkit-match-parent;
      text-align: match-parent;
      display: -webkit-box;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
      overflow: hidden;
    }
    .line {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: calc(0.5 * var(--_ubik-rem));
    }
    .ask {
      margin-block-start: calc(0.5 * var(--_ubik-rem));
    }
  }
  .tasks {
    display: grid;
    gap: var(--_ubik-rem);
  }
  .point {
    --_rail: calc(0.3125 * var(--_ubik-rem));
    position: relative;
    padding-inline-start: calc(1.5 * var(--_ubik-rem));
    padding-block-end: calc(0.875 * var(--_ubik-rem));
    &::before {
      content: '';
      position: absolute;
      inset-block: calc(0.5 * var(--_ubik-rem)) calc(-0.5 * var(--_ubik-rem));
      inset-inline-start: var(--_rail);
      border-inline-start: 2px solid var(--_line);
    }
    &:last-child::before {
      display: none;
    }
    /* Hollow: the checkpoint is on another branch. */
    &::after {
      content: '';
      position: absolute;
      inset-block-start: calc(0.375 * var(--_ubik-rem));
      inset-inline-start: 0;
      width: calc(0.75 * var(--_ubik-rem));
      height: calc(0.75 * var(--_ubik-rem));
      border: 2px solid var(--_muted);
      border-radius: 50%;
      background: var(--_background);
    }
    &.shown::after {
      border-color: var(--_accent);
      background: var(--_accent);
    }
    /* Repeats styles of messages, which may not be loaded here. */
    .title {
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      font-weight: 550;
    }
    .quiet {
      margin-block-start: calc(0.25 * var(--_ubik-rem));
      min-height: calc(1.75 * var(--_ubik-rem));
      font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    }
  }
  @media (pointer: coarse) {
    .point .quiet {
      min-height: calc(2.75 * var(--_ubik-rem));
    }
  }
  @media (forced-colors: active) {
    .point.shown::after {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;

addDefaultStrings(checkpointStrings);

// This module is the entry of the lazy-loaded chunk, from which messages also open the dialog.
export { openRestoreDialog } from './restore-dialog.js';

/** Creates the content of `<ubik-checkpoints>`. */
export function createPanel(host: ConnectedHost): Panel {
  return new CheckpointsPanel(host);
}

/** The checkpoints of the current thread as a timeline, grouped by run. The heading of a group is the question that the run answers. */
class CheckpointsPanel implements Panel {
  readonly node = element('section', 'checkpoints');
  readonly styles = checkpointsStyles;
  readonly #host: ConnectedHost;
  #entries: readonly CheckpointEntry[] = [];
  /** Whether the entries are read again at the next update. */
  #areEntriesStale = true;
  /** The service's id of the thread whose checkpoints are shown. */
  #threadId: string | null = null;
  #isLoading = false;
  /** Whether `#load` was called while the list was loading, for example for a new checkpoint, so that the list is loaded again. */
  #isReloadPending = false;
  /** Why the last load has failed, and for which thread; null when it has not. */
  #failure: { readonly code: string; readonly thread: StreamController['thread'] } | null = null;
  /** Whether the thread has changed since the last tick. */
  #hasChanged = false;
  #stopTimer: (() => void) | undefined;
  /** When the entries were rendered last, in ms since the epoch. */
  #renderedAt = 0;
  #dateFormat: { readonly lang: string; readonly format: Intl.DateTimeFormat } | undefined;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  handleConnect({ thread }: StreamController): void {
    this.#threadId = thread?.id ?? null;
    this.#invalidateEntries();
    this.#host.requestUpdate();
    if (this.#threadId !== null) void this.#load();
  }

  handleChange(change: Change): void {
    const { controller } = this.#host;
    const { id = null } = controller?.thread ?? {};
    if (controller && id !== this.#threadId) this.handleConnect(controller);
    else if (change.type === 'part' && change.value.kind === 'checkpoint') void this.#load();
    else if (change.type === 'text' || change.type === 'set') return;
    // Most other changes of a run change the counts after a checkpoint, so the counts are updated once a second.
    this.#hasChanged = true;
    if (change.type === 'thread' || change.type === 'item') this.#invalidateEntries();
  }

  update(): void {
    const { controller, context } = this.#host;
    // A loaded list arrives as many changes, so the entries are read once for all of them.
    if (this.#areEntriesStale) this.#readEntries();
    this.#renderedAt = context.clock.now();
    // An update that was requested before the element was removed, or its controller set to null, must not start the timer again.
    if (controller && this.#host.element.isConnected)
      this.#stopTimer ??= context.clock.everySecond(this.#tick);
    const { locale } = context;
    this.node.hidden = !controller?.backend.capabilities.has('checkpoints');
    this.node.ariaLabel = locale.text('checkpoints');
    render(
      html`${this.#renderState()}
        <ol class="tasks">
          ${groupByRun(this.#entries).map((entries) => this.#renderRun(entries))}
        </ol>`,
      this.node,
    );
  }

  dispose(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  readonly #tick = (): void => {
    if (this.#hasChanged) this.#invalidateEntries();
    const now = this.#host.context.clock.now();
    // Ages are shown in minutes, so they are updated twice a minute.
    if (this.#hasChanged || now - this.#renderedAt >= 30_000) this.update();
    this.#hasChanged = false;
  };

  #invalidateEntries(): void {
    this.#areEntriesStale = true;
  }

  #readEntries(): void {
    const thread = this.#host.controller?.thread;
    this.#areEntriesStale = false;
    this.#entries = thread ? readTimeline(thread) : [];
  }

  async #load(): Promise<void> {
    this.#isReloadPending = this.#isLoading;
    if (this.#isLoading) return;
    const { controller, context } = this.#host;
    if (!controller?.backend.capabilities.has('checkpoints')) return;
    const { thread } = controller;
    this.#isLoading = true;
    this.#failure = null;
    this.update();
    await this.#host.attempt(controller.listCheckpoints(), ({ code }) => {
      this.#failure = { code, thread };
    });
    this.#isLoading = false;
    context.frames.schedule(this.#render);
    if (this.#isReloadPending) void this.#load();
  }

  readonly #render = (): void => {
    this.update();
  };

  #renderState(): TemplateResult | typeof nothing {
    const { controller, context } = this.#host;
    const { locale } = context;
    if (this.#failure && this.#failure.thread === controller?.thread) {
      return html`<p class="line" role="alert">
        <span class="words" dir="auto">${explainCode(this.#failure.code, locale)}</span>
        <button class="quiet" type="button" @click=${() => void this.#load()}>
          ${locale.text('retry')}
        </button>
      </p>`;
    }
    if (this.#entries.length > 0) return nothing;
    const label = this.#isLoading ? 'checkpointsLoading' : 'checkpointsNone';
    return html`<p class="meta" role="status">${locale.text(label)}</p>
      ${this.#isLoading ? nothing : renderAskButton(this.#host)}`;
  }

  #renderRun(entries: readonly CheckpointEntry[]): TemplateResult {
    const { locale } = this.#host.context;
    const { text } = locale;
    const [first] = entries;
    const question = first?.question;
    // A restored message inherits the checkpoints of another run, to which the hint does not belong.
    const message = first?.message?.runId === first?.info.runId ? first?.message : null;
    const hint = message?.restoredFrom?.hint;
    return html`<li>
      ${question ? html`<h3 dir="auto" lang=${langOfContent(locale)}>${question}</h3>` : nothing}
      ${hint ? html`<p class="note" dir="auto">${text('restoredHint', { hint })}</p>` : nothing}
      <ol class="points">
        ${entries.map((entry) => this.#renderCheckpoint(entry))}
      </ol>
    </li>`;
  }

  #renderCheckpoint(entry: CheckpointEntry): TemplateResult {
    const { locale } = this.#host.context;
    const { text } = locale;
    const { info, shown } = entry;
    return html`<li class="point ${shown ? 'shown' : ''}">
      <p class="title">${renderContentText(labelOfEntry(entry, locale), locale)}</p>
      <p class="meta">
        ${this.#renderAge(info.createdAt)}
        ${shown ? nothing : html`<span>${text('checkpointOtherBranch')} · </span>`}${this.#describeAfter(entry)}
      </p>
      ${this.#renderRestoreButton(entry)}
    </li>`;
  }

  #renderAge(createdAt: number | null): unknown {
    if (createdAt === null) return nothing;
    const { clock, locale } = this.#host.context;
    const date = new Date(createdAt);
    const exact = this.#dateFormatFor(locale.lang).format(date);
    return html`<time datetime=${date.toISOString()} title=${exact}
        >${formatAge(clock.now() - createdAt, locale)}</time
      >
      · `;
  }

  /** Returns one format for all checkpoints, because creating it takes longer than rendering a row. */
  #dateFormatFor(lang: string): Intl.DateTimeFormat {
    if (this.#dateFormat?.lang !== lang) {
      const options = { dateStyle: 'medium', timeStyle: 'medium' } as const;
      this.#dateFormat = { lang, format: new Intl.DateTimeFormat(lang, options) };
    }
    return this.#dateFormat.format;
  }

  #describeAfter({ after }: CheckpointEntry): string {
    const { locale } = this.#host.context;
    if (!after) return locale.text('restoreUnknown');
    const counts = listContentAfter(after, locale);
    if (counts.length === 0) return locale.text('checkpointNewest');
    const things = locale.list(counts, { style: 'narrow', type: 'conjunction' });
    return locale.text('checkpointAfter', { things });
  }

  #renderRestoreButton(entry: CheckpointEntry): TemplateResult {
    const { info } = entry;
    const { context } = this.#host;
    const { locale, actions } = context;
    const { name } = info;
    if (!info.restorable) {
      return html`<p class="meta">
        ${renderIcon('alert')} ${locale.text('checkpointSuperseded')}
      </p>`;
    }
    const busy = isRunning(this.#host.controller?.thread);
    return html`<button
      class="quiet"
      type="button"
      aria-haspopup="dialog"
      aria-disabled=${busy}
      title=${busy ? explainCode('busy', locale) : nothing}
      aria-label="${locale.text('restore')} ${labelOfEntry(entry, locale)}"
      @click=${() => {
        if (!busy) actions.restore?.({ name, info });
      }}
    >
      ${locale.text('restore')}
    </button>`;
  }
}

/** Groups adjacent checkpoints of the same run. */
function groupByRun(entries: readonly CheckpointEntry[]): readonly (readonly CheckpointEntry[])[] {
  const groups: CheckpointEntry[][] = [];
  let last: string | null | undefined;
  for (const entry of entries) {
    const { runId } = entry.info;
    const group = runId === last ? groups.at(-1) : undefined;
    if (group) group.push(entry);
    else groups.push([entry]);
    last = runId;
  }
  return groups;
}

/** Units of time with their length in ms (of years and months, the average), longest first. */
const UNITS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Formats an age: "5 minutes ago", "yesterday". Less than a minute, or a time in the future, is "now". */
function formatAge(ms: number, { lang }: Locale): string {
  const format = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
  const [unit, length] = UNITS.find(([, size]) => ms >= size) ?? (['second', Infinity] as const);
  return format.format(-Math.floor(Math.max(0, ms) / length), unit);
}
