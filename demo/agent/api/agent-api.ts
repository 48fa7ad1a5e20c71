import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from '../../../server/inert-content.js';
import { discardBody } from '../../../server/client-connection.js';
import { authenticate } from '../auth/authenticate.js';
import { addAccountRoutes } from './account-routes.js';
import { ApiError } from './api-error.js';
import type { ApiContext } from './api-context.js';
import { addDocumentRoutes } from './document-routes.js';
import { addMessageRoutes } from './message-routes.js';
import { Router } from './router.js';
import { addRunRoutes } from './run-routes.js';
import { addSessionRoutes } from './session-routes.js';
import { addToolRoutes } from './tool-routes.js';

/** Handles requests to paths of the API. */
export type ApiHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
) => Promise<void>;

const STREAM = /^\/(?:agent-sessions|tool-executions)\/[^/]+\/stream$/u;

/**
 * Creates the HTTP API of the agent. The handler never rejects: an error becomes a response in the format of the API, or breaks the
 * connection if the headers are already sent.
 *
 * @param onError Called with unexpected errors.
 */
export function createAgentApi(context: ApiContext, onError: (error: unknown) => void): ApiHandler {
  const router = new Router();
  addAccountRoutes(router, context);
  addSessionRoutes(router, context);
  addMessageRoutes(router, context);
  addRunRoutes(router, context);
  addDocumentRoutes(router, context);
  addToolRoutes(router, context);
  return async (request, response, path) => {
    try {
      const isAnswered = await context.faultInjection.interceptRequest(
        request,
        response,
        (_, detail) => ({
          detail,
        }),
      );
      if (isAnswered) return;
      const query = new URL(request.url ?? '/', 'http://local').searchParams;
      const identity = authenticate(
        context.credentials,
        request,
        STREAM.test(path) ? query.get('token') : null,
      );
      const { handler, params } = router.find(request.method ?? 'GET', path);
      const answer = await handler({ request, response, query, params, identity });
      if (answer !== undefined) sendJson(response, 200, answer);
    } catch (error) {
      if (!(error instanceof ApiError) && !response.destroyed) onError(error);
      // The client may still be sending the rejected body.
      if (!response.headersSent) await discardBody(request);
      sendError(response, error);
    }
  };
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    // The headers of a stream are already sent, so breaking the connection is the only way to signal the error.
    response.destroy();
    return;
  }
  if (error instanceof ApiError) {
    sendJson(response, error.status, { detail: error.detail }, error.headers);
  } else {
    sendJson(response, 500, { detail: 'Internal Server Error' });
  }
}
