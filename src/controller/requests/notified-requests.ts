import type { Key } from '../../model/json.js';
import type { StreamController } from '../controller-types.js';

/** The pending requests of each controller whose `input-required` was emitted, as {@link requestId}. */
export const notifiedRequests = new WeakMap<StreamController, ReadonlySet<string>>();

/** Identifies a request among all threads. */
export function requestId(thread: Key, message: Key, request: Key): string {
  return JSON.stringify([thread, message, request]);
}
