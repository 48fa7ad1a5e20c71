import { createLazyModule } from '../create-lazy-module.js';
import type * as actionTools from './action-tools.js';

/** The code of {@link lazyActionTools}. */
export type ActionTools = typeof actionTools;

/** The chunk with the edit form and Read aloud, loaded after the first answer, or when a button is hovered or focused. */
export const lazyActionTools = createLazyModule(() => import('./action-tools.js'));
