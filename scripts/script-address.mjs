/**
 * Code for a classic script: the address of the script that runs, or an empty text where the browser does not say it, as in a module.
 * Read from the getter of the prototype: an element named "currentScript" takes the property's place on the document itself
 * (DOM clobbering, CVE-2024-45812).
 */
export const SCRIPT_ADDRESS = `((script) => script instanceof HTMLScriptElement ? script.src : '')(
  Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript')?.get?.call(document)
)`.replaceAll(/\n */g, ' ');

/**
 * A plug-in of Rollup that gives `import.meta.url` to a file that is built as a classic script.
 *
 * @returns {import('rollup').Plugin}
 */
export function scriptAddress() {
  return {
    name: 'script-address',
    resolveImportMeta: (property) =>
      property === 'url' ? `(${SCRIPT_ADDRESS} || document.baseURI)` : null,
  };
}
