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
import { shapePage, type Desk } from './desk.js';
import { Fields } from './fields.js';
import { cleanFileName, readForm } from './multipart.js';
import type { Call, Router } from './router.js';
import { shapeDocument, shapePassage } from './shapes.js';

/** Maximum size of an uploaded file, in bytes. */
export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;

/** Routes for the documents of a session, their passages and uploads. */
export function addDocumentRoutes(router: Router, desk: Desk): void {
  const { database } = desk;
  const documents = '/agent-sessions/{session_id}/documents';
  router.on('GET', documents, (call) => {
    const session = desk.session(call);
    const page = desk.page(call);
    const items = listSessionDocuments(database, session.id, page).map((document) => ({
      ...shapeDocument(document),
      is_starred: document.is_starred === 1,
    }));
    return shapePage(items, countSessionDocuments(database, session.id), page);
  });
  router.on('POST', documents, (call) => link(desk, call));
  router.on('POST', '/agent-sessions/{session_id}/upload', (call) => upload(desk, call));
  router.on('DELETE', `${documents}/{document_id}`, (call) => {
    const session = desk.session(call);
    if (!unlinkDocument(database, session.id, desk.id(call, 'document_id'))) {
      throw notFound('Document');
    }
    call.response.writeHead(204).end();
  });
  router.on('PUT', `${documents}/{document_id}/star`, (call) => star(desk, call));
  router.on('GET', '/documents/{document_id}', (call) => {
    const document = desk.document(call, desk.id(call, 'document_id'));
    return {
      ...shapeDocument(document),
      file_name: document.file_name,
      markdown_content: readDocumentText(database, document.id),
    };
  });
  router.on('GET', '/chunks/{chunk_id}', (call) => shapePassage(passageOf(desk, call)));
  router.on('GET', '/chunks/{chunk_id}/document', (call) =>
    shapeDocument(desk.document(call, passageOf(desk, call).document_id)),
  );
}

function passageOf(desk: Desk, call: Call): PassageRow {
  const passage = findPassage(desk.database, desk.id(call, 'chunk_id'));
  if (passage === null) throw notFound('Chunk');
  try {
    desk.document(call, passage.document_id);
  } catch {
    throw notFound('Chunk'); // A passage of another user's document is reported as missing, too.
  }
  return passage;
}

async function link(desk: Desk, call: Call): Promise<object> {
  const session = desk.session(call);
  const fields = new Fields(await readJson(call.request), 'body');
  const ids = fields.uuids('document_ids', true);
  fields.done();
  const documents = ids.map((id) => desk.document(call, id.toLowerCase()));
  desk.database.transaction(() => {
    for (const document of documents) linkDocument(desk.database, session.id, document.id);
  });
  return { status: 'success', document_ids: documents.map((document) => document.id) };
}

async function upload(desk: Desk, call: Call): Promise<object> {
  const session = desk.session(call);
  const form = await readForm(call.request, MAX_UPLOAD_BYTES);
  const file = form.files.get('file');
  if (file === undefined) {
    throw invalidRequest([{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }]);
  }
  const metadata = form.fields.get('api_metadata') ?? null;
  if (metadata !== null && !isJson(metadata)) {
    throw new ApiError(400, 'api_metadata must be a valid JSON string');
  }
  const document = desk.ingest.take({
    owner: session.owner,
    fileName: cleanFileName(file.name),
    fileType: file.type,
    bytes: file.bytes,
    apiMetadata: metadata,
    sessionId: session.id,
  });
  return { ...shapeDocument(document), file_name: document.file_name, markdown_content: null };
}

async function star(desk: Desk, call: Call): Promise<object> {
  const session = desk.session(call);
  const id = desk.id(call, 'document_id');
  const fields = new Fields(await readJson(call.request), 'body');
  const starred = fields.requiredFlag('is_starred');
  fields.done();
  if (!starDocument(desk.database, session.id, id, starred)) throw notFound('Document');
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
