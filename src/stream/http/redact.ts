import { isUbikError, UbikError } from '../../errors.js';

/** Stands where a token was. */
const MARK = '[token]';

/**
 * The same error without the token: a service may repeat it in its complaint, and a platform's error may quote an address that
 * holds it.
 */
export function redact(error: unknown, token: string | null): unknown {
  if (token === null || !(error instanceof Error) || !mentions(error, token)) return error;
  const clean = (text: string) =>
    text.replaceAll(token, MARK).replaceAll(encodeURIComponent(token), MARK);
  if (!isUbikError(error)) return new TypeError(clean(error.message));
  const { code, message, status, retryAfter, offender } = error;
  return new UbikError(code, clean(message), {
    status,
    retryAfter,
    offender: offender === undefined ? undefined : clean(offender),
  });
}

/** In its words, in its stack, or in those of the errors behind it. */
function mentions(error: Error, token: string): boolean {
  const encoded = encodeURIComponent(token);
  for (
    let at: unknown = error, depth = 0;
    at instanceof Error && depth < 8;
    at = at.cause, depth++
  ) {
    const offender = isUbikError(at) ? at.offender : undefined;
    const words = `${at.message}\n${at.stack ?? ''}\n${offender ?? ''}`;
    if (words.includes(token) || words.includes(encoded)) return true;
  }
  return false;
}
