import { isUbikError, UbikError } from '../errors.js';

/** Loads code on demand. Rejects with a `UbikError` that the code itself throws, and with `load-failed` for any other error. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw isUbikError(cause) ? cause : new UbikError('load-failed', { cause });
  }
}
