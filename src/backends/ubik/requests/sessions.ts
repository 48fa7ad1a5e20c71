import type { NewThread, Page, PageRequest, ThreadSummary } from '../../backend.js';
import type { Json } from '../../../model/json.js';
import { parseInstant } from '../../../stream/instant.js';
import { encodePath } from '../../../stream/http.js';
import { asFields, readId, readText } from '../wire/fields.js';
import type { UbikContext } from './context.js';
import { readPage, toPageQuery } from './read-page.js';
import { createShapeError } from './read-message.js';

/** Names of ours for options that the service spells otherwise. Its own names go through as they are. */
const OPTION_NAMES: ReadonlyMap<string, string> = new Map([
  ['assistantId', 'assistant_id'],
  ['modelName', 'model_name'],
  ['initialSystemPrompt', 'initial_system_prompt'],
  ['toolIds', 'tool_ids'],
  ['skillIds', 'skill_ids'],
  ['externalUserId', 'external_user_id'],
  ['promptVariables', 'prompt_variables'],
  ['mcpConfig', 'mcp_config'],
]);

/** Sessions, in the service's order. */
export async function getSessions(
  context: UbikContext,
  page: PageRequest,
): Promise<Page<ThreadSummary>> {
  const query = toPageQuery(page);
  const timeout = context.limits.timeout ?? 30_000;
  const answer = await context.http.json({
    method: 'GET',
    path: '/agent-sessions',
    query,
    timeout,
  });
  return readPage(answer, readSession);
}

/** One session. */
export async function getSession(context: UbikContext, id: string): Promise<ThreadSummary> {
  const path = encodePath`/agent-sessions/${id}`;
  const timeout = context.limits.timeout ?? 30_000;
  return toSession(await context.http.json({ method: 'GET', path, timeout }));
}

/** Makes a session. */
export async function postSession(
  context: UbikContext,
  assistantId: string | undefined,
  { title, options = {} }: NewThread,
): Promise<ThreadSummary> {
  const body = new Map<string, Json>();
  if (assistantId !== undefined) body.set('assistant_id', assistantId);
  if (title !== undefined) body.set('title', title);
  for (const [name, value] of Object.entries(options))
    body.set(OPTION_NAMES.get(name) ?? name, value);
  const json = Object.fromEntries(body);
  const timeout = context.limits.timeout ?? 30_000;
  return toSession(
    await context.http.json({ method: 'POST', path: '/agent-sessions', json, timeout }),
  );
}

/** Changes a session; only what is named. */
export async function patchSession(
  context: UbikContext,
  id: string,
  changes: { readonly title: string },
): Promise<void> {
  const path = encodePath`/agent-sessions/${id}`;
  const timeout = context.limits.timeout ?? 30_000;
  await context.http.json({ method: 'PATCH', path, json: changes, timeout });
}

/** Deletes a session. */
export async function deleteSession(context: UbikContext, id: string): Promise<void> {
  const path = encodePath`/agent-sessions/${id}`;
  await context.http.json({ method: 'DELETE', path, timeout: context.limits.timeout ?? 30_000 });
}

function readSession(value: unknown): ThreadSummary | null {
  const fields = asFields(value);
  const id = fields && readId(fields, 'id');
  if (!fields || !id) return null;
  return {
    id,
    title: readText(fields, 'title') ?? '',
    createdAt: toMs(fields['created_at']),
    updatedAt: toMs(fields['updated_at']),
  };
}

function toSession(value: unknown): ThreadSummary {
  const session = readSession(value);
  if (!session) throw createShapeError('a session');
  return session;
}

function toMs(value: unknown): number | null {
  const instant = parseInstant(value);
  return instant === null ? null : Math.floor(instant / 1000);
}
