import {
  inertContentHeaders,
  privateResponseHeaders,
  sendJson,
} from '../../../server/inert-content.js';
import { isJsonObject, type Json, type JsonObject } from '../json.js';
import { findAsset, findExecution, type ExecutionRow } from '../store/executions.js';
import { findTask } from '../store/tasks.js';
import { TOOLS } from '../tools/tool-list.js';
import { streamExecution } from '../wire/stream-execution.js';
import { ApiError, notFound } from './api-error.js';
import { mayUse, type ApiContext } from './api-context.js';
import { MAX_UPLOAD_BYTES } from './document-routes.js';
import { cleanFileName, readForm } from './multipart.js';
import type { ApiRequest, Router } from './router.js';
import { toDocumentJson, toExecutionJson } from './to-json.js';

/** Routes for executions of tools, answers to their requests, and their files. */
export function addToolRoutes(router: Router, context: ApiContext): void {
  const execution = '/tool-executions/{execution_id}';
  router.on('GET', execution, (call) => toExecutionJson(executionOf(context, call)));
  router.on('GET', `${execution}/stream`, async (call) => {
    const row = executionOf(context, call);
    const task = findTask(context.database, row.task_id);
    if (task === null) throw notFound('Execution');
    await streamExecution(call.response, {
      database: context.database,
      execution: row,
      log: context.runner.logOf(task),
      dialect: context.faultInjection.dialectOf(call.request),
      streamFault: context.faultInjection.streamFaultOf(call.request),
    });
  });
  router.on('POST', `${execution}/provide-input`, (call) => provideInput(context, call));
  router.on('GET', '/assets/tools/{tool_id}/{execution_id}/{file_name}', (call) =>
    sendAsset(context, call),
  );
  router.on('GET', '/tools', () => TOOLS);
  router.on('GET', '/tools/{tool}', (call) => {
    const wanted = call.params.get('tool');
    const tool = TOOLS.find((each) => each.id === wanted || each.name === wanted);
    if (tool === undefined) throw notFound('Tool');
    return tool;
  });
}

function executionOf(context: ApiContext, call: ApiRequest): ExecutionRow {
  const execution = findExecution(context.database, call.params.get('execution_id') ?? '');
  if (execution === null || !mayUse(call.identity, execution.owner)) throw notFound('Execution');
  return execution;
}

async function provideInput(context: ApiContext, call: ApiRequest): Promise<void> {
  const execution = executionOf(context, call);
  const form = await readForm(call.request, MAX_UPLOAD_BYTES);
  const text = form.fields.get('input_data_json');
  const file = form.files.get('file');
  if (text === undefined && file === undefined) {
    throw new ApiError(400, 'Either file or input_data_json is required');
  }
  const given = text === undefined ? {} : parseInput(text);
  // Loaded again: the status may have changed while the body was read.
  if (executionOf(context, call).status !== 'waiting_for_input') {
    throw new ApiError(409, 'The execution is not waiting for input');
  }
  const document =
    file === undefined
      ? null
      : context.indexer.add({
          owner: execution.owner,
          fileName: cleanFileName(file.name),
          fileType: file.type,
          bytes: file.bytes,
          apiMetadata: null,
          sessionId: execution.session_id,
        });
  const input: Json =
    document === null
      ? (given['input'] ?? null)
      : { document_id: document.id, name: document.name };
  const type =
    typeof given['type'] === 'string' ? given['type'] : document === null ? 'text' : 'file';
  if (!context.runner.answerTool(execution.id, { input, type })) {
    throw new ApiError(409, 'The execution is not waiting for input');
  }
  const answer = { status: 'accepted', execution_id: execution.id };
  const body = document === null ? answer : { ...answer, document: toDocumentJson(document) };
  sendJson(call.response, 202, body);
}

function parseInput(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError(400, 'input_data_json must be a valid JSON string');
  }
  // Any JSON value is an answer. An object `{input, type}`, the form in which messages store answers, also gives its type.
  return isJsonObject(value) && 'input' in value ? value : { input: value as Json };
}

function sendAsset(context: ApiContext, call: ApiRequest): void {
  const execution = executionOf(context, call);
  const asset = findAsset(context.database, execution.id, call.params.get('file_name') ?? '');
  if (asset === null || execution.tool_id !== call.params.get('tool_id')) throw notFound('Asset');
  call.response
    .writeHead(200, {
      ...inertContentHeaders(asset.media_type),
      ...privateResponseHeaders(call.response),
      'content-length': asset.bytes.length,
    })
    .end(asset.bytes);
}
