/**
 * Imports of the optional modules, which bundlers of an app turn into lazy chunks. The build writes them into the modules
 * of the package; null in the script-tag bundles.
 */
export const extraFiles: ReadonlyMap<string, () => Promise<unknown>> | null = null;

/**
 * Imports of optional modules with the libraries of the app, which take precedence; `entries/own-marked.ts` adds them. The build creates the
 * map in the modules of the package; null in the script-tag bundles.
 */
export const ownExtras: Map<string, () => Promise<unknown>> | null = null;
