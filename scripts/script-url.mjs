/**
 * Code for a classic script that returns the URL of the running script, or an empty string if it is unknown, as in a module. Uses the
 * getter of the prototype, because an element with the name "currentScript" would shadow the property of the document (DOM clobbering,
 * CVE-2024-45812).
 */
export const SCRIPT_URL = `((script) => script instanceof HTMLScriptElement ? script.src : '')(
  Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript')?.get?.call(document)
)`.replaceAll(/\n */g, ' ');

/**
 * Rollup plugin that replaces `import.meta.url` in a classic script.
 *
 * @returns {import('rollup').Plugin}
 */
export function scriptUrl() {
  return {
    name: 'script-url',
    resolveImportMeta: (property) =>
      property === 'url' ? `(${SCRIPT_URL} || document.baseURI)` : null,
  };
}
