/**
 * Loads the actions that the controller imports on demand, so that tests with scripted time need not wait for the file system.
 * Without a top-level `await`, during which the tests of the next file that shares a process would be added to this one.
 */
import * as checkpoints from '../../src/controller/checkpoints/checkpoint-actions.js';
import * as documents from '../../src/controller/documents/document-actions.js';
import {
  checkpointActions,
  documentActions,
  queueActions,
  storedThreads,
} from '../../src/controller/lazy-actions.js';
import * as queue from '../../src/controller/messages/message-queue.js';
import * as threads from '../../src/controller/threads/stored-threads.js';

checkpointActions.value = checkpoints;
documentActions.value = documents;
queueActions.value = queue;
storedThreads.value = threads;

/**
 * Loads the other code that controller, backends and transport import on demand. Call it before a test whose network is real: waiting for
 * its responses does not wait for files. With `import()`, because a compiled test has a separate file for each module that is imported
 * dynamically.
 */
export async function loadLazyCode(): Promise<void> {
  await Promise.all([
    import('../../src/backends/data-agent/run/provide-input.js'),
    import('../../src/backends/ubik/run/checkpoints.js'),
    import('../../src/backends/ubik/run/provide-input.js'),
    import('../../src/backends/ubik/run/stored-requests.js'),
    import('../../src/controller/documents/upload-queue.js'),
    import('../../src/transport/connection-diagnosis.js'),
    import('../../src/transport/json-slices.js'),
    import('../../src/transport/upload.js'),
  ]);
}
