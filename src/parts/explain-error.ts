import type { Locale } from '../locales/locale.js';

/** A sentence for the person about what went wrong and what to do, in their language, by the error's code. */
export function explainError(error: unknown, locale: Locale): string {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return explainCode(code, locale);
}

/** The same for a code alone. */
export function explainCode(code: string, locale: Locale): string {
  return locale.find(`error_${code}`) ?? locale.text('error_other');
}
