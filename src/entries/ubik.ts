export * from '../backends/ubik/index.js';
export { canonicalize } from '../model/canonicalize.js';
export type { CanonicalPart } from '../model/part-schema.js';
