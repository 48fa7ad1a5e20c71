/**
 * The optional parts of the page, each as an import that the bundlers of an app can follow, so that they become files of the app which
 * are loaded when they are needed. Written by the build into the modules of the package; the bundles for script tags have none.
 */
export const extraFiles: ReadonlyMap<string, () => Promise<unknown>> | null = null;
