import {
  inertContentHeaders,
  privateResponseHeaders,
  sendJson,
} from '../../../server/safe-response.js';
import { isJsonObject, type Json, type JsonObject } from '../json.js';
import { findAsset, findExecution, type ExecutionRow } from '../store/executions.js';
import { findTask } from '../store/tasks.js';
import { TOOLS } from '../tools/tool-list.js';
import { streamExecution } from '../wire/stream-execution.js';
import { ApiError, notFound } from './api-error.js';
import { mayUse, type Desk } from './desk.js';
import { MAX_UPLOAD_BYTES } from './document-routes.js';
import { cleanFileName, readForm } from './multipart.js';
import type { Call, Router } from './router.js';
import { shapeDocument, shapeExecution } from './shapes.js';

/** Routes for executions of tools, answers to their requests, and their files. */
export function addToolRoutes(router: Router, desk: Desk): void {
  const execution = '/tool-executions/{execution_id}';
  router.on('GET', execution, (call) => shapeExecution(executionOf(desk, call)));
  router.on('GET', `${execution}/stream`, async (call) => {
    const row = executionOf(desk, call);
    const task = findTask(desk.database, row.task_id);
    if (task === null) throw notFound('Execution');
    await streamExecution(call.response, {
      database: desk.database,
      execution: row,
      log: desk.runner.logOf(task),
      dialect: desk.interference.dialectOf(call.request),
      meddler: desk.interference.meddlerOf(call.request),
    });
  });
  router.on('POST', `${execution}/provide-input`, (call) => provideInput(desk, call));
  router.on('GET', '/assets/tools/{tool_id}/{execution_id}/{file_name}', (call) =>
    sendAsset(desk, call),
  );
  router.on('GET', '/tools', () => TOOLS);
  router.on('GET', '/tools/{tool}', (call) => {
    const wanted = call.params.get('tool');
    const tool = TOOLS.find((each) => each.id === wanted || each.name === wanted);
    if (tool === undefined) throw notFound('Tool');
    return tool;
  });
}

function executionOf(desk: Desk, call: Call): ExecutionRow {
  const execution = findExecution(desk.database, call.params.get('execution_id') ?? '');
  if (execution === null || !mayUse(call.identity, execution.owner)) throw notFound('Execution');
  return execution;
}

async function provideInput(desk: Desk, call: Call): Promise<void> {
  const execution = executionOf(desk, call);
  const form = await readForm(call.request, MAX_UPLOAD_BYTES);
  const text = form.fields.get('input_data_json');
  const file = form.files.get('file');
  if (text === undefined && file === undefined) {
    throw new ApiError(400, 'Either file or input_data_json is required');
  }
  const given = text === undefined ? {} : parseInput(text);
  // Checked again, because the state may have changed while the body was read.
  if (executionOf(desk, call).status !== 'waiting_for_input') {
    throw new ApiError(409, 'The execution is not waiting for input');
  }
  const kept =
    file === undefined
      ? null
      : desk.ingest.take({
          owner: execution.owner,
          fileName: cleanFileName(file.name),
          fileType: file.type,
          bytes: file.bytes,
          apiMetadata: null,
          sessionId: execution.session_id,
        });
  const input: Json =
    kept === null ? (given['input'] ?? null) : { document_id: kept.id, name: kept.name };
  const type = typeof given['type'] === 'string' ? given['type'] : kept === null ? 'text' : 'file';
  if (!desk.runner.answerTool(execution.id, { input, type })) {
    throw new ApiError(409, 'The execution is not waiting for input');
  }
  const answer = { status: 'accepted', execution_id: execution.id };
  const body = kept === null ? answer : { ...answer, document: shapeDocument(kept) };
  sendJson(call.response, 202, body);
}

function parseInput(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError(400, 'input_data_json must be a valid JSON string');
  }
  // Any JSON value is an answer. Stored messages have the form with `input` and `type`.
  return isJsonObject(value) && 'input' in value ? value : { input: value as Json };
}

function sendAsset(desk: Desk, call: Call): void {
  const execution = executionOf(desk, call);
  const asset = findAsset(desk.database, execution.id, call.params.get('file_name') ?? '');
  if (asset === null || execution.tool_id !== call.params.get('tool_id')) throw notFound('Asset');
  call.response
    .writeHead(200, {
      ...inertContentHeaders(asset.media_type),
      ...privateResponseHeaders(call.response),
      'content-length': asset.bytes.length,
    })
    .end(asset.bytes);
}
