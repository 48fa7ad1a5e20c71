import { html, nothing, render, type TemplateResult } from 'lit';
import { isUbikError } from '../../errors.js';
import { checkpointStrings } from '../../locales/en-checkpoints.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import { explainCode } from '../../message/explain-error.js';
import { isRunning, branchesAt, type Branch } from '../../message/thread-selectors.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { adoptSheets } from '../styles/styles.js';
import { openModal, type Modal } from './modal.js';
import { compareStyles } from './compare-styles.js';
import { BranchComparison, type Side } from './branch-comparison.js';

addDefaultStrings(checkpointStrings);

/** Shows another way, by the server's id of one of its messages. False when the page kept it; rejects when it cannot be. */
type Navigate = (messageId: string) => Promise<boolean>;

/** Shows the ways from one place of the conversation side by side, with their differences marked; one can be chosen. */
export function openCompareDialog(host: ConnectedHost, message: Key, navigate: Navigate): void {
  new CompareDialog(host, message, navigate).draw();
}

class CompareDialog {
  readonly #host: ConnectedHost;
  readonly #message: Key;
  readonly #navigate: Navigate;
  readonly #id: string;
  readonly #modal: Modal;
  readonly #cleanups: readonly (() => void)[];
  readonly #comparison: BranchComparison;
  /** Where the person looks, when there is room for one alone. */
  #visibleSide: Side = 'left';
  #other: Key | undefined;
  #failure = '';

  constructor(host: ConnectedHost, message: Key, navigate: Navigate) {
    const { context, controller } = host;
    this.#host = host;
    this.#message = message;
    this.#navigate = navigate;
    this.#id = context.createId();
    this.#comparison = new BranchComparison(host, this.draw);
    adoptSheets(host.element.renderRoot, [compareStyles]);
    this.#modal = openModal(host, 'compare', () => {
      for (const stop of this.#cleanups) stop();
      this.#comparison.dispose();
      context.frames.cancel(this.draw);
    });
    this.#modal.node.setAttribute('aria-labelledby', this.#id);
    this.#other = this.#outcomes().find(
      ({ message: one }) => one && one.key !== message,
    )?.message?.key;
    this.#updateBranches();
    this.#cleanups = [
      controller?.subscribe({ thread: true }, (change) => {
        this.#comparison.apply(change);
        if (change.type === 'thread') context.frames.schedule(this.draw);
      }) ?? (() => undefined),
      // What a live way brings is compared once a second.
      context.clock.everySecond(() => {
        this.#comparison.compareIfChanged();
      }),
    ];
    context.frames.schedule(this.#revealFirstDifference);
  }

  readonly draw = (): void => {
    const { locale } = this.#host.context;
    const { text } = locale;
    const outcomes = this.#outcomes();
    const ways: readonly (readonly [Side, Branch | undefined])[] = [
      ['left', outcomes.find(({ message }) => message?.key === this.#message)],
      ['right', outcomes.find(({ message }) => message?.key === this.#other)],
    ];
    render(
      html`<header>
          <h2 id=${this.#id}>${text('compare')}</h2>
          <p class="meta" role="status">${this.#comparison.describe()}</p>
          <div class="sides">
            ${ways.map(([side, way]) => this.#renderTab(side, way, outcomes))}
          </div>
          <button class="quiet" type="button" @click=${this.#modal.close}>${text('close')}</button>
        </header>
        ${this.#failure ? html`<p class="complaint" role="alert">${explainCode(this.#failure, locale)}</p>` : nothing}
        <div class="ways" data-side=${this.#visibleSide}>
          ${ways.map(([side, way]) => this.#renderBranch(side, way, outcomes))}
        </div>
        ${this.#renderNotLoaded(outcomes)}`,
      this.#modal.node,
    );
  };

  #outcomes(): readonly Branch[] {
    const thread = this.#host.controller?.thread;
    return thread ? branchesAt(thread, this.#message) : [];
  }

  /** Makes the views of both ways. */
  #updateBranches(): void {
    const outcomes = this.#outcomes();
    for (const [side, start] of [
      ['left', this.#message],
      ['right', this.#other],
    ] as const) {
      const way = outcomes.find(({ message }) => message?.key === start);
      const shown = start !== undefined && way;
      this.#comparison.setBranch(
        side,
        shown ? { name: this.#nameOf(way, outcomes), head: way.head, start } : null,
      );
    }
  }

  #nameOf(way: Branch | undefined, outcomes: readonly Branch[]): string {
    const { text } = this.#host.context.locale;
    const name = text('compareBranch', { number: way ? outcomes.indexOf(way) + 1 : 0 });
    return way?.shown ? text('parentheses', { words: name, more: text('compareCurrent') }) : name;
  }

  #renderTab(side: Side, way: Branch | undefined, outcomes: readonly Branch[]): TemplateResult {
    const look = (): void => {
      this.#visibleSide = side;
      this.draw();
    };
    return html`<button
      class="quiet"
      type="button"
      aria-pressed=${this.#visibleSide === side}
      @click=${look}
    >
      ${this.#nameOf(way, outcomes)}
    </button>`;
  }

  #renderBranch(side: Side, way: Branch | undefined, outcomes: readonly Branch[]): unknown {
    if (!way) return nothing;
    const { text } = this.#host.context.locale;
    const hint = way.message?.restoredFrom?.hint;
    const id = `${this.#id}-${side}`;
    return html`<div class="way" role="group" aria-labelledby=${id}>
      <h3 id=${id}>${this.#nameOf(way, outcomes)}</h3>
      ${side === 'right' ? this.#renderBranchSelect(outcomes) : nothing}
      ${hint ? html`<p class="note" dir="auto">${text('restartedHint', { hint })}</p>` : nothing}
      ${this.#comparison.nodeOf(side)} ${this.#renderContinue(way)}
    </div>`;
  }

  #renderBranchSelect(outcomes: readonly Branch[]): unknown {
    const read = outcomes.filter(({ message }) => message && message.key !== this.#message);
    if (read.length < 2) return nothing;
    return html`<label
      >${this.#host.context.locale.text('compareWith')}
      <select @change=${this.#handleSelect}>
        ${read.map(
          (way) =>
            html`<option
              value=${way.message?.key ?? ''}
              ?selected=${way.message?.key === this.#other}
            >
              ${this.#nameOf(way, outcomes)}
            </option>`,
        )}
      </select>
    </label>`;
  }

  #renderContinue(way: Branch): unknown {
    const { context, controller } = this.#host;
    const { locale } = context;
    if (way.shown) {
      return html`<button class="quiet" type="button" @click=${this.#modal.close}>
        ${locale.text('compareKeep')}
      </button>`;
    }
    const thread = controller?.thread;
    const id = thread?.messages.get(way.head ?? '')?.id ?? way.id;
    if (id === null) return nothing;
    return this.#renderNavigate('compareContinue', id);
  }

  #renderNotLoaded(outcomes: readonly Branch[]): unknown {
    const unread = outcomes.find(({ message }) => message === null);
    if (unread?.id == null) return nothing;
    return html`<p class="meta unread">
      ${this.#host.context.locale.text('compareNotLoaded')}
      ${this.#renderNavigate('compareOpen', unread.id)}
    </p>`;
  }

  #renderNavigate(words: 'compareContinue' | 'compareOpen', id: string): TemplateResult {
    const { context, controller } = this.#host;
    const { locale } = context;
    const busy = isRunning(controller?.thread);
    return html`<button
      class=${words === 'compareOpen' ? 'quiet' : 'primary'}
      type="button"
      aria-disabled=${busy}
      title=${busy ? explainCode('busy', locale) : nothing}
      @click=${() => {
        if (!busy) void this.#navigateTo(id);
      }}
    >
      ${locale.text(words)}
    </button>`;
  }

  async #navigateTo(id: string): Promise<void> {
    this.#failure = '';
    try {
      await this.#navigate(id);
      this.#modal.close();
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.#failure = error.code;
      this.draw();
    }
  }

  readonly #handleSelect = (event: Event): void => {
    this.#other = (event.currentTarget as HTMLSelectElement).value;
    this.#updateBranches();
    this.draw();
    this.#host.context.frames.schedule(this.#revealFirstDifference);
  };

  /** The messages are drawn by now: leads to where the ways differ. */
  readonly #revealFirstDifference = (): void => {
    for (const row of this.#comparison.compare()) row.node.scrollIntoView({ block: 'center' });
  };
}
