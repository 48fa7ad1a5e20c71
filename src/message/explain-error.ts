import { DEFAULT_MESSAGES } from '../errors.js';
import type { Locale } from '../locales/locale.js';

/** A sentence for the person about what went wrong and what to do, in their language, by the error's code. */
export function explainError(error: unknown, locale: Locale): string {
  return explainCode(error instanceof Error && 'code' in error ? String(error.code) : '', locale);
}

/** The same for a code alone: the sentence of the language, else the English one. */
export function explainCode(code: string, locale: Locale): string {
  return (
    locale.find(`error_${code}`) ??
    new Map(Object.entries(DEFAULT_MESSAGES)).get(code) ??
    locale.text('error_other')
  );
}
