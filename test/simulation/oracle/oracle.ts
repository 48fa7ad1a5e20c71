import assert from 'node:assert/strict';
import type { SentRequest } from '../world/tab-network.js';
import { checkActions } from './action-oracle.js';
import type { Tab } from '../world/tab.js';
import { findDifference, viewOf, type View } from '../world/view.js';
import type { ActionRecord } from '../world/action-record.js';
import { listShown, type World } from '../world/world.js';

/** Time within which late events are sorted, in ms. */
const REORDERING_DELAY = 1000;
/** Time within which a tab reloads a stored thread that lags behind, in ms: five of the retries of `load-latest.ts` take 31 s. */
export const LONGEST_LAG = 33_000;
/** Time after which a silent stream is closed, in ms. */
const SILENCE_TIMEOUT = 50_000;

/** Delivers delayed responses, releases held runs, rejoins interrupted ones and waits until all of them have settled. */
export async function bringToEnd(world: World): Promise<void> {
  const { service, user } = world;
  for (const { network } of world.tabs) network.arrive();
  service.pauses.release(user);
  await world.settle();
  for (const tab of world.tabs) {
    if (tab.controller.thread?.run.state !== 'interrupted') continue;
    world.start(tab, 'rejoin', null, () => tab.controller.rejoin());
    await world.settle();
  }
  await service.whenDocumentsIndexed();
  // The stored thread may lag behind for a run that was stopped early. The streams of deleted threads stay silent.
  const isStopped = world.tabs.some((tab) =>
    [...tab.runStatuses.values()].some(({ state }) => state === 'stopped'),
  );
  const isBehind = isStopped || world.actions.some(({ action }) => action === 'lag');
  const wait = world.deleted.size > 0 ? SILENCE_TIMEOUT : isBehind ? LONGEST_LAG : REORDERING_DELAY;
  for (const { environment } of world.tabs) await environment.advance(wait);
  await world.settle();
}

/** Throws when the state is wrong after everything has settled. */
export async function checkWorld(world: World): Promise<void> {
  checkActions(world);
  for (const tab of world.tabs) checkQuiet(tab, world.tabLinks !== null);
  const stored = await readStored(world);
  for (const tab of world.tabs) await checkView(world, tab, stored);
  const [tab] = world.tabs;
  for (const [id, view] of tab ? stored : []) {
    if (!tab || id === tab.controller.thread?.id) continue;
    await tab.controller.openThread(id);
    await world.settle();
    if (isOutdated(world, tab)) continue;
    await loadVersions(world, tab);
    compare(tab, view, 'after it was opened');
  }
  const hasOpenStream = world.tabs.some(({ network }) => network.open.length > 0);
  for (const each of world.tabs) each.close();
  await world.settleClosedTabs();
  for (const each of world.allTabs) if (!each.hasCrashed) checkClosed(each);
  if (hasOpenStream) return;
  const records = [...world.storage.keys()].filter((key) => key.includes('|run|'));
  assert.deepEqual(records, [], 'no record of a run that is over is left');
}

/** What a newly opened page shows of each thread. */
async function readStored(world: World): Promise<ReadonlyMap<string, View>> {
  const views = new Map<string, View>();
  for (const id of world.threads) {
    if (!(await exists(world, id))) continue;
    const fresh = world.openFresh();
    await fresh.controller.openThread(id);
    await world.settle();
    await loadVersions(world, fresh);
    const view = viewOf(fresh);
    await checkStored(world, view);
    views.set(id, view);
    await checkDocuments(world, fresh);
    world.closeFresh(fresh);
  }
  return views;
}

/** Checks that a tab that shows this thread lists the stored documents. */
async function checkDocuments({ actions, tabs }: World, fresh: Tab): Promise<void> {
  const id = fresh.controller.thread?.id;
  const tab = tabs.find(({ controller }) => controller.thread?.id === id);
  if (!tab || !actions.some(({ action }) => ['upload', 'link', 'unlink'].includes(action))) return;
  const page = { page: 1, limit: 100 };
  const stored = await fresh.controller.listDocuments(page);
  assert.deepEqual(await tab.controller.listDocuments(page), stored);
  const listed = [...(tab.controller.thread?.list('documents').values() ?? [])];
  const names = new Set(listed.map((item) => JSON.stringify(item)));
  for (const item of stored.items)
    assert.ok(names.has(JSON.stringify(item)), 'the thread lists it');
}

/** Checks that a tab shows the same as a newly opened page. */
async function checkView(world: World, tab: Tab, stored: ReadonlyMap<string, View>): Promise<void> {
  const id = tab.controller.thread?.id ?? '';
  const view = stored.get(id);
  if (!view) return;
  if (isOutdated(world, tab)) return;
  const isWaiting = tab.controller.thread?.run.state === 'waiting';
  const isShared = isSharedBy(world, tab);
  if (isWaiting || isShared) {
    await tab.controller.openThread(id);
    await world.settle();
  }
  await loadVersions(world, tab);
  compare(
    tab,
    view,
    isWaiting || isShared ? 'after it was opened again' : 'without being opened again',
  );
}

/** Whether changes of other tabs are not loaded yet, because a run is still waiting. */
function isOutdated(world: World, tab: Tab): boolean {
  const isWaiting = tab.controller.thread?.run.state === 'waiting';
  return isWaiting && (isSharedBy(world, tab) || tab.wasDetached);
}

/** Whether another tab may have changed the thread of a tab; a queued message may be sent by any tab. */
function isSharedBy({ actions }: World, tab: Tab): boolean {
  const id = tab.controller.thread?.id;
  const mayBeForeign = (record: ActionRecord) => record.tab !== tab || record.action === 'queue';
  return actions.some((record) => record.threadId === id && mayBeForeign(record));
}

function compare(tab: Tab, stored: View, when: string): void {
  // A detached run stays `interrupted` here, whatever its end.
  const shown = viewOf(tab, tab.wasDetached);
  // Ids are loaded when a run is over.
  const isWaiting = tab.controller.thread?.run.state === 'waiting';
  const difference = findDifference(isWaiting ? adoptIds(shown, stored) : shown, stored);
  assert.equal(difference, null, `${tab.name} shows, ${when}, ${difference}`);
}

/** A view with the title of the stored one, and with its ids and versions where a message has no id yet. */
function adoptIds(shown: View, stored: View): View {
  const messages = shown.messages.map((message, at) => {
    const { id = null, versions = [] } = stored.messages[at] ?? {};
    return message.id === null ? { ...message, id, versions } : message;
  });
  return { ...shown, title: stored.title, messages };
}

/** A message as the service returns it. */
interface WireMessage {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  readonly sibling_ids: readonly string[];
}

/** Checks that a page shows what the service returns. A streaming answer is not stored yet. */
async function checkStored(world: World, { id, messages }: View): Promise<void> {
  const response = await ask(world, `/agent-sessions/${id}/messages`);
  const { items } = (await response.json()) as { readonly items: readonly WireMessage[] };
  assert.ok(
    messages.length - items.length <= 1,
    'at most one message, an answer that is being streamed, is shown and not stored',
  );
  for (const [at, stored] of items.entries()) {
    const shown = messages[at];
    assert.deepEqual([shown?.id, shown?.role], [stored.id, stored.role]);
    assert.deepEqual(shown?.versions, await listVersions(world, id ?? '', stored));
    const texts = shown?.parts.map((part) => ('text' in part ? part.text : ''));
    if (stored.role === 'user') assert.deepEqual(texts, [stored.content]);
  }
}

/** The ids of all versions of a message, the oldest first. */
async function listVersions(
  world: World,
  thread: string,
  { id, sibling_ids: others }: WireMessage,
): Promise<string[]> {
  const ids = [...new Set([...others, id])];
  if (ids.length === 1) return ids;
  const responses = await Promise.all(
    ids.map((one) => ask(world, `/agent-sessions/${thread}/messages/${one}`)),
  );
  const bodies: unknown[] = await Promise.all(responses.map((one): Promise<unknown> => one.json()));
  const times = bodies as { readonly id: string; readonly created_at: string }[];
  times.sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
  return times.map((one) => one.id);
}

/** Loads all versions of the shown messages. */
async function loadVersions(world: World, tab: Tab): Promise<void> {
  for (const { key, id, siblingIds } of listShown(tab)) {
    for (const other of siblingIds) {
      if (id !== null && other !== id) await tab.controller.loadVersion(key, other);
    }
  }
  await world.settle();
}

function ask({ service, token }: World, path: string): Promise<Response> {
  return fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
}

async function exists(world: World, id: string): Promise<boolean> {
  const { status } = await ask(world, `/agent-sessions/${id}`);
  return status === 200;
}

/** Checks that only the streams of waiting runs are open, and that no timer is left but theirs. */
function checkQuiet({ name, runStatuses, network, environment }: Tab, isShared: boolean): void {
  const waiting = [...runStatuses.values()].filter(({ state }) => state === 'waiting').length;
  const open = network.open.map(({ method, path }: SentRequest) => `${method} ${path}`);
  assert.ok(open.length <= waiting, `${name} has open: ${open.join(', ')}`);
  // A follower has a timer for its leader and one for the silence of the stream.
  const most = isShared ? 2 * waiting : open.length;
  assert.ok(environment.timers <= most, `${name} has ${environment.timers} timers`);
}

function checkClosed({ name, network, environment, page }: Tab): void {
  assert.deepEqual(network.open, [], `${name} has closed its streams`);
  assert.deepEqual(
    network.requestsAfterClose,
    [],
    `${name} has posted nothing after it was closed`,
  );
  assert.equal(environment.timers, 0, `${name} has cleared its timers`);
  assert.equal(
    page.wakeListeners.size + page.hideListeners.size,
    0,
    `${name} has removed its listeners`,
  );
}
