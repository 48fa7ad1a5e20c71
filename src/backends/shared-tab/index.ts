export { shareAcrossTabs } from './share-across-tabs.js';
export { createTabLink } from './tabs/platform-link.js';
export type { LockWish, TabLink, TabLock } from './tabs/link.js';
