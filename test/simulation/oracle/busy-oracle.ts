import { overlap, type ActionRecord } from '../world/action-record.js';
import type { World } from '../world/world.js';

/** The requests that the service rejects as busy during a run, by action. It rejects no request of another action as busy. */
const PATHS: Readonly<Record<string, RegExp>> = {
  send: /\/messages$/u,
  queue: /\/messages$/u,
  'send-queued': /\/messages$/u,
  'edit-queued': /\/messages$/u,
  answer: /\/messages$/u,
  edit: /\/edit$/u,
  regenerate: /\/regenerate$/u,
  switch: /\/navigate$/u,
  restore: /\/navigate-to-checkpoint$/u,
  'answer-tool': /\/provide-input$/u,
};
/** Actions on a queued message, which are also rejected as busy while a tab is sending that message. */
const QUEUED = ['send-queued', 'edit-queued', 'remove-queued'];
/** Actions that need a stored answer; an answer in which a tool asks is not stored yet. */
const NEEDS_STORED_ANSWER = ['edit', 'regenerate'];

/** Whether an action was rightly rejected as busy: by the service, or because of a run or an action that its tab knew. */
export function isBusyJustified(world: World, record: ActionRecord): boolean {
  const { action } = record;
  if (!(action in PATHS) && !QUEUED.includes(action)) return false;
  return isRefused(record) || isBlocked(world, record);
}

/** Whether the service has responded to this action with 409. */
function isRefused({ action, requestCount, tab, text }: ActionRecord): boolean {
  const { network } = tab;
  return network.sent.slice(requestCount).some((one) => {
    const isOfAction = one.method === 'POST' && PATHS[action]?.test(one.path);
    const sentText = one.body['content'] ?? one.body['checkpoint_hint'] ?? null;
    const hasSameText = text === null || sentText === null || sentText === text;
    return isOfAction && hasSameText && network.statusOf(one) === 409;
  });
}

/** Whether the tab knew a run or another action of the same thread that was active. */
function isBlocked({ actions, tabLinks }: World, record: ActionRecord): boolean {
  const { action, activeTabs, state, tab, threadId } = record;
  /** Whether the other action is one of this thread that the tab knows. */
  const isKnown = (other: ActionRecord) =>
    other.threadId === threadId && (other.tab === tab || tabLinks !== null);
  if (activeTabs.has(tab) || (tabLinks && activeTabs.size > 0)) return true;
  if (state === 'waiting' && [...NEEDS_STORED_ANSWER, 'send-queued'].includes(action)) return true;
  return actions.some((other) => {
    // A queued message is sent by the tab that claims it first.
    if (other.action.includes('queue') && other.threadId === threadId)
      return other.startTurn < record.endTurn;
    return isKnown(other) && other.action in PATHS && overlap(record, other);
  });
}
