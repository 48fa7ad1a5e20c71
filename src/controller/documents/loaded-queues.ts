import type { StreamController } from '../controller-types.js';
import type { UploadQueue } from './upload-queue.js';

/** The upload queues by controller. Apart from the code of the queue, so that others can find out that there are no uploads without loading it. */
export const loadedQueues = new WeakMap<StreamController, UploadQueue>();
