import type { Draft } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { createFieldChange } from '../../model/change.js';
import { listPendingRequests } from '../../model/pending-requests.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { answerRequest, closeRequests } from '../requests/input-requests.js';
import { planAnswer } from '../run/run-plans.js';
import { startRun, type RunPlan } from '../run/run-session.js';
import { assertIdle, ensureThread } from '../threads/thread-actions.js';
import { countUserMessages } from './delivery.js';

/** Sends a message; see `StreamController`. */
export function send(context: ControllerContext, draft: Draft): Promise<void> {
  const { currentThread, drafts, options } = context;
  assertNotEmpty(draft);
  if (currentThread) assertIdle(context, currentThread);
  if (options.page?.online === false) {
    const key = currentThread?.key ?? null;
    const stored = drafts.get(key);
    const { text } = stored;
    const added = draft.attachments.map(({ id }) => id);
    const kept = stored.attachments.filter(({ id }) => !added.includes(id));
    drafts.set(key, {
      ...stored,
      ...draft,
      // A draft that begins with the text contains it already: an earlier call has put it there, or the user has typed on.
      text: text.startsWith(draft.text) ? text : draft.text + (text && `\n\n${text}`),
      attachments: [...draft.attachments, ...kept],
    });
    throw new UbikError('not-sent', { cause: new UbikError('network') });
  }
  const { thread, ready } = ensureThread(context);
  const { key } = thread;
  drafts.startSending(key, draft, countUserMessages(thread));
  // If the thread could not be created, or was deleted, the text becomes the draft of the thread to be created.
  const restoreDraft = (error?: UbikError) => {
    const exists = context.isCreated(thread) && context.store.threads.has(key);
    // `busy`: browsers repeat a request whose connection breaks, so the service may be busy with the first copy of this message. `not-sent`:
    // the service has not listed the message, but may store it late.
    const mayBeDelivered = error?.code === 'busy' || error?.code === 'not-sent';
    drafts.restoreSending(exists ? key : null, draft, mayBeDelivered);
  };
  return context.sequencer.scheduleRun(thread, () => {
    try {
      assertIdle(context, thread);
    } catch (error) {
      restoreDraft();
      throw error;
    }
    const plan = planUserMessage(context, thread, draft, {
      onAccepted: () => drafts.finishSending(key, draft),
      onRejected: restoreDraft,
    });
    return startRun(context, plan, ready);
  });
}

/**
 * Plans the run of a user message at the end of a thread. If requests of the agent are pending, the message answers the oldest one, and all
 * others are closed.
 */
export function planUserMessage(
  context: ControllerContext,
  thread: Thread,
  draft: Draft,
  callbacks: { onAccepted(): void; onRejected(error: UbikError): void },
): RunPlan {
  const { head: parent } = thread;
  const last = thread.messages.get(parent ?? '');
  const requests = listPendingRequests(last).filter(({ level }) => level === 'agent');
  return {
    ...planAnswer(context, thread, { parent }, draft),
    call: ['send', draft],
    answersRequest: requests.length > 0,
    onRejected: (error) => {
      callbacks.onRejected(error);
    },
    onAccepted: () => {
      callbacks.onAccepted();
      const [oldest] = requests;
      if (!last || !oldest) return [];
      return [
        ...closeRequests(last),
        ...answerRequest(last, oldest.key, { type: 'text', text: draft.text }),
        createFieldChange(last.key, null, 'status', 'complete'),
      ];
    },
  };
}

/** Throws `misuse` when a message has neither text nor attachments. */
export function assertNotEmpty({ text, attachments }: Draft): void {
  if (text.trim() !== '' || attachments.length > 0) return;
  throw new UbikError('misuse', 'There is nothing to send.');
}
