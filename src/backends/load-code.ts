import { isUbikError, UbikError } from '../errors.js';

/** Loads code on demand. Rejects with `load-failed`, and with an error of the code itself as it is. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw isUbikError(cause) ? cause : new UbikError('load-failed', { cause });
  }
}
