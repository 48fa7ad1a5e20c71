import type { ServerResponse } from 'node:http';
import { sendJson } from '../../server/inert-content.js';
import type { CreateErrorBody } from '../agent/api/fault-injection.js';
import type { Fault } from './fault.js';

const PAGE = '<!doctype html><title>Bad gateway</title><h1>502 Bad Gateway</h1>';

/** Responds to a request with a fault. Resolves with true, so that the API does not handle it. */
export function respondWithFault(
  fault: Fault,
  response: ServerResponse,
  createErrorBody: CreateErrorBody,
): Promise<boolean> {
  switch (fault.kind) {
    case 'status':
      respondWithStatus(fault, response, createErrorBody);
      break;
    case 'html':
      response
        .writeHead(fault.status ?? 200, { 'content-type': 'text/html; charset=utf-8' })
        .end(PAGE);
      break;
    case 'redirect':
      response.writeHead(307, { location: fault.to ?? 'http://elsewhere.invalid/' }).end();
      break;
    case 'reset':
      response.destroy();
      break;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": 1, ');
      break;
    case 'empty':
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      break;
    default: // A request that hangs is simply never answered.
  }
  return Promise.resolve(true);
}

function respondWithStatus(
  fault: Fault,
  response: ServerResponse,
  createErrorBody: CreateErrorBody,
): void {
  const status = fault.status ?? 500;
  const wait = fault.retryAfter;
  const headers: Record<string, string> = wait === undefined ? {} : { 'retry-after': String(wait) };
  if (status === 204) response.writeHead(204).end();
  else
    sendJson(
      response,
      status,
      createErrorBody(status, `Status ${String(status)}, on request`),
      headers,
    );
}
