/** Silence of a leader, in ms, after which a follower queries it. */
export const QUERY_TIMEOUT = 2000;

/** Silence of a leader, in ms, after which it counts as frozen, and its lock is stolen. A multiple of {@link QUERY_TIMEOUT}. */
export const TAKEOVER_TIMEOUT = 2 * QUERY_TIMEOUT;
