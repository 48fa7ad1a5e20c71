const warned = new Set<string>();

/**
 * Warns the developer of the host page, once for each text. No other code of the package writes to the console.
 */
export function warnOnce(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  globalThis.console.warn(`ubik-elements: ${text}`);
}
