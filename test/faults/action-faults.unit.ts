/** Each action with each fault: its error, what is shown, what is sent, and that it works afterwards. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_MESSAGES } from '../../src/errors.js';
import { ACTION_CASES } from './action-cases.js';
import { readPage, openFaultyPage, type FaultyPage } from './faulty-page.js';
import type { ActionCase } from './action-case.js';
import { FAULTS, type Fault } from './faults.js';
import { sampleOf } from '../helpers/sample.js';
import { shareService } from '../simulation/world/service.js';

const getService = shareService();

/** The expected outcome of an action with a fault. */
function expectedOf(
  { fixedOutcome, startsRun, networkError, loadsFirst, request }: ActionCase,
  { name, code, header, isRefusal, everywhere }: Fault,
): string {
  if (fixedOutcome) return fixedOutcome;
  // The controller locates a run whose response was lost.
  if (startsRun && header === null) return 'done';
  if (networkError && code === 'network') return networkError;
  // The controller asks the service whether the run has started, which it cannot do without a network. With `loadsFirst`, the
  // loading request has failed already.
  if (startsRun && !isRefusal && !(loadsFirst && everywhere))
    return everywhere ? 'interrupted' : 'not-sent';
  // A 404 of the collection means a wrong address, not a missing thread.
  if (name === '404' && request.source.endsWith('agent-sessions$')) return 'not-an-api';
  return code;
}

/** Executes an action with a fault, checks its outcome and what is shown, and repeats it without the fault. */
async function testFault(page: FaultyPage, actionCase: ActionCase, fault: Fault): Promise<void> {
  const {
    execute,
    retry = execute,
    checkFailed,
    prepare,
    release,
    request,
    checkDone,
  } = actionCase;
  const { controller, world } = page;
  await prepare?.(page);
  await world.settle();
  const before = readPage(page);
  const { timers } = page.tab.environment;
  page.clearRequests();
  page.injectFault(fault, request);
  const outcome = await page.settleAction(() => execute(page));
  page.injectFault(null, request);
  const expected = expectedOf(actionCase, fault);
  assert.equal(outcome, expected, 'the code');
  // After a 401, the request is repeated once with a new token.
  const tries = fault.name === '401' ? 2 : 1;
  const sent = page.requests.filter(({ method, path }) => request.test(`${method} ${path}`));
  const isReading = sent.every(({ method }) => method === 'GET');
  if (!isReading) assert.ok(sent.length <= tries, `sent once, not ${sent.length} times`);
  if (outcome === 'done') {
    await checkDone(page);
    return;
  }
  assert.match(
    DEFAULT_MESSAGES[outcome as keyof typeof DEFAULT_MESSAGES] ?? '',
    /\S.*\.$/u,
    'the error has a message',
  );
  if (outcome === 'interrupted') {
    await controller.rejoin().catch(() => undefined);
    await world.settle();
  }
  if (checkFailed) await checkFailed(page, before);
  else assert.deepEqual(readPage(page), before, 'what is shown');
  assert.ok(page.tab.environment.timers <= timers, 'no timer is left');
  const second = page.settleAction(() => retry(page));
  await (release ? second.then(() => release(page)) : second);
  // The repetition of a stop is `open` until `release` lets the run continue.
  assert.match(await second, /^(?:done|open)$/u, 'it can be repeated');
  await checkDone(page);
}

for (const [index, actionCase] of ACTION_CASES.entries()) {
  test(`${actionCase.name} reports each fault and can be repeated`, async (context) => {
    const page = await openFaultyPage(context, getService());
    await actionCase.setUp?.(page);
    for (const fault of sampleOf(FAULTS, 5, index)) {
      if (actionCase.ignoredFaults?.includes(fault.name)) continue;
      const name = `${actionCase.name} has the expected outcome with the fault: ${fault.name}`;
      await context.test(name, () => testFault(page, actionCase, fault));
    }
  });
}
