/** @import { Environment } from 'ubik-elements/controller.js' */

/**
 * A deterministic environment: the clock is stopped, timers fire only when the case advances the clock,
 * and there is no network.
 *
 * @returns {Environment & { advance(ms: number): Promise<void> }}
 */
export function createFrozenEnvironment() {
  /** @type {Map<number, { due: number, callback: () => void }>} */
  const timers = new Map();
  const start = Date.now();
  let elapsed = 0;
  let count = 0;
  return {
    // Does not advance: the elements compare `retryAt` and deadlines with `Date.now()`, which is stopped.
    now: () => start,
    monotonic: () => elapsed,
    random: () => 0.5,
    uuid: () => `00000000-0000-4000-9000-${String((count += 1)).padStart(12, '0')}`,
    setTimer(callback, ms) {
      timers.set((count += 1), { due: elapsed + ms, callback });
      return { handle: count };
    },
    clearTimer: (timer) => void timers.delete(Number(timer.handle)),
    yieldToEventLoop,
    readInterval: () => 0,
    pageUrl: () => location.href,
    fetch: () => Promise.reject(new TypeError('There is no network here.')),
    upload: () => Promise.reject(new TypeError('There is no network here.')),
    diagnoseConnection: () => Promise.resolve({ kind: 'unknown' }),
    storage: createMemory(),
    tabStorage: createMemory(),
    tabId: () => Promise.resolve('tab'),
    async advance(ms) {
      elapsed += ms;
      for (const [handle, { due, callback }] of [...timers]) {
        if (due > elapsed || !timers.delete(handle)) continue;
        callback();
        await yieldToEventLoop();
      }
    },
  };
}

/** Waits for one turn of the event loop, so that promises settle that wait for nothing else. */
export function yieldToEventLoop() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}

/** @returns {Environment['storage']} */
function createMemory() {
  /** @type {Map<string, string>} */
  const values = new Map();
  return {
    get: (key) => Promise.resolve(values.get(key) ?? null),
    set: (key, value) => Promise.resolve(void values.set(key, value)),
    remove: (key) => Promise.resolve(void values.delete(key)),
  };
}
