import assert from 'node:assert/strict';
import type { Sent } from './cable.js';
import type { Tab } from './tab.js';
import { findDifference, viewOf, type View } from './view.js';
import type { Deed, World } from './world.js';

/** POSTs that begin or go on with a run. */
const RUN_PATH = /\/(?:messages|edit|regenerate|navigate-to-checkpoint|provide-input)$/u;

/** After this, in ms, late events are put in order. */
const A_MOMENT = 1000;
/** After this a silent stream is left. */
const SILENCE = 50_000;

/** Lets everything come to its end. */
export async function bringToEnd(world: World): Promise<void> {
  const { service, person } = world;
  service.gates.release(person);
  await world.settle();
  for (const tab of world.tabs) {
    if (tab.controller.thread?.run.state !== 'interrupted') continue;
    world.begin(tab, 'rejoin', null, () => tab.controller.rejoin());
    await world.settle();
  }
  await service.documentsRead();
  const wait = world.deleted.size > 0 ? SILENCE : A_MOMENT;
  for (const { environment } of world.tabs) await environment.advance(wait);
  await world.settle();
}

/** Throws when anything is not as it must be once all is quiet. */
export async function checkWorld(world: World): Promise<void> {
  checkOutcomes(world);
  checkPosts(world);
  checkTexts(world);
  for (const tab of world.tabs) checkQuiet(tab);
  const stored = await readStored(world);
  for (const tab of world.tabs) await checkView(world, tab, stored);
  const [tab] = world.tabs;
  for (const [id, view] of tab ? stored : []) {
    if (!tab || id === tab.controller.thread?.id) continue;
    await tab.controller.openThread(id);
    await world.settle();
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
    views.set(id, viewOf(fresh));
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
  const isOn = tab.controller.thread?.run.state === 'waiting';
  const isShared = world.deeds.some((deed) => deed.threadId === id && deed.tab !== tab);
  // What others have made of it, or a run of what came before, is read when the run is over.
  if (isOn && (isShared || tab.wasDetached)) return;
  if (isOn || isShared) {
    await tab.controller.openThread(id);
    await world.settle();
  }
  compare(tab, view, isOn || isShared ? 'after it was read again' : 'as it was left');
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

async function exists(world: World, id: string): Promise<boolean> {
  const { service, token } = world;
  const { status } = await fetch(`${service.baseUrl}/agent-sessions/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return status === 200;
}

/** Every act has its answer, and a refusal that it deserves. */
function checkOutcomes({ deeds }: World): void {
  for (const deed of deeds) {
    const { act, tab, outcome } = deed;
    if (outcome === 'open') assert.ok(tab.isDead, `${act} in ${tab.name} was answered`);
    else if (outcome !== 'done') {
      assert.ok(
        isDeserved(deed, outcome.code, deeds),
        `${act} deserves ${outcome.code}: ${outcome.message}`,
      );
    }
  }
}

function isDeserved(deed: Deed, code: string, deeds: readonly Deed[]): boolean {
  const { act, tab, state, watchers, others, breaks } = deed;
  const isBroken = tab.cable.breaks > breaks;
  const isCrowded = watchers > 1 || others.length > 0;
  const isAtWork = !['idle', 'complete', 'waiting', 'stopped', 'failed', 'interrupted'].includes(
    state,
  );
  switch (code) {
    case 'busy':
      return isAtWork || isCrowded || state === 'waiting' || tab.wasDetached;
    case 'aborted':
      return tab.isGone || tab.wasDetached || deeds.some((other) => other.act === 'delete');
    case 'misuse':
      return act === 'rejoin' || isCrowded;
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
function checkPosts({ deeds, allTabs }: World): void {
  const posts = allTabs.flatMap(({ cable }) =>
    cable.sent
      .filter(({ method, path }) => method === 'POST' && RUN_PATH.test(path))
      .map((sent) => ({ ...sent, isAccepted: isSuccess(cable.statusOf(sent)) })),
  );
  const isUsed = new Set<string>();
  for (const { act, text, outcome } of deeds) {
    if (text === null) continue;
    const sent = posts.filter(
      ({ body }) => body['content'] === text || body['checkpoint_hint'] === text,
    );
    sent.forEach(({ name }) => isUsed.add(name));
    const accepted = sent.filter(({ isAccepted }) => isAccepted);
    assert.ok(accepted.length <= 1, `"${text}" was accepted once at most`);
    assert.ok(sent.length <= (act === 'restore' ? 2 : 1), `"${text}" was sent once at most`);
    if (outcome === 'done' && act !== 'answer-tool') {
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

/** What was refused can be sent again: it is unsent text, or shown as what may not have arrived. */
function checkTexts({ deeds, storage, deleted }: World): void {
  for (const { act, tab, text, outcome, threadId } of deeds) {
    if (act !== 'send' || text === null || typeof outcome !== 'object' || tab.isGone) continue;
    if (outcome.code === 'busy' || deleted.has(threadId)) continue;
    const { controller, standings } = tab;
    const drafts = [...standings.keys()].map((key) => controller.draft(key).text);
    const kept = [...drafts, controller.draft().text, ...storage.values()];
    const shown = viewOf(tab).messages.map(({ parts }) => JSON.stringify(parts));
    assert.ok(
      [...kept, ...shown].some((one) => one.includes(text)),
      `"${text}" is not lost`,
    );
  }
}

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

/** Nothing is open but the streams of those that wait for the person. */
function checkQuiet({ name, standings, cable, environment }: Tab): void {
  const waiting = [...standings.values()].filter(({ state }) => state === 'waiting').length;
  const open = cable.open.map(({ method, path }: Sent) => `${method} ${path}`);
  assert.ok(open.length <= waiting, `${name} has open: ${open.join(', ')}`);
  assert.ok(environment.timers <= open.length, `${name} has ${environment.timers} timers`);
}

function checkClosed({ name, cable, environment, page }: Tab): void {
  assert.deepEqual(cable.open, [], `${name} has given back its streams`);
  assert.equal(environment.timers, 0, `${name} has given back its timers`);
  assert.equal(page.wakers.size + page.hiders.size, 0, `${name} has given back its listeners`);
}
