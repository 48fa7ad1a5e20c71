export { createUbikBackend, type UbikBackend } from './ubik-backend.js';
export type { UbikBackendOptions, UbikLimits } from './options.js';
export type { AnswerInput, AnswerRoute } from './run/answer-input.js';
export { parseContent, parseInSlices } from './tags/parse-content.js';
export { printContent } from './tags/print-content.js';
