import { html, nothing, type TemplateResult } from 'lit';
import type { QueuedMessage, StreamController } from '../../controller/controller-types.js';
import { draftOf } from '../../controller/messages/message-queue.js';
import { UbikQueueEditEvent } from '../../events/index.js';
import { EnterKey } from '../../dom/enter-key.js';
import { truncate } from '../../dom/truncate.js';
import type { Locale, StringName } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import { renderIcon } from '../../message/icons.js';
import { langOfContent } from '../../message/content-lang.js';
import { describeThread } from '../base/controller-events.js';
import type { QueueHost } from './queue-controller.js';

/** Number of UTF-16 units of a message that are used as its name. */
const NAME_LENGTH = 60;

/** Returns a string that names a message by its beginning. */
export function labelFor(locale: Locale, name: StringName, message: string): string {
  return locale.text(name, { text: truncate(message, NAME_LENGTH) });
}

/** The form that edits a queued message, one at a time. The message is not sent while it is being edited. */
export class QueueEditForm {
  readonly #host: QueueHost;
  readonly #node: HTMLElement;
  readonly #redraw: () => void;
  readonly #enter = new EnterKey();
  /** Key of the message being edited. */
  #editedKey: Key | undefined;
  /** The text of the message when the form was opened. */
  #stored = '';
  /** The text with which the form was opened: that of the message, or an unsaved one. */
  #text = '';
  /**
   * Typed texts that were neither saved nor cancelled, for example because another thread is shown. The form shows them when it is opened again,
   * unless the `stored` text was changed since.
   */
  readonly #unsaved = new Map<Key, { readonly stored: string; readonly typed: string }>();
  /** Resumes the message, so that it is sent after the run; undefined if it was already paused when the form was opened. */
  #resume: (() => Promise<void>) | undefined;
  /** Why the text cannot be saved; empty if it can. */
  #error = '';

  /** `node` contains the queue; `redraw` renders it again. */
  constructor(host: QueueHost, node: HTMLElement, redraw: () => void) {
    this.#host = host;
    this.#node = node;
    this.#redraw = redraw;
  }

  /** Key of the message being edited. */
  get editedKey(): Key | undefined {
    return this.#editedKey;
  }

  /** Closes the form without saving if its message is not one of the shown ones, for example because another thread is shown. */
  closeUnlessIn(shown: readonly Key[]): void {
    if (!shown.includes(this.#editedKey ?? '')) this.#release();
  }

  /** Opens the form for a message, instead of the one for another message. */
  open(controller: StreamController, key: Key, { state, text }: QueuedMessage): void {
    this.#release();
    this.#editedKey = key;
    this.#stored = text;
    const unsaved = this.#unsaved.get(key);
    this.#text = unsaved?.stored === text ? unsaved.typed : text;
    this.#error = '';
    if (state === 'waiting') this.#resume = () => controller.pauseQueued(key, false);
    // A paused message is not sent when the run ends.
    void this.#host.attempt(controller.pauseQueued(key));
    this.#redraw();
    this.#field?.focus();
  }

  /** Renders the form. */
  render(controller: StreamController, key: Key, message: QueuedMessage): TemplateResult {
    const { locale } = this.#host.context;
    const close = (): void => {
      this.#close(key);
    };
    const save = async (event: Event): Promise<void> => {
      event.preventDefault();
      const text = this.#field?.value ?? '';
      const isSaved =
        text.trim() && this.#validate(text) && (await this.#save(controller, [key, message], text));
      if (isSaved) close();
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
        .value=${this.#text}
        @input=${this.#handleInput}
        @keydown=${handleKey}
        @beforeinput=${handleKey}
        @compositionend=${this.#enter.handleCompositionEnd}
      ></textarea>
      ${this.#renderFooter(close)}
    </form>`;
  }

  #renderFooter(cancel: () => void): TemplateResult {
    const { locale } = this.#host.context;
    const error = html`<p class="error-text" role="alert">
      ${renderIcon('alert')}<span dir="auto">${this.#error}</span>
    </p>`;
    return html`${this.#error ? error : nothing}
      <div class="buttons">
        <button class="primary">${locale.text('queueSave')}</button>
        <button class="quiet" type="button" @click=${cancel}>${locale.text('cancel')}</button>
      </div>`;
  }

  /** Validates a text and shows the error. Returns false when there is one. */
  #validate(text: string): boolean {
    this.#error = this.#host.context.actions.validateMessage?.(text) ?? '';
    this.#redraw();
    return this.#error === '';
  }

  readonly #handleInput = ({ currentTarget }: Event): void => {
    const { value } = currentTarget as HTMLTextAreaElement;
    this.#unsaved.set(this.#editedKey ?? '', { stored: this.#stored, typed: value });
    if (this.#error) this.#validate(value);
  };

  /** Saves the text. Resolves to false when the host page has cancelled it, or it has failed. */
  #save(
    controller: StreamController,
    [key, message]: readonly [Key, QueuedMessage],
    text: string,
  ): Promise<boolean> {
    const draft = { ...draftOf(message), text };
    const detail = { ...describeThread(controller), ...draft, previous: message.text };
    return this.#host.attempt(
      this.#host.performAction([new UbikQueueEditEvent(detail)], () =>
        controller.updateQueued(key, draft),
      ),
    );
  }

  /** Ends the editing of a message, and resumes the message if opening the form has paused it. */
  #release(): void {
    const resume = this.#resume;
    this.#editedKey = this.#resume = undefined;
    // Fails when the message was sent or removed meanwhile.
    void this.#host.attempt(resume?.(), () => undefined);
  }

  #close(key: Key): void {
    this.#release();
    this.#unsaved.delete(key);
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
