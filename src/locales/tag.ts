/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = /^(?:Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa)$/;

/**
 * Returns the language whose file is used for a tag; empty for an invalid tag and for traditional Chinese, for which simplified Chinese is
 * not a substitute.
 */
export function languageFileFor(tag: string): string {
  const { language = '', script } = maximize(tag) ?? {};
  return language === 'zh' && script !== 'Hans' ? '' : language;
}

/** Whether the language of a tag is written from right to left. */
export function isRightToLeft(tag: string): boolean {
  return RIGHT_TO_LEFT.test(maximize(tag)?.script ?? '');
}

/** Returns the locale of a tag with its likely script and region; null for an invalid tag. */
function maximize(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return null;
  }
}
