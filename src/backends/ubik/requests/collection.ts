import { isUbikError, UbikError } from '../../../errors.js';
import type { Service } from './service.js';

/** Statuses by which a web server says that it does not know an address, or nothing that can be done there. */
const UNKNOWN_ADDRESS: readonly unknown[] = [404, 405, 410, 501];

/**
 * Asks for something that every service has, whatever it holds: when even that is unknown, the base URL is wrong.
 *
 * @throws {UbikError} `not-an-api` with a message that names the address.
 */
export async function askCollection<T>(
  { http: { baseUrl } }: Service,
  question: Promise<T>,
  hint = '',
): Promise<T> {
  try {
    return await question;
  } catch (cause) {
    if (!isUbikError(cause) || !UNKNOWN_ADDRESS.includes(cause.status)) throw cause;
    const { status } = cause;
    const message = `No service was found at ${baseUrl}, which answers with the status ${String(status)}. Check the base URL${hint}.`;
    throw new UbikError('not-an-api', message, { status, offender: baseUrl, cause });
  }
}
