import { isUbikError, UbikError } from '../../errors.js';

/** Stands where a token was. */
const MARK = '[token]';

/**
 * The same error without the token: a service may repeat it in its complaint, and a platform's error may quote an address that
 * holds it, in its words, in its stack, or in those of the errors behind it.
 */
export function redact(error: unknown, token: string | null): unknown {
  if (token === null || !(error instanceof Error)) return error;
  const encoded = encodeURIComponent(token);
  const clean = (text = '') => text.replaceAll(token, MARK).replaceAll(encoded, MARK);
  let words = '';
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; depth++) {
    words += `${at.message}\n${at.stack ?? ''}\n${(isUbikError(at) && at.offender) || ''}`;
    at = at.cause;
  }
  if (clean(words) === words) return error;
  if (!isUbikError(error)) return new TypeError(clean(error.message));
  const { code, message, status, retryAfter, offender } = error;
  return new UbikError(code, clean(message), {
    status,
    retryAfter,
    offender: clean(offender) || undefined,
  });
}
