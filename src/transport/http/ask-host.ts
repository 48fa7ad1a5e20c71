import { UbikError } from '../../errors.js';
import type { Environment, Timer } from '../environment.js';

/** How long a function of the host may take, in ms: less than a request or a stream waits for its answer. */
const HOST_TIMEOUT = 20_000;

/**
 * Calls a function of the host that may be asynchronous, for at most 20 s. Rejects with what it throws.
 *
 * @throws {UbikError} `network` when it takes longer; its late answer is ignored.
 */
export async function askHost<T>(
  environment: Pick<Environment, 'setTimer' | 'clearTimer'>,
  name: string,
  question: () => T | Promise<T>,
): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    const text = `${name} gave no answer within ${HOST_TIMEOUT / 1000} s.`;
    timer = environment.setTimer(() => reject(new UbikError('network', text)), HOST_TIMEOUT);
  });
  try {
    return await Promise.race([question(), late]);
  } finally {
    if (timer) environment.clearTimer(timer);
  }
}
