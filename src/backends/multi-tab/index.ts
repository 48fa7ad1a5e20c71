export { shareAcrossTabs } from './share-across-tabs.js';
export { createTabLink } from './tab-link.js';
export type { LockWish, TabLink, TabLock } from './tab-link.js';
