/** The elements, imported as in a page without a build. Loading this file registers them. */
export { createStreamController } from '/dist/bundle/ubik-elements.min.mjs';
