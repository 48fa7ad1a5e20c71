import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acquireBrowserLock, PagePresence } from '../../src/elements/threads/page-presence.js';
import { replaceGlobals } from '../helpers/replace-globals.js';

/** A page with a log of its locks. `grant` resolves the oldest pending request: with a lock, or with none. */
function setup() {
  const log: string[] = [];
  const pending: ((isGranted: boolean) => void)[] = [];
  const signals: AbortSignal[] = [];
  const presence = new PagePresence('me', (name, signal) => {
    log.push(`request ${name}`);
    signals.push(signal);
    return new Promise((resolve) =>
      pending.push((isGranted) => {
        resolve(isGranted ? () => void log.push(`release ${name}`) : null);
      }),
    );
  });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const grant = async (isGranted = true): Promise<void> => {
    pending.shift()?.(isGranted);
    await settle();
  };
  return { presence, log, signals, grant, settle };
}

const OWN = 'ubik-elements|page|me/1';
const OTHER = 'ubik-elements|page|other';

test('page presence holds one lock from its first announcement until it announces its end', async () => {
  const { presence, log, grant, settle } = setup();
  let isAnnounced = false;
  void presence.announce(true).then(() => (isAnnounced = true));
  void presence.announce(true);
  await settle();
  assert.deepEqual([log, isAnnounced], [[`request ${OWN}`], false]);
  await grant();
  assert.equal(isAnnounced, true);
  await presence.announce(false);
  assert.deepEqual(log.splice(0), [`request ${OWN}`, `release ${OWN}`]);
  await presence.announce(false);
  assert.deepEqual(log, [], 'nothing to release');
  void presence.announce(true);
  assert.deepEqual(log, ['request ubik-elements|page|me/2'], 'another presence has another lock');
});

test('page presence reports once that another page is closed, and whether that is certain', async () => {
  for (const isGranted of [true, false]) {
    const { presence, log, grant } = setup();
    const reported: boolean[] = [];
    const listen = (isCertain: boolean): void => void reported.push(isCertain);
    presence.onEnd('other', listen);
    presence.onEnd('other', listen);
    // The own page is not watched.
    presence.onEnd('me/1', listen);
    assert.deepEqual(log, [`request ${OTHER}`]);
    await grant(isGranted);
    assert.deepEqual([...reported], [isGranted]);
    assert.deepEqual(log, [`request ${OTHER}`, ...(isGranted ? [`release ${OTHER}`] : [])]);
    presence.onEnd('other', listen);
    assert.equal(log.at(-1), `request ${OTHER}`, 'watched again');
  }
});

test('page presence that is released releases its lock, and reports nothing about other pages any more', async () => {
  const { presence, log, signals, grant, settle } = setup();
  const reported: boolean[] = [];
  void presence.announce(true);
  await grant();
  presence.onEnd('other', (isCertain) => reported.push(isCertain));
  presence.release();
  await settle();
  assert.equal(log.at(-1), `release ${OWN}`);
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true],
  );
  await grant();
  assert.equal(reported.length, 0);
  presence.onEnd('other', (isCertain) => reported.push(isCertain));
  assert.equal(signals.at(-1)?.aborted, false, 'later calls start again');
  await grant();
  assert.deepEqual(reported, [true]);
});

test('browser lock is null where the browser has no locks or refuses them, else it is held until it is released', async (context) => {
  const { signal } = new AbortController();
  const acquire = (locks: unknown): Promise<(() => void) | null> => {
    replaceGlobals(context, { navigator: { locks } });
    return acquireBrowserLock('name', signal);
  };
  assert.equal(await acquire(undefined), null);
  assert.equal(await acquire({ request: () => Promise.reject(new Error('No.')) }), null);
  const requests: unknown[] = [];
  let isHeld = true;
  const request = async (...[name, options, hold]: [string, object, () => Promise<void>]) => {
    requests.push([name, options]);
    await hold();
    isHeld = false;
  };
  const release = await acquire({ request });
  assert.deepEqual([requests, isHeld], [[['name', { signal }]], true]);
  release?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isHeld, false);
});
