import { html, nothing, render, type TemplateResult } from 'lit';
import type { CheckpointInfo, DocumentInfo } from '../../backends/backend.js';
import type { Aftermath, CheckpointEntry } from '../../controller/checkpoints/checkpoint-line.js';
import { readLine } from '../../controller/checkpoints/checkpoint-line.js';
import { isUbikError } from '../../errors.js';
import { explainCode } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import type { RestorePoint } from '../../message/part-view.js';
import { renderContentText, langOfContent } from '../../message/content-lang.js';
import { isRunning, visiblePath } from '../../message/thread-selectors.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { openModal, type Modal } from './modal.js';
import { HintDraft } from './unsent-hints.js';
import { listAftermath, renderNames } from './words.js';

/** Goes back, with a hint or none. False when the page kept it; rejects when the service does not take it. */
type Restore = (checkpoint: string, hint: string | null) => Promise<boolean>;

/** Asks whether to go back to a checkpoint, and says before anything happens what that would leave behind. */
export function openRestoreDialog(host: ConnectedHost, point: RestorePoint, goBack: Restore): void {
  void new RestoreDialog(host, point, goBack).load();
}

class RestoreDialog {
  readonly #host: ConnectedHost;
  readonly #checkpoint: RestorePoint;
  readonly #restore: Restore;
  readonly #hint: HintDraft;
  readonly #modal: Modal;
  /** Of its title; that of why it cannot go on now follows from it. */
  readonly #id: string;
  readonly #unsubscribe: (() => void) | undefined;
  #entry: CheckpointEntry | undefined;
  #state: 'loading' | 'asking' | 'going' = 'loading';
  /** Code of what went wrong; empty when nothing did. */
  #failure = '';

  constructor(host: ConnectedHost, point: RestorePoint, goBack: Restore) {
    this.#host = host;
    this.#checkpoint = point;
    this.#restore = goBack;
    this.#hint = new HintDraft(host.controller, point.name);
    this.#id = host.context.createId();
    this.#modal = openModal(host, 'restore', () => {
      this.#unsubscribe?.();
      this.#hint.text = this.#field?.value ?? '';
      host.context.frames.cancel(this.#draw);
    });
    this.#modal.node.setAttribute('aria-labelledby', this.#id);
    this.#unsubscribe = host.controller?.subscribe({ thread: true }, (change) => {
      if (change.type === 'thread' || change.type === 'item')
        host.context.frames.schedule(this.#draw);
    });
  }

  /** Reads what the service can go back to. */
  async load(): Promise<void> {
    this.#state = 'loading';
    this.#failure = '';
    this.#draw();
    try {
      const { controller } = this.#host;
      if (controller?.backend.capabilities.has('documents')) {
        // They are worth a line, and no failure.
        controller.listDocuments({ page: 1, limit: 100 }).catch(() => undefined);
      }
      await controller?.listCheckpoints();
      this.#state = 'asking';
      this.#entry = findEntry(this.#entries(), this.#checkpoint);
    } catch (error) {
      this.#failure = codeOf(error);
    }
    this.#draw();
    if (this.#canRestore) this.#field?.focus();
  }

  get #field(): HTMLTextAreaElement | null {
    return this.#modal.node.querySelector('textarea');
  }

  get #canRestore(): boolean {
    return this.#state !== 'loading' && this.#entry?.info.restorable === true;
  }

  #entries(): readonly CheckpointEntry[] {
    const thread = this.#host.controller?.thread;
    return thread ? readLine(thread) : [];
  }

  readonly #draw = (): void => {
    const { locale } = this.#host.context;
    const { node } = this.#modal;
    const title = this.#entry?.title || this.#checkpoint.name;
    render(
      html`<form novalidate @submit=${this.#handleSubmit} aria-busy=${this.#state !== 'asking'}>
        <div>
          <h2 id=${this.#id}>${locale.text('restoreTitle')}</h2>
          <p class="meta">${renderIcon('flag')} ${renderContentText(title, locale)}</p>
        </div>
        ${this.#renderBody()} ${this.#renderFailure()}
        <div class="buttons">
          ${this.#renderSubmit()}
          <button class="quiet" type="button" @click=${this.#modal.close}>
            ${locale.text('cancel')}
          </button>
        </div>
      </form>`,
      node,
    );
  };

  #renderSubmit(): TemplateResult | typeof nothing {
    const { locale } = this.#host.context;
    if (this.#failure && this.#state === 'loading') {
      return html`<button class="primary" type="button" @click=${() => void this.load()}>
        ${locale.text('retry')}
      </button>`;
    }
    if (!this.#canRestore) return nothing;
    const busy = isRunning(this.#host.controller?.thread);
    return html`<button
      class="primary"
      aria-disabled=${busy || this.#state === 'going'}
      aria-describedby=${busy ? `${this.#id}-why` : nothing}
    >
      ${locale.text('restoreSubmit')}
    </button>`;
  }

  #renderBody(): unknown {
    const { locale } = this.#host.context;
    const { text } = locale;
    if (this.#state === 'loading') {
      return this.#failure
        ? nothing
        : html`<p class="meta" role="status">${text('checkpointsLoading')}</p>`;
    }
    const entry = this.#entry;
    if (!entry) return html`<p>${text('checkpointNotFound')}</p>`;
    if (!entry.info.restorable) return html`<p>${text('checkpointSuperseded')}</p>`;
    return html`<section>
        <h3>${text('restoreLeaves')}</h3>
        ${this.#renderLeftBehind(entry.after)}
      </section>
      <section>
        <h3>${text('restoreKeeps')}</h3>
        <p>${text('restoreKeepsBefore')} ${this.#renderDocuments()}</p>
        <p>${text('restoreEffects')}</p>
      </section>
      <label
        >${text('restoreHint')}<textarea
          rows="2"
          dir="auto"
          lang=${langOfContent(locale)}
          .value=${this.#hint.text}
          @keydown=${this.#handleKeydown}
        ></textarea>
      </label>`;
  }

  #renderLeftBehind(after: Aftermath | null): unknown {
    const { locale } = this.#host.context;
    if (!after) return html`<p>${locale.text('restoreUnknown')}</p>`;
    const things = listAftermath(after, locale);
    if (things.length === 0) return html`<p>${locale.text('restoreNothing')}</p>`;
    return html`<ul>
        ${things.map((thing) => html`<li>${thing}</li>`)}
      </ul>
      <p>${locale.text('restoreKept')}</p>`;
  }

  /** Documents belong to the conversation: all of them stay. */
  #renderDocuments(): unknown {
    const { context, controller } = this.#host;
    const thread = controller?.thread;
    if (!thread) return nothing;
    const listed = [...thread.list('documents')] as unknown as [string, DocumentInfo][];
    const attached = visiblePath(thread, thread.head).flatMap(({ attachments }) => attachments);
    const names = new Map([
      ...attached.map(({ id, name }) => [id, name] as const),
      ...listed.map(([id, { name }]) => [id, name] as const),
    ]);
    if (names.size === 0) return nothing;
    return html`${context.locale.text('restoreKeepsDocuments', { count: names.size })}
    ${renderNames([...names.values()], context.locale)}`;
  }

  #renderFailure(): unknown {
    const { locale } = this.#host.context;
    const busy =
      this.#state === 'asking' && this.#canRestore && isRunning(this.#host.controller?.thread);
    const code = this.#failure || (busy ? 'busy' : '');
    if (!code) return nothing;
    return html`<p class="complaint" id="${this.#id}-why" role=${this.#failure ? 'alert' : nothing}>
      ${renderIcon('alert')}<span>${explainCode(code, locale)}</span>
    </p>`;
  }

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    // As in the composer. A key of an input method is none of ours.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229)
      return;
    event.preventDefault();
    this.#modal.node.querySelector('form')?.requestSubmit();
  };

  readonly #handleSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!this.#canRestore || this.#state === 'going' || isRunning(this.#host.controller?.thread))
      return;
    const hint = this.#field?.value.trim();
    this.#state = 'going';
    this.#failure = '';
    this.#draw();
    try {
      const isGone = await this.#restore(this.#checkpoint.name, hint || null);
      if (isGone && this.#field) this.#field.value = '';
      this.#modal.close();
    } catch (error) {
      this.#state = 'asking';
      this.#failure = codeOf(error);
      this.#draw();
    }
  };
}

/** The checkpoint that is meant: the one at this place, else the one that the service takes for it. */
function findEntry(
  line: readonly CheckpointEntry[],
  { name, message, part, info }: RestorePoint,
): CheckpointEntry | undefined {
  const named = line.filter((entry) => entry.info.name === name);
  const isMeant = (entry: CheckpointEntry): boolean =>
    info ? isSame(entry.info, info) : entry.message?.key === message && entry.part === part;
  return named.find(isMeant) ?? named.find((entry) => entry.info.restorable);
}

function isSame(one: CheckpointInfo, other: NonNullable<RestorePoint['info']>): boolean {
  return (
    one.taskId === other.taskId &&
    one.createdAt === other.createdAt &&
    one.restorable === other.restorable
  );
}

function codeOf(error: unknown): string {
  if (!isUbikError(error)) throw error;
  return error.code;
}
