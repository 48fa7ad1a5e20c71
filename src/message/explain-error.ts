import { DEFAULT_MESSAGES, type UbikError } from '../errors.js';
import type { Locale } from '../locales/locale.js';

/**
 * Explains an error to the user: what has happened, and what to do. Uses the description of the service if it has sent one, else the string
 * for the error code in the language of the interface.
 */
export function explainError(error: unknown, locale: Locale): string {
  const { code = '', serviceError } = error instanceof Error ? (error as Partial<UbikError>) : {};
  const { description = '', advice = '' } = serviceError ?? {};
  return description ? `${description} ${advice}`.trim() : explainCode(code, locale);
}

/** Explains an error code: the string `error_CODE` of the language, else the English message. */
export function explainCode(code: string, locale: Locale): string {
  return (
    locale.find(`error_${code}`) ??
    new Map(Object.entries(DEFAULT_MESSAGES)).get(code) ??
    locale.text('error_other')
  );
}
