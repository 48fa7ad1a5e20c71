import { html, nothing, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { QueuedMessage, StreamController } from '../../controller/controller-types.js';
import {
  UbikMessageSendEvent,
  UbikQueueRemovedEvent,
  UbikQueueRemoveEvent,
  UbikRunStopEvent,
} from '../../events/index.js';
import type { StringName } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import { explainCode } from '../../message/explain-error.js';
import { renderIcon, renderSymbol } from '../../message/icons.js';
import { pendingRequests } from '../../message/thread-selectors.js';
import { describeRun, describeThread } from '../base/controller-events.js';
import { adoptSheets } from '../styles/styles.js';
import { QueuedEdit, textAbout } from './queued-edit.js';
import { queueStyles } from './queue-styles.js';
import type { QueueHost, WaitingMessages } from './waiting-messages.js';
import { queueStrings } from '../../locales/en-queue.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { renderContentText, langOfContent } from '../../message/content-lang.js';

addDefaultStrings(queueStrings);

type Entry = readonly [Key, QueuedMessage];

/** The messages that wait behind a run, each to be changed, taken out or sent now; and the ways to send what is in the field. */
export class QueueView {
  readonly #host: QueueHost;
  readonly #waiting: WaitingMessages;
  readonly #edit: QueuedEdit;

  constructor(host: QueueHost, waiting: WaitingMessages) {
    this.#host = host;
    this.#waiting = waiting;
    this.#edit = new QueuedEdit(host, waiting.node, () => {
      this.update();
    });
    adoptSheets(host.element.renderRoot, [queueStyles]);
  }

  /** Draws them as they are now. */
  update(): void {
    const { controller } = this.#host;
    if (!controller) return;
    const all = [...(controller.thread?.list('queue') ?? [])] as unknown as Entry[];
    // Those that are on their way stand among the messages.
    const shown = all.filter(([, { state }]) => state !== 'sending');
    const inOrder = [...shown.filter(([, { now }]) => now), ...shown.filter(([, { now }]) => !now)];
    this.#edit.keep(shown.map(([key]) => key));
    render(
      html`<div role="status">${this.#renderState(controller, inOrder)}</div>
        ${
          inOrder.length > 0
            ? html`<ol aria-label=${this.#text('queue')}>
                ${repeat(
                  inOrder,
                  ([key]) => key,
                  (entry) => this.#renderEntry(controller, entry),
                )}
              </ol>`
            : nothing
        }
        ${this.#renderWays(controller)}`,
      this.#waiting.node,
    );
  }

  /** What becomes of them, and the way on when they are held. */
  #renderState(controller: StreamController, entries: readonly Entry[]): unknown {
    const count = entries.length;
    if (count === 0) return nothing;
    const { locale } = this.#host.context;
    const held = entries.filter(
      ([key, { state }]) => state === 'held' && key !== this.#edit.edited,
    );
    if (held.length === 0) {
      return html`<p class="meta" dir="auto">${locale.text('queueWaiting', { count })}</p>`;
    }
    const resume = async (): Promise<void> => {
      const events = held.map(([, message]) => sendEvent(controller, message));
      this.#host.element.focus();
      await this.#host.attempt(this.#host.performAction(events, () => controller.resumeQueue()));
    };
    return html`<p class="meta" dir="auto">${locale.text('queuePaused', { count: held.length })}</p>
      <button class="quiet" type="button" @click=${resume}>
        ${locale.text(this.#waiting.isRunning ? 'queueAfter' : 'queueResume')}
      </button>`;
  }

  #renderEntry(controller: StreamController, [key, message]: Entry): TemplateResult {
    const { locale } = this.#host.context;
    const { text, error, now, attachments } = message;
    if (key === this.#edit.edited) {
      return html`<li>${this.#edit.render(controller, key, message)}</li>`;
    }
    return html`<li data-key=${key} data-state=${message.state}>
      <span class="queued" dir="auto" lang=${langOfContent(locale)}>${text}</span>
      <span class="buttons">
        ${this.#renderNow(controller, [key, message])}
        ${this.#renderButton('queueEdit', message, renderIcon('pencil'), () => {
          this.#edit.open(controller, key, message);
        })}
        ${this.#renderButton('queueRemove', message, renderSymbol('×'), (event) => {
          void this.#remove(controller, [key, message], event);
        })}
      </span>
      ${
        attachments.length > 0
          ? html`<p class="meta">
              ${renderIcon('clip')}
              ${attachments.map(({ name }) => html`${renderContentText(name, locale)} `)}
            </p>`
          : nothing
      }
      ${now ? html`<p class="meta" dir="auto">${locale.text('queueNext')}</p>` : nothing}
      ${
        error === null
          ? nothing
          : html`<p class="complaint">
              ${renderIcon('alert')}<span
                >${locale.text('notSent', { reason: explainCode(error, locale) })}</span
              >
            </p>`
      }
    </li>`;
  }

  /** The way to send one before the others, and now. */
  #renderNow(controller: StreamController, [key, message]: Entry): unknown {
    const { isRunning } = this.#waiting;
    const { thread } = controller;
    const asks = pendingRequests(thread?.messages.get(thread.head ?? '')).some(
      ({ level }) => level === 'agent',
    );
    const stops = isRunning || thread?.run.state === 'waiting';
    if (message.now || (stops && !this.#waiting.canStop)) return nothing;
    // A message would be taken for the answer to the question.
    const blocked = asks && thread?.run.state === 'waiting';
    const send = (): void => {
      if (blocked) return;
      const before = [
        sendEvent(controller, message),
        ...(isRunning ? [new UbikRunStopEvent(describeRun(controller))] : []),
      ];
      void this.#host.attempt(this.#host.performAction(before, () => controller.sendQueued(key)));
      this.#host.element.focus();
    };
    return this.#renderButton(
      blocked ? 'queueBlocked' : isRunning ? 'queueStopAndSend' : 'queueSend',
      message,
      renderIcon('send'),
      send,
      blocked,
    );
  }

  #renderButton(
    name: 'queueEdit' | 'queueRemove' | 'queueSend' | 'queueStopAndSend' | 'queueBlocked',
    { text }: QueuedMessage,
    sign: unknown,
    act: (event: Event) => void,
    blocked = false,
  ): TemplateResult {
    const words = this.#text(name, text);
    return html`<button
      class="quiet"
      type="button"
      data-act=${name}
      title=${words}
      aria-disabled=${blocked}
      @click=${act}
    >
      ${sign}
    </button>`;
  }

  /** What can be done with what is in the field while a run is on. */
  #renderWays(controller: StreamController): unknown {
    const { isRunning } = this.#waiting;
    if (!isRunning || !controller.draft().text.trim()) return nothing;
    const keep = (now: boolean): void => {
      void this.#waiting.keep(controller.draft().text, now);
      this.#host.element.focus();
    };
    const ways = [
      ['queueAfter', false],
      ['queueNow', true],
    ] as const;
    return html`<div class="ways">
      ${ways.map(([name, now]) =>
        now && !this.#waiting.canStop
          ? nothing
          : html`<button
              class="quiet"
              type="button"
              data-act=${name}
              @click=${() => {
                keep(now);
              }}
            >
              ${this.#text(name)}
            </button>`,
      )}
    </div>`;
  }

  #text(name: StringName, of = ''): string {
    return textAbout(this.#host.context.locale, name, of);
  }

  async #remove(
    controller: StreamController,
    [key, message]: Entry,
    { currentTarget }: Event,
  ): Promise<void> {
    const row = (currentTarget as Element).closest('li');
    const other = row?.nextElementSibling ?? row?.previousElementSibling;
    const { text, attachments } = message;
    const detail = { ...describeThread(controller), text, attachments };
    const isDone = await this.#host.attempt(
      this.#host.performAction(
        [new UbikQueueRemoveEvent(detail)],
        () => controller.changeQueued(key, null),
        () => new UbikQueueRemovedEvent(detail),
      ),
    );
    if (!isDone) return;
    const button = other?.querySelector<HTMLElement>('[data-act="queueRemove"]');
    if (button) button.focus();
    else this.#host.element.focus();
  }
}

function sendEvent(controller: StreamController, { text, attachments }: QueuedMessage): Event {
  return new UbikMessageSendEvent({ ...describeThread(controller), text, attachments });
}
