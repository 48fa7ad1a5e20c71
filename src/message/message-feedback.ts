import type { Message } from '../model/message.js';

/** The rating of an answer. */
export type Rating = 'up' | 'down';

/** The user's feedback on an answer. */
export interface Feedback {
  /** Null when the answer is not rated. */
  rating: Rating | null;
  reason: string;
}

/**
 * Feedback that was given on this page, lost on reload. The key is the `parts` of the answer, because they remain the same object when a
 * change replaces the object of the message, and are different objects in each controller.
 */
const feedbackByParts = new WeakMap<Message['parts'], Feedback>();

/** Returns the feedback on an answer, which the caller may change. */
export function feedbackOf({ parts }: Message): Feedback {
  const feedback = feedbackByParts.get(parts) ?? { rating: null, reason: '' };
  feedbackByParts.set(parts, feedback);
  return feedback;
}
