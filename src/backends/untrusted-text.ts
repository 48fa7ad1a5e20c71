/** Replaces the characters that delimit inline marks, so that a text of a service cannot forge a mark. */
export function replaceMarkCharacters(text: string): string {
  return text.replace(/[\uE000\uE001]/g, '\uFFFD');
}

/** Returns the URL if it is http or https without credentials; otherwise an empty string. */
export function toWebUrl(address: string): string {
  if (!URL.canParse(address)) return '';
  const { protocol, username, password, href } = new URL(address);
  return /^https?:$/.test(protocol) && !username && !password ? href : '';
}
