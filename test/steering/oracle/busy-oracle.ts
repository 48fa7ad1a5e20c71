import { overlap, type Deed } from '../world/deed.js';
import type { World } from '../world/world.js';

/** What each act asks of the service that a run in its thread stands in the way of. All other acts are never refused as busy. */
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
/** Acts that take something out of the queue, which may be on its way already. */
const QUEUED = ['send-queued', 'edit-queued', 'remove-queued'];
/** Acts at a message that is not stored while a tool asks in it. */
const BESIDE = ['edit', 'regenerate'];

/** Whether an act was refused as busy because something was in its way: the service says so, or this page knew. */
export function isBusyDeserved(world: World, deed: Deed): boolean {
  const { act } = deed;
  if (!(act in PATHS) && !QUEUED.includes(act)) return false;
  return isRefused(deed) || isInTheWay(world, deed);
}

/** The service has answered just this act with 409. */
function isRefused({ act, sent, tab, text }: Deed): boolean {
  const { cable } = tab;
  return cable.sent.slice(sent).some((one) => {
    const isMeant = one.method === 'POST' && PATHS[act]?.test(one.path);
    const said = one.body['content'] ?? one.body['checkpoint_hint'] ?? null;
    const isSame = text === null || said === null || said === text;
    return isMeant && isSame && cable.statusOf(one) === 409;
  });
}

/** A run or another act was under way in the same thread, where this tab knows of it. */
function isInTheWay({ deeds, joined }: World, deed: Deed): boolean {
  const { act, atWork, state, tab, threadId } = deed;
  const reaches = (other: Deed) =>
    other.threadId === threadId && (other.tab === tab || joined !== null);
  if (atWork.has(tab) || (joined && atWork.size > 0)) return true;
  if (state === 'waiting' && [...BESIDE, 'send-queued'].includes(act)) return true;
  return deeds.some((other) => {
    // What waits is sent when its turn comes, by whichever tab takes it first.
    if (other.act.includes('queue') && other.threadId === threadId) return other.began < deed.ended;
    return reaches(other) && other.act in PATHS && overlap(deed, other);
  });
}
