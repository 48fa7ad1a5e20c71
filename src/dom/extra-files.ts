/**
 * Imports of the optional parts, in a form that bundlers of an app can follow and turn into lazy chunks. The build
 * writes them into the package's modules; the script-tag bundles have none.
 */
export const extraFiles: ReadonlyMap<string, () => Promise<unknown>> | null = null;
