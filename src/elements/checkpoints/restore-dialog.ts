import { html, nothing, render, type TemplateResult } from 'lit';
import type { CheckpointInfo, DocumentInfo } from '../../backends/backend.js';
import {
  readTimeline,
  type ContentAfter,
  type CheckpointEntry,
} from '../../controller/checkpoints/checkpoint-timeline.js';
import type { StreamController } from '../../controller/controller-types.js';
import { EnterKey } from '../../dom/enter-key.js';
import { UbikCheckpointRestoredEvent, UbikCheckpointRestoreEvent } from '../../events/index.js';
import type { Locale } from '../../locales/locale.js';
import { explainCode } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import type { RestorePoint } from '../../message/part-view.js';
import { labelAfterStep } from '../../message/checkpoint-label.js';
import { renderContentText, langOfContent } from '../../message/content-lang.js';
import { isRunning, shownBranch } from '../../message/thread-selectors.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { describeThread } from '../base/controller-events.js';
import { openModal, type Modal } from '../base/modal.js';

/** Maximum number of documents that are listed by name. */
const MAX_NAMES = 5;

/** Opens a dialog that shows what restoring a checkpoint leaves behind, asks for a hint, and restores the checkpoint. */
export function openRestoreDialog(host: ConnectedHost, checkpoint: RestorePoint): void {
  void new RestoreDialog(host, checkpoint).load();
}

/** Returns the label of a checkpoint: its name; if that was generated, the step before it, if known. */
export function labelOfEntry({ info, step, title }: CheckpointEntry, locale: Locale): string {
  return labelAfterStep(info.name, step, title, locale);
}

/** Returns texts with the numbers of messages, steps and tool calls after a checkpoint ("2 messages"), without those that are 0. */
export function listContentAfter(
  { messages, steps, tools }: ContentAfter,
  { text }: Locale,
): readonly string[] {
  return [
    ...(messages > 0 ? [text('restoreMessages', { count: messages })] : []),
    ...(steps > 0 ? [text('restoreSteps', { count: steps })] : []),
    ...(tools > 0 ? [text('restoreToolCalls', { count: tools })] : []),
  ];
}

/** The last unsent hint of each controller, with the key of its thread and checkpoint. */
const hintDrafts = new WeakMap<object, readonly [key: string, hint: string]>();

/** An unsent hint, which the dialog shows again when it is opened for the same checkpoint. */
class HintDraft {
  readonly #owner: object;
  readonly #key: string;

  constructor(controller: StreamController | null, checkpoint: string) {
    // Without a controller, the hint is lost with this object.
    this.#owner = controller ?? this;
    this.#key = JSON.stringify([controller?.thread?.key, checkpoint]);
  }

  /** The text; empty when there is none. */
  get text(): string {
    const [key, hint = ''] = hintDrafts.get(this.#owner) ?? [];
    return key === this.#key ? hint : '';
  }

  set text(hint: string) {
    hintDrafts.set(this.#owner, [this.#key, hint]);
  }
}

class RestoreDialog {
  readonly #host: ConnectedHost;
  readonly #checkpoint: RestorePoint;
  readonly #hint: HintDraft;
  readonly #enter = new EnterKey();
  readonly #modal: Modal;
  /** Id of the title; the id of the error message is derived from it. */
  readonly #id: string;
  readonly #unsubscribe: (() => void) | undefined;
  #entry: CheckpointEntry | undefined;
  #state: 'loading' | 'ready' | 'restoring' = 'loading';
  /** Error code of loading or restoring; empty when neither has failed. */
  #failure = '';

  constructor(host: ConnectedHost, checkpoint: RestorePoint) {
    this.#host = host;
    this.#checkpoint = checkpoint;
    this.#hint = new HintDraft(host.controller, checkpoint.name);
    this.#id = host.context.createId();
    this.#modal = openModal(host, 'restore', this.#render, () => {
      this.#unsubscribe?.();
      // Without the field, for example while the checkpoints are loading, the hint of an earlier dialog stays.
      if (this.#field) this.#hint.text = this.#field.value;
      host.context.frames.cancel(this.#render);
    });
    this.#modal.node.setAttribute('aria-labelledby', this.#id);
    this.#unsubscribe = host.controller?.subscribe({ thread: true }, (change) => {
      if (change.type === 'thread' || change.type === 'item')
        host.context.frames.schedule(this.#render);
    });
  }

  /** Loads the checkpoints of the thread from the service. */
  async load(): Promise<void> {
    this.#state = 'loading';
    const { controller } = this.#host;
    if (controller?.backend.capabilities.has('documents')) {
      // The names of the documents are optional, so an error is ignored.
      controller.listDocuments({ page: 1, limit: 100 }).catch(() => undefined);
    }
    if (await this.#attempt(controller?.listCheckpoints())) {
      this.#state = 'ready';
      this.#entry = findEntry(this.#entries(), this.#checkpoint);
    }
    this.#render();
    this.#field?.focus();
  }

  /**
   * Awaits an action. Resolves to false in two cases. When the action has failed, the dialog shows the error at its next rendering; if the dialog
   * was closed during a restore, the element shows the error while the thread is still shown. When the host page has cancelled the action, or
   * it was aborted, the dialog closes.
   */
  async #attempt(action: Promise<unknown> | undefined): Promise<boolean> {
    this.#failure = '';
    this.#render();
    const threadOf = () => this.#host.controller?.thread;
    const thread = threadOf();
    const isDone = await this.#host.attempt(action, ({ code }) => {
      if (this.#state === 'loading' || this.#modal.node.isConnected) this.#failure = code;
      // The dialog was closed, so the same promise is awaited again without a handler, and the element shows the error.
      else if (thread === threadOf()) void this.#host.attempt(action);
    });
    if (!isDone && !this.#failure) this.#modal.close();
    return isDone;
  }

  get #field(): HTMLTextAreaElement | null {
    return this.#modal.node.querySelector('textarea');
  }

  /** The checkpoint that can be restored; undefined while it is loading, and when the service cannot restore it. */
  get #restorable(): CheckpointInfo | undefined {
    const { info } = this.#entry ?? {};
    return this.#state !== 'loading' && info?.restorable ? info : undefined;
  }

  #entries(): readonly CheckpointEntry[] {
    const thread = this.#host.controller?.thread;
    return thread ? readTimeline(thread) : [];
  }

  readonly #render = (): void => {
    const { locale, errorDetails } = this.#host.context;
    const { node } = this.#modal;
    const { name } = this.#checkpoint;
    const label = this.#entry ? labelOfEntry(this.#entry, locale) : name;
    render(
      html`<form novalidate @submit=${this.#handleSubmit} aria-busy=${this.#state !== 'ready'}>
        <div>
          <h2 id=${this.#id}>${locale.text('restoreTitle')}</h2>
          <p class="meta">${renderIcon('flag')} ${renderContentText(label, locale)}</p>
          ${label === name || !errorDetails ? nothing : html`<p class="meta"><code>${renderContentText(name, locale)}</code></p>`}
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
    if (!this.#restorable) return nothing;
    const busy = isRunning(this.#host.controller?.thread);
    return html`<button
      class="primary"
      aria-disabled=${busy || this.#state === 'restoring'}
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
          @keydown=${this.#handleKey}
          @beforeinput=${this.#handleKey}
          @compositionend=${this.#enter.handleCompositionEnd}
        ></textarea>
      </label>`;
  }

  #renderLeftBehind(after: ContentAfter | null): unknown {
    const { locale } = this.#host.context;
    if (!after) return html`<p>${locale.text('restoreUnknown')}</p>`;
    const things = listContentAfter(after, locale);
    if (things.length === 0) return html`<p>${locale.text('restoreNothing')}</p>`;
    return html`<ul>
        ${things.map((thing) => html`<li>${thing}</li>`)}
      </ul>
      <p>${locale.text('restoreKept')}</p>`;
  }

  /** Documents belong to the thread instead of a branch, so all of them stay. */
  #renderDocuments(): unknown {
    const { context, controller } = this.#host;
    const thread = controller?.thread;
    if (!thread) return nothing;
    const linked = [...thread.list('documents')] as unknown as [string, DocumentInfo][];
    const attached = shownBranch(thread, thread.head).flatMap(({ attachments }) => attachments);
    const names = new Map([
      ...attached.map(({ id, name }) => [id, name] as const),
      ...linked.map(([id, { name }]) => [id, name] as const),
    ]);
    if (names.size === 0) return nothing;
    return html`${context.locale.text('restoreKeepsDocuments', { count: names.size })}
    ${renderNames([...names.values()], context.locale)}`;
  }

  #renderFailure(): unknown {
    const { locale } = this.#host.context;
    const busy =
      this.#state === 'ready' && this.#restorable && isRunning(this.#host.controller?.thread);
    const code = this.#failure || (busy ? 'busy' : '');
    if (!code) return nothing;
    return html`<p
      class="error-text"
      id="${this.#id}-why"
      role=${this.#failure ? 'alert' : nothing}
    >
      ${renderIcon('alert')}<span>${explainCode(code, locale)}</span>
    </p>`;
  }

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (!this.#enter.isSendKey(event)) return;
    event.preventDefault();
    this.#modal.node.querySelector('form')?.requestSubmit();
  };

  readonly #handleSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const checkpoint = this.#restorable;
    const busy = this.#state === 'restoring' || isRunning(this.#host.controller?.thread);
    if (!checkpoint || busy) return;
    const hint = this.#field?.value.trim();
    this.#state = 'restoring';
    if (await this.#attempt(restoreCheckpoint(this.#host, checkpoint, hint || null))) {
      // The hint was sent. If the user has closed the dialog meanwhile, that has stored it; else closing stores the text of the reset form.
      this.#hint.text = '';
      this.#modal.node.querySelector('form')?.reset();
      this.#modal.close();
      return;
    }
    this.#state = 'ready';
    this.#render();
  };
}

/**
 * Restores a checkpoint. The host page may change the hint in `ubik-checkpoint-restore`, or cancel: then resolves to false. Rejects when the
 * service does not accept it.
 */
function restoreCheckpoint(
  host: ConnectedHost,
  checkpoint: CheckpointInfo,
  hint: string | null,
): Promise<boolean> {
  const { controller } = host;
  const detail = { ...describeThread(controller), checkpoint: checkpoint.name };
  const event = new UbikCheckpointRestoreEvent(detail, hint);
  return host.performAction(
    [event],
    async () => controller?.restoreCheckpoint(checkpoint, event.hint),
    () => new UbikCheckpointRestoredEvent({ ...detail, hint: event.hint }),
  );
}

/** Renders names as a list; if there are more than `MAX_NAMES`, only the first ones and an ellipsis. */
function renderNames(names: readonly string[], locale: Locale): TemplateResult {
  const shown = names.slice(0, MAX_NAMES);
  const comma = locale.text('comma', { words: '', more: '' });
  return html`${shown.map((name, index) => html`${index > 0 ? comma : ''}${renderContentText(name, locale)}`)}${names.length > MAX_NAMES ? '…' : ''}`;
}

/** Returns the clicked checkpoint, else the restorable one with the same name. */
function findEntry(
  entries: readonly CheckpointEntry[],
  { name, message, part, info }: RestorePoint,
): CheckpointEntry | undefined {
  const named = entries.filter((entry) => entry.info.name === name);
  const isClicked = (entry: CheckpointEntry): boolean =>
    info ? isSame(entry.info, info) : entry.message?.key === message && entry.part === part;
  return named.find(isClicked) ?? named.find((entry) => entry.info.restorable);
}

function isSame(left: CheckpointInfo, right: NonNullable<RestorePoint['info']>): boolean {
  return (
    left.runId === right.runId &&
    left.createdAt === right.createdAt &&
    left.restorable === right.restorable
  );
}
