/** Derives a title from a message: its first line, truncated to 80 characters, if possible at a word, with an ellipsis. */
export function titleOf(text: string): string {
  const line = text.trim().split(/\r?\n/u)[0]?.trim() ?? '';
  const characters = [...line];
  if (characters.length <= 80) return line;
  const cut = characters.slice(0, 80).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > 40 ? cut.slice(0, space) : cut}…`;
}
