import type { StreamController } from '../controller-types.js';
import type { UploadQueue } from './upload-queue.js';

/** The upload queues by controller, in the main script: what waits for uploads need not load the code of the queue to find that there are none. */
export const loadedQueues = new WeakMap<StreamController, UploadQueue>();
