export * from '../backends/ubik/index.js';
export { canonicalize, type CanonicalPart } from '../model/canonicalize.js';
