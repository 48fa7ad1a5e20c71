import { signToken } from '../auth/token.js';
import { ApiError } from './api-error.js';
import { readJson } from './body.js';
import type { ApiContext } from './api-context.js';
import { Fields } from './fields.js';
import type { Router } from './router.js';

/** Routes of the account: tokens, health, models, assistants. */
export function addAccountRoutes(router: Router, context: ApiContext): void {
  router.on('POST', '/auth/token', async (call) => {
    if (call.identity.user !== null || call.request.headers['x-api-key'] === undefined) {
      throw new ApiError(401, 'An API key is required');
    }
    const fields = new Fields((await readJson(call.request, {})) ?? {}, 'body');
    const user = fields.text('external_user_id', { min: 1, max: 500 });
    const minutes = fields.integer('expires_in_minutes', 60, 5, 1440);
    fields.throwIfInvalid();
    return {
      access_token: createToken(context.credentials.secret, user, minutes),
      token_type: 'bearer',
    };
  });
  router.on('GET', '/health', (call) => ({ status: 'ok', user: call.identity.user }));
  router.on('GET', '/users/me', (call) => ({ id: call.identity.user ?? 'account', balance: 0 }));
  router.on('GET', '/models', () => [
    {
      name: 'rules',
      provider: 'local',
      description: 'Plans by rules and really does the work.',
      display_name: 'Local agent',
      default: true,
    },
  ]);
  router.on('GET', '/assistants', (call) => {
    if (call.identity.user !== null) {
      throw new ApiError(403, 'Assistants are not available for end-user scoped requests');
    }
    return [];
  });
}

/** Creates a token for one user that expires after a number of minutes. */
export function createToken(secret: string, user: string, minutes: number): string {
  return signToken(secret, { user, expires: Math.floor(Date.now() / 1000) + minutes * 60 });
}
