/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = /^(?:Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa)$/;

/** The language whose file serves a tag; who reads traditional Chinese is not given simplified. Empty for what is no tag. */
export function fileFor(tag: string): string {
  const { language = '', script } = complete(tag) ?? {};
  return language === 'zh' && script !== 'Hans' ? '' : language;
}

/** Whether the language of a tag is written from right to left. */
export function isRightToLeft(tag: string): boolean {
  return RIGHT_TO_LEFT.test(complete(tag)?.script ?? '');
}

/** A tag with the script and the region that are most likely; null for what is none. */
function complete(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return null;
  }
}
