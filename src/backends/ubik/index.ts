export { createUbikBackend, type UbikBackend } from './ubik-backend.js';
export type { UbikBackendOptions, UbikLimits } from './options.js';
export type { AnswerRoute, ChooseAnswerRoute } from './run/provide-input.js';
export { parseContent, parseInSlices } from './content/content-parser.js';
export { serializeContent } from './content/serialize-content.js';
