import { DEFAULT_MESSAGES } from '../errors.js';
import type { Locale } from '../locales/locale.js';

/** Explains an error to the user in the language of the interface, by its code: what happened, and what to do. */
export function explainError(error: unknown, locale: Locale): string {
  return explainCode(error instanceof Error && 'code' in error ? String(error.code) : '', locale);
}

/** Explains an error code: the string `error_CODE` of the language, else the English message. */
export function explainCode(code: string, locale: Locale): string {
  return (
    locale.find(`error_${code}`) ??
    new Map(Object.entries(DEFAULT_MESSAGES)).get(code) ??
    locale.text('error_other')
  );
}
