import { STOP_CASES, QUEUE_CASES } from './queue-cases.js';
import { DOCUMENT_CASES } from './document-cases.js';
import { RUN_CASES } from './run-cases.js';
import { THREAD_CASES } from './thread-cases.js';
import type { ActionCase } from './action-case.js';

/** All actions that send a request, also when the action is undone or cancelled. */
export const ACTION_CASES: readonly ActionCase[] = [
  ...RUN_CASES,
  ...STOP_CASES,
  ...QUEUE_CASES,
  ...THREAD_CASES,
  ...DOCUMENT_CASES,
];
