import { html, nothing, render, type TemplateResult, css } from 'lit';
import { UbikBranchComparedEvent } from '../../events/index.js';
import { checkpointStrings } from '../../locales/en-checkpoints.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import { explainCode } from '../../message/explain-error.js';
import { branchesAt, type Branch } from '../../message/branches/branch-tree.js';
import { isRunning } from '../../message/thread-selectors.js';
import { describeMessage } from '../base/controller-events.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { adoptSheets } from '../styles/styles.js';
import { openModal, type Modal } from '../base/modal.js';
import { BranchComparison, type ComparisonSide } from './branch-comparison.js';

/** Styles of the compare dialog: two branches side by side; in a narrow window, one at a time. */
const compareStyles = css`
  .modal.compare {
    width: 100vw;
    max-width: min(calc(90 * var(--_ubik-rem)), 100vw - var(--_ubik-rem));
    height: calc(100dvh - var(--_ubik-rem));
    max-height: none;
    padding: calc(0.75 * var(--_ubik-rem)) var(--_ubik-rem);
    &[open] {
      display: flex;
      flex-direction: column;
      gap: calc(0.5 * var(--_ubik-rem));
    }
    header {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: calc(0.25 * var(--_ubik-rem)) var(--_ubik-rem);
      > .quiet {
        margin-inline-start: auto;
      }
    }
    .sides {
      display: none;
      gap: calc(0.25 * var(--_ubik-rem));
    }
    .sides button {
      overflow-wrap: break-word;
    }
    .sides [aria-pressed='true'] {
      border-color: var(--_accent);
      box-shadow: inset 0 -2px 0 var(--_accent);
    }
    .branches {
      flex: 1;
      min-height: 0;
      display: grid;
      grid-template: minmax(0, 1fr) / repeat(2, minmax(0, 1fr));
      gap: var(--_ubik-rem);
    }
    .branch {
      display: flex;
      flex-direction: column;
      gap: calc(0.375 * var(--_ubik-rem));
      min-height: 0;
      > :is(.primary, .quiet) {
        align-self: start;
      }
    }
    .branch + .branch {
      padding-inline-start: var(--_ubik-rem);
      border-inline-start: var(--_border);
    }
    select {
      padding: calc(0.25 * var(--_ubik-rem));
      border: 1px solid var(--_field-line);
      border-radius: var(--_control-radius);
      background: var(--_background);
      color: var(--_text);
      font: inherit;
    }
    /* Rows that only one branch has get a bar and a label, because colour alone is not enough (WCAG 1.4.1). */
    [data-only] {
      position: relative;
      box-shadow: inset calc(0.1875 * var(--_ubik-rem)) 0 0 var(--_accent);
      background: var(--_tint);
      &:dir(rtl) {
        box-shadow: inset calc(-0.1875 * var(--_ubik-rem)) 0 0 var(--_accent);
      }
    }
    [data-only]:not(summary, tr) {
      padding-inline-start: calc(0.625 * var(--_ubik-rem));
    }
    [data-only]:not([data-only=''])::before {
      content: attr(data-only);
      display: block;
      color: var(--_accent);
      font-size: max(12px, calc(0.6875 * var(--_ubik-rem)));
      font-weight: 600;
    }
    tr[data-only]:not([data-only=''])::before {
      display: table-cell;
    }
    summary[data-only]:not([data-only=''])::before {
      margin-inline-start: calc(0.25 * var(--_ubik-rem));
      white-space: nowrap;
    }
    @media (width < 48rem) {
      /* The heading may wrap, so that the button stays beside it. */
      h2 {
        flex: 1 1 0;
      }
      header > .meta {
        order: 1;
        width: 100%;
      }
      .sides {
        display: flex;
        order: 2;
        width: 100%;
      }
      .branches {
        grid-template-columns: minmax(0, 1fr);
      }
      .branches[data-side='left'] > .branch + .branch,
      .branches[data-side='right'] > .branch:first-child,
      .branch > h3 {
        display: none;
      }
      .branch + .branch {
        padding-inline-start: 0;
        border: 0;
      }
    }
    @media (forced-colors: active) {
      [data-only] {
        border-inline-start: calc(0.1875 * var(--_ubik-rem)) solid Highlight;
      }
    }
  }
`;

addDefaultStrings(checkpointStrings);

/** Switches to the branch of a message, by the service's id. Resolves to false when the host page has cancelled it. */
type SwitchBranch = (messageId: string) => Promise<boolean>;

/**
 * Opens a dialog that compares the branch that starts at `message` with one that starts at another version of it. The user can switch to
 * either.
 */
export function openCompareDialog(
  host: ConnectedHost,
  message: Key,
  switchBranch: SwitchBranch,
): void {
  new CompareDialog(host, message, switchBranch).render();
  host.element.dispatchEvent(
    new UbikBranchComparedEvent(describeMessage(host.controller, message)),
  );
}

class CompareDialog {
  readonly #host: ConnectedHost;
  readonly #message: Key;
  readonly #switchBranch: SwitchBranch;
  readonly #id: string;
  readonly #modal: Modal;
  readonly #cleanups: readonly (() => void)[];
  readonly #comparison: BranchComparison;
  /** The side that is shown in a narrow window. */
  #visibleSide: ComparisonSide = 'left';
  /** First message of the branch on the right side. */
  #otherMessage: Key | undefined;
  /** Error code of the last switch; empty when it has not failed. */
  #failure = '';

  constructor(host: ConnectedHost, message: Key, switchBranch: SwitchBranch) {
    const { context, controller } = host;
    this.#host = host;
    this.#message = message;
    this.#switchBranch = switchBranch;
    this.#id = context.createId();
    this.#comparison = new BranchComparison(host, this.render);
    adoptSheets(host.element.renderRoot, [compareStyles]);
    this.#modal = openModal(host, 'compare', this.#redraw, () => {
      for (const cleanup of this.#cleanups) cleanup();
      this.#comparison.dispose();
      context.frames.cancel(this.render);
    });
    this.#modal.node.setAttribute('aria-labelledby', this.#id);
    this.#otherMessage = this.#branches().find(
      ({ message: first }) => first && first.key !== message,
    )?.message?.key;
    this.#updateBranches();
    this.#cleanups = [
      controller?.subscribe({ thread: true }, (change) => {
        this.#comparison.apply(change);
        if (change.type === 'thread') context.frames.schedule(this.render);
      }) ?? (() => undefined),
      // While a branch is still being written, it is compared again once a second.
      context.clock.everySecond(() => {
        this.#comparison.compareIfChanged();
      }),
    ];
    context.frames.schedule(this.#revealFirstDifference);
  }

  /** Renders the dialog and both branches again. */
  readonly #redraw = (): void => {
    this.#updateBranches();
    this.render();
    this.#host.context.frames.schedule(this.#revealFirstDifference);
  };

  /** Renders the dialog. */
  readonly render = (): void => {
    const { locale } = this.#host.context;
    const { text } = locale;
    const branches = this.#branches();
    const sides: readonly (readonly [ComparisonSide, Branch | undefined])[] = [
      ['left', branches.find(({ message }) => message?.key === this.#message)],
      ['right', branches.find(({ message }) => message?.key === this.#otherMessage)],
    ];
    render(
      html`<header>
          <h2 id=${this.#id}>${text('compare')}</h2>
          <p class="meta" role="status">${this.#comparison.describe()}</p>
          <div class="sides">
            ${sides.map(([side, branch]) => this.#renderSideButton(side, branch, branches))}
          </div>
          <button class="quiet" type="button" @click=${this.#modal.close}>${text('close')}</button>
        </header>
        ${this.#failure ? html`<p class="error-text" role="alert">${explainCode(this.#failure, locale)}</p>` : nothing}
        <div class="branches" data-side=${this.#visibleSide}>
          ${sides.map(([side, branch]) => this.#renderBranch(side, branch, branches))}
        </div>
        ${this.#renderNotLoaded(branches)}`,
      this.#modal.node,
    );
  };

  #branches(): readonly Branch[] {
    const thread = this.#host.controller?.thread;
    return thread ? branchesAt(thread, this.#message) : [];
  }

  /** Sets the branches of both sides. */
  #updateBranches(): void {
    const branches = this.#branches();
    for (const [side, start] of [
      ['left', this.#message],
      ['right', this.#otherMessage],
    ] as const) {
      const branch = branches.find(({ message }) => message?.key === start);
      const isLoaded = start !== undefined && branch?.head;
      this.#comparison.setBranch(
        side,
        isLoaded ? { name: this.#nameOf(branch, branches), head: branch.head, start } : null,
      );
    }
  }

  #nameOf(branch: Branch | undefined, branches: readonly Branch[]): string {
    const { text } = this.#host.context.locale;
    const number = branches.findIndex((each) => each === branch) + 1;
    const name = text('compareBranch', { number });
    return branch?.shown
      ? text('parentheses', { words: name, more: text('compareCurrent') })
      : name;
  }

  #renderSideButton(
    side: ComparisonSide,
    branch: Branch | undefined,
    branches: readonly Branch[],
  ): TemplateResult {
    const show = (): void => {
      this.#visibleSide = side;
      this.render();
    };
    return html`<button
      class="quiet"
      type="button"
      aria-pressed=${this.#visibleSide === side}
      @click=${show}
    >
      ${this.#nameOf(branch, branches)}
    </button>`;
  }

  #renderBranch(
    side: ComparisonSide,
    branch: Branch | undefined,
    branches: readonly Branch[],
  ): unknown {
    if (!branch) return nothing;
    const { text } = this.#host.context.locale;
    const hint = branch.message?.restoredFrom?.hint;
    const id = `${this.#id}-${side}`;
    return html`<div class="branch" role="group" aria-labelledby=${id}>
      <h3 id=${id}>${this.#nameOf(branch, branches)}</h3>
      ${side === 'right' ? this.#renderBranchSelect(branches) : nothing}
      ${hint ? html`<p class="note" dir="auto">${text('restoredHint', { hint })}</p>` : nothing}
      ${this.#comparison.nodeOf(side)} ${this.#renderContinue(branch)}
    </div>`;
  }

  #renderBranchSelect(branches: readonly Branch[]): unknown {
    const loaded = branches.filter(({ message }) => message && message.key !== this.#message);
    if (loaded.length < 2) return nothing;
    return html`<label
      >${this.#host.context.locale.text('compareWith')}
      <select @change=${this.#handleSelect}>
        ${loaded.map(
          (branch) =>
            html`<option
              value=${branch.message?.key ?? ''}
              ?selected=${branch.message?.key === this.#otherMessage}
            >
              ${this.#nameOf(branch, branches)}
            </option>`,
        )}
      </select>
    </label>`;
  }

  #renderContinue(branch: Branch): unknown {
    const { context, controller } = this.#host;
    const { locale } = context;
    if (branch.shown) {
      return html`<button class="quiet" type="button" @click=${this.#modal.close}>
        ${locale.text('compareKeep')}
      </button>`;
    }
    const thread = controller?.thread;
    const id = thread?.messages.get(branch.head ?? '')?.id ?? branch.id;
    if (id === null) return nothing;
    return this.#renderSwitchButton('compareContinue', id);
  }

  #renderNotLoaded(branches: readonly Branch[]): unknown {
    const notLoaded = branches.find(({ message }) => message === null);
    if (notLoaded?.id == null) return nothing;
    return html`<p class="meta not-loaded">
      ${this.#host.context.locale.text('compareNotLoaded')}
      ${this.#renderSwitchButton('compareOpen', notLoaded.id)}
    </p>`;
  }

  #renderSwitchButton(label: 'compareContinue' | 'compareOpen', id: string): TemplateResult {
    const { context, controller } = this.#host;
    const { locale } = context;
    const busy = isRunning(controller?.thread);
    return html`<button
      class=${label === 'compareOpen' ? 'quiet' : 'primary'}
      type="button"
      aria-disabled=${busy}
      title=${busy ? explainCode('busy', locale) : nothing}
      @click=${() => {
        if (!busy) void this.#switchTo(id);
      }}
    >
      ${locale.text(label)}
    </button>`;
  }

  async #switchTo(id: string): Promise<void> {
    this.#failure = '';
    const isSwitched = await this.#host.attempt(this.#switchBranch(id), ({ code }) => {
      this.#failure = code;
    });
    if (isSwitched) this.#modal.close();
    else this.render();
  }

  readonly #handleSelect = (event: Event): void => {
    this.#otherMessage = (event.currentTarget as HTMLSelectElement).value;
    this.#redraw();
  };

  /** Scrolls both sides to their first difference. Runs in the frame after the messages were rendered. */
  readonly #revealFirstDifference = (): void => {
    this.#comparison.revealFirstDifference();
  };
}
