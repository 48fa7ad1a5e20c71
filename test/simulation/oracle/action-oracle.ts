import assert from 'node:assert/strict';
import type { Tab } from '../world/tab.js';
import { viewOf } from '../world/view.js';
import type { ActionRecord } from '../world/action-record.js';
import type { World } from '../world/world.js';
import { isBusyJustified } from './busy-oracle.js';

/** POST requests that start or continue a run. */
const RUN_PATH = /\/(?:messages|edit|regenerate|navigate-to-checkpoint|provide-input)$/u;

/** Throws when an action has not had exactly its effect. */
export function checkActions(world: World): void {
  checkOutcomes(world);
  checkPosts(world);
  checkTexts(world);
  world.tabs.forEach((tab) => checkShownThread(world, tab));
}

/** Checks that each action has settled, and that each error has a reason. */
function checkOutcomes(world: World): void {
  for (const record of world.actions) {
    const { action, tab, outcome } = record;
    if (outcome === 'open') assert.ok(tab.hasCrashed, `${action} in ${tab.name} has settled`);
    else if (outcome !== 'done') {
      assert.ok(
        isJustified(world, record, outcome.code),
        `${action} may reject with ${outcome.code}: ${outcome.message}`,
      );
    }
  }
}

/** Whether the circumstances of an action justify the code of its error. */
function isJustified(world: World, record: ActionRecord, code: string): boolean {
  const { action, tab, openTabs, pendingActions, failureCount } = record;
  const { actions } = world;
  const isBroken = tab.network.failureCount > failureCount;
  const isCrowded = openTabs > 1 || pendingActions.length > 0;
  switch (code) {
    case 'busy':
      return isBusyJustified(world, record);
    case 'aborted':
      return tab.isClosed || tab.wasDetached || actions.some((other) => other.action === 'delete');
    case 'not-open':
      // A message of another tab closes the request.
      return (
        action.startsWith('answer') &&
        actions.some((other) => other.tab !== tab && other.text !== null)
      );
    case 'misuse':
      return action === 'rejoin' || action.endsWith('-queued') || isCrowded;
    case 'not-recorded':
      return tab.wasDetached || actions.some((other) => other.action === 'lag');
    case 'not-found':
      return tab.wasDetached || actions.some((other) => other.action === 'delete');
    case 'network':
    case 'not-sent':
    case 'interrupted':
      return isBroken || tab.wasDetached;
    default:
      return false;
  }
}

/** Checks that each action has at most one accepted POST, and that no POST was repeated. */
function checkPosts(world: World): void {
  const { actions, allTabs } = world;
  const posts = allTabs.flatMap(({ network }) =>
    network.sent
      .filter(({ method, path }) => method === 'POST' && RUN_PATH.test(path))
      .map((sent) => {
        const status = network.statusOf(sent);
        return { ...sent, network, isAccepted: isSuccess(status), isRefused: status === 409 };
      }),
  );
  const matchedNames = new Set<string>();
  for (const record of actions) {
    const { action, text, outcome } = record;
    if (text === null) continue;
    const sent = posts.filter(
      ({ body }) => body['content'] === text || body['checkpoint_hint'] === text,
    );
    sent.forEach(({ name }) => matchedNames.add(name));
    const accepted = sent.filter(({ isAccepted }) => isAccepted);
    assert.ok(accepted.length <= 1, `"${text}" was accepted once at most`);
    // Each tab may send a queued message, so the rejected attempt of a tab that has not sent it does not count.
    const tries = sent.filter(
      ({ network, isRefused }) =>
        !isRefused || !QUEUE.includes(action) || accepted.every((one) => one.network === network),
    );
    assert.ok(tries.length <= countTries(world, record), `"${text}" was sent once at most`);
    if (outcome === 'done' && QUEUE.includes(action)) {
      if (accepted.length === 0)
        assert.ok(isRetained(world, record), `"${text}" (${action}) waits`);
    } else if (outcome === 'done' && action !== 'answer-tool') {
      assert.equal(accepted.length, 1, `"${text}" (${action}) has arrived`);
    } else if (
      typeof outcome === 'object' &&
      ['busy', 'misuse', 'not-found'].includes(outcome.code)
    ) {
      assert.equal(accepted.length, 0, `"${text}" was refused`);
    }
  }
  for (const [kind, action] of KINDS) {
    const accepted = posts.filter(
      (post) => post.isAccepted && kind.test(post.path) && !matchedNames.has(post.name),
    );
    const causes = actions.filter(
      (record) => record.action === action && (record.text === null || action === 'answer-tool'),
    );
    assert.ok(
      accepted.length <= causes.length,
      `${accepted.length} POSTs for ${causes.length} of ${action}`,
    );
  }
}

/**
 * How often a text may be sent. A restore is repeated with the id of the checkpoint when the service requires it, and the user may send a
 * queued message again after a failure.
 */
function countTries({ actions }: World, { action }: ActionRecord): number {
  if (!QUEUE.includes(action)) return action === 'restore' ? 2 : 1;
  return 1 + actions.filter((other) => other.action === 'send-queued').length;
}

/** Whether a queued message that was not sent is still stored or a draft, unless the user has removed it or its thread was deleted. */
function isRetained(
  { deleted, storage, tabs, withdrawn }: World,
  { text, threadId }: ActionRecord,
): boolean {
  if (text === null || withdrawn.has(text) || deleted.has(threadId)) return true;
  const drafts = tabs.flatMap(({ controller, runStatuses }) =>
    [...runStatuses.keys(), undefined].map((key) => controller.getDraft(key).text),
  );
  return [...drafts, ...storage.values()].some((one) => one.includes(text));
}

/** Checks that the text of a failed `send` is not lost: it is a draft, stored or shown. */
function checkTexts({ actions, storage, deleted }: World): void {
  for (const { action, tab, text, outcome, threadId } of actions) {
    if (action !== 'send' || text === null || typeof outcome !== 'object' || tab.isClosed) continue;
    if (outcome.code === 'busy' || deleted.has(threadId)) continue;
    const { controller, runStatuses } = tab;
    const drafts = [...runStatuses.keys()].map((key) => controller.getDraft(key).text);
    const kept = [...drafts, controller.getDraft().text, ...storage.values()];
    const shown = viewOf(tab).messages.map(({ parts }) => JSON.stringify(parts));
    assert.ok(
      [...kept, ...shown].some((one) => one.includes(text)),
      `"${text}" is not lost`,
    );
  }
}

/** Checks that the tab shows the thread that the user opened last. */
function checkShownThread({ actions }: World, tab: Tab): void {
  const last = actions.findLast((record) => record.tab === tab && MOVES.includes(record.action));
  if (last?.action !== 'open' || last.outcome !== 'done') return;
  if (actions.some(({ action }) => action === 'delete')) return;
  assert.equal(tab.controller.thread?.id, last.threadId, `${tab.name} shows what was opened last`);
}

/** Actions after which a text is queued or sent later. */
const QUEUE = ['queue', 'edit-queued'];

/** Actions that may change the current thread; `start` is the opening of a tab. */
const MOVES = ['open', 'new', 'send', 'queue', 'upload', 'start'];

/** The POST requests of actions without a text, and of answers to tools, whose requests do not contain it as `content`. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\/messages$/u, 'answer'],
  [/\/edit$/u, 'edit'],
  [/\/regenerate$/u, 'regenerate'],
  [/\/navigate-to-checkpoint$/u, 'restore'],
  [/\/provide-input$/u, 'answer-tool'],
];

function isSuccess(status: number | null): boolean {
  return status !== null && status < 300;
}
