export {
  createUbikBackend,
  parseContent,
  parseInSlices,
  serializeContent,
} from '../backends/ubik/index.js';
export type {
  AnswerInput,
  AnswerRoute,
  UbikBackend,
  UbikBackendOptions,
  UbikLimits,
} from '../backends/ubik/index.js';
