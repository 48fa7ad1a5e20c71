/**
 * Opening and updating stored threads, and versions of their messages: loaded on demand, because a message in a new thread and its answer
 * need none of it.
 */
export { edit, loadVersion, regenerate } from '../messages/version-actions.js';
export { loadAndShow } from './open-thread.js';
export { checkExpiredRequest, checkPendingRequests, reloadOnReturn } from './revalidation.js';
export { switchBranch } from './switch-branch.js';
export { reloadAfterExternalChange, reloadMessages } from './thread-sync.js';
