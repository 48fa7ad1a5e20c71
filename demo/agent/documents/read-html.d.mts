/** Returns the text of a page, with headings as Markdown. Throws `UnreadableFileError` if it is longer than the limit. */
export function readHtml(html: string, maxCharacters: number): string;
