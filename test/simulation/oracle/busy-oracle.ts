import { overlap, type ActionRecord } from '../world/action-record.js';
import type { World } from '../world/world.js';

/** The requests that the service rejects as busy during a run, by action. All other actions are never busy. */
const PATHS: Readonly<Record<string, RegExp>> = {
  send: /\/messages$/u,
  queue: /\/messages$/u,
  'send-queued': /\/messages$/u,
  'edit-queued': /\/messages$/u,
  answer: /\/messages$/u,
  edit: /\/edit$/u,
  regenerate: /\/regenerate$/u,
  navigate: /\/navigate$/u,
  restore: /\/navigate-to-checkpoint$/u,
  'answer-tool': /\/provide-input$/u,
};
/** Actions on a queued message that may be being sent already. */
const QUEUED = ['send-queued', 'edit-queued', 'remove-queued'];
/** Actions on a message that is not stored while a tool asks in it. */
const BESIDE = ['edit', 'regenerate'];

/** Whether an action was rejected as busy for a reason: by the service, or by a run or action that the tab knew. */
export function isBusyDeserved(world: World, record: ActionRecord): boolean {
  const { action } = record;
  if (!(action in PATHS) && !QUEUED.includes(action)) return false;
  return isRefused(record) || isInTheWay(world, record);
}

/** Whether the service has responded to this action with 409. */
function isRefused({ action, requestCount, tab, text }: ActionRecord): boolean {
  const { network } = tab;
  return network.sent.slice(requestCount).some((one) => {
    const isMeant = one.method === 'POST' && PATHS[action]?.test(one.path);
    const sentText = one.body['content'] ?? one.body['checkpoint_hint'] ?? null;
    const isSame = text === null || sentText === null || sentText === text;
    return isMeant && isSame && network.statusOf(one) === 409;
  });
}

/** Whether a run or another action of the same thread was active that the tab knew. */
function isInTheWay({ actions, tabLinks }: World, record: ActionRecord): boolean {
  const { action, activeTabs, state, tab, threadId } = record;
  const reaches = (other: ActionRecord) =>
    other.threadId === threadId && (other.tab === tab || tabLinks !== null);
  if (activeTabs.has(tab) || (tabLinks && activeTabs.size > 0)) return true;
  if (state === 'waiting' && [...BESIDE, 'send-queued'].includes(action)) return true;
  return actions.some((other) => {
    // A queued message is sent by the tab that claims it first.
    if (other.action.includes('queue') && other.threadId === threadId)
      return other.startTurn < record.endTurn;
    return reaches(other) && other.action in PATHS && overlap(record, other);
  });
}
