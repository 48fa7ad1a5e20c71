import { html } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import { UbikMessageFeedbackEvent, UbikMessageFeedbackGivenEvent } from '../../events/index.js';
import type { Key } from '../../model/json.js';
import { langOfContent } from '../../message/content-lang.js';
import { describeMessage } from '../base/controller-events.js';
import type { MessageMenu } from './message-menu.js';

/** Feedback on an answer. */
export type Rating = 'up' | 'down';

interface StoredFeedback {
  rating: Rating | null;
  reason: string;
}

/** Feedback that was given on this page, by controller. Lost on reload. */
const feedbackByController = new WeakMap<StreamController, Map<Key, StoredFeedback>>();

/** Feedback on one answer. Stored on the page and dispatched as events; it is not sent to the service. */
export class MessageFeedback {
  readonly #menu: MessageMenu;
  readonly #stored: StoredFeedback;
  /** The rating whose reason is being entered; null when the form is closed. */
  formRating: Rating | null = null;

  constructor(menu: MessageMenu) {
    const { host, message } = menu;
    const all =
      (host.controller && feedbackByController.get(host.controller)) ??
      new Map<Key, StoredFeedback>();
    if (host.controller) feedbackByController.set(host.controller, all);
    this.#stored = all.get(message.key) ?? { rating: null, reason: '' };
    all.set(message.key, this.#stored);
    this.#menu = menu;
  }

  /** The current rating. */
  get rating(): Rating | null {
    return this.#stored.rating;
  }

  /** Opens the form for a reason. Choosing the same rating again withdraws it. */
  choose(rating: Rating): void {
    if (rating === this.rating) void this.#submit(null, '');
    else this.#menu.openFeedbackForm(rating);
  }

  /** Renders the form for a reason. */
  render(): unknown {
    const { locale } = this.#menu.host.context;
    const { formRating } = this;
    const handleSubmit = (event: Event): void => {
      event.preventDefault();
      void this.#submit(formRating, this.#stored.reason.trim());
    };
    const handleInput = ({ target }: Event): void => {
      this.#stored.reason = (target as HTMLTextAreaElement).value;
    };
    const handleCancel = (): void => {
      this.#menu.close();
    };
    return html`<form class="feedback" @submit=${handleSubmit}>
      <strong>${locale.text(formRating === 'up' ? 'menuGood' : 'menuBad')}</strong>
      <label>
        ${locale.text('menuReason')}
        <textarea
          dir="auto"
          lang=${langOfContent(locale)}
          .value=${this.#stored.reason}
          @input=${handleInput}
        ></textarea>
      </label>
      <div class="buttons">
        <button class="primary">${locale.text('menuSendFeedback')}</button>
        <button class="quiet" type="button" @click=${handleCancel}>${locale.text('cancel')}</button>
      </div>
    </form>`;
  }

  async #submit(rating: Rating | null, reason: string): Promise<void> {
    const { host, message } = this.#menu;
    const detail = { ...describeMessage(host.controller, message.key), rating, reason };
    const isAccepted = await host.performAction(
      [new UbikMessageFeedbackEvent(detail)],
      () => Promise.resolve(),
      () => new UbikMessageFeedbackGivenEvent(detail),
    );
    if (!isAccepted) return;
    Object.assign(this.#stored, { rating, reason });
    this.#menu.close();
  }
}
