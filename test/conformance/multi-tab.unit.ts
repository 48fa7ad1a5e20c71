import { shareAcrossTabs } from '../../src/backends/multi-tab/index.js';
import { createLazyUbikBackend } from '../../src/backends/ubik/lazy-ubik.js';
import { createUbikBackend } from '../../src/backends/ubik/index.js';
import { MemoryTabs } from '../helpers/memory-tabs.js';
import { shareTestServer } from '../demo/test-server.js';
import { describeBackend } from './backend-conformance.js';
import { connectUbik } from './ubik-subject.js';

const getServer = shareTestServer();

const setupShared = (create: typeof createLazyUbikBackend) => () => {
  const link = new MemoryTabs().open();
  // The default dialect: the type of an event is in its JSON.
  return connectUbik(getServer(), 'F1', (options) => shareAcrossTabs(create(options), link));
};

describeBackend('ubik, shared across tabs', setupShared(createUbikBackend));
describeBackend(
  'ubik, shared across tabs, loaded with the first call',
  setupShared(createLazyUbikBackend),
);
