import { deferFile } from '../deferred.js';

/** Forms for answers that are more than a text. */
export const deferredForm = deferFile(() => import('./form/answer-form.js'));
