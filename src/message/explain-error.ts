import { DEFAULT_MESSAGES, findReason, type ServiceError, type UbikError } from '../errors.js';
import type { Locale } from '../locales/locale.js';

/**
 * Explains an error to the user: what has happened, and what to do. Uses the description of the service if it has sent one, else the string
 * for the error code in the language of the interface. A message that was not sent is explained by the error of its request. When a service
 * on another origin cannot be reached, the explanation names the origin and both possible causes, because browsers do not distinguish a
 * broken network from a refusal (CORS).
 */
export function explainError(error: unknown, locale: Locale): string {
  const reason: Partial<UbikError> = error instanceof Error ? findReason(error as UbikError) : {};
  const origin = reason.code === 'network' && originOf(reason.offender);
  if (origin && origin !== location.origin) return locale.text('networkErrorAt', { origin });
  return explainFailure(reason.code ?? '', reason.serviceError, locale);
}

/** Returns the origin of a service that could not be reached; empty when it is not known. */
function originOf(url = ''): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** Explains a failure by its error code and by the description of the service, which takes precedence. */
export function explainFailure(
  code: string,
  serviceError: ServiceError | null | undefined,
  locale: Locale,
): string {
  const { description = '', advice = '' } = serviceError ?? {};
  return description ? `${description} ${advice}`.trim() : explainCode(code, locale);
}

/** Explains an error code: the string `error_CODE` of the language, else the English message, else the string for other errors. */
export function explainCode(code: string, locale: Locale): string {
  return (
    locale.find(`error_${code}`) ??
    new Map(Object.entries(DEFAULT_MESSAGES)).get(code) ??
    locale.text('error_other')
  );
}
