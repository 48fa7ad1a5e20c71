export {
  createUbikBackend,
  parseContent,
  parseInSlices,
  serializeContent,
} from '../backends/ubik/index.js';
export type {
  AnswerRoute,
  ChooseAnswerRoute,
  UbikBackend,
  UbikBackendOptions,
  UbikLimits,
} from '../backends/ubik/index.js';
