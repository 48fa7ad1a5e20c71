import { createEnvironment } from '../transport/environment.js';
import { createControllerStorage, createHostStorage } from './controller-storage.js';
import type { ControllerOptions, HostStorage } from './controller-types.js';

/**
 * Opens the storage for data of the host that a controller with these options would have. `storageScope` must be given, because there is no
 * backend.
 */
export function openPageStorage(
  options: Pick<ControllerOptions, 'userKey' | 'storageScope'>,
): HostStorage {
  return createHostStorage(
    createControllerStorage({
      environment: createEnvironment(),
      options,
      backend: { name: '' },
      // There is no controller that could emit a diagnostic. A record that cannot be read counts as missing.
      diagnose: () => undefined,
    }),
  );
}
