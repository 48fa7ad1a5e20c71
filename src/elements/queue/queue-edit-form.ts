import { html, nothing, type TemplateResult } from 'lit';
import type { QueuedMessage, StreamController } from '../../controller/controller-types.js';
import { UbikQueueEditedEvent, UbikQueueEditEvent } from '../../events/index.js';
import { EnterKey } from '../../dom/enter-key.js';
import type { Locale, StringName } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import { renderIcon } from '../../message/icons.js';
import { langOfContent } from '../../message/content-lang.js';
import { describeThread } from '../base/controller-events.js';
import type { QueueHost } from './message-queue.js';

/** How much of a message names it, in characters. */
const NAME_LENGTH = 60;

/** Words about a message, which is named by its beginning. */
export function labelFor(locale: Locale, name: StringName, message: string): string {
  const isLong = message.length > NAME_LENGTH;
  return locale.text(name, { text: isLong ? `${message.slice(0, NAME_LENGTH)}…` : message });
}

/** The form in which a message that waits is written anew: one at a time, and it is not sent meanwhile. */
export class QueueEditForm {
  readonly #host: QueueHost;
  readonly #node: HTMLElement;
  readonly #redraw: () => void;
  readonly #enter = new EnterKey();
  /** The message that is written anew. */
  #editedKey: Key | undefined;
  /** It waited before. */
  #wasWaiting = false;
  /** Why what is written cannot be kept; empty when it can. */
  #error = '';

  /** `node` holds the messages that wait; `redraw` draws them again. */
  constructor(host: QueueHost, node: HTMLElement, redraw: () => void) {
    this.#host = host;
    this.#node = node;
    this.#redraw = redraw;
  }

  /** The message that is written anew. */
  get editedKey(): Key | undefined {
    return this.#editedKey;
  }

  /** Those are left: one that is gone is not written any more. */
  closeUnlessIn(shown: readonly Key[]): void {
    if (!shown.some((key) => key === this.#editedKey)) this.#editedKey = undefined;
  }

  /** Begins to write a message anew. */
  open(controller: StreamController, key: Key, { state }: QueuedMessage): void {
    this.#editedKey = key;
    this.#error = '';
    this.#wasWaiting = state === 'waiting';
    // What is being written must not be sent under somebody's hands.
    void this.#host.attempt(controller.pauseQueued(key));
    this.#redraw();
    this.#field?.focus();
  }

  /** The form. */
  render(controller: StreamController, key: Key, message: QueuedMessage): TemplateResult {
    const { locale } = this.#host.context;
    const close = (): void => {
      this.#close(controller, key);
    };
    const save = async (event: Event): Promise<void> => {
      event.preventDefault();
      const text = this.#field?.value ?? '';
      const isDone =
        text.trim() &&
        !this.#showError(text) &&
        (await this.#save(controller, [key, message], text));
      if (isDone) close();
    };
    const handleKey = (event: KeyboardEvent): void => {
      if (this.#enter.isSendKey(event)) void save(event);
      else if (event.key === 'Escape' && !this.#enter.isComposing(event)) {
        event.stopPropagation();
        close();
      }
    };
    return html`<form novalidate @submit=${save}>
      <textarea
        rows="2"
        dir="auto"
        lang=${langOfContent(locale)}
        aria-label=${labelFor(locale, 'queueEdit', message.text)}
        .value=${message.text}
        @input=${this.#handleInput}
        @keydown=${handleKey}
        @compositionend=${this.#enter.handleCompositionEnd}
      ></textarea>
      ${this.#renderFooter(close)}
    </form>`;
  }

  #renderFooter(cancel: () => void): TemplateResult {
    const { locale } = this.#host.context;
    const complaint = html`<p class="complaint" role="alert">
      ${renderIcon('alert')}<span dir="auto">${this.#error}</span>
    </p>`;
    return html`${this.#error ? complaint : nothing}
      <div class="buttons">
        <button class="primary">${locale.text('queueSave')}</button>
        <button class="quiet" type="button" @click=${cancel}>${locale.text('cancel')}</button>
      </div>`;
  }

  /** Whether a text cannot be kept; then the person is told why. */
  #showError(text: string): boolean {
    this.#error = this.#host.context.actions.validateMessage?.(text) ?? '';
    this.#redraw();
    return this.#error !== '';
  }

  readonly #handleInput = ({ currentTarget }: Event): void => {
    if (this.#error) this.#showError((currentTarget as HTMLTextAreaElement).value);
  };

  /** False when the page keeps the form. */
  #save(
    controller: StreamController,
    [key, { text: previous, attachments }]: readonly [Key, QueuedMessage],
    text: string,
  ): Promise<boolean> {
    const draft = { text, attachments };
    const detail = { ...describeThread(controller), ...draft, previous };
    return this.#host.attempt(
      this.#host.performAction(
        [new UbikQueueEditEvent(detail)],
        () => controller.updateQueued(key, draft),
        () => new UbikQueueEditedEvent(detail),
      ),
    );
  }

  #close(controller: StreamController, key: Key): void {
    this.#editedKey = undefined;
    if (this.#wasWaiting) void this.#host.attempt(controller.pauseQueued(key, false));
    this.#redraw();
    const row = [...this.#node.querySelectorAll('li')].find(
      ({ dataset }) => dataset['key'] === key,
    );
    const button = row?.querySelector<HTMLElement>('[data-act="queueEdit"]');
    if (button) button.focus();
    else this.#host.element.focus();
  }

  get #field(): HTMLTextAreaElement | null {
    return this.#node.querySelector('textarea');
  }
}
