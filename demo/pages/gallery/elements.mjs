/** The elements, as a page without a build takes them; loading this registers them. */
export { createStreamController } from '/dist/bundle/ubik-elements.min.mjs';
