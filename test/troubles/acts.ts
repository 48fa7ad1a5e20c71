import { ACTS_MEANWHILE, QUEUE_ACTS } from './acts-meanwhile.js';
import { DOCUMENT_ACTS } from './document-acts.js';
import { RUN_ACTS } from './run-acts.js';
import { THREAD_ACTS } from './thread-acts.js';
import type { TriedAct } from './tried-act.js';

/** Every act of a person that asks the service for something. */
export const TRIED_ACTS: readonly TriedAct[] = [
  ...RUN_ACTS,
  ...ACTS_MEANWHILE,
  ...QUEUE_ACTS,
  ...THREAD_ACTS,
  ...DOCUMENT_ACTS,
];
