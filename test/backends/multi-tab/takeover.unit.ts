import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  QUERY_TIMEOUT,
  TAKEOVER_TIMEOUT,
} from '../../../src/backends/multi-tab/takeover-timeout.js';
import { listShown } from '../../simulation/world/world.js';
import {
  assertSame,
  begin,
  listStreams,
  shareTabs,
  shownContent,
  state,
  untilShown,
} from './open-tabs.js';

const { setup, setupRun } = shareTabs();

test('three tabs show one run with one request, while it streams and at its end', async (context) => {
  const fixture = await setup(context, 3);
  const { world, tabs, threadId, a, b, c } = fixture;
  const before = listStreams(tabs).length;
  await begin(fixture, a);
  assert.deepEqual(tabs.map(state), ['streaming', 'streaming', 'streaming']);
  assert.equal(shownContent(b), shownContent(a));
  assert.equal(shownContent(c), shownContent(a));
  assert.ok(listShown(b).at(-1)?.parts.size, 'the message has parts');
  fixture.service.pauses.release(world.user);
  await world.settle();
  assert.deepEqual(tabs.map(state), ['complete', 'complete', 'complete']);
  assert.deepEqual(listStreams(tabs).slice(before), [`${a.name} POST messages`]);
  await assertSame(world, tabs, threadId);
});

test('a tab that is opened during a run shows the whole run', async (context) => {
  const fixture = await setupRun(context, 1);
  const { world, threadId, a } = fixture;
  const late = await world.tab('B');
  await world.settle();
  assert.equal(shownContent(late), shownContent(a));
  assert.equal(listStreams([late]).length, 0);
  fixture.service.pauses.release(world.user);
  await assertSame(world, [a, late], threadId);
  assert.equal(listStreams([late]).length, 0);
});

for (const how of ['is closed', 'crashes'] as const) {
  test(`another tab takes over when the leader ${how}, and nothing on screen shrinks`, async (context) => {
    const fixture = await setupRun(context, 3);
    const { world, threadId, a, b, c } = fixture;
    const shown = shownContent(b);
    assert.equal(shown, shownContent(a));
    const lengths: number[] = [];
    b.controller.subscribe({ all: true }, () => lengths.push(shownContent(b).length));
    if (how === 'crashes') a.crash();
    else a.close();
    world.removeTab('A');
    await world.settle();
    assert.equal(shownContent(b), shown);
    assert.equal(shownContent(c), shown);
    assert.equal(Math.min(shown.length, ...lengths), shown.length);
    assert.equal(listStreams([b, c]).length, 1, 'one of them has rejoined it');
    assert.ok(!b.notices.concat(c.notices).some(({ type }) => type === 'run-interrupted'));
    fixture.service.pauses.release(world.user);
    await assertSame(world, [b, c], threadId);
    assert.equal(listStreams([b, c]).length, 1);
  });
}

test('a frozen leader loses its lock, and follows after it has resumed', async (context) => {
  const fixture = await setupRun(context, 2);
  const { world, threadId, a, b } = fixture;
  a.link.freeze();
  await b.environment.advance(QUERY_TIMEOUT + 100);
  assert.equal(listStreams([b]).length, 0, 'the leader is queried first');
  await b.environment.advance(QUERY_TIMEOUT + 100);
  await world.settle();
  assert.equal(listStreams([b]).length, 1);
  a.link.resume();
  await world.settle();
  assert.deepEqual(
    a.network.open.map(({ path }) => path),
    [],
    'it reads no stream any more',
  );
  fixture.service.pauses.release(world.user);
  await assertSame(world, [a, b], threadId);
  assert.deepEqual([a, b].map(state), ['complete', 'complete']);
});

test('a follower that was frozen itself does not take over', async (context) => {
  const fixture = await setupRun(context, 2);
  const { a, b, world, threadId } = fixture;
  b.link.freeze();
  b.link.resume();
  await b.environment.advance(10_000);
  await world.settle();
  assert.equal(listStreams([b]).length, 0);
  fixture.service.pauses.release(world.user);
  await assertSame(world, [a, b], threadId);
});

test('a tab whose link is cut reads the stream itself', async (context) => {
  const fixture = await setupRun(context, 2);
  const { a, b, world, threadId } = fixture;
  b.link.isCut = true;
  await b.environment.advance(TAKEOVER_TIMEOUT + 1000);
  await world.settle();
  assert.equal(listStreams([b]).length, 1);
  fixture.service.pauses.release(world.user);
  b.link.isCut = false;
  await a.environment.advance(TAKEOVER_TIMEOUT + 1000);
  await assertSame(world, [a, b], threadId);
});

/** The second of two tabs misses the batches in which a step ends. */
async function setupLoss(context: TestContext) {
  const fixture = await setupRun(context, 2);
  const { a, b, world } = fixture;
  b.link.isCut = true;
  fixture.service.pauses.release(world.user);
  fixture.service.pauses.hold(world.user, 'text');
  await untilShown(world, a, '"state":"completed"');
  return fixture;
}

test('a follower that has missed batches catches up with the state', async (context) => {
  const fixture = await setupLoss(context);
  const { a, b, world, threadId } = fixture;
  assert.notEqual(shownContent(b), shownContent(a));
  b.link.isCut = false;
  await b.environment.advance(QUERY_TIMEOUT + 500);
  await world.settle();
  assert.equal(shownContent(b), shownContent(a));
  fixture.service.pauses.release(world.user);
  await assertSame(world, [a, b], threadId);
  assert.equal(listStreams([b]).length, 0);
});

test('a follower whose next batch comes after a gap shows the whole run at its end', async (context) => {
  const fixture = await setupLoss(context);
  const { a, b, world, threadId } = fixture;
  b.link.isCut = false;
  fixture.service.pauses.release(world.user);
  await assertSame(world, [a, b], threadId);
});
