import { repeat } from 'lit/directives/repeat.js';
import { css, html, nothing, render, type TemplateResult } from 'lit';
import type { QueuedMessage, StreamController } from '../../controller/controller-types.js';
import {
  draftOf,
  hasAgentRequest,
  isShownRunWaiting,
} from '../../controller/messages/message-queue.js';
import { UbikMessageSendEvent, UbikRunStopEvent } from '../../events/index.js';
import { queueStrings } from '../../locales/en-queue.js';
import { addDefaultStrings, type StringName } from '../../locales/locale.js';
import { langOfContent, renderContentText } from '../../message/content-lang.js';
import { explainFailure } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import type { Key } from '../../model/json.js';
import { describeRun, describeThread } from '../base/controller-events.js';
import { adoptSheets } from '../styles/styles.js';
import type { QueueController, QueueHost } from './queue-controller.js';
import { QueueEditForm, labelFor } from './queue-edit-form.js';

/** Styles of the queue above the field. */
const queueStyles = css`
  .queue {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(0.25 * var(--_ubik-rem));
    padding-block-end: calc(0.25 * var(--_ubik-rem));
    [role='status'] {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      justify-content: space-between;
      gap: calc(0.25 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem));
      padding-inline: calc(0.75 * var(--_ubik-rem));
    }
    ol {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: calc(0.25 * var(--_ubik-rem));
      max-height: 30vh;
      overflow-y: auto;
      overscroll-behavior: contain;
    }
    li {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 0 calc(0.5 * var(--_ubik-rem));
      align-items: center;
      padding-block: calc(0.25 * var(--_ubik-rem));
      padding-inline: calc(0.75 * var(--_ubik-rem)) calc(0.25 * var(--_ubik-rem));
      border: 1px dashed var(--_line);
      border-radius: var(--_control-radius);
      background: var(--_surface);
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      > :is(p, form) {
        grid-column: 1 / -1;
      }
    }
    .queued {
      display: -webkit-box;
      overflow: hidden;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
      white-space: pre-wrap;
    }
    .buttons {
      display: flex;
      gap: calc(0.125 * var(--_ubik-rem));
      li > & .quiet {
        display: grid;
        place-items: center;
        min-width: calc(2 * var(--_ubik-rem));
        padding: 0;
        border-color: transparent;
        color: var(--_muted);
      }
    }
    form {
      display: grid;
      gap: calc(0.375 * var(--_ubik-rem));
    }
    form textarea {
      width: 100%;
      field-sizing: content;
      max-height: calc(6lh + var(--_ubik-rem));
      padding: calc(0.5 * var(--_ubik-rem));
      border: 1px solid var(--_field-line);
      border-radius: var(--_control-radius);
      background: var(--_background);
      resize: none;
      font-size: max(calc(0.875 * var(--_ubik-rem)), 16px);
    }
    .draft-actions {
      display: flex;
      flex-wrap: wrap;
      gap: calc(0.375 * var(--_ubik-rem));
    }
  }
  @media (pointer: coarse) {
    .queue .buttons .quiet {
      min-width: calc(2.75 * var(--_ubik-rem));
    }
  }
`;

addDefaultStrings(queueStrings);

type Entry = readonly [Key, QueuedMessage];

/**
 * The queue: messages that wait for the end of a run and can be edited, removed or sent immediately, and the actions for the text in the
 * field.
 */
export class QueueView {
  readonly #host: QueueHost;
  readonly #queue: QueueController;
  readonly #editForm: QueueEditForm;

  constructor(host: QueueHost, queue: QueueController) {
    this.#host = host;
    this.#queue = queue;
    this.#editForm = new QueueEditForm(host, queue.node, () => {
      this.update();
    });
    adoptSheets(host.element.renderRoot, [queueStyles]);
  }

  /** Renders the current queue. */
  update(): void {
    const { controller } = this.#host;
    const all = [...(controller?.thread?.list('queue') ?? [])] as unknown as Entry[];
    // Messages that are being sent are shown in the transcript.
    const shown = all.filter(([, { state }]) => state !== 'sending');
    // Messages that the user wants to send before the others come first.
    const ordered = [
      ...shown.filter(([, { next }]) => next),
      ...shown.filter(([, { next }]) => !next),
    ];
    this.#editForm.closeUnlessIn(shown.map(([key]) => key));
    if (!controller) {
      render(nothing, this.#queue.node);
      return;
    }
    render(
      html`<div role="status">${this.#renderSummary(controller, ordered)}</div>
        ${
          ordered.length > 0
            ? html`<ol aria-label=${this.#text('queue')}>
                ${repeat(
                  ordered,
                  ([key]) => key,
                  (entry) => this.#renderEntry(controller, entry),
                )}
              </ol>`
            : nothing
        }
        ${this.#renderDraftActions(controller)}`,
      this.#queue.node,
    );
  }

  /** Renders the sentence that says when the messages are sent, and a button that resumes a paused queue. */
  #renderSummary(controller: StreamController, entries: readonly Entry[]): unknown {
    const count = entries.length;
    if (count === 0) return nothing;
    const { locale } = this.#host.context;
    const { editedKey } = this.#editForm;
    const paused = entries.filter(([key, { state }]) => state === 'paused' && key !== editedKey);
    if (paused.length === 0) {
      return html`<p class="meta" dir="auto">${locale.text('queueWaiting', { count })}</p>`;
    }
    const resume = async (): Promise<void> => {
      const events = paused.map(([, message]) => createSendEvent(controller, message));
      this.#host.element.focus();
      await this.#host.attempt(this.#host.performAction(events, () => controller.resumeQueue()));
    };
    const line = html`<p class="meta" dir="auto">
      ${locale.text('queuePaused', { count: paused.length })}
    </p>`;
    // The edited message is paused, too, and would be sent with its old text.
    if (editedKey !== undefined) return line;
    return html`${line}<button class="quiet" type="button" @click=${resume}>
        ${locale.text(this.#queue.isRunning ? 'queueAfter' : 'queueResume')}
      </button>`;
  }

  #renderEntry(controller: StreamController, [key, message]: Entry): TemplateResult {
    const { locale } = this.#host.context;
    const { text, error, serviceError, next, attachments } = message;
    if (key === this.#editForm.editedKey) {
      return html`<li>${this.#editForm.render(controller, key, message)}</li>`;
    }
    return html`<li data-key=${key} data-state=${message.state}>
      <span class="queued" dir="auto" lang=${langOfContent(locale)}>${text}</span>
      <span class="buttons">
        ${this.#renderSendNow(controller, [key, message])}
        ${this.#renderButton('queueEdit', message, renderIcon('pencil'), () => {
          this.#editForm.open(controller, key, message);
        })}
        ${this.#renderButton('queueRemove', message, renderIcon('close'), (event) => {
          void this.#remove(controller, [key, message], event);
        })}
      </span>
      ${
        attachments.length > 0
          ? html`<p class="meta">
              ${renderIcon('attachment')}
              ${attachments.map(({ name }) => html`${renderContentText(name, locale)} `)}
            </p>`
          : nothing
      }
      ${next ? html`<p class="meta" dir="auto">${locale.text('queueNext')}</p>` : nothing}
      ${
        error === null
          ? nothing
          : html`<p class="error-text">
              ${renderIcon('alert')}<span dir="auto"
                >${locale.text('notSent', { reason: explainFailure(error, serviceError, locale) })}</span
              >
            </p>`
      }
    </li>`;
  }

  /** Renders the button that sends a message before the others. */
  #renderSendNow(controller: StreamController, [key, message]: Entry): unknown {
    const { isRunning } = this.#queue;
    const { thread } = controller;
    const mustStop = isRunning || (thread !== null && isShownRunWaiting(thread));
    // The message is already the next one to be sent, or it would have to wait for a run that cannot be stopped.
    if (message.next || (mustStop && !this.#queue.canStop)) return nothing;
    // The service would treat the message as the answer to the open question.
    const isBlocked = thread !== null && hasAgentRequest(thread);
    const send = (): void => {
      if (isBlocked) return;
      const before = [
        createSendEvent(controller, message),
        ...(mustStop ? [new UbikRunStopEvent(describeRun(controller))] : []),
      ];
      void this.#host.attempt(this.#host.performAction(before, () => controller.sendQueued(key)));
      this.#host.element.focus();
    };
    return this.#renderButton(
      isBlocked ? 'queueBlocked' : mustStop ? 'queueStopAndSend' : 'queueSend',
      message,
      renderIcon('send'),
      send,
      isBlocked,
    );
  }

  #renderButton(
    name: 'queueEdit' | 'queueRemove' | 'queueSend' | 'queueStopAndSend' | 'queueBlocked',
    { text }: QueuedMessage,
    icon: unknown,
    handleClick: (event: Event) => void,
    isBlocked = false,
  ): TemplateResult {
    const label = this.#text(name, text);
    return html`<button
      class="quiet"
      type="button"
      data-act=${name}
      title=${label}
      aria-disabled=${isBlocked}
      @click=${handleClick}
    >
      ${icon}
    </button>`;
  }

  /** Renders the actions for the text in the field during a run. */
  #renderDraftActions(controller: StreamController): unknown {
    const { isRunning } = this.#queue;
    if (!isRunning || !controller.getDraft().text.trim()) return nothing;
    const send = (now: boolean): void => {
      void this.#queue.enqueue(controller.getDraft().text, now);
      this.#host.element.focus();
    };
    const actions = [
      ['queueAfter', false],
      ['queueNow', true],
    ] as const;
    return html`<div class="draft-actions">
      ${actions.map(([name, now]) =>
        now && !this.#queue.canStop
          ? nothing
          : html`<button
              class="quiet"
              type="button"
              data-act=${name}
              @click=${() => {
                send(now);
              }}
            >
              ${this.#text(name)}
            </button>`,
      )}
    </div>`;
  }

  #text(name: StringName, message = ''): string {
    return labelFor(this.#host.context.locale, name, message);
  }

  async #remove(
    controller: StreamController,
    [key]: Entry,
    { currentTarget }: Event,
  ): Promise<void> {
    const row = (currentTarget as Element).closest('li');
    const sibling = row?.nextElementSibling ?? row?.previousElementSibling;
    const isRemoved = await this.#host.attempt(
      this.#host.performAction([], () => controller.removeQueued(key)),
    );
    if (!isRemoved) return;
    const button = sibling?.querySelector<HTMLElement>('[data-act="queueRemove"]');
    if (button) button.focus();
    else this.#host.element.focus();
  }
}

function createSendEvent(controller: StreamController, message: QueuedMessage): Event {
  return new UbikMessageSendEvent({ ...describeThread(controller), ...draftOf(message) });
}
