import { html } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import { UbikMessageFeedbackEvent, UbikMessageFeedbackGivenEvent } from '../../events/index.js';
import type { Key } from '../../model/json.js';
import { langOfContent } from '../../message/content-lang.js';
import { describeMessage } from '../base/controller-events.js';
import type { MessageMenu } from './message-menu.js';

/** What a person thinks of an answer. */
export type Rating = 'up' | 'down';

interface StoredFeedback {
  rating: Rating | null;
  reason: string;
}

/** What was judged in this page, by conversation; a reload forgets it. */
const feedbackByController = new WeakMap<StreamController, Map<Key, StoredFeedback>>();

/** The judgement of one answer: kept in the page, told to the host, which may send it somewhere. */
export class MessageFeedback {
  readonly #menu: MessageMenu;
  readonly #stored: StoredFeedback;
  /** The judgement whose reason is asked for. */
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

  /** What the answer was judged to be. */
  get rating(): Rating | null {
    return this.#stored.rating;
  }

  /** Asks for the reason; chosen again, takes the judgement back. */
  choose(rating: Rating): void {
    if (rating === this.rating) void this.#submit(null, '');
    else this.#menu.openFeedbackForm(rating);
  }

  /** The form for a reason. */
  render(): unknown {
    const { locale } = this.#menu.host.context;
    const { formRating: form } = this;
    const send = (event: Event): void => {
      event.preventDefault();
      void this.#submit(form, this.#stored.reason.trim());
    };
    const type = ({ target }: Event): void => {
      this.#stored.reason = (target as HTMLTextAreaElement).value;
    };
    const leave = (): void => {
      this.#menu.close();
    };
    return html`<form class="feedback" @submit=${send}>
      <strong>${locale.text(form === 'up' ? 'menuGood' : 'menuBad')}</strong>
      <label>
        ${locale.text('menuReason')}
        <textarea
          dir="auto"
          lang=${langOfContent(locale)}
          .value=${this.#stored.reason}
          @input=${type}
        ></textarea>
      </label>
      <div class="buttons">
        <button class="primary">${locale.text('menuSendFeedback')}</button>
        <button class="quiet" type="button" @click=${leave}>${locale.text('cancel')}</button>
      </div>
    </form>`;
  }

  async #submit(rating: Rating | null, reason: string): Promise<void> {
    const { host, message } = this.#menu;
    const detail = { ...describeMessage(host.controller, message.key), rating, reason };
    const given = await host.performAction(
      [new UbikMessageFeedbackEvent(detail)],
      () => Promise.resolve(),
      () => new UbikMessageFeedbackGivenEvent(detail),
    );
    if (!given) return;
    Object.assign(this.#stored, { rating, reason });
    this.#menu.close();
  }
}
