import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { shownIn } from '../../steering/world/world.js';
import { assertSame, begin, live, setup, setupRun, shows, state, streams } from './open-tabs.js';

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
  const stage = await setupRun(context, 1);
  const { world, threadId, a } = stage;
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
    const stage = await setupRun(context, 3);
    const { world, threadId, a, b, c } = stage;
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
  const stage = await setupRun(context, 2);
  const { world, threadId, a, b } = stage;
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
  const stage = await setupRun(context, 2);
  const { a, b, world, threadId } = stage;
  b.link.freeze();
  b.link.thaw();
  await b.environment.advance(10_000);
  await world.settle();
  assert.equal(streams([b]).length, 0);
  stage.service.gates.release(world.person);
  await assertSame(world, [a, b], threadId);
});

test('a tab whose link is lost reads for itself', async (context) => {
  const stage = await setupRun(context, 2);
  const { a, b, world, threadId } = stage;
  b.link.isCut = true;
  await b.environment.advance(5000);
  await world.settle();
  assert.equal(streams([b]).length, 1);
  stage.service.gates.release(world.person);
  b.link.isCut = false;
  await a.environment.advance(5000);
  await assertSame(world, [a, b], threadId);
});

/** The second of two tabs hears nothing of the step that ends. */
async function setupLoss(context: TestContext) {
  const stage = await setupRun(context, 2);
  const { a, b, world } = stage;
  b.link.isCut = true;
  stage.service.gates.release(world.person);
  stage.service.gates.hold(world.person, 'text');
  await shows(world, a, '"state":"completed"');
  return stage;
}

test('batches that were lost on the way are made up for', async (context) => {
  const stage = await setupLoss(context);
  const { a, b, world, threadId } = stage;
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
  const stage = await setupLoss(context);
  const { a, b, world, threadId } = stage;
  b.link.isCut = false;
  stage.service.gates.release(world.person);
  await assertSame(world, [a, b], threadId);
});
