import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import type { UbikError } from '../../errors.js';
import type { Locale } from '../../locales/locale.js';
import { renderForm } from '../../message/buttons.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { langOfContent } from '../../message/content-lang.js';
import { toolLabel } from '../../message/tool/tool-text.js';
import { STATUS_ICONS, type ThreadStatus } from './thread-status.js';

/** The state of a thread that its row shows. */
export interface ThreadRowState {
  readonly title: string;
  /** The service's names of the tools that are enabled in the thread. */
  readonly tools: readonly string[];
  /** Whether the chat shows the thread. */
  readonly isCurrent: boolean;
  readonly status: ThreadStatus | undefined;
  /** Whether the thread will be deleted when its undo time is over. */
  readonly isDeletePending: boolean;
  /** Whether the row is in the tab order (roving tabindex). */
  readonly isActive: boolean;
  readonly canRename: boolean;
  readonly canDelete: boolean;
}

/** The result of an action on a thread; `cancelled`: the host page has cancelled its event, or the action was aborted. */
export type ThreadActionResult =
  | { readonly status: 'done' | 'cancelled' }
  | { readonly status: 'failed'; readonly error: UbikError };

/** The part of the list that its rows use: their state and their actions. */
export interface ThreadRowHost {
  readonly locale: Locale;
  /** The thread whose row is in the tab order (roving tabindex). */
  activeId: string | undefined;
  stateOf(id: string): ThreadRowState;
  open(id: string): Promise<ThreadActionResult>;
  rename(id: string, title: string): Promise<ThreadActionResult>;
  delete(id: string): void;
  /** Undoes a deletion that was not sent yet. Opens the thread again if it was the current one and no other thread is open. */
  undoDelete(id: string): void;
}

/** A row of the thread list: the title, which opens the thread; a status icon; and buttons to rename and delete it. */
export class ThreadRow {
  readonly node = element('li', 'thread');
  readonly id: string;
  readonly #host: ThreadRowHost;
  #mode: 'title' | 'actions' | 'rename' = 'title';
  /** Requests in progress. A thread can be renamed while it is still being opened. */
  readonly #pending = new Set<'open' | 'rename'>();
  /** Why the last action failed; null when it has not. */
  failure: UbikError | null = null;

  constructor(id: string, host: ThreadRowHost) {
    this.id = id;
    this.#host = host;
    this.node.part.add('thread');
  }

  /** Whether the row has an open form or menu, a request in progress or an error, which would be lost with it. */
  get hasTransientState(): boolean {
    return this.#mode !== 'title' || this.#pending.size > 0 || this.failure !== null;
  }

  /** Renders the row from its current state. */
  update(): void {
    const { locale } = this.#host;
    const state = this.#host.stateOf(this.id);
    const title = state.title || locale.text('threadUntitled');
    this.node.dataset['status'] = state.status ?? '';
    render(
      state.isDeletePending ? this.#renderDeleted(title) : this.#renderThread(state, title),
      this.node,
    );
  }

  /** Focuses the Undo button of a deletion, the name field, else the title. */
  focus(): void {
    this.node.querySelector<HTMLElement>('input, .thread-undo, .thread-open')?.focus();
  }

  /** Opens the thread. */
  readonly open = (): void => {
    void this.#runOnce('open', () => this.#host.open(this.id));
  };

  /** Shows the field for a new title and focuses it. */
  readonly startRename = (): void => {
    this.#mode = 'rename';
    this.update();
    const field = this.node.querySelector('input');
    field?.focus();
    field?.select();
  };

  /** Deletes the thread and focuses the Undo button. */
  readonly delete = (): void => {
    this.#mode = 'title';
    this.failure = null;
    this.#host.delete(this.id);
    this.update();
    this.focus();
  };

  /** Closes the rename form or the menu and focuses the title. Returns false when neither is open. */
  cancel(): boolean {
    if (this.#mode === 'title') return false;
    this.#showTitle();
    this.focus();
    return true;
  }

  #showTitle(): void {
    this.#mode = 'title';
    this.update();
  }

  #renderThread(state: ThreadRowState, title: string): TemplateResult {
    const { locale } = this.#host;
    return html`${this.#mode === 'rename' ? this.#renderRenameForm(state) : this.#renderTitle(state, title)}
    ${this.#mode === 'actions' ? this.#renderActions(state) : nothing}
    ${
      this.failure
        ? html`<p class="error-text" role="alert">
            ${renderIcon('alert')}<span dir="auto">${explainError(this.failure, locale)}</span>
          </p>`
        : nothing
    }`;
  }

  #renderTitle(state: ThreadRowState, title: string): TemplateResult {
    const { locale } = this.#host;
    const { text } = locale;
    const { isCurrent, status, isActive, tools, canRename, canDelete } = state;
    const tabIndex = isActive ? 0 : -1;
    const keys = [canRename && 'F2', canDelete && 'Delete'].filter(Boolean).join(' ');
    return html`<div class="thread-line">
      <button
        class="thread-open"
        type="button"
        tabindex=${tabIndex}
        aria-current=${isCurrent ? 'true' : nothing}
        aria-busy=${this.#pending.size > 0}
        aria-keyshortcuts=${keys || nothing}
        @click=${this.open}
      >
        <span
          class="thread-title"
          dir="auto"
          lang=${state.title ? langOfContent(locale) : nothing}
          title=${title}
          >${title}</span
        >${status && this.#renderStatus(status)}
      </button>
      ${
        keys || tools.length > 0
          ? html`<button
              class="thread-more"
              type="button"
              tabindex=${tabIndex}
              aria-label=${text('threadMore', { title })}
              aria-expanded=${this.#mode === 'actions'}
              @click=${this.#toggleActions}
            >
              ${renderIcon('more')}
            </button>`
          : nothing
      }
    </div>`;
  }

  #renderStatus(status: ThreadStatus): TemplateResult {
    const { text } = this.#host.locale;
    return html`<span class="thread-status"
      ><span class="hidden">${text('comma', { words: '', more: text(`thread_${status}`) })}</span
      >${renderIcon(STATUS_ICONS[status])}</span
    >`;
  }

  #renderActions(state: ThreadRowState): TemplateResult {
    const { locale } = this.#host;
    const { text } = locale;
    const { canRename, canDelete } = state;
    const names = state.tools.map((tool) => toolLabel(tool, locale));
    const list = locale.list(names, { type: 'unit' });
    return html`${list && html`<p class="meta">${text('threadTools', { names: list })}</p>`}
    ${
      canRename || canDelete
        ? html`<div class="buttons">
            ${
              canRename
                ? html`<button class="quiet" type="button" @click=${this.startRename}>
                    ${text('threadRename')}
                  </button>`
                : nothing
            }${
              canDelete
                ? html`<button class="quiet" type="button" @click=${this.delete}>
                    ${text('threadDelete')}
                  </button>`
                : nothing
            }
          </div>`
        : nothing
    }`;
  }

  #renderRenameForm({ title }: ThreadRowState): TemplateResult {
    const { text } = this.#host.locale;
    return renderForm(
      {
        className: 'thread-form',
        submitLabel: text('threadSave'),
        cancelLabel: text('cancel'),
        busy: this.#pending.has('rename'),
        onSubmit: (event) => {
          event.preventDefault();
          void this.#rename();
        },
        onCancel: () => void this.cancel(),
      },
      html`<input
        dir="auto"
        lang=${langOfContent(this.#host.locale)}
        maxlength="500"
        aria-label=${text('threadName')}
        .defaultValue=${title}
      />`,
    );
  }

  #renderDeleted(title: string): TemplateResult {
    const { text } = this.#host.locale;
    return html`<div class="thread-line">
      <span class="thread-title" dir="auto">${text('threadDeleted', { title })}</span>
      <button
        class="quiet thread-undo"
        type="button"
        aria-description=${text('threadDeleted', { title })}
        @click=${this.#undoDelete}
      >
        ${text('threadUndo')}
      </button>
    </div>`;
  }

  readonly #toggleActions = (): void => {
    this.#mode = this.#mode === 'actions' ? 'title' : 'actions';
    this.update();
  };

  readonly #undoDelete = (): void => {
    this.#host.undoDelete(this.id);
    this.update();
    this.focus();
  };

  async #rename(): Promise<void> {
    const title = this.node.querySelector('input')?.value.trim() ?? '';
    if (!title) return;
    const isSame = title === this.#host.stateOf(this.id).title;
    const isDone =
      isSame || (await this.#runOnce('rename', () => this.#host.rename(this.id, title)));
    if (!isDone) return;
    const { activeElement } = this.node.getRootNode() as ShadowRoot;
    const focused = activeElement ?? document.activeElement;
    // While the request was pending, the user may have moved the focus elsewhere. In Safari, a button that was clicked has no focus.
    if (!focused || focused === document.body || this.node.contains(focused)) this.cancel();
    else this.#showTitle();
  }

  /** Runs an action unless it is already in progress. Resolves to false when it is, or when it failed or was cancelled. */
  async #runOnce(
    name: 'open' | 'rename',
    action: () => Promise<ThreadActionResult>,
  ): Promise<boolean> {
    if (this.#pending.has(name)) return false;
    this.#pending.add(name);
    this.failure = null;
    this.update();
    const result = await action();
    this.#pending.delete(name);
    this.failure = result.status === 'failed' ? result.error : null;
    this.update();
    return result.status === 'done';
  }
}
