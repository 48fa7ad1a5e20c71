import type { IncomingMessage } from 'node:http';

/**
 * Tells who is signed in. Called for every request; null, undefined or an empty text means nobody. The answer must come
 * from the integrator's own session, never from anything that the page can choose.
 */
export type GetUser = (
  request: IncomingMessage,
) => string | null | undefined | Promise<string | null | undefined>;
