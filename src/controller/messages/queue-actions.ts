import type { Draft } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import type { Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import { checkDraft, planQuestion, send } from './message-actions.js';
import type { QueuedMessage } from '../controller-types.js';
import type { ControllerContext } from '../controller-context.js';
import { countQuestions } from './delivery.js';
import { listPendingRequests } from '../requests/input-requests.js';
import { toUbikError } from '../run/failure.js';
import { startRun, type RunSession } from '../run/run-session.js';
import { draftOf } from './message-queue.js';

/** Puts a message behind the run that is on; see `StreamController`. */
export async function enqueue(
  conversation: ControllerContext,
  draft: Draft,
  now = false,
): Promise<void> {
  const { current, drafts, environment, runs } = conversation;
  checkDraft(draft);
  if (!current || !runs.get(current.key)?.isBusy) return send(conversation, draft);
  const key = environment.uuid();
  // Whoever writes after the wish to stop wants it to be heard next.
  const isNext = now || current.run.state === 'stopping';
  const rest = { state: 'waiting', next: isNext, error: null } as const;
  conversation.queue.set(current, key, { ...draftOf(draft), ...rest });
  drafts.take(current.key, draft);
  if (now) await hasten(conversation, current, key);
}

/** Replaces text and attachments of a queued message. */
export function updateQueued(conversation: ControllerContext, key: Key, draft: Draft): void {
  const { thread, message } = findQueued(conversation, key);
  checkDraft(draft);
  conversation.queue.set(thread, key, { ...message, ...draftOf(draft), error: null });
  advance(conversation, thread);
}

/** Removes a message from the queue. The next one may be sent now. */
export function removeQueued(conversation: ControllerContext, key: Key): void {
  const { thread } = findQueued(conversation, key);
  conversation.queue.set(thread, key, null);
  advance(conversation, thread);
}

/** Keeps a queued message, and those after it, from being sent; or lets it go, unless all are held since a run was cut short. */
export function pauseQueued(conversation: ControllerContext, key: Key, paused = true): void {
  const { thread, message } = findQueued(conversation, key);
  const isCut = ['stopped', 'failed'].includes(thread.run.state);
  const state = paused || isCut ? 'paused' : 'waiting';
  conversation.queue.set(thread, key, { ...message, state });
  advance(conversation, thread);
}

/** Sends a queued message before the others and now; a run that is on is stopped for it. */
export async function sendQueued(conversation: ControllerContext, key: Key): Promise<void> {
  const { thread } = findQueued(conversation, key);
  await hasten(conversation, thread, key);
}

/** Sends what was held, in its order, when its turn comes. */
export function resumeQueue(conversation: ControllerContext): void {
  const { current, queue } = conversation;
  if (!current) return;
  for (const [key, message] of queue.list(current)) {
    if (message.state === 'paused') {
      queue.set(current, key, { ...message, state: 'waiting', error: null });
    }
  }
  advance(conversation, current, true);
}

/** What becomes of the queue of a thread whose run is over, or was `refused`. */
export function followRun(
  conversation: ControllerContext,
  { thread }: RunSession,
  refused = false,
): void {
  const { queue, runs } = conversation;
  const { state } = thread.run;
  // What waits for the person, or can be joined again, is not over.
  if (state === 'waiting' || state === 'interrupted' || runs.get(thread.key)?.isBusy) return;
  const isWanted = !refused && queue.next(thread)?.[1].next === true;
  if ((state !== 'complete' || refused) && !isWanted) queue.hold(thread);
  else advance(conversation, thread);
}

/** Sends the next message when its turn has come. `wanted`: a person asks for it, and does not wait for a run that was given up. */
function advance(conversation: ControllerContext, thread: Thread, wanted = false): void {
  const { queue, options } = conversation;
  if (!isFree(conversation, thread, wanted)) return;
  const entry = queue.next(thread);
  if (entry?.[1].state !== 'waiting') return;
  if (options.page?.online === false) {
    queue.set(thread, entry[0], { ...entry[1], error: 'not-sent' });
    queue.hold(thread);
    return;
  }
  const claimed = queue.claim(thread, entry, wanted);
  conversation.quietly(async () => sendClaimed(conversation, thread, entry[0], await claimed));
}

async function sendClaimed(
  conversation: ControllerContext,
  thread: Thread,
  key: Key,
  message: QueuedMessage | null,
): Promise<void> {
  const { drafts, order, queue } = conversation;
  // It follows what is shown when the person has come to another branch.
  await order.navigated(thread);
  if (conversation.closed) return;
  if (!message) {
    advance(conversation, thread);
    return;
  }
  // Something else was begun meanwhile.
  if (!isFree(conversation, thread, true)) {
    queue.set(thread, key, { ...message, state: 'waiting' });
    return;
  }
  const draft = draftOf(message);
  const asked = countQuestions(thread);
  let isGivenUp = false;
  const plan = planQuestion(conversation, thread, draft, {
    accepted: () => {
      if (isGivenUp) drafts.sent(thread.key, draft);
      else queue.set(thread, key, null);
      conversation.notify({ type: 'queued-sent', thread: thread.key, draft });
    },
    refused: (error) => {
      const held = { ...message, state: 'paused', next: false } as const;
      if (!isGivenUp) return queue.set(thread, key, held);
      drafts.sent(thread.key, draft);
      queue.putFirst(thread, key, { ...held, error: error.code });
    },
  });
  await startRun(conversation, plan).catch((thrown: unknown) => {
    const error = toUbikError(thrown);
    const held = thread.list('queue').get(key) as QueuedMessage | undefined;
    if (held?.state === 'paused') queue.set(thread, key, { ...held, error: error.code });
    // Whether it has arrived may stay unknown for long, and others wait behind it: it is like any other message on its way.
    else if (held && thread.run.state === 'interrupted') {
      isGivenUp = true;
      drafts.keep(thread.key, draft, asked);
      queue.set(thread, key, null);
    }
    conversation.notify({ type: 'error', error });
    throw error;
  });
}

async function hasten(conversation: ControllerContext, thread: Thread, key: Key): Promise<void> {
  const { queue, runs } = conversation;
  const message = thread.list('queue').get(key) as QueuedMessage & object;
  // A message would be taken for the answer.
  if (asksPerson(thread)) throw new UbikError('busy');
  const wish: QueuedMessage = { ...message, state: 'waiting', next: true, error: null };
  queue.set(thread, key, wish);
  const session = runs.get(thread.key);
  if (!session || !(session?.isBusy || thread.run.state === 'waiting')) {
    advance(conversation, thread, true);
    return;
  }
  try {
    await session.stop();
  } catch (error) {
    const isThere = thread.list('queue').has(key);
    if (isThere) queue.set(thread, key, { ...wish, next: false });
    throw error;
  }
}

/** Whether a message can be begun now. */
function isFree(
  { order, runs, closed }: ControllerContext,
  thread: Thread,
  wanted: boolean,
): boolean {
  const { state } = thread.run;
  const isOver = state !== 'waiting' && (wanted || state !== 'interrupted');
  return !closed && isOver && !runs.get(thread.key)?.isBusy && !order.isAwaited(thread);
}

function asksPerson(thread: Thread): boolean {
  const last = thread.messages.get(thread.head ?? '');
  const isOpen = last && thread.run.state === 'waiting';
  return isOpen ? listPendingRequests(last).some(({ level }) => level === 'agent') : false;
}

function findQueued({ current }: ControllerContext, key: Key) {
  const message = current?.list('queue').get(key) as QueuedMessage | undefined;
  if (!current || !message) throw new UbikError('misuse', 'No such message waits here.');
  if (message.state === 'sending') throw new UbikError('busy');
  return { thread: current, message };
}
