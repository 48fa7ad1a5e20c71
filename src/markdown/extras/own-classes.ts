/**
 * Names of the classes that the style sheets and the code of the elements select, in lower case and without those that begin with `ubik-`.
 * The build writes them (`scripts/own-classes.mjs`).
 */
export const OWN_CLASSES: ReadonlySet<string> = new Set();
