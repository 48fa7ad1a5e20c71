import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUERY_TIMEOUT } from '../../../src/backends/multi-tab/takeover-timeout.js';
import type { Tab } from '../../simulation/world/tab.js';
import { viewOf } from '../../simulation/world/view.js';
import { listShown } from '../../simulation/world/world.js';
import { assertSame, draft, RIVERS, shareTabs, state } from './open-tabs.js';

const { setup, setupRun } = shareTabs();

/** Names of the tabs that have sent a stop request. */
const listStops = (tabs: readonly Tab[]): string[] =>
  tabs.flatMap(({ network, name }) =>
    network.sent.filter(({ path }) => path.endsWith('/stop')).map(() => name),
  );

test('a stop in a follower sends one request, from the leader', async (context) => {
  const fixture = await setupRun(context, 2);
  const { a, b, world, threadId } = fixture;
  const stopping = b.controller.stop();
  fixture.service.pauses.release(world.user);
  await stopping;
  await world.settle();
  assert.deepEqual([a, b].map(state), ['stopped', 'stopped']);
  assert.deepEqual(listStops([a, b]), [a.name]);
  await assertSame(world, [a, b], threadId);
});

for (const how of ['crashes', 'is frozen'] as const) {
  test(`a stop whose leader ${how} before it sends the request is sent by the next leader`, async (context) => {
    const fixture = await setupRun(context, 3);
    const { a, b, c, world, threadId } = fixture;
    a.environment.respond((request) =>
      request.url.endsWith('/stop') ? new Promise(() => undefined) : a.network.respond(request),
    );
    let isDone = false;
    const stopping = c.controller.stop().finally(() => (isDone = true));
    await world.settle();
    if (how === 'crashes') a.crash();
    else a.link.freeze();
    world.removeTab('A');
    for (let turn = 0; turn < 12 && !isDone; turn += 1) {
      await b.environment.advance(QUERY_TIMEOUT / 2);
      await c.environment.advance(QUERY_TIMEOUT / 2);
      await world.settleClosedTabs();
    }
    assert.equal(listStops([b, c]).length, 1);
    fixture.service.pauses.release(world.user);
    await stopping;
    await world.settle();
    assert.deepEqual([b, c].map(state), ['stopped', 'stopped']);
    assert.equal(listStops([b, c]).length, 1);
    await assertSame(world, [b, c], threadId);
  });
}

for (const [kind, question] of [
  ['an agent', 'Which is the biggest river?'],
  ['a tool', 'Ask me for text'],
] as const) {
  for (const dialect of ['F1', 'F4,waiting=open']) {
    test(`a request of ${kind} is answered once when two tabs answer it (${dialect})`, async (context) => {
      const { a, b, world, threadId, tabs } = await setup(context, 2, dialect);
      await a.controller.send(draft(question));
      await world.settle();
      assert.deepEqual(tabs.map(state), ['waiting', 'waiting']);
      const outcomes = await Promise.all(
        [b, a].map(async (tab) => {
          const asking = listShown(tab).at(-1);
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
      const posts = tabs.flatMap(({ network }) =>
        network.sent.filter(
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

test('two tabs that send at the same time start one run', async (context) => {
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
  assert.equal(listShown(a).filter(({ role }) => role === 'user').length, 2);
  await assertSame(world, [a, b], threadId);
});

test('a message sent in one tab closes the request in another', async (context) => {
  const { b, world, threadId, tabs, a } = await setup(context, 2, 'F4,waiting=open');
  const hasRequest = (tab: Tab) =>
    viewOf(tab).messages.some(({ pendingPrompts }) => pendingPrompts.length > 0);
  await a.controller.send(draft('Which is the biggest river?'));
  await world.settle();
  assert.deepEqual(tabs.map(hasRequest), [true, true]);
  await b.controller.send(draft('by length'));
  await world.settle();
  assert.deepEqual(tabs.map(hasRequest), [false, false]);
  await assertSame(world, tabs, threadId);
});

test('a thread that another tab deletes is closed', async (context) => {
  const fixture = await setupRun(context, 2);
  const { a, b, world, threadId } = fixture;
  await b.controller.deleteThread(threadId);
  fixture.service.pauses.release(world.user);
  for (let turn = 0; turn < 3; turn += 1) {
    // Longer than the idle timeout of UBIK (45 s).
    await a.environment.advance(50_000);
    await world.settleClosedTabs();
  }
  assert.equal(a.controller.thread, null);
  assert.equal(b.controller.thread, null);
  assert.ok(!a.notices.some(({ type }) => type === 'diagnostic'));
});

test('messages between tabs contain no token and no text of the user', async (context) => {
  const fixture = await setupRun(context, 2);
  const { world } = fixture;
  fixture.service.pauses.release(world.user);
  await world.settle();
  const posted = JSON.stringify(world.tabLinks?.posted);
  assert.ok(posted.includes('state'));
  assert.ok(!posted.includes(world.token));
  assert.ok(!posted.includes(RIVERS));
});

test('closed tabs leave no timer, listener or request', async (context) => {
  const fixture = await setupRun(context, 2);
  const { world, tabs } = fixture;
  for (const tab of tabs) tab.close();
  await world.settleClosedTabs();
  for (const tab of tabs) {
    assert.equal(tab.environment.timers, 0);
    assert.equal(tab.link.listeners, 0);
    assert.deepEqual(tab.network.open, []);
  }
  fixture.service.pauses.release(world.user);
});
