/**
 * Makes the page deterministic: the clock is stopped, random numbers repeat, the storage starts empty, and the URL determines
 * whether the page is online. It runs before the elements are loaded.
 */
(() => {
  /** A Wednesday, 14:30 in the local time zone. */
  const now = new Date(2026, 2, 11, 14, 30).getTime();
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      super(...(args.length > 0 ? args : [now]));
    }

    static now() {
      return now;
    }
  };
  let calls = 0;
  // Multiples of the golden ratio, modulo 1, are spread evenly.
  Math.random = () => ((calls += 1) * 0.618034) % 1;
  crypto.randomUUID = () => `00000000-0000-4000-8000-${String((calls += 1)).padStart(12, '0')}`;
  for (const store of [localStorage, sessionStorage]) {
    store.clear();
  }
  const isOnline = !new URLSearchParams(location.search).has('offline');
  Object.defineProperty(navigator, 'onLine', { get: () => isOnline });
})();
