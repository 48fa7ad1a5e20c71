const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
]);

/** The readable text of a page, with its headings as Markdown. Scripts, styles and comments are left out. */
export function readHtml(html: string): string {
  return html
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/gu, '')
    .replaceAll(/<(script|style|noscript|template|svg)\b[\s\S]*?(?:<\/\1\s*>|$)/giu, '')
    .replaceAll(/<h([1-6])\b[^>]*>/giu, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replaceAll(/<li\b[^>]*>/giu, '\n- ')
    .replaceAll(/<br\b[^>]*>/giu, '\n')
    .replaceAll(
      /<\/?(?:p|div|section|article|table|tr|ul|ol|blockquote|h[1-6]|pre|header|footer|main)\b[^>]*>/giu,
      '\n\n',
    )
    .replaceAll(/<\/t[dh]\s*>/giu, ' | ')
    .replaceAll(/<[^>]{0,5000}>/gu, '')
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/giu, decodeEntity)
    .replaceAll(/[ \t]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? whole;
  const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
