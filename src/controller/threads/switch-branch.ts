import type { ThreadContent } from '../../backends/backend.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { createDeferred } from '../deferred.js';
import { applyLoaded } from './apply-loaded.js';
import { assertIdle, requireIdleThread } from './thread-actions.js';
import { reloadMessages } from './thread-sync.js';

/** Switches to the branch of another version. Switches of one thread run in sequence, so that the last one takes effect. */
export function switchBranch(context: ControllerContext, messageId: string): Promise<void> {
  const { closing, sequencer } = context;
  const requestSwitch = context.requireMethod('switchBranch');
  const thread = requireIdleThread(context);
  const { promise, resolve, reject } = createDeferred();
  const switchTo = async (): Promise<void> => {
    const content = await requestSwitch(thread.id ?? '', messageId, closing.signal);
    // Meanwhile this page has joined a run of another client; the thread is reloaded after that run.
    if (context.isBusy(thread)) {
      context.stateOf(thread).isStale = true;
      return;
    }
    const isIdle = (): boolean => !context.closed && !context.isBusy(thread);
    const isApplied = await sequencer.runApply(
      thread,
      () => isIdle() && applyLoaded(context, thread, content, isIdle),
    );
    if (isApplied) applyHead(context, thread, content);
    else context.stateOf(thread).isStale = true;
  };
  void sequencer.runSwitch(thread, async () => {
    try {
      assertIdle(context, thread);
    } catch (error) {
      reject(error);
      return;
    }
    await switchTo().then(resolve, (error: unknown) => {
      reject(error);
      // It is unknown whether the service has switched.
      return reloadMessages(context, thread);
    });
  });
  return promise;
}

/** Sets the head to that of the service, even if the stored thread lacks messages that were shown before. */
function applyHead(context: ControllerContext, thread: Thread, { headId }: ThreadContent): void {
  const head = [...thread.messages.values()].find(({ id }) => id !== null && id === headId);
  if (head && head.key !== thread.head) {
    context.commit(thread.key, [{ type: 'thread', set: { head: head.key } }]);
  }
}
