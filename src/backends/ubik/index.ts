export { createUbikBackend, type UbikBackend } from './ubik-backend.js';
export type { UbikBackendOptions, UbikLimits } from './options.js';
export type { AnswerInput, AnswerRoute } from './run/provide-input.js';
export { parseContent, parseInSlices } from './content/content-parser.js';
export { printContent } from './content/print-content.js';
