import { textOf } from '../json.js';
import { titleOf } from './title.js';
import { listGlobalDocuments, linkDocument } from '../store/documents.js';
import {
  deleteSession,
  insertSession,
  listSessions,
  mustFindSession,
  updateSession,
} from '../store/sessions.js';
import { TOOLS } from '../tools/tool-list.js';
import { ApiError } from './api-error.js';
import { readJson } from './body.js';
import { shapePage, type Desk } from './desk.js';
import { Fields } from './fields.js';
import type { Call, Router } from './router.js';
import { shapeSession } from './shapes.js';

/** Routes to list, create, read, change and delete sessions. */
export function addSessionRoutes(router: Router, desk: Desk): void {
  const { database } = desk;
  router.on('GET', '/agent-sessions', (call) => {
    const page = desk.page(call);
    const { items, total } = listSessions(database, desk.filter(call.identity), page);
    return shapePage(
      items.map((session) => shapeSession(database, session)),
      total,
      page,
    );
  });
  router.on('POST', '/agent-sessions', (call) => createSession(desk, call));
  router.on('GET', '/agent-sessions/{session_id}', (call) =>
    shapeSession(database, desk.session(call)),
  );
  router.on('PATCH', '/agent-sessions/{session_id}', (call) => changeSession(desk, call));
  router.on('DELETE', '/agent-sessions/{session_id}', (call) => {
    const session = desk.session(call);
    desk.runner.dropSession(session.id);
    deleteSession(database, session.id);
    call.response.writeHead(204).end();
  });
  router.on('GET', '/agent-sessions/{session_id}/tools', (call) => {
    desk.session(call);
    return TOOLS;
  });
  for (const nothing of ['skills', 'mcp-servers']) {
    router.on('GET', `/agent-sessions/{session_id}/${nothing}`, (call) => {
      desk.session(call);
      return [];
    });
  }
}

async function createSession(desk: Desk, call: Call): Promise<object> {
  const fields = new Fields(await readJson(call.request, {}), 'body');
  const title = fields.optionalText('title', { max: 500 });
  const assistant = fields.optionalUuid('assistant_id');
  const modelName = fields.optionalText('model_name', { max: 200 });
  const prompt = fields.optionalText('initial_system_prompt', { max: 100_000 });
  const named = fields.optionalText('external_user_id', { max: 500 });
  fields.uuids('tool_ids', false);
  fields.uuids('skill_ids', false);
  const variables = fields.optionalObject('prompt_variables') ?? {};
  const mcp = fields.optionalObject('mcp_config');
  fields.done();
  const owner = ownerFor(call, named);
  const systemPrompt = prompt?.replaceAll(/\{\{\s*(\w+)\s*\}\}/gu, (whole, name: string) =>
    Object.hasOwn(variables, name) ? textOf(variables[name]) : whole,
  );
  return desk.database.transaction(() => {
    const session = insertSession(
      desk.database,
      {
        owner,
        title: title === null ? null : titleOf(title),
        modelName,
        systemPrompt: systemPrompt ?? null,
        options: { assistant_id: assistant, mcp_config: mcp },
      },
      desk.now(),
    );
    for (const document of listGlobalDocuments(desk.database)) {
      linkDocument(desk.database, session.id, document.id);
    }
    return shapeSession(desk.database, session);
  });
}

/** Returns the owner of a new session. Only the account may create sessions for another user. */
function ownerFor(call: Call, named: string | null): string | null {
  const { user } = call.identity;
  if (user !== null && named !== null && named !== user) {
    throw new ApiError(403, 'external_user_id does not belong to this token');
  }
  return user ?? named;
}

async function changeSession(desk: Desk, call: Call): Promise<object> {
  const session = desk.session(call);
  const fields = new Fields(await readJson(call.request), 'body');
  const title = fields.optionalText('title', { max: 500 });
  const status = fields.optionalText('status', { min: 1, max: 50 });
  const modelName = fields.optionalText('model_name', { max: 200 });
  const named = fields.optionalText('external_user_id', { max: 500 });
  fields.uuids('tool_ids', false);
  fields.uuids('skill_ids', false);
  fields.done();
  updateSession(
    desk.database,
    session.id,
    {
      ...(title === null ? {} : { title }),
      ...(status === null ? {} : { status }),
      ...(modelName === null ? {} : { model_name: modelName }),
      ...(named === null ? {} : { owner: ownerFor(call, named) }),
    },
    desk.now(),
  );
  return shapeSession(desk.database, mustFindSession(desk.database, session.id));
}
