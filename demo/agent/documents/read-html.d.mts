/** The text of a page, with its headings as Markdown. Throws `Unreadable` when it is longer than wanted. */
export function readHtml(html: string, mostCharacters: number): string;
