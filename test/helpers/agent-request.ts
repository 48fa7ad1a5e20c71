import type { InputRequest } from '../../src/backends/backend.js';

/** A request of the agent in a stored thread. */
export const AGENT_REQUEST: InputRequest = {
  key: '@request:c1',
  message: '',
  level: 'agent',
  checkpointName: 'c1',
  executionId: null,
  toolName: null,
  prompt: 'Which year?',
  inputTypes: ['text'],
  options: null,
  schema: null,
  deadline: null,
};
