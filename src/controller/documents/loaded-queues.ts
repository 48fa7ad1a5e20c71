import type { StreamController } from '../controller-types.js';
import type { UploadQueue } from './upload-queue.js';

/** The upload queues by controller. In a separate file, so that elements can look for uploads without loading the code of the queue. */
export const loadedQueues = new WeakMap<StreamController, UploadQueue>();
