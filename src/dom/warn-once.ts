const warned = new Set<string>();

/**
 * Tells the page's author about a mistake, once for each text. The only place of the package that writes to the console.
 */
export function warnOnce(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  globalThis.console.warn(`ubik-elements: ${text}`);
}
