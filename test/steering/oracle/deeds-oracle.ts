import assert from 'node:assert/strict';
import type { Tab } from '../world/tab.js';
import { viewOf } from '../world/view.js';
import type { Deed } from '../world/deed.js';
import type { World } from '../world/world.js';
import { isBusyDeserved } from './busy-oracle.js';

/** POSTs that begin or go on with a run. */
const RUN_PATH = /\/(?:messages|edit|regenerate|navigate-to-checkpoint|provide-input)$/u;

/** Throws when an act has not led to what it was for, or to more. */
export function checkDeeds(world: World): void {
  checkOutcomes(world);
  checkPosts(world);
  checkTexts(world);
  world.tabs.forEach((tab) => checkPlace(world, tab));
}

/** Every act has its answer, and a refusal that it deserves. */
function checkOutcomes(world: World): void {
  for (const deed of world.deeds) {
    const { act, tab, outcome } = deed;
    if (outcome === 'open') assert.ok(tab.isDead, `${act} in ${tab.name} was answered`);
    else if (outcome !== 'done') {
      assert.ok(
        isDeserved(world, deed, outcome.code),
        `${act} deserves ${outcome.code}: ${outcome.message}`,
      );
    }
  }
}

function isDeserved(world: World, deed: Deed, code: string): boolean {
  const { act, tab, watchers, others, breaks } = deed;
  const { deeds } = world;
  const isBroken = tab.cable.breaks > breaks;
  const isCrowded = watchers > 1 || others.length > 0;
  switch (code) {
    case 'busy':
      return isBusyDeserved(world, deed);
    case 'aborted':
      return tab.isGone || tab.wasDetached || deeds.some((other) => other.act === 'delete');
    case 'not-open':
      // What another tab has sent closes the question.
      return (
        act.startsWith('answer') && deeds.some((other) => other.tab !== tab && other.text !== null)
      );
    case 'misuse':
      return act === 'rejoin' || act.endsWith('-queued') || isCrowded;
    case 'not-recorded':
      return tab.wasDetached || deeds.some((other) => other.act === 'lag');
    case 'not-found':
      return tab.wasDetached || deeds.some((other) => other.act === 'delete');
    case 'network':
    case 'not-sent':
    case 'interrupted':
      return isBroken || tab.wasDetached;
    default:
      return false;
  }
}

/** One act leads to one accepted POST at most, and no POST is made twice. */
function checkPosts(world: World): void {
  const { deeds, allTabs } = world;
  const posts = allTabs.flatMap(({ cable }) =>
    cable.sent
      .filter(({ method, path }) => method === 'POST' && RUN_PATH.test(path))
      .map((sent) => {
        const status = cable.statusOf(sent);
        return { ...sent, cable, isAccepted: isSuccess(status), isRefused: status === 409 };
      }),
  );
  const isUsed = new Set<string>();
  for (const deed of deeds) {
    const { act, text, outcome } = deed;
    if (text === null) continue;
    const sent = posts.filter(
      ({ body }) => body['content'] === text || body['checkpoint_hint'] === text,
    );
    sent.forEach(({ name }) => isUsed.add(name));
    const accepted = sent.filter(({ isAccepted }) => isAccepted);
    assert.ok(accepted.length <= 1, `"${text}" was accepted once at most`);
    // A message of the queue belongs to all tabs: the refusal that another one met has started nothing.
    const tries = sent.filter(
      ({ cable, isRefused }) =>
        !isRefused || !QUEUE.includes(act) || accepted.every((one) => one.cable === cable),
    );
    assert.ok(tries.length <= countTries(world, deed), `"${text}" was sent once at most`);
    if (outcome === 'done' && QUEUE.includes(act)) {
      if (accepted.length === 0) assert.ok(isKept(world, deed), `"${text}" (${act}) waits`);
    } else if (outcome === 'done' && act !== 'answer-tool') {
      assert.equal(accepted.length, 1, `"${text}" (${act}) has arrived`);
    } else if (
      typeof outcome === 'object' &&
      ['busy', 'misuse', 'not-found'].includes(outcome.code)
    ) {
      assert.equal(accepted.length, 0, `"${text}" was refused`);
    }
  }
  for (const [kind, act] of KINDS) {
    const accepted = posts.filter(
      (post) => post.isAccepted && kind.test(post.path) && !isUsed.has(post.name),
    );
    const asked = deeds.filter(
      (deed) => deed.act === act && (deed.text === null || act === 'answer-tool'),
    );
    assert.ok(
      accepted.length <= asked.length,
      `${accepted.length} POSTs for ${asked.length} of ${act}`,
    );
  }
}

/** How often a text may be sent: a person may ask another tab for what one has not got through. */
function countTries({ deeds }: World, { act }: Deed): number {
  if (!QUEUE.includes(act)) return act === 'restore' ? 2 : 1;
  return 1 + deeds.filter((other) => other.act === 'send-queued').length;
}

/** A message of the queue that was not sent still waits, unless the person has taken it out, or its thread is gone. */
function isKept({ deleted, storage, tabs, withdrawn }: World, { text, threadId }: Deed): boolean {
  if (text === null || withdrawn.has(text) || deleted.has(threadId)) return true;
  const drafts = tabs.flatMap(({ controller, standings }) =>
    [...standings.keys(), undefined].map((key) => controller.getDraft(key).text),
  );
  return [...drafts, ...storage.values()].some((one) => one.includes(text));
}

/** What was refused can be sent again: it is unsent text, or shown as what may not have arrived. */
function checkTexts({ deeds, storage, deleted }: World): void {
  for (const { act, tab, text, outcome, threadId } of deeds) {
    if (act !== 'send' || text === null || typeof outcome !== 'object' || tab.isGone) continue;
    if (outcome.code === 'busy' || deleted.has(threadId)) continue;
    const { controller, standings } = tab;
    const drafts = [...standings.keys()].map((key) => controller.getDraft(key).text);
    const kept = [...drafts, controller.getDraft().text, ...storage.values()];
    const shown = viewOf(tab).messages.map(({ parts }) => JSON.stringify(parts));
    assert.ok(
      [...kept, ...shown].some((one) => one.includes(text)),
      `"${text}" is not lost`,
    );
  }
}

/** The tab is where the person has gone last. */
function checkPlace({ deeds }: World, tab: Tab): void {
  const last = deeds.findLast((deed) => deed.tab === tab && MOVES.includes(deed.act));
  if (last?.act !== 'open' || last.outcome !== 'done') return;
  if (deeds.some(({ act }) => act === 'delete')) return;
  assert.equal(tab.controller.thread?.id, last.threadId, `${tab.name} shows what was opened last`);
}

/** Acts after which a text waits, to be sent when its turn comes. */
const QUEUE = ['queue', 'edit-queued'];

/** What may lead to another thread. */
const MOVES = ['open', 'new', 'send', 'queue', 'upload', 'start'];

/** What kinds of POST each act without a text of its own makes. */
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
