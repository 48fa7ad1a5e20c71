/**
 * Invisible characters that change a name: control, formatting and ignorable characters, and line separators. Joiners and
 * variation selectors are kept, since names in Persian, in Indic scripts and with emoji need them.
 */
const INVISIBLE =
  /(?![\u200c\u200d\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/**
 * Makes a file name safe to show and send: removes folders and invisible characters, and keeps the last 200 UTF-16 units, which include
 * the extension. Returns '' for a name that consists of dots only, such as `..`, and when nothing remains.
 */
export function sanitizeFileName(name: string): string {
  const last = name.replace(INVISIBLE, '').split(/[/\\]/).at(-1)?.trim() ?? '';
  if (/^\.*$/.test(last)) return '';
  // The cut may have split the first character.
  return last.length > 200 ? last.slice(-200).replace(/^[\p{Surrogate}\p{M}\u200D]+/u, '') : last;
}
