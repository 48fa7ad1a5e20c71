/** Returns the text of a page, with headings as Markdown. Throws `Unreadable` if it is longer than the limit. */
export function readHtml(html: string, mostCharacters: number): string;
