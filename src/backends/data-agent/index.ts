export { createDataAgentBackend } from './data-agent-backend.js';
export type {
  ApiPrefix,
  ChatOption,
  DataAgentBackendOptions,
  DataAgentLimits,
  DataAgentMessageOptions,
} from './options.js';
export type { ApplicationContext } from '../../model/message.js';
