import { createStreamController } from 'ubik-elements/controller.js';
import { createUbikBackend } from 'ubik-elements/ubik.js';

/** Requests a token for the signed-in user from the server of the app. */
export async function fetchToken(): Promise<string> {
  const response = await fetch('/agent-token', { method: 'POST' });
  return ((await response.json()) as { access_token: string }).access_token;
}

/**
 * One controller for the whole app, outside of all components: it outlives a chat that is unmounted, so a run continues, and a chat that
 * is mounted again opens no second connection.
 */
export const controller = createStreamController({
  backend: createUbikBackend({ baseUrl: '/api/v1', getToken: fetchToken }),
  userKey: 'user-1',
});
