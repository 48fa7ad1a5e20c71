import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { CheckpointRow } from '../store/checkpoints.js';
import type { Database } from '../store/database.js';
import { listSessionDocuments, type DocumentRow } from '../store/documents.js';
import type { ExecutionRow } from '../store/executions.js';
import { readSiblings, type MessageRow } from '../store/messages.js';
import type { PassageRow } from '../store/passages.js';
import type { SessionRow } from '../store/sessions.js';
import { TOOLS } from '../tools/tool-list.js';

/** Converts a session to the format of the API. */
export function toSessionJson(database: Database, session: SessionRow): object {
  const options = parseObject(session.options);
  return {
    id: session.id,
    status: session.status,
    created_at: session.created_at,
    updated_at: session.updated_at,
    title: session.title,
    model_name: session.model_name,
    external_user_id: session.owner,
    active_tools: TOOLS,
    active_skills: [],
    documents: listSessionDocuments(database, session.id).map((document) => ({
      ...toDocumentJson(document),
      is_starred: document.is_starred === 1,
    })),
    workspaces: [],
    mcp_config: options['mcp_config'] ?? null,
  };
}

/** Converts a message to the format of the API. Pass `siblings` if they are already loaded. */
export function toMessageJson(
  database: Database,
  message: MessageRow,
  siblings: readonly string[] = readSiblings(database, message),
): object {
  const { id, role, content, created_at, parent_id, task_id } = message;
  return {
    id,
    role,
    content,
    created_at,
    parent_id,
    sibling_ids: siblings,
    task_id,
    stream_url: task_id === null ? null : streamUrl(message.session_id, task_id),
  };
}

/** URL of the stream of a task. */
export function streamUrl(sessionId: string, taskId: string): string {
  return `/api/v1/agent-sessions/${sessionId}/stream?task_id=${taskId}`;
}

/** Converts a document to the format of the API, without its content. */
export function toDocumentJson(document: DocumentRow): object {
  return {
    id: document.id,
    name: document.name,
    status: document.status,
    created_at: document.created_at,
    updated_at: document.updated_at,
    file_type: document.file_type,
    processing_pipeline: 'text',
    error_message: document.error_message,
    api_metadata: document.api_metadata === null ? null : parseJson(document.api_metadata),
  };
}

/** Converts a passage to the format of the API. */
export function toPassageJson(passage: PassageRow): object {
  return {
    id: passage.id,
    document_id: passage.document_id,
    text: passage.text,
    page_number: passage.page,
    bbox: null,
    start_time: null,
    end_time: null,
    metadata: { heading: passage.heading, position: passage.position },
  };
}

/** Converts a checkpoint to the format of the API. */
export function toCheckpointJson(checkpoint: CheckpointRow): object {
  return {
    checkpoint_name: checkpoint.name,
    checkpoint_id: checkpoint.id,
    task_id: checkpoint.task_id,
    created_at: checkpoint.created_at,
    metadata: checkpoint.metadata,
  };
}

/** Converts an execution to the format of the API. */
export function toExecutionJson(execution: ExecutionRow): object {
  return {
    id: execution.id,
    tool_id: execution.tool_id,
    user_id: execution.owner,
    status: execution.status,
    inputs: parseJson(execution.inputs),
    outputs: execution.outputs === null ? null : parseJson(execution.outputs),
    error: execution.error,
    created_at: execution.created_at,
    started_at: execution.started_at,
    completed_at: execution.completed_at,
  };
}

function parseJson(text: string): Json {
  return JSON.parse(text) as Json;
}

function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}
