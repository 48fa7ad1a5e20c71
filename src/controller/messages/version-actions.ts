import type { Draft } from '../../backends/backend.js';
import { isUbikError, UbikError } from '../../errors.js';
import { createFieldChange, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message, MessageSettings } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { planAnswer } from '../run/run-plans.js';
import { startRun, type RunPlan } from '../run/run-session.js';
import { mergeMessage } from '../threads/merge-thread-content.js';
import { assertIdle, requireIdleThread } from '../threads/thread-actions.js';
import { reloadMessages } from '../threads/thread-sync.js';
import { countUserMessages } from './delivery.js';
import { assertNotEmpty } from './message-actions.js';

/** Sends a new version of a user message. If the page is reloaded meanwhile, its text becomes the draft. */
export function edit(context: ControllerContext, key: Key, draft: Draft): Promise<void> {
  assertNotEmpty(draft);
  const { drafts } = context;
  return startVersion(context, key, (thread, message, id) => {
    if (message.role !== 'user') throw new UbikError('misuse', 'Only questions can be edited.');
    const plan = planAnswer(context, thread, versionFields(message, id), draft);
    drafts.storeSending(thread.key, draft, countUserMessages(thread, message.parent));
    return {
      ...plan,
      call: ['edit', id, draft],
      onAccepted: () => {
        drafts.finishSending(thread.key, draft);
        return [];
      },
      // The caller restores the text in its editor.
      onRejected: () => drafts.finishSending(thread.key, draft),
    };
  });
}

/** Requests a new answer; see `StreamController`. */
export function regenerate(
  context: ControllerContext,
  key: Key,
  settings: MessageSettings = {},
): Promise<void> {
  return startVersion(context, key, (thread, message, id) => {
    const fields = message.role === 'user' ? { parent: key } : versionFields(message, id);
    return { ...planAnswer(context, thread, fields), call: ['regenerate', id, settings] };
  });
}

/** Starts a run that adds a version of a message of the current thread. If the message has no id yet, the messages are reloaded first. */
async function startVersion(
  context: ControllerContext,
  key: Key,
  plan: (thread: Thread, message: Message, id: string) => RunPlan,
): Promise<void> {
  const thread = requireIdleThread(context);
  await context.sequencer.scheduleRun(thread, async () => {
    assertIdle(context, thread);
    if (thread.messages.get(key)?.id == null) {
      await reloadMessages(context, thread);
      assertIdle(context, thread);
    }
    const message = thread.messages.get(key);
    // The service stores an answer only after a pending request of a tool was answered.
    const isWaiting = thread.run.state === 'waiting';
    const isUnstored = context.stateOf(thread).unstoredMessages.has(key);
    const code = isWaiting ? 'busy' : isUnstored ? 'not-recorded' : 'not-found';
    if (message?.id == null) throw new UbikError(code);
    await startRun(context, plan(thread, message, message.id));
  });
}

/** Returns the fields of a new version of a message. */
function versionFields({ parent, siblingIds }: Message, id: string): Partial<Message> {
  return { parent, siblingIds: [...new Set([...siblingIds, id])] };
}

/** Loads another version of a message; see `StreamController`. */
export async function loadVersion(context: ControllerContext, key: Key, id: string): Promise<void> {
  const { closing, createKey, currentThread: thread } = context;
  const isLoaded = () =>
    [...(thread?.messages.values() ?? [])].some((message) => message.id === id);
  if (thread?.id == null || !thread.messages.has(key)) throw new UbikError('misuse');
  if (isLoaded()) return;
  const request = context.requireMethod('loadMessage')(thread.id, id, closing.signal);
  const stored = await request.catch((error: unknown) => {
    if (isUbikError(error) && error.code === 'not-found') return null;
    throw error;
  });
  // Another call may have loaded the version, or the message may have been removed.
  const message = thread.messages.get(key);
  if (!message || isLoaded()) return;
  context.commit(
    thread.key,
    stored
      ? mergeMessage(createKey(), undefined, stored, message.parent)
      : removeSiblingId(thread, message, id),
  );
}

/** Returns the changes that remove a version from the sibling ids of all its loaded siblings. */
function removeSiblingId({ messages }: Thread, { parent }: Message, id: string): Change[] {
  return [...messages.values()]
    .filter((sibling) => sibling.parent === parent && sibling.siblingIds.includes(id))
    .map(({ key, siblingIds }) =>
      createFieldChange(
        key,
        null,
        'siblingIds',
        siblingIds.filter((other) => other !== id),
      ),
    );
}
