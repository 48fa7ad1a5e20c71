import { encodePath } from '../../../stream/http.js';
import type { UbikContext } from './context.js';
import {
  createShapeError,
  readBranch,
  readMessage,
  type WireBranch,
  type WireMessage,
} from './read-message.js';

/** The active branch of a session. */
export async function getBranch(
  context: UbikContext,
  session: string,
  options: { readonly signal?: AbortSignal; readonly timeout?: number } = {},
): Promise<WireBranch> {
  const path = encodePath`/agent-sessions/${session}/messages`;
  const timeout = options.timeout ?? context.limits.timeout ?? 30_000;
  return readBranch(await context.http.json({ method: 'GET', path, ...options, timeout }));
}

/** One message, of any branch. */
export async function getMessage(
  context: UbikContext,
  session: string,
  id: string,
): Promise<WireMessage> {
  const path = encodePath`/agent-sessions/${session}/messages/${id}`;
  const timeout = context.limits.timeout ?? 30_000;
  const message = readMessage(await context.http.json({ method: 'GET', path, timeout }));
  if (!message) throw createShapeError('a message');
  return message;
}

/** Switches the active branch. What the service answers is not relied on. */
export async function postNavigate(
  context: UbikContext,
  session: string,
  messageId: string,
): Promise<void> {
  await context.http.json({
    method: 'POST',
    path: encodePath`/agent-sessions/${session}/navigate`,
    json: { target_message_id: messageId },
    timeout: context.limits.timeout ?? 30_000,
  });
}

/** Asks for the end of what runs. */
export async function postStop(context: UbikContext, session: string): Promise<void> {
  const path = encodePath`/agent-sessions/${session}/stop`;
  // The service waits for a running tool before it answers: no limit of ours.
  const response = await context.http.request({ method: 'POST', path });
  await response.body?.cancel();
}
