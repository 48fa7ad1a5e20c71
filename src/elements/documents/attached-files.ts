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
  #conversation: StreamController | undefined;
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
    const { conversation, context } = this.#host;
    if (!conversation) return;
    this.#follow(conversation);
    const { text } = context.locale;
    const { attachments } = conversation.draft();
    const isEmpty = attachments.length === 0 && this.#tasks.length === 0;
    render(
      isEmpty
        ? ''
        : html`<ul class="chips" aria-label=${text('attachments')}>
            ${repeat(
              attachments,
              ({ id }) => id,
              (one) => this.#renderChip(one, conversation),
            )}
            ${repeat(
              this.#tasks,
              ({ key }) => key,
              (task) => renderTask(task, this.#host, conversation),
            )}
          </ul>`,
      this.#node,
    );
  }

  /** Nobody looks any more. */
  stop(): void {
    for (const undo of this.#undo) undo();
    this.#undo = [];
    this.#conversation = undefined;
  }

  /** A file that has arrived, with the way to leave it out. */
  #renderChip({ id, name }: Attachment, conversation: StreamController): TemplateResult {
    const remove = ({ currentTarget }: Event): void => {
      const chip = (currentTarget as Element).closest('li');
      const other = chip?.nextElementSibling ?? chip?.previousElementSibling;
      (other?.querySelector<HTMLElement>('.put-away') ?? this.#host.element).focus();
      detach(conversation, id);
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
    const tasks = this.#conversation ? uploadQueueOf(this.#conversation).tasks : [];
    return tasks.filter(({ attach }) => attach);
  }

  /** Hears of the files of a conversation, and asks what becomes of them as long as they stand here. */
  #follow(conversation: StreamController): void {
    if (conversation === this.#conversation) return;
    this.stop();
    this.#conversation = conversation;
    const queue = uploadQueueOf(conversation);
    this.#undo = [queue.subscribe(this.#host.refresh), queue.watch.look(tellOutcomes(this.#host))];
  }
}
