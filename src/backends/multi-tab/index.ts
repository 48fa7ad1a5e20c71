export { shareAcrossTabs } from './share-across-tabs.js';
export { createTabLink } from './tab-link.js';
export type { LockMode, TabLink, TabLock } from './tab-link.js';
