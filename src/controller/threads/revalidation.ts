import type { ThreadContent } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { createFieldChange } from '../../model/change.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { listPendingRequests } from '../requests/input-requests.js';
import { isGone, toUbikError } from '../run/failure.js';
import { readNewest, resume, showsMore, takeRead } from './thread-sync.js';

/** Shortest time between two checks of one thread, in ms. */
const CHECK_INTERVAL = 60_000;

/**
 * Checks once whether the open question of the current thread was answered elsewhere: the stored messages say so, or the stream of
 * the run that asks. A question that is still open stays as it is. Does nothing while a stream of the thread is open, while the page
 * is offline, and within a minute of the last check. A check that fails is a diagnostic and is not repeated.
 */
export async function checkOpenQuestion(conversation: ControllerContext): Promise<void> {
  const {
    backend,
    closing,
    current: thread,
    environment,
    options,
    questionChecks,
    runs,
  } = conversation;
  const asking = thread && findAsking(conversation, thread);
  const id = thread?.id ?? null;
  if (!thread || id === null || !asking || options.page?.online === false) return;
  const now = environment.now();
  // The wall clock also counts the time in which the computer slept; it may be set back.
  if (Math.abs(now - (questionChecks.get(thread.key) ?? -Infinity)) < CHECK_INTERVAL) return;
  questionChecks.set(thread.key, now);
  const session = runs.get(thread.key);
  const isUnchanged = () =>
    conversation.current === thread &&
    runs.get(thread.key) === session &&
    findAsking(conversation, thread) === asking;
  try {
    await readNewest(conversation, id, {
      load: () => backend.loadThread(id, closing.signal),
      isWanted: isUnchanged,
      take: (content) => {
        if (isStillAsked(asking, content)) return;
        if (session && showsMore(thread, content)) {
          session.watch();
          return;
        }
        takeRead(conversation, thread, content);
        resume(conversation, thread, content, null);
      },
    });
  } catch (thrown) {
    const error = toUbikError(thrown);
    if (isUnchanged() && isGone(error)) showGone(conversation, thread, asking);
    else conversation.diagnose(error);
  }
}

/** The message with an open question, when no stream tells what becomes of it. */
function findAsking({ closed, runs }: ControllerContext, thread: Thread): Message | null {
  const session = runs.get(thread.key);
  if (closed || session?.isLive) return null;
  const head = thread.messages.get(thread.head ?? '');
  return head && listPendingRequests(head).length > 0 ? head : null;
}

/** Whether the newest stored message asks exactly what is asked here. */
function isStillAsked(asking: Message, { messages }: ThreadContent): boolean {
  const newest = messages.at(-1);
  if (asking.id !== null && asking.id !== newest?.id) return false;
  const open = new Set(newest?.requests.map(({ key }) => key));
  const shown = listPendingRequests(asking);
  return open.size === shown.length && shown.every(({ key }) => open.has(key));
}

/** The thread was deleted elsewhere: says so, and keeps everything that is shown and everything that was typed. */
function showGone(conversation: ControllerContext, thread: Thread, { key }: Message): void {
  const error = new UbikError('not-found');
  const failure = { code: error.code, message: error.message };
  conversation.commit(thread.key, [
    createFieldChange(key, null, 'status', 'interrupted'),
    createFieldChange(key, null, 'failure', failure),
  ]);
  conversation.runs.get(thread.key)?.loseThread(error);
  conversation.notify({ type: 'error', error });
}
