/**
 * Names of the classes that the style sheets and the code of the elements select, in lower case and without those that begin with `ubik-`.
 * Empty here: in a build, `scripts/own-classes.mjs` replaces this module with one that contains the names.
 */
export const OWN_CLASSES: ReadonlySet<string> = new Set();
