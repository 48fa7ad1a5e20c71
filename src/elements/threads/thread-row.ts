import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';
import { renderForm } from '../../message/buttons.js';
import { explainCode } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { langOfContent } from '../../message/content-lang.js';
import { nameTool } from '../../message/tool/tool-words.js';
import { MARK_ICONS, type ThreadMark } from './thread-marks.js';

/** What a row shows of its thread. */
export interface ThreadState {
  readonly title: string;
  /** The service's names of the tools that are active in it. */
  readonly tools: readonly string[];
  readonly current: boolean;
  readonly mark: ThreadMark | undefined;
  /** About to be deleted. */
  readonly deleted: boolean;
  /** The row that Tab leads to. */
  readonly active: boolean;
  readonly canRename: boolean;
  readonly canDelete: boolean;
}

/** What the list does for a row. */
export interface ThreadRowActions {
  readonly locale: Locale;
  /** The thread whose row Tab leads to. */
  active: string | undefined;
  state(id: string): ThreadState;
  open(id: string): Promise<string | null>;
  rename(id: string, title: string): Promise<string | null>;
  remove(id: string): void;
  undo(id: string): Promise<boolean>;
}

/** One conversation in the list: its title, which opens it, and what else can be done with it. */
export class ThreadRow {
  readonly node = element('li', 'thread');
  readonly id: string;
  readonly #acts: ThreadRowActions;
  /** What stands beside the title. */
  #mode: 'plain' | 'acts' | 'rename' = 'plain';
  /** What the service has not answered yet. A conversation that is still opened can be renamed. */
  readonly #pending = new Set<'open' | 'rename'>();
  /** Why the last act failed, as a code; empty when it did not. */
  failure = '';

  constructor(id: string, acts: ThreadRowActions) {
    this.id = id;
    this.#acts = acts;
    this.node.part.add('thread');
  }

  /** Whether the person has begun something here, or is still to read why it failed. */
  get isEngaged(): boolean {
    return this.#mode !== 'plain' || this.#pending.size > 0 || this.failure !== '';
  }

  /** Draws it. */
  update(): void {
    const { locale } = this.#acts;
    const state = this.#acts.state(this.id);
    const title = state.title || locale.text('threadUntitled');
    this.node.dataset['mark'] = state.mark ?? '';
    render(
      state.deleted ? this.#renderDeleted(title) : this.#renderThread(state, title),
      this.node,
    );
  }

  /** Puts the focus where it belongs: the way back of a deletion, the new name, else the title. */
  focus(): void {
    this.node.querySelector<HTMLElement>('input, .thread-undo, .thread-open')?.focus();
  }

  /** Opens the conversation. */
  readonly open = (): void => {
    void this.#do('open', () => this.#acts.open(this.id));
  };

  /** Asks for a new name. */
  readonly askName = (): void => {
    this.#mode = 'rename';
    this.update();
    const field = this.node.querySelector('input');
    field?.focus();
    field?.select();
  };

  /** Deletes the conversation. */
  readonly remove = (): void => {
    this.#mode = 'plain';
    this.failure = '';
    this.#acts.remove(this.id);
    this.update();
    this.focus();
  };

  /** Leaves what was begun: a new name, the choice of acts. False when there was nothing. */
  leave(): boolean {
    if (this.#mode === 'plain') return false;
    this.#mode = 'plain';
    this.update();
    this.focus();
    return true;
  }

  #renderThread(state: ThreadState, title: string): TemplateResult {
    const { locale } = this.#acts;
    return html`${this.#mode === 'rename' ? this.#renderName(state) : this.#renderTitle(state, title)}
    ${this.#mode === 'acts' ? this.#renderActs(state) : nothing}
    ${
      this.failure &&
      html`<p class="complaint" role="alert">
        ${renderIcon('alert')}<span>${explainCode(this.failure, locale)}</span>
      </p>`
    }`;
  }

  #renderTitle(state: ThreadState, title: string): TemplateResult {
    const { locale } = this.#acts;
    const { text } = locale;
    const { current, mark, active, tools, canRename, canDelete } = state;
    const tab = active ? 0 : -1;
    const keys = [canRename && 'F2', canDelete && 'Delete'].filter(Boolean).join(' ');
    return html`<div class="thread-line">
      <button
        class="thread-open"
        type="button"
        tabindex=${tab}
        aria-current=${current ? 'true' : nothing}
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
        >${mark && this.#renderMark(mark)}
      </button>
      ${
        keys || tools.length > 0
          ? html`<button
              class="thread-more"
              type="button"
              tabindex=${tab}
              aria-label=${text('threadMore', { title })}
              aria-expanded=${this.#mode === 'acts'}
              @click=${this.#toggle}
            >
              ${renderIcon('more')}
            </button>`
          : nothing
      }
    </div>`;
  }

  #renderMark(mark: ThreadMark): TemplateResult {
    const { text } = this.#acts.locale;
    return html`<span class="thread-mark"
      ><span class="hidden">${text('comma', { words: '', more: text(`thread_${mark}`) })}</span
      >${renderIcon(MARK_ICONS[mark])}</span
    >`;
  }

  #renderActs(state: ThreadState): TemplateResult {
    const { locale } = this.#acts;
    const { text } = locale;
    const { canRename, canDelete } = state;
    const names = state.tools.map((tool) => nameTool(tool, locale));
    const list = new Intl.ListFormat(locale.lang, { type: 'unit' }).format(names);
    return html`${list && html`<p class="meta">${text('threadTools', { names: list })}</p>`}
    ${
      canRename || canDelete
        ? html`<div class="buttons">
            ${
              canRename
                ? html`<button class="quiet" type="button" @click=${this.askName}>
                    ${text('threadRename')}
                  </button>`
                : nothing
            }${
              canDelete
                ? html`<button class="quiet" type="button" @click=${this.remove}>
                    ${text('threadDelete')}
                  </button>`
                : nothing
            }
          </div>`
        : nothing
    }`;
  }

  #renderName({ title }: ThreadState): TemplateResult {
    const { text } = this.#acts.locale;
    return renderForm(
      {
        name: 'thread-form',
        send: text('threadSave'),
        leave: text('cancel'),
        busy: this.#pending.has('rename'),
        onSend: (event) => {
          event.preventDefault();
          void this.#rename();
        },
        onLeave: () => void this.leave(),
      },
      html`<input
        dir="auto"
        lang=${langOfContent(this.#acts.locale)}
        maxlength="500"
        aria-label=${text('threadName')}
        .defaultValue=${title}
      />`,
    );
  }

  #renderDeleted(title: string): TemplateResult {
    const { text } = this.#acts.locale;
    return html`<div class="thread-line">
      <span class="thread-title" dir="auto">${text('threadDeleted', { title })}</span>
      <button
        class="quiet thread-undo"
        type="button"
        aria-description=${text('threadDeleted', { title })}
        @click=${this.#undo}
      >
        ${text('threadUndo')}
      </button>
    </div>`;
  }

  readonly #toggle = (): void => {
    this.#mode = this.#mode === 'acts' ? 'plain' : 'acts';
    this.update();
  };

  readonly #undo = (): void => {
    void this.#acts.undo(this.id);
    this.update();
    this.focus();
  };

  async #rename(): Promise<void> {
    const title = this.node.querySelector('input')?.value.trim() ?? '';
    if (!title) return;
    const isSame = title === this.#acts.state(this.id).title;
    const done = isSame || (await this.#do('rename', () => this.#acts.rename(this.id, title)));
    if (done) this.leave();
  }

  /** Does an act, unless it is already being done. False when it failed or was cancelled. */
  async #do(name: 'open' | 'rename', act: () => Promise<string | null>): Promise<boolean> {
    if (this.#pending.has(name)) return false;
    this.#pending.add(name);
    this.failure = '';
    this.update();
    const failure = await act();
    this.#pending.delete(name);
    this.failure = failure ?? '';
    this.update();
    return failure === '';
  }
}
