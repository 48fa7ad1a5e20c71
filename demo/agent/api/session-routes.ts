import { textOf } from '../json.js';
import { titleOf } from './title.js';
import { listGlobalDocuments, linkDocument } from '../store/documents.js';
import {
  deleteSession,
  insertSession,
  listSessions,
  getSession,
  updateSession,
} from '../store/sessions.js';
import { TOOLS } from '../tools/tool-list.js';
import { ApiError } from './api-error.js';
import { readJson } from './body.js';
import { toPageJson, type ApiContext } from './api-context.js';
import { Fields } from './fields.js';
import type { ApiRequest, Router } from './router.js';
import { toSessionJson } from './to-json.js';

/** Routes to list, create, read, change and delete sessions. */
export function addSessionRoutes(router: Router, context: ApiContext): void {
  const { database } = context;
  router.on('GET', '/agent-sessions', (call) => {
    const page = context.page(call);
    const { items, total } = listSessions(database, context.filter(call.identity), page);
    return toPageJson(
      items.map((session) => toSessionJson(database, session)),
      total,
      page,
    );
  });
  router.on('POST', '/agent-sessions', (call) => createSession(context, call));
  router.on('GET', '/agent-sessions/{session_id}', (call) =>
    toSessionJson(database, context.session(call)),
  );
  router.on('PATCH', '/agent-sessions/{session_id}', (call) => changeSession(context, call));
  router.on('DELETE', '/agent-sessions/{session_id}', (call) => {
    const session = context.session(call);
    context.runner.discardSession(session.id);
    deleteSession(database, session.id);
    call.response.writeHead(204).end();
  });
  router.on('GET', '/agent-sessions/{session_id}/tools', (call) => {
    context.session(call);
    return TOOLS;
  });
  for (const emptyList of ['skills', 'mcp-servers']) {
    router.on('GET', `/agent-sessions/{session_id}/${emptyList}`, (call) => {
      context.session(call);
      return [];
    });
  }
}

async function createSession(context: ApiContext, call: ApiRequest): Promise<object> {
  const fields = new Fields(await readJson(call.request, {}), 'body');
  const title = fields.optionalText('title', { max: 500 });
  const assistant = fields.optionalUuid('assistant_id');
  const modelName = fields.optionalText('model_name', { max: 200 });
  const prompt = fields.optionalText('initial_system_prompt', { max: 100_000 });
  const named = fields.optionalText('external_user_id', { max: 500 });
  // Validated, but without effect: every session has all tools and no skills.
  fields.uuids('tool_ids', false);
  fields.uuids('skill_ids', false);
  const variables = fields.optionalObject('prompt_variables') ?? {};
  const mcp = fields.optionalObject('mcp_config');
  fields.throwIfInvalid();
  const owner = ownerFor(call, named);
  const systemPrompt = prompt?.replaceAll(/\{\{\s*(\w+)\s*\}\}/gu, (whole, name: string) =>
    Object.hasOwn(variables, name) ? textOf(variables[name]) : whole,
  );
  return context.database.transaction(() => {
    const session = insertSession(
      context.database,
      {
        owner,
        title: title === null ? null : titleOf(title),
        modelName,
        systemPrompt: systemPrompt ?? null,
        options: { assistant_id: assistant, mcp_config: mcp },
      },
      context.now(),
    );
    for (const document of listGlobalDocuments(context.database)) {
      linkDocument(context.database, session.id, document.id);
    }
    return toSessionJson(context.database, session);
  });
}

/**
 * Returns the owner of a session that a request creates or changes; null for the account. Throws an `ApiError` (403) if a user names another
 * user.
 */
function ownerFor(call: ApiRequest, named: string | null): string | null {
  const { user } = call.identity;
  if (user !== null && named !== null && named !== user) {
    throw new ApiError(403, 'external_user_id does not belong to this token');
  }
  return user ?? named;
}

async function changeSession(context: ApiContext, call: ApiRequest): Promise<object> {
  const session = context.session(call);
  const fields = new Fields(await readJson(call.request), 'body');
  const title = fields.optionalText('title', { max: 500 });
  const status = fields.optionalText('status', { min: 1, max: 50 });
  const modelName = fields.optionalText('model_name', { max: 200 });
  const named = fields.optionalText('external_user_id', { max: 500 });
  // Validated, but without effect: every session has all tools and no skills.
  fields.uuids('tool_ids', false);
  fields.uuids('skill_ids', false);
  fields.throwIfInvalid();
  updateSession(
    context.database,
    session.id,
    {
      ...(title === null ? {} : { title }),
      ...(status === null ? {} : { status }),
      ...(modelName === null ? {} : { model_name: modelName }),
      ...(named === null ? {} : { owner: ownerFor(call, named) }),
    },
    context.now(),
  );
  return toSessionJson(context.database, getSession(context.database, session.id));
}
