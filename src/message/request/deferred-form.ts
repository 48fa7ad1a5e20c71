import { createLazyModule } from '../deferred.js';

/** Forms for answers that are more than a text. */
export const lazyAnswerForm = createLazyModule(() => import('./answer-form.js'));
