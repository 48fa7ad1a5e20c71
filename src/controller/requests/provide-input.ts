import type { InputAnswer } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { createFieldChange } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { isPending, listPendingRequests } from '../../model/pending-requests.js';
import { pathTo, type Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { planAnswer, planContinuation } from '../run/run-plans.js';
import { startRun } from '../run/run-session.js';
import { answerRequest } from './input-requests.js';

/**
 * Answers a request; see `StreamController`. After a request of a tool the run continues in the same message, after one of the agent in
 * a new message.
 */
export function provideInput(
  context: ControllerContext,
  message: Key,
  request: Key,
  answer: InputAnswer,
): Promise<void> {
  // Another thread may be shown by now.
  const thread =
    [...context.store.threads.values()].find(({ messages }) => messages.has(message)) ??
    context.requireCurrentThread();
  return context.sequencer.scheduleRun(thread, () =>
    sendAnswer(context, thread, { key: message, request, answer }),
  );
}

function sendAnswer(
  context: ControllerContext,
  thread: Thread,
  { key, request, answer }: { key: Key; request: Key; answer: InputAnswer },
): Promise<void> {
  if (context.closed) throw new UbikError('aborted');
  if (!context.store.threads.has(thread.key)) throw new UbikError('not-found');
  const message = thread.messages.get(key);
  const part = message?.parts.get(request);
  if (!message || part?.kind !== 'request-activity' || part.state === 'answered')
    throw new UbikError('misuse', 'This request is not pending.', { offender: request });
  // It has expired or was closed, perhaps while this answer waited for another action in the thread.
  if (!isPending(part)) throw new UbikError('not-open');
  const runSession = context.runOf(thread);
  // A run that is being requested must not be superseded by another one.
  if (runSession?.isLive && !runSession.isConfirmed && runSession.plan.call)
    throw new UbikError('busy');
  const isTool = part.level === 'tool';
  // If another branch is shown by now, the answer would be sent as the next message of that branch.
  if (!isTool && !pathTo(thread).includes(message)) throw new UbikError('not-open');
  const plan = isTool
    ? planContinuation(thread, message)
    : planAnswer(context, thread, { parent: key }, null, context.createKey());
  return startRun(context, {
    ...plan,
    call: ['provideInput', { ...part, message: key }, answer],
    onAccepted: () => {
      const waitingMessage = thread.messages.get(key);
      if (!waitingMessage) return [];
      const isLast = !isTool && listPendingRequests(waitingMessage).length === 1;
      const changes = answerRequest(waitingMessage, request, answer);
      return isLast ? [...changes, createFieldChange(key, null, 'status', 'complete')] : changes;
    },
    onRejected: ({ code }) => {
      if (code === 'not-open')
        context.commit(thread.key, [createFieldChange(key, request, 'state', 'closed')]);
    },
  });
}
