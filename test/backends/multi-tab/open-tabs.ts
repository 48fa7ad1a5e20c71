import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { canonicalize } from '../../../src/model/canonicalize.js';
import { shareService, type Service } from '../../simulation/world/service.js';
import { createUbik, type Tab } from '../../simulation/world/tab.js';
import { viewOf } from '../../simulation/world/view.js';
import { listShown, World } from '../../simulation/world/world.js';

/** A message that makes the agent call a tool. */
export const RIVERS = 'Which are the three longest rivers?';
/** A message without attachments. */
export const draft = (text: string) => ({ text, attachments: [] });

let users = 0;

/** Opens tabs of one user that share their runs, all on one thread. `a`, `b` and `c` are the first three, as far as they were opened. */
async function openTabs(
  service: Service,
  context: TestContext,
  count: number,
  dialect = 'F1,final=empty',
) {
  users += 1;
  const world = new World(service, `person-${String(users)}`, createUbik(dialect), true);
  const first = await world.tab('A');
  await first.controller.send(draft('Hello'));
  await world.settle();
  const threadId = first.controller.thread?.id ?? '';
  const tabs = [first];
  for (const name of [...'BCDEFGH'].slice(0, count - 1)) tabs.push(await world.tab(name));
  await world.settle();
  context.after(() => world.allTabs.forEach((tab) => tab.close()));
  const [a, b, c] = tabs as [Tab, Tab, Tab];
  return { service, world, tabs, threadId, a, b, c };
}

/** Requests that open a stream: POSTs that start a run, and GETs that rejoin one. */
export function listStreams(tabs: readonly Tab[]): string[] {
  return tabs.flatMap(({ network, name }) =>
    network.sent
      .filter(({ method, path }) =>
        method === 'POST'
          ? /\/(?:messages|edit|regenerate|navigate-to-checkpoint)$/u.test(path)
          : path.endsWith('/stream'),
      )
      .map(({ method, path }) => `${name} ${method} ${path.split('/').at(-1) ?? ''}`),
  );
}

/** Asserts that all tabs show the same as a newly opened page. */
export async function assertSame(
  world: World,
  tabs: readonly Tab[],
  threadId: string,
): Promise<void> {
  await world.settle();
  const fresh = world.openFresh();
  await fresh.controller.openThread(threadId);
  await world.settle();
  const stored = viewOf(fresh);
  for (const tab of tabs) assert.deepEqual(viewOf(tab), stored, tab.name);
  world.closeFresh(fresh);
}

/** Starts a run that the server pauses before its tool executes, and waits until all tabs show it up to there. */
export async function begin(
  { world, service }: { world: World; service: Service },
  tab: Tab,
): Promise<void> {
  service.pauses.hold(world.user, 'tool');
  await tab.controller.send(draft(RIVERS));
  await untilShown(world, tab, '"kind":"tool"');
}

/** Starts one service for the tests of a file. Returns functions that open tabs of a new user. */
export function shareTabs() {
  const getService = shareService();
  const setup = (context: TestContext, count: number, dialect?: string) =>
    openTabs(getService(), context, count, dialect);
  /** Opens tabs, the first of which has started a run that the server pauses. */
  const setupRun = async (context: TestContext, count: number) => {
    const fixture = await setup(context, count);
    await begin(fixture, fixture.a);
    return fixture;
  };
  return { setup, setupRun };
}

/** Waits until a tab shows a text. Checks after each write of the paused run. */
export async function untilShown(world: World, tab: Tab, what: string): Promise<void> {
  while (!shownContent(tab).includes(what)) await world.service.activity.next();
  await world.settle();
}

/** The content of a tab, without activity. */
export const shownContent = (tab: Tab) =>
  JSON.stringify(listShown(tab).map((message) => canonicalize(message)));
/** The state of the run in a tab. */
export const state = ({ controller }: Tab) => controller.thread?.run.state;
