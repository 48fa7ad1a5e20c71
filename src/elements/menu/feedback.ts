import { html } from 'lit';
import { UbikMessageFeedbackEvent, UbikMessageFeedbackGivenEvent } from '../../events/index.js';
import { langOfContent } from '../../message/content-lang.js';
import { feedbackOf, type Feedback, type Rating } from '../../message/message-feedback.js';
import type { Message } from '../../model/message.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { describeMessage } from '../base/controller-events.js';

/**
 * Stores feedback on an answer in the memory of the page and dispatches its events. The feedback is not sent to the service. Resolves to
 * false when the host page cancels it.
 */
export async function giveFeedback(
  host: ConnectedHost,
  message: Message,
  feedback: Feedback,
): Promise<boolean> {
  const detail = { ...describeMessage(host.controller, message.key), ...feedback };
  const isAccepted = await host.performAction(
    [new UbikMessageFeedbackEvent(detail)],
    () => Promise.resolve(),
    () => new UbikMessageFeedbackGivenEvent(detail),
  );
  if (isAccepted) Object.assign(feedbackOf(message), feedback);
  return isAccepted;
}

/** Options of the form for feedback. */
interface FeedbackFormOptions {
  readonly host: ConnectedHost;
  readonly message: Message;
  readonly rating: Rating;
  /** Called after the feedback was given. */
  readonly onGiven: () => void;
  readonly onCancel: () => void;
}

/** Renders the form that asks for the reason of a rating. What was typed is kept when the form is closed. */
export function renderFeedbackForm(options: FeedbackFormOptions): unknown {
  const { host, message, rating, onGiven, onCancel } = options;
  const { locale } = host.context;
  const feedback = feedbackOf(message);
  const submit = async (): Promise<void> => {
    const reason = feedback.reason.trim();
    if (await giveFeedback(host, message, { rating, reason })) onGiven();
  };
  return html`<form
    class="feedback"
    @submit=${(event: Event) => {
      event.preventDefault();
      void submit();
    }}
  >
    <strong>${locale.text(rating === 'up' ? 'goodAnswer' : 'badAnswer')}</strong>
    <label>
      ${locale.text('menuReason')}
      <textarea
        dir="auto"
        lang=${langOfContent(locale)}
        .value=${feedback.reason}
        @input=${({ target }: Event) => {
          feedback.reason = (target as HTMLTextAreaElement).value;
        }}
      ></textarea>
    </label>
    <div class="buttons">
      <button class="primary">${locale.text('menuSendFeedback')}</button>
      <button class="quiet" type="button" @click=${onCancel}>${locale.text('cancel')}</button>
    </div>
  </form>`;
}
