import assert from 'node:assert/strict';
import type { Sent } from '../world/cable.js';
import { checkDeeds } from './deeds-oracle.js';
import type { Tab } from '../world/tab.js';
import { findDifference, viewOf, type View } from '../world/view.js';
import type { Deed } from '../world/deed.js';
import { shownIn, type World } from '../world/world.js';

/** After this, in ms, late events are put in order. */
const A_MOMENT = 1000;
/** Within this a record that was behind is read once more. */
const LONGEST_LOOK = 33_000;
/** After this a silent stream is left. */
const SILENCE = 50_000;

/** Lets everything come to its end. */
export async function bringToEnd(world: World): Promise<void> {
  const { service, person } = world;
  for (const { cable } of world.tabs) cable.arrive();
  service.gates.release(person);
  await world.settle();
  for (const tab of world.tabs) {
    if (tab.controller.thread?.run.state !== 'interrupted') continue;
    world.begin(tab, 'rejoin', null, () => tab.controller.rejoin());
    await world.settle();
  }
  await service.documentsRead();
  // A run that was stopped in silence may have left nothing in the record.
  const isStopped = world.tabs.some((tab) =>
    [...tab.standings.values()].some(({ state }) => state === 'stopped'),
  );
  const isBehind = isStopped || world.deeds.some(({ act }) => act === 'lag');
  const wait = world.deleted.size > 0 ? SILENCE : isBehind ? LONGEST_LOOK : A_MOMENT;
  for (const { environment } of world.tabs) await environment.advance(wait);
  await world.settle();
}

/** Throws when anything is not as it must be once all is quiet. */
export async function checkWorld(world: World): Promise<void> {
  checkDeeds(world);
  for (const tab of world.tabs) checkQuiet(tab, world.joined !== null);
  const stored = await readStored(world);
  for (const tab of world.tabs) await checkView(world, tab, stored);
  const [tab] = world.tabs;
  for (const [id, view] of tab ? stored : []) {
    if (!tab || id === tab.controller.thread?.id) continue;
    await tab.controller.openThread(id);
    await world.settle();
    if (isUnread(world, tab)) continue;
    await readVersions(world, tab);
    compare(tab, view, 'after it was opened');
  }
  const isAsked = world.tabs.some(({ cable }) => cable.open.length > 0);
  for (const each of world.tabs) each.close();
  await world.rest();
  for (const each of world.allTabs) if (!each.isDead) checkClosed(each);
  if (isAsked) return;
  const notes = [...world.storage.keys()].filter((key) => key.includes('|run|'));
  assert.deepEqual(notes, [], 'no note of a run that is over is left');
}

/** What pages show that have just been opened, by thread. */
async function readStored(world: World): Promise<ReadonlyMap<string, View>> {
  const views = new Map<string, View>();
  for (const id of world.threads) {
    if (!(await exists(world, id))) continue;
    const fresh = world.openFresh();
    await fresh.controller.openThread(id);
    await world.settle();
    await readVersions(world, fresh);
    const view = viewOf(fresh);
    await checkStored(world, view);
    views.set(id, view);
    await checkDocuments(world, fresh);
    world.drop(fresh);
  }
  return views;
}

/** The documents of a thread are those that a tab lists. */
async function checkDocuments({ deeds, tabs }: World, fresh: Tab): Promise<void> {
  const id = fresh.controller.thread?.id;
  const tab = tabs.find(({ controller }) => controller.thread?.id === id);
  if (!tab || !deeds.some(({ act }) => ['upload', 'link', 'unlink'].includes(act))) return;
  const page = { page: 1, limit: 100 };
  const stored = await fresh.controller.listDocuments(page);
  assert.deepEqual(await tab.controller.listDocuments(page), stored);
  const listed = [...(tab.controller.thread?.list('documents').values() ?? [])];
  const names = new Set(listed.map((item) => JSON.stringify(item)));
  for (const item of stored.items) assert.ok(names.has(JSON.stringify(item)), 'the list is held');
}

/** What a tab shows equals what a page shows that has just been opened. */
async function checkView(world: World, tab: Tab, stored: ReadonlyMap<string, View>): Promise<void> {
  const id = tab.controller.thread?.id ?? '';
  const view = stored.get(id);
  if (!view) return;
  if (isUnread(world, tab)) return;
  const isOn = tab.controller.thread?.run.state === 'waiting';
  const isShared = isSharedBy(world, tab);
  if (isOn || isShared) {
    await tab.controller.openThread(id);
    await world.settle();
  }
  await readVersions(world, tab);
  compare(tab, view, isOn || isShared ? 'after it was read again' : 'as it was left');
}

/** What others have made of a thread, or a run of what came before, is read when the run is over. */
function isUnread(world: World, tab: Tab): boolean {
  const isOn = tab.controller.thread?.run.state === 'waiting';
  return isOn && (isSharedBy(world, tab) || tab.wasDetached);
}

/** Whether something was done to the thread of a tab from another one, which may send what waits in the queue, too. */
function isSharedBy({ deeds }: World, tab: Tab): boolean {
  const id = tab.controller.thread?.id;
  const isOthers = (deed: Deed) => deed.tab !== tab || deed.act === 'queue';
  return deeds.some((deed) => deed.threadId === id && isOthers(deed));
}

function compare(tab: Tab, stored: View, when: string): void {
  // That a run was left is remembered, whatever became of it.
  const shown = viewOf(tab, tab.wasDetached);
  // Names are read when a run is over.
  const isOn = tab.controller.thread?.run.state === 'waiting';
  const difference = findDifference(isOn ? nameAs(shown, stored) : shown, stored);
  assert.equal(difference, null, `${tab.name} shows, ${when}, ${difference}`);
}

/** A view with the names of another one where it has none yet. */
function nameAs(shown: View, stored: View): View {
  const messages = shown.messages.map((message, at) => {
    const { id = null, versions = [] } = stored.messages[at] ?? {};
    return message.id === null ? { ...message, id, versions } : message;
  });
  return { ...shown, title: stored.title, messages };
}

/** A message as the service gives it. */
interface WireMessage {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  readonly sibling_ids: readonly string[];
}

/** What a page shows is what the service itself says. An answer that is on its way is not stored yet. */
async function checkStored(world: World, { id, messages }: View): Promise<void> {
  const answer = await ask(world, `/agent-sessions/${id}/messages`);
  const { items } = (await answer.json()) as { readonly items: readonly WireMessage[] };
  assert.ok(messages.length - items.length <= 1, 'no more is shown than is stored');
  for (const [at, stored] of items.entries()) {
    const shown = messages[at];
    assert.deepEqual([shown?.id, shown?.role], [stored.id, stored.role]);
    assert.deepEqual(shown?.versions, await listVersions(world, id ?? '', stored));
    const texts = shown?.parts.map((part) => ('text' in part ? part.text : ''));
    if (stored.role === 'user') assert.deepEqual(texts, [stored.content]);
  }
}

/** The ids of a message and its other versions, the oldest first. */
async function listVersions(
  world: World,
  thread: string,
  { id, sibling_ids: others }: WireMessage,
): Promise<string[]> {
  const ids = [...new Set([...others, id])];
  if (ids.length === 1) return ids;
  const answers = await Promise.all(
    ids.map((one) => ask(world, `/agent-sessions/${thread}/messages/${one}`)),
  );
  const bodies: unknown[] = await Promise.all(answers.map((one): Promise<unknown> => one.json()));
  const times = bodies as { readonly id: string; readonly created_at: string }[];
  times.sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
  return times.map((one) => one.id);
}

/** Reads every version of what a tab shows, as its pages do. */
async function readVersions(world: World, tab: Tab): Promise<void> {
  for (const { key, id, siblingIds } of shownIn(tab)) {
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

/** Nothing is open but the streams of those that wait for the person. */
function checkQuiet({ name, standings, cable, environment }: Tab, isShared: boolean): void {
  const waiting = [...standings.values()].filter(({ state }) => state === 'waiting').length;
  const open = cable.open.map(({ method, path }: Sent) => `${method} ${path}`);
  assert.ok(open.length <= waiting, `${name} has open: ${open.join(', ')}`);
  // Who shows what another tab reads looks whether that is still there, and minds the silence as well.
  const most = isShared ? 2 * waiting : open.length;
  assert.ok(environment.timers <= most, `${name} has ${environment.timers} timers`);
}

function checkClosed({ name, cable, environment, page }: Tab): void {
  assert.deepEqual(cable.open, [], `${name} has given back its streams`);
  assert.deepEqual(cable.strays, [], `${name} has posted nothing after it was closed`);
  assert.equal(environment.timers, 0, `${name} has given back its timers`);
  assert.equal(
    page.wakeListeners.size + page.hideListeners.size,
    0,
    `${name} has given back its listeners`,
  );
}
