import { UbikError } from '../errors.js';
import { Deferred } from '../dom/deferred.js';

/** A file of ours that is fetched when it is needed; a failure is a `UbikError`, `load-failed`. */
export function createLazyModule<T>(load: () => Promise<T>): Deferred<T> {
  return new Deferred(() =>
    load().catch((cause: unknown) => {
      throw new UbikError('load-failed', { cause });
    }),
  );
}
