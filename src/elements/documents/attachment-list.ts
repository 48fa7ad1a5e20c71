import { html, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import { repeat } from 'lit/directives/repeat.js';
import type { StreamController } from '../../controller/controller-types.js';
import { uploadQueueOf } from '../../controller/documents/upload-queue.js';
import type { Attachment } from '../../model/message.js';
import { renderContentText } from '../../message/content-lang.js';
import { renderIcon } from '../../message/icons.js';
import { adoptSheets } from '../styles/styles.js';
import { createOutcomeListener, detachDocument, type DocumentHost } from './document-actions.js';
import { renderUploadRow } from './document-rows.js';
import { documentStyles } from './document-styles.js';

/** The files that are attached to the next message, and the uploads that will be attached. */
export class AttachmentList {
  readonly #node: HTMLElement;
  readonly #host: DocumentHost;
  /** Shown while files are dragged over the element. */
  readonly #dropHint = element('p', 'drop-hint');
  #controller: StreamController | undefined;
  /** Whether the list has shown a file. The processing of documents is polled from then on, even after they were sent with a message. */
  #isUsed = false;
  #unsubscribe: (() => void) | undefined;
  #stopWatching: (() => void) | undefined;

  /** `node` is the container of the list, in the field of the composer. */
  constructor(node: HTMLElement, host: DocumentHost) {
    this.#node = node;
    this.#host = host;
    adoptSheets(host.element.renderRoot, [documentStyles]);
    node.after(this.#dropHint);
  }

  /** Renders the attachments of the current draft. */
  update(): void {
    const { controller, context } = this.#host;
    if (!controller) {
      this.disconnect();
      render('', this.#node);
      return;
    }
    this.#connect(controller);
    const { text } = context.locale;
    this.#dropHint.textContent = text('documentsDrop');
    const { attachments } = controller.getDraft();
    const queue = uploadQueueOf(controller);
    const uploads = queue.tasks.filter(({ attach }) => attach);
    const isEmpty = attachments.length === 0 && uploads.length === 0;
    this.#isUsed ||= !isEmpty;
    if (this.#isUsed && this.#controller)
      this.#stopWatching ??= queue.watch.observe(createOutcomeListener(this.#host));
    render(
      isEmpty
        ? ''
        : html`<ul class="chips" aria-label=${text('attachments')}>
            ${repeat(
              attachments,
              ({ id }) => id,
              (attachment) => this.#renderChip(attachment, controller),
            )}
            ${repeat(
              uploads,
              ({ key }) => key,
              (task) => renderUploadRow(task, this.#host, controller),
            )}
          </ul>`,
      this.#node,
    );
  }

  /** Removes the subscriptions; the next `update` adds them again. */
  disconnect(): void {
    this.#unsubscribe?.();
    this.#stopWatching?.();
    this.#stopWatching = this.#controller = undefined;
  }

  /** Renders an uploaded file with its Remove button. */
  #renderChip({ id, name }: Attachment, controller: StreamController): TemplateResult {
    const remove = ({ currentTarget }: Event): void => {
      const chip = (currentTarget as Element).closest('li');
      const sibling = chip?.nextElementSibling ?? chip?.previousElementSibling;
      (sibling?.querySelector<HTMLElement>('.dismiss') ?? this.#host.element).focus();
      detachDocument(controller, id);
    };
    return html`<li class="chip">
      ${renderContentText(name, this.#host.context.locale)}
      <button
        class="dismiss"
        type="button"
        aria-label=${this.#host.context.locale.text('documentDetach', { name })}
        @click=${remove}
      >
        ${renderIcon('close')}
      </button>
    </li>`;
  }

  /** Subscribes to the uploads of a controller while the list is connected. */
  #connect(controller: StreamController): void {
    // An update that was requested before the element was removed must not subscribe again.
    if (controller === this.#controller || !this.#host.element.isConnected) return;
    this.disconnect();
    this.#controller = controller;
    this.#unsubscribe = uploadQueueOf(controller).subscribe(this.#host.requestUpdate);
  }
}
