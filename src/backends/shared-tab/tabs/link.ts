import type { Json } from '../../../model/json.js';

/** Something that one tab has at a time. */
export interface TabLock {
  /** Aborted when another tab has taken it away. */
  readonly lost: AbortSignal;
  /** Gives it to whoever waits for it. A tab that is closed gives it back without a word. */
  release(): void;
}

/** How a lock is asked for: at once or not at all, in its turn, or away from whoever has it. */
export type LockWish = 'if-free' | 'in-turn' | 'steal';

/**
 * What joins the tabs of one browser in which one person uses one service. Handed to `shareAcrossTabs`, so that tests have tabs
 * without a browser.
 */
export interface TabLink {
  /** Tells all other tabs something; in order, to each that is there, without an answer. Plain data. */
  post(message: Json): void;
  /** Hears what the others tell, until the returned function is called. What comes may have any shape. */
  listen(hear: (message: unknown) => void): () => void;
  /** A lock of this name; null when it cannot be had, or when the wait for it was given up. */
  lock(name: string, wish: LockWish, signal: AbortSignal): Promise<TabLock | null>;
}
