import type { ThreadContent } from '../../backends/backend.js';
import { ACTIVITY } from '../../model/part.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { listPendingRequests } from '../requests/input-requests.js';
import { toUbikError } from '../run/failure.js';
import type { RunSession } from '../run/run-session.js';
import { adopt, readNewest } from '../threads/thread-sync.js';
import { lookLater } from './read-later.js';

/**
 * What becomes of a run that waits with a question whose time has run out. While its stream is open, that tells; else the stored
 * messages do: it is over, or goes on and is joined.
 */
export async function followExpiry(
  conversation: ControllerContext,
  thread: Thread,
  looks = 0,
): Promise<void> {
  const { backend, closing, runs } = conversation;
  const { id } = thread;
  const session = runs.get(thread.key);
  if (!session || !isLeft(session) || id === null) return;
  const isWanted = () =>
    runs.get(thread.key) === session && !conversation.closed && isLeft(session);
  let isOver = false;
  try {
    await readNewest(conversation, id, {
      load: () => backend.loadThread(id, closing.signal),
      isWanted,
      take: (content) => {
        isOver = (content.messages.at(-1)?.requests.length ?? 0) === 0;
        if (isOver) goOn(conversation, session, content);
      },
    });
    if (isOver || !isWanted()) return;
  } catch (thrown) {
    conversation.diagnose(toUbikError(thrown));
  }
  lookLater(conversation, looks, () => void followExpiry(conversation, thread, looks + 1));
}

/** Whether a run without a stream (one with it is active) waits for an answer that nobody can give any more. */
function isLeft({ isPaused, thread, keys }: RunSession): boolean {
  const asking = thread.messages.get(keys.answer);
  if (!asking || !isPaused) return false;
  const requests = asking.parts.children(ACTIVITY).map((key) => asking.parts.get(key));
  const isExpired = requests.some(
    (part) => part?.kind === 'request-activity' && part.state === 'expired',
  );
  return isExpired && listPendingRequests(asking).length === 0;
}

function goOn(conversation: ControllerContext, session: RunSession, content: ThreadContent): void {
  if (content.unfinishedRun) {
    if (conversation.backend.rejoin) conversation.quietly(() => session.rejoin());
    return;
  }
  adopt(conversation, session.thread, content);
  session.endElsewhere();
  conversation.onRunOver(session);
}
