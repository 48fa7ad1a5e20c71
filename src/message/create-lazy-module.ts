import { UbikError } from '../errors.js';
import { LazyModule } from '../dom/lazy-module.js';

/** A file of ours that is fetched when it is needed; a failure is a `UbikError`, `load-failed`. */
export function createLazyModule<T>(load: () => Promise<T>): LazyModule<T> {
  return new LazyModule(() =>
    load().catch((cause: unknown) => {
      throw new UbikError('load-failed', { cause });
    }),
  );
}
