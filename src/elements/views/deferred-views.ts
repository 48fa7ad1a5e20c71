import { deferFile } from '../../parts/deferred.js';

/** All that draws messages, with its looks: one file, fetched with the first of them. */
export const deferredViews = deferFile(() => import('./views-of-messages.js'));
