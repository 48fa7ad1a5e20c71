const warned = new Set<string>();

/**
 * Warns the developer of the host page, once for each text. No other code of the package writes to the console.
 *
 * @param cause Errors that code of the host page has thrown. Passed on unchanged, so that the console shows their stacks.
 */
export function warnOnce(text: string, ...cause: readonly unknown[]): void {
  if (warned.has(text)) return;
  warned.add(text);
  globalThis.console.warn(`ubik-elements: ${text}`, ...cause);
}
