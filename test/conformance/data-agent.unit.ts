import { randomUUID } from 'node:crypto';
import type { Backend } from '../../src/backends/backend.js';
import {
  createDataAgentBackend,
  type DataAgentBackendOptions,
} from '../../src/backends/data-agent/index.js';
import { createLazyDataAgentBackend } from '../../src/backends/data-agent/lazy-data-agent.js';
import { shareAcrossTabs } from '../../src/backends/multi-tab/index.js';
import { createEnvironment } from '../../src/transport/environment.js';
import { MemoryTabs } from '../helpers/memory-tabs.js';
import { shareTestServer } from '../demo/test-server.js';
import { describeBackend, type Subject } from './backend-conformance.js';

const QUESTION = 'Which countries does the Danube flow through?';

const getServer = shareTestServer();

const setupWith = (create: (options: DataAgentBackendOptions) => Backend) => (): Subject => {
  const { url, agent, controls } = getServer();
  if (!agent || !controls) throw new Error('The test server has no agent.');
  controls.reset();
  const token = agent.createToken(randomUUID(), 60);
  return {
    backend: create({
      baseUrl: url,
      agentId: 'river-analyst',
      environment: createEnvironment(),
      getToken: () => token,
    }),
    stores: true,
    question: QUESTION,
    longQuestion: QUESTION,
    askingQuestion: null,
    toolQuestion: 'Export the table of countries',
    answer: { type: 'json', value: { max_rows: 3 } },
    // After 12 pieces of text, so that the tests have a part of the answer.
    pauseRuns: () => controls.pauseAt({ point: 'text', skip: 12 }),
    whenPaused: () => controls.whenPaused(),
    resumeRuns: () => controls.resumeRuns(),
  };
};

describeBackend('data-agent', setupWith(createDataAgentBackend));
describeBackend('data-agent, loaded with the first call', setupWith(createLazyDataAgentBackend));
describeBackend(
  'data-agent, shared across tabs',
  setupWith((options) => shareAcrossTabs(createDataAgentBackend(options), new MemoryTabs().open())),
);
