import type { InputRequest } from '../../src/backends/backend.js';

/** A question of the agent, as histories tell it. */
export const AGENT_REQUEST: InputRequest = {
  key: '@request:c1',
  message: '',
  level: 'agent',
  checkpointName: 'c1',
  executionId: null,
  prompt: 'Which year?',
  inputTypes: ['text'],
  options: null,
  schema: null,
  deadline: null,
};
