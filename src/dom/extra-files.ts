/**
 * Imports of the optional modules, which bundlers of an app turn into lazy chunks. The build writes them into the modules
 * of the package; null in the script-tag bundles.
 */
export const extraFiles: ReadonlyMap<string, () => Promise<unknown>> | null = null;
