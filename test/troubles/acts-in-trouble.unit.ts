/** Each act of a person with each trouble: what is said, what is seen, what is sent, and that it works afterwards. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_MESSAGES } from '../../src/errors.js';
import { TRIED_ACTS } from './acts.js';
import { lookAt, openStage, type Stage } from './stage.js';
import type { TriedAct } from './tried-act.js';
import { TROUBLES, type Trouble } from './troubles.js';
import { sampleOf } from '../helpers/sample.js';

/** What an act rejects with. Whether a run was begun is looked up: nothing was sent, then. */
function expectedOf(
  { always, begins, broken, reads, request }: TriedAct,
  { name, code, fault, isRefusal, everywhere }: Trouble,
): string {
  if (always) return always;
  // Whether a run was begun is looked up.
  if (begins && fault === null) return 'done';
  if (broken && code === 'network') return broken;
  if (begins && !isRefusal && !(reads && everywhere))
    return everywhere ? 'interrupted' : 'not-sent';
  // Where conversations are, there is nothing: that is another address, not another conversation.
  if (name === '404' && request.source.endsWith('agent-sessions$')) return 'not-an-api';
  return code;
}

async function tryAct(stage: Stage, tried: TriedAct, trouble: Trouble): Promise<void> {
  const { act, again = act, kept, prepare, release, request, works } = tried;
  const { controller, world } = stage;
  await prepare?.(stage);
  await world.settle();
  const before = lookAt(stage);
  const { timers } = stage.tab.environment;
  stage.listen();
  stage.meet(trouble, request);
  const outcome = await stage.attempt(() => act(stage));
  stage.meet(null, request);
  const expected = expectedOf(tried, trouble);
  assert.equal(outcome, expected, 'the code');
  const tries = trouble.name === '401' ? 2 : 1;
  const asked = stage.asked.filter(({ method, path }) => request.test(`${method} ${path}`));
  const isReading = asked.every(({ method }) => method === 'GET');
  if (!isReading) assert.ok(asked.length <= tries, `sent once, not ${asked.length} times`);
  if (outcome === 'done') {
    await works(stage);
    return;
  }
  assert.match(
    DEFAULT_MESSAGES[outcome as keyof typeof DEFAULT_MESSAGES] ?? '',
    /\S.*\.$/u,
    'it has a sentence',
  );
  if (outcome === 'interrupted') {
    await controller.rejoin().catch(() => undefined);
    await world.settle();
  }
  if (kept) await kept(stage, before);
  else assert.deepEqual(lookAt(stage), before, 'what is seen');
  assert.ok(stage.tab.environment.timers <= timers, 'nothing is waited for');
  const second = stage.attempt(() => again(stage));
  await (release ? second.then(() => release(stage)) : second);
  assert.notEqual(await second, expected, 'it can be done again');
  await works(stage);
}

for (const [index, tried] of TRIED_ACTS.entries()) {
  test(tried.name, async (context) => {
    const stage = await openStage(context);
    await tried.setUp?.(stage);
    for (const trouble of sampleOf(TROUBLES, 5, index)) {
      if (tried.takes?.includes(trouble.name)) continue;
      const name = `and ${trouble.name}`;
      await context.test(name, () => tryAct(stage, tried, trouble));
    }
  });
}
