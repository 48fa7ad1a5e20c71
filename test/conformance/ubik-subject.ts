import { randomUUID } from 'node:crypto';
import type { RunningServer } from '../../demo/server.js';
import type { Backend } from '../../src/backends/backend.js';
import { createUbikBackend, type UbikBackendOptions } from '../../src/backends/ubik/index.js';
import { createEnvironment } from '../../src/transport/environment.js';
import type { Subject } from './backend-conformance.js';

/** A message that is answered without a request for input. */
export const QUESTION = 'Which are the three longest rivers?';

/** Connects a backend of a new user to the demo's server, which sends the given dialect from now on. */
export function connectUbik(
  server: RunningServer,
  dialect: string,
  create: (options: UbikBackendOptions) => Backend = createUbikBackend,
): Subject {
  const { agent, controls } = server;
  if (!agent || !controls) throw new Error('The test server has no agent.');
  controls.reset();
  controls.setDialect(dialect);
  const token = agent.createToken(randomUUID(), 60);
  const backend = create({
    baseUrl: `${server.url}/api/v1`,
    environment: createEnvironment(),
    getToken: () => token,
  });
  return {
    backend,
    stores: true,
    question: QUESTION,
    longQuestion: QUESTION,
    askingQuestion: 'Which is the biggest river?',
    toolQuestion: 'Ask me for text',
    answer: { type: 'text', text: 'by length' },
    pauseRuns: () => controls.pauseAt({ point: 'tool' }),
    whenPaused: () => controls.whenPaused(),
    resumeRuns: () => controls.resumeRuns(),
  };
}
