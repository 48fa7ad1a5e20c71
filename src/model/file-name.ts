/**
 * What nobody sees but what changes a name: control and formatting characters, ignorable ones and line separators. Joiners and
 * variation selectors stay: names in Persian, in Indic scripts and with emoji are written with them.
 */
const HIDDEN =
  /(?![\u200c\u200d\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** The name of a file as it may be shown and sent: without folders and hidden characters, at most 200 UTF-16 units; empty when nothing is left. */
export function sanitizeFileName(name: string): string {
  const last = name.replace(HIDDEN, '').split(/[/\\]/).at(-1)?.trim() ?? '';
  return /^\.*$/.test(last) ? '' : last.slice(-200);
}
