export { createDataAgentBackend } from './data-agent-backend.js';
export type {
  ApiPrefix,
  ApplicationContext,
  ChatOption,
  DataAgentBackendOptions,
  DataAgentLimits,
  DataAgentMessageOptions,
} from './options.js';
