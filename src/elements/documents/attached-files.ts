import { html, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { StreamController } from '../../controller/controller-types.js';
import { uploadQueueOf } from '../../controller/documents/upload-queue.js';
import type { Attachment } from '../../model/message.js';
import { renderContentText } from '../../message/content-lang.js';
import { detach, tellOutcomes } from './add-files.js';
import { adoptSheets } from '../styles/styles.js';
import type { DocumentHost } from './document-host.js';
import { documentStyles } from './document-styles.js';
import { renderTask } from './task-row.js';

/** The files that go with the next message, above its text. */
export class AttachedFiles {
  readonly #node: HTMLElement;
  readonly #host: DocumentHost;
  #controller: StreamController | undefined;
  #undo: readonly (() => void)[] = [];

  /** `node` holds them. */
  constructor(node: HTMLElement, host: DocumentHost) {
    this.#node = node;
    this.#host = host;
    adoptSheets(host.element.renderRoot, [documentStyles]);
  }

  /** Whether one of them has not arrived. */
  get isComing(): boolean {
    return this.#tasks.some(({ state }) => state === 'waiting' || state === 'sending');
  }

  /** Draws them as they are now. */
  update(): void {
    const { controller, context } = this.#host;
    if (!controller) return;
    this.#follow(controller);
    const { text } = context.locale;
    const { attachments } = controller.draft();
    const isEmpty = attachments.length === 0 && this.#tasks.length === 0;
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
              this.#tasks,
              ({ key }) => key,
              (task) => renderTask(task, this.#host, controller),
            )}
          </ul>`,
      this.#node,
    );
  }

  /** Nobody looks any more. */
  stop(): void {
    for (const undo of this.#undo) undo();
    this.#undo = [];
    this.#controller = undefined;
  }

  /** A file that has arrived, with the way to leave it out. */
  #renderChip({ id, name }: Attachment, controller: StreamController): TemplateResult {
    const remove = ({ currentTarget }: Event): void => {
      const chip = (currentTarget as Element).closest('li');
      const other = chip?.nextElementSibling ?? chip?.previousElementSibling;
      (other?.querySelector<HTMLElement>('.put-away') ?? this.#host.element).focus();
      detach(controller, id);
    };
    return html`<li class="chip">
      ${renderContentText(name, this.#host.context.locale)}
      <button
        class="put-away"
        type="button"
        aria-label=${this.#host.context.locale.text('detach', { name })}
        @click=${remove}
      >
        ×
      </button>
    </li>`;
  }

  get #tasks() {
    const tasks = this.#controller ? uploadQueueOf(this.#controller).tasks : [];
    return tasks.filter(({ attach }) => attach);
  }

  /** Hears of the files of a conversation, and asks what becomes of them as long as they stand here. */
  #follow(controller: StreamController): void {
    if (controller === this.#controller) return;
    this.stop();
    this.#controller = controller;
    const queue = uploadQueueOf(controller);
    this.#undo = [
      queue.subscribe(this.#host.requestUpdate),
      queue.watch.look(tellOutcomes(this.#host)),
    ];
  }
}
