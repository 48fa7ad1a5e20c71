/** The beginning of a text, with an ellipsis where something was left out. No character is cut in halves. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/\p{Surrogate}$/u, '')}…`;
}
