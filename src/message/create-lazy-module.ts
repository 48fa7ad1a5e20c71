import { UbikError } from '../errors.js';
import { LazyModule } from '../dom/lazy-module.js';

/** Creates a module that is imported when it is first needed. If the import fails, loading rejects with a `UbikError` that has the code `load-failed`. */
export function createLazyModule<T>(load: () => Promise<T>): LazyModule<T> {
  return new LazyModule(() =>
    load().catch((cause: unknown) => {
      throw new UbikError('load-failed', { cause });
    }),
  );
}
