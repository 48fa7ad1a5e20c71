import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { settle } from '../../../src/model/settle.js';
import { startService, type Service } from '../../steering/service.js';
import type { Tab } from '../../steering/tab.js';
import { viewOf } from '../../steering/view.js';
import { shownIn, World } from '../../steering/world.js';

const RIVERS = 'Which are the three longest rivers?';
const draft = (text: string) => ({ text, attachments: [] });

/** One person with tabs that share their runs, on one thread. */
async function setup(context: TestContext, count: number, dialect = 'F1,final=empty') {
  const service = await startService(context);
  const world = new World(service, 'person', dialect, true);
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

/** Requests for streams of runs: POSTs that start one, and GETs that join one. */
function streams(tabs: readonly Tab[]): string[] {
  return tabs.flatMap(({ cable, name }) =>
    cable.sent
      .filter(({ method, path }) =>
        method === 'POST'
          ? /\/(?:messages|edit|regenerate|navigate-to-checkpoint)$/u.test(path)
          : path.endsWith('/stream'),
      )
      .map(({ method, path }) => `${name} ${method} ${path.split('/').at(-1) ?? ''}`),
  );
}

/** All tabs show the same, and that is what a page shows that has just been opened. */
async function assertSame(world: World, tabs: readonly Tab[], threadId: string): Promise<void> {
  await world.settle();
  const fresh = world.openFresh();
  await fresh.controller.openThread(threadId);
  await world.settle();
  const stored = viewOf(fresh);
  for (const tab of tabs) assert.deepEqual(viewOf(tab), stored, tab.name);
  world.drop(fresh);
}

/** Begins a run that is held before its tool works, and lets all tabs show it so far. */
async function begin(
  { world, service }: { world: World; service: Service },
  tab: Tab,
): Promise<void> {
  service.gates.hold(world.person, 'tool');
  await tab.controller.send(draft(RIVERS));
  await shows(world, tab, '"kind":"tool"');
}

/** Waits until a tab shows something; the server tells what a held run has written before. */
async function shows(world: World, tab: Tab, what: string): Promise<void> {
  while (!live(tab).includes(what)) await world.service.bell.next();
  await world.settle();
}

const live = (tab: Tab) => JSON.stringify(shownIn(tab).map((message) => settle(message)));
const state = ({ controller }: Tab) => controller.thread?.run.state;

test('three tabs show one run with one request for it, while it is on and at its end', async (context) => {
  const stage = await setup(context, 3);
  const { world, tabs, threadId, a, b, c } = stage;
  const before = streams(tabs).length;
  await begin(stage, a);
  assert.deepEqual(tabs.map(state), ['streaming', 'streaming', 'streaming']);
  assert.equal(live(b), live(a));
  assert.equal(live(c), live(a));
  assert.ok(shownIn(b).at(-1)?.parts.size, 'there is something to see');
  stage.service.gates.release(world.person);
  await world.settle();
  assert.deepEqual(tabs.map(state), ['complete', 'complete', 'complete']);
  assert.deepEqual(streams(tabs).slice(before), [`${a.name} POST messages`]);
  await assertSame(world, tabs, threadId);
});

test('a tab that comes late shows all of the run', async (context) => {
  const stage = await setup(context, 1);
  const { world, threadId, a } = stage;
  await begin(stage, a);
  const late = await world.tab('B');
  await world.settle();
  assert.equal(live(late), live(a));
  assert.equal(streams([late]).length, 0);
  stage.service.gates.release(world.person);
  await assertSame(world, [a, late], threadId);
  assert.equal(streams([late]).length, 0);
});

for (const how of ['is closed', 'dies'] as const) {
  test(`another tab goes on when the one that reads ${how}, and nothing shrinks`, async (context) => {
    const stage = await setup(context, 3);
    const { world, threadId, a, b, c } = stage;
    await begin(stage, a);
    const shown = live(b);
    assert.equal(shown, live(a));
    const lengths: number[] = [];
    b.controller.subscribe({ all: true }, () => lengths.push(live(b).length));
    if (how === 'dies') a.die();
    else a.close();
    world.forget('A');
    await world.settle();
    assert.equal(live(b), shown);
    assert.equal(live(c), shown);
    assert.equal(Math.min(shown.length, ...lengths), shown.length);
    assert.equal(streams([b, c]).length, 1, 'one of them has joined it');
    assert.ok(!b.notices.concat(c.notices).some(({ type }) => type === 'run-interrupted'));
    stage.service.gates.release(world.person);
    await assertSame(world, [b, c], threadId);
    assert.equal(streams([b, c]).length, 1);
  });
}

test('a tab that is frozen is taken over from, and follows when it is awake again', async (context) => {
  const stage = await setup(context, 2);
  const { world, threadId, a, b } = stage;
  await begin(stage, a);
  a.link.freeze();
  await b.environment.advance(2100);
  assert.equal(streams([b]).length, 0, 'it is asked first');
  await b.environment.advance(2100);
  await world.settle();
  assert.equal(streams([b]).length, 1);
  a.link.thaw();
  await world.settle();
  assert.deepEqual(
    a.cable.open.map(({ path }) => path),
    [],
    'it reads no more',
  );
  stage.service.gates.release(world.person);
  await assertSame(world, [a, b], threadId);
  assert.deepEqual([a, b].map(state), ['complete', 'complete']);
});

test('a tab that was frozen itself does not take the run away', async (context) => {
  const stage = await setup(context, 2);
  const { a, b, world, threadId } = stage;
  await begin(stage, a);
  b.link.freeze();
  b.link.thaw();
  await b.environment.advance(10_000);
  await world.settle();
  assert.equal(streams([b]).length, 0);
  stage.service.gates.release(world.person);
  await assertSame(world, [a, b], threadId);
});

test('a tab whose link is lost reads for itself', async (context) => {
  const stage = await setup(context, 2);
  const { a, b, world, threadId } = stage;
  await begin(stage, a);
  b.link.isCut = true;
  await b.environment.advance(5000);
  await world.settle();
  assert.equal(streams([b]).length, 1);
  stage.service.gates.release(world.person);
  b.link.isCut = false;
  await a.environment.advance(5000);
  await assertSame(world, [a, b], threadId);
});

test('batches that were lost on the way are made up for', async (context) => {
  const stage = await setup(context, 2);
  const { a, b, world, threadId } = stage;
  await begin(stage, a);
  b.link.isCut = true;
  stage.service.gates.release(world.person);
  stage.service.gates.hold(world.person, 'text');
  await shows(world, a, '"state":"completed"');
  assert.notEqual(live(b), live(a));
  b.link.isCut = false;
  await b.environment.advance(2500);
  await world.settle();
  assert.equal(live(b), live(a));
  stage.service.gates.release(world.person);
  await assertSame(world, [a, b], threadId);
  assert.equal(streams([b]).length, 0);
});

test('a batch that follows a lost one is not taken for the next', async (context) => {
  const stage = await setup(context, 2);
  const { a, b, world, threadId } = stage;
  await begin(stage, a);
  b.link.isCut = true;
  stage.service.gates.release(world.person);
  stage.service.gates.hold(world.person, 'text');
  await shows(world, a, '"state":"completed"');
  b.link.isCut = false;
  stage.service.gates.release(world.person);
  await assertSame(world, [a, b], threadId);
});

test('a run is stopped from a tab that does not read it, by one request of the one that does', async (context) => {
  const stage = await setup(context, 2);
  const { a, b, world, threadId } = stage;
  await begin(stage, a);
  const stopping = b.controller.stop();
  stage.service.gates.release(world.person);
  await stopping;
  await world.settle();
  assert.deepEqual([a, b].map(state), ['stopped', 'stopped']);
  const stops = [a, b].flatMap(({ cable, name }) =>
    cable.sent.filter(({ path }) => path.endsWith('/stop')).map(() => name),
  );
  assert.deepEqual(stops, [a.name]);
  await assertSame(world, [a, b], threadId);
});

for (const [kind, question] of [
  ['an agent', 'Which is the biggest river?'],
  ['a tool', 'Ask me for text'],
] as const) {
  for (const dialect of ['F1', 'F4,waiting=open']) {
    test(`the question of ${kind} is answered in the other tab, once (${dialect})`, async (context) => {
      const { a, b, world, threadId, tabs } = await setup(context, 2, dialect);
      await a.controller.send(draft(question));
      await world.settle();
      assert.deepEqual(tabs.map(state), ['waiting', 'waiting']);
      const outcomes = await Promise.all(
        [b, a].map(async (tab) => {
          const asking = shownIn(tab).at(-1);
          const request = asking?.parts
            .children('@activity')
            .find((key) => key.startsWith('@request'));
          assert.ok(asking && request);
          const answer = { type: 'text', text: 'by length' } as const;
          return tab.controller.provideInput(asking.key, request, answer).then(
            () => 'done',
            ({ code }: { code: string }) => code,
          );
        }),
      );
      await world.settle();
      assert.equal(outcomes.filter((outcome) => outcome === 'done').length, 1, outcomes.join());
      assert.deepEqual(tabs.map(state), ['complete', 'complete']);
      const posts = tabs.flatMap(({ cable }) =>
        cable.sent.filter(
          ({ method, path, body }) =>
            method === 'POST' &&
            (path.endsWith('/provide-input') || body['content'] === 'by length'),
        ),
      );
      assert.equal(posts.length, 1);
      await assertSame(world, tabs, threadId);
    });
  }
}

test('the same message from two tabs at the same moment arrives once', async (context) => {
  const { a, b, world, threadId, tabs } = await setup(context, 2);
  const outcomes = await Promise.all(
    tabs.map(({ controller }) =>
      controller.send(draft(RIVERS)).then(
        () => 'done',
        ({ code }: { code: string }) => code,
      ),
    ),
  );
  assert.deepEqual(outcomes.toSorted(), ['busy', 'done']);
  await world.settle();
  assert.equal(shownIn(a).filter(({ role }) => role === 'user').length, 2);
  await assertSame(world, [a, b], threadId);
});

test('a message to a thread in which another tab is asked closes the question there', async (context) => {
  const { b, world, threadId, tabs, a } = await setup(context, 2, 'F4,waiting=open');
  await a.controller.send(draft('Which is the biggest river?'));
  await world.settle();
  await b.controller.send(draft('by length'));
  await world.settle();
  await assertSame(world, tabs, threadId);
});

test('a thread that is deleted elsewhere is gone here', async (context) => {
  const stage = await setup(context, 2);
  const { a, b, world, threadId } = stage;
  await begin(stage, a);
  await b.controller.deleteThread(threadId);
  stage.service.gates.release(world.person);
  for (let turn = 0; turn < 3; turn += 1) {
    await a.environment.advance(50_000);
    await world.rest();
  }
  assert.equal(a.controller.thread, null);
  assert.equal(b.controller.thread, null);
  assert.ok(!a.notices.some(({ type }) => type === 'diagnostic'));
});

test('two people, or two services, hear nothing of each other; no token and no question goes over the link', async (context) => {
  const stage = await setup(context, 2);
  const { a, world } = stage;
  await begin(stage, a);
  stage.service.gates.release(world.person);
  await world.settle();
  const posted = JSON.stringify(world.joined?.posted);
  assert.ok(posted.includes('state'));
  assert.ok(!posted.includes(world.token));
  assert.ok(!posted.includes(RIVERS));
});

test('nothing is left when all tabs are closed', async (context) => {
  const stage = await setup(context, 2);
  const { world, tabs } = stage;
  await begin(stage, stage.a);
  for (const tab of tabs) tab.close();
  await world.rest();
  for (const tab of tabs) {
    assert.equal(tab.environment.timers, 0);
    assert.equal(tab.link.listeners, 0);
    assert.deepEqual(tab.cable.open, []);
  }
  stage.service.gates.release(world.person);
});
