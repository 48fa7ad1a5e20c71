import {
  countSessionDocuments,
  linkDocument,
  listSessionDocuments,
  readDocumentText,
  starDocument,
  unlinkDocument,
} from '../store/documents.js';
import { findPassage, type PassageRow } from '../store/passages.js';
import { ApiError, invalidRequest, notFound } from './api-error.js';
import { readJson } from './body.js';
import { toPageJson, type ApiContext } from './api-context.js';
import { Fields } from './fields.js';
import { cleanFileName, readForm } from './multipart.js';
import type { ApiRequest, Router } from './router.js';
import { toDocumentJson, toPassageJson } from './to-json.js';

/** Maximum size of an uploaded file, in bytes. */
export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;

/** Routes for the documents of a session, their passages and uploads. */
export function addDocumentRoutes(router: Router, context: ApiContext): void {
  const { database } = context;
  const documents = '/agent-sessions/{session_id}/documents';
  router.on('GET', documents, (call) => {
    const session = context.session(call);
    const page = context.page(call);
    const items = listSessionDocuments(database, session.id, page).map((document) => ({
      ...toDocumentJson(document),
      is_starred: document.is_starred === 1,
    }));
    return toPageJson(items, countSessionDocuments(database, session.id), page);
  });
  router.on('POST', documents, (call) => link(context, call));
  router.on('POST', '/agent-sessions/{session_id}/upload', (call) => upload(context, call));
  router.on('DELETE', `${documents}/{document_id}`, (call) => {
    const session = context.session(call);
    if (!unlinkDocument(database, session.id, context.id(call, 'document_id'))) {
      throw notFound('Document');
    }
    call.response.writeHead(204).end();
  });
  router.on('PUT', `${documents}/{document_id}/star`, (call) => star(context, call));
  router.on('GET', '/documents/{document_id}', (call) => {
    const document = context.document(call, context.id(call, 'document_id'));
    return {
      ...toDocumentJson(document),
      file_name: document.file_name,
      markdown_content: readDocumentText(database, document.id),
    };
  });
  router.on('GET', '/chunks/{chunk_id}', (call) => toPassageJson(passageOf(context, call)));
  router.on('GET', '/chunks/{chunk_id}/document', (call) =>
    toDocumentJson(context.document(call, passageOf(context, call).document_id)),
  );
}

function passageOf(context: ApiContext, call: ApiRequest): PassageRow {
  const passage = findPassage(context.database, context.id(call, 'chunk_id'));
  if (passage === null) throw notFound('Chunk');
  try {
    context.document(call, passage.document_id);
  } catch {
    throw notFound('Chunk'); // A passage of another user's document is reported as missing, too.
  }
  return passage;
}

async function link(context: ApiContext, call: ApiRequest): Promise<object> {
  const session = context.session(call);
  const fields = new Fields(await readJson(call.request), 'body');
  const ids = fields.uuids('document_ids', true);
  fields.throwIfInvalid();
  const documents = ids.map((id) => context.document(call, id.toLowerCase()));
  context.database.transaction(() => {
    for (const document of documents) linkDocument(context.database, session.id, document.id);
  });
  return { status: 'success', document_ids: documents.map((document) => document.id) };
}

async function upload(context: ApiContext, call: ApiRequest): Promise<object> {
  const session = context.session(call);
  const form = await readForm(call.request, MAX_UPLOAD_BYTES);
  const file = form.files.get('file');
  if (file === undefined) {
    throw invalidRequest([{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }]);
  }
  const metadata = form.fields.get('api_metadata') ?? null;
  if (metadata !== null && !isJson(metadata)) {
    throw new ApiError(400, 'api_metadata must be a valid JSON string');
  }
  const document = context.indexer.add({
    owner: session.owner,
    fileName: cleanFileName(file.name),
    fileType: file.type,
    bytes: file.bytes,
    apiMetadata: metadata,
    sessionId: session.id,
  });
  return { ...toDocumentJson(document), file_name: document.file_name, markdown_content: null };
}

async function star(context: ApiContext, call: ApiRequest): Promise<object> {
  const session = context.session(call);
  const id = context.id(call, 'document_id');
  const fields = new Fields(await readJson(call.request), 'body');
  const starred = fields.requiredFlag('is_starred');
  fields.throwIfInvalid();
  if (!starDocument(context.database, session.id, id, starred)) throw notFound('Document');
  return { status: 'success', is_starred: starred };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
