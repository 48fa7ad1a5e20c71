import { html, nothing, type TemplateResult } from 'lit';
import type { QueuedMessage, StreamController } from '../../controller/controller-types.js';
import { UbikQueueEditedEvent, UbikQueueEditEvent } from '../../events/index.js';
import { EnterKey } from '../../dom/enter-key.js';
import type { Locale, StringName } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import { renderIcon } from '../../message/icons.js';
import { langOfContent } from '../../message/content-lang.js';
import { describeThread } from '../base/controller-events.js';
import type { QueueHost } from './waiting-messages.js';

/** How much of a message names it, in characters. */
const NAME_LENGTH = 60;

/** Words about a message, which is named by its beginning. */
export function textAbout(locale: Locale, name: StringName, message: string): string {
  const isLong = message.length > NAME_LENGTH;
  return locale.text(name, { text: isLong ? `${message.slice(0, NAME_LENGTH)}…` : message });
}

/** The form in which a message that waits is written anew: one at a time, and it is not sent meanwhile. */
export class QueuedEdit {
  readonly #host: QueueHost;
  readonly #node: HTMLElement;
  readonly #redraw: () => void;
  readonly #enter = new EnterKey();
  /** The message that is written anew. */
  #edited: Key | undefined;
  /** It waited before. */
  #waited = false;
  /** Why what is written cannot be kept; empty when it can. */
  #complaint = '';

  /** `node` holds the messages that wait; `redraw` draws them again. */
  constructor(host: QueueHost, node: HTMLElement, redraw: () => void) {
    this.#host = host;
    this.#node = node;
    this.#redraw = redraw;
  }

  /** The message that is written anew. */
  get edited(): Key | undefined {
    return this.#edited;
  }

  /** Those are left: one that is gone is not written any more. */
  keep(shown: readonly Key[]): void {
    if (!shown.some((key) => key === this.#edited)) this.#edited = undefined;
  }

  /** Begins to write a message anew. */
  open(controller: StreamController, key: Key, { state }: QueuedMessage): void {
    this.#edited = key;
    this.#complaint = '';
    this.#waited = state === 'waiting';
    // What is being written must not be sent under somebody's hands.
    void this.#host.attempt(controller.holdQueued(key));
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
        text.trim() && !this.#refuse(text) && (await this.#save(controller, [key, message], text));
      if (isDone) close();
    };
    const handleKey = (event: KeyboardEvent): void => {
      if (this.#enter.sends(event)) void save(event);
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
        aria-label=${textAbout(locale, 'queueEdit', message.text)}
        .value=${message.text}
        @input=${this.#handleInput}
        @keydown=${handleKey}
        @compositionend=${this.#enter.composed}
      ></textarea>
      ${this.#renderFooter(close)}
    </form>`;
  }

  #renderFooter(cancel: () => void): TemplateResult {
    const { locale } = this.#host.context;
    const complaint = html`<p class="complaint" role="alert">
      ${renderIcon('alert')}<span dir="auto">${this.#complaint}</span>
    </p>`;
    return html`${this.#complaint ? complaint : nothing}
      <div class="buttons">
        <button class="primary">${locale.text('queueSave')}</button>
        <button class="quiet" type="button" @click=${cancel}>${locale.text('cancel')}</button>
      </div>`;
  }

  /** Whether a text cannot be kept; then the person is told why. */
  #refuse(text: string): boolean {
    this.#complaint = this.#host.context.actions.validateMessage?.(text) ?? '';
    this.#redraw();
    return this.#complaint !== '';
  }

  readonly #handleInput = ({ currentTarget }: Event): void => {
    if (this.#complaint) this.#refuse((currentTarget as HTMLTextAreaElement).value);
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
        () => controller.changeQueued(key, draft),
        () => new UbikQueueEditedEvent(detail),
      ),
    );
  }

  #close(controller: StreamController, key: Key): void {
    this.#edited = undefined;
    if (this.#waited) void this.#host.attempt(controller.holdQueued(key, false));
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
