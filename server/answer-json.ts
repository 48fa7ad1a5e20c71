import type { ServerResponse } from 'node:http';
import { INERT_HEADERS } from './inert-content.js';
import { describePrivateAnswer } from './private-answer.js';

/** Answers one person with JSON, which nobody may keep. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...INERT_HEADERS,
      ...describePrivateAnswer(response),
      ...headers,
    })
    .end(text);
}
