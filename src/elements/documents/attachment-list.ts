import { html, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { StreamController } from '../../controller/controller-types.js';
import { uploadQueueOf } from '../../controller/documents/upload-queue.js';
import type { Attachment } from '../../model/message.js';
import { renderContentText } from '../../message/content-lang.js';
import { detachDocument, createOutcomeListener } from './document-actions.js';
import { adoptSheets } from '../styles/styles.js';
import type { DocumentHost } from './document-host.js';
import { documentStyles } from './document-styles.js';
import { renderUploadRow } from './task-row.js';

/** The files that go with the next message, above its text. */
export class AttachmentList {
  readonly #node: HTMLElement;
  readonly #host: DocumentHost;
  #controller: StreamController | undefined;
  #cleanups: readonly (() => void)[] = [];

  /** `node` holds them. */
  constructor(node: HTMLElement, host: DocumentHost) {
    this.#node = node;
    this.#host = host;
    adoptSheets(host.element.renderRoot, [documentStyles]);
  }

  /** Whether one of them has not arrived. */
  get isUploading(): boolean {
    return this.#uploads.some(({ state }) => state === 'waiting' || state === 'sending');
  }

  /** Draws them as they are now. */
  update(): void {
    const { controller, context } = this.#host;
    if (!controller) return;
    this.#connect(controller);
    const { text } = context.locale;
    const { attachments } = controller.draft();
    const isEmpty = attachments.length === 0 && this.#uploads.length === 0;
    render(
      isEmpty
        ? ''
        : html`<ul class="chips" aria-label=${text('attachments')}>
            ${repeat(
              attachments,
              ({ id }) => id,
              (one) => this.#renderChip(one, controller),
            )}
            ${repeat(
              this.#uploads,
              ({ key }) => key,
              (task) => renderUploadRow(task, this.#host, controller),
            )}
          </ul>`,
      this.#node,
    );
  }

  /** Nobody looks any more. */
  disconnect(): void {
    for (const undo of this.#cleanups) undo();
    this.#cleanups = [];
    this.#controller = undefined;
  }

  /** A file that has arrived, with the way to leave it out. */
  #renderChip({ id, name }: Attachment, controller: StreamController): TemplateResult {
    const remove = ({ currentTarget }: Event): void => {
      const chip = (currentTarget as Element).closest('li');
      const other = chip?.nextElementSibling ?? chip?.previousElementSibling;
      (other?.querySelector<HTMLElement>('.put-away') ?? this.#host.element).focus();
      detachDocument(controller, id);
    };
    return html`<li class="chip">
      ${renderContentText(name, this.#host.context.locale)}
      <button
        class="put-away"
        type="button"
        aria-label=${this.#host.context.locale.text('documentDetach', { name })}
        @click=${remove}
      >
        ×
      </button>
    </li>`;
  }

  get #uploads() {
    const tasks = this.#controller ? uploadQueueOf(this.#controller).tasks : [];
    return tasks.filter(({ attach }) => attach);
  }

  /** Hears of the files of a conversation, and asks what becomes of them as long as they stand here. */
  #connect(controller: StreamController): void {
    if (controller === this.#controller) return;
    this.disconnect();
    this.#controller = controller;
    const queue = uploadQueueOf(controller);
    this.#cleanups = [
      queue.subscribe(this.#host.requestUpdate),
      queue.watch.look(createOutcomeListener(this.#host)),
    ];
  }
}
