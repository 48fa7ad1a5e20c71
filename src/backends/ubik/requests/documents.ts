import type { DocumentInfo, Page, PageRequest, Passage } from '../../backend.js';
import { isUbikError } from '../../../errors.js';
import { parseInstant } from '../../../stream/instant.js';
import { encodePath } from '../../../stream/http.js';
import { asFields, readCount, readFlag, readId, readText, type Fields } from '../wire/fields.js';
import type { UbikContext } from './context.js';
import { toAssetPath } from './media-path.js';
import { readPage, toPageQuery } from './read-page.js';
import { createShapeError } from './read-message.js';

/** Documents of a session. */
export async function getDocuments(
  context: UbikContext,
  session: string,
  page: PageRequest,
): Promise<Page<DocumentInfo>> {
  const path = encodePath`/agent-sessions/${session}/documents`;
  const timeout = timeoutOf(context);
  const answer = await context.http.json({
    method: 'GET',
    path,
    query: toPageQuery(page),
    timeout,
  });
  return readPage(answer, readDocument);
}

/** One document: its status is the service's word. */
export async function getDocument(context: UbikContext, id: string): Promise<DocumentInfo> {
  const path = encodePath`/documents/${id}`;
  return toDocument(await context.http.json({ method: 'GET', path, timeout: timeoutOf(context) }));
}

/** Sends a file and links it to the session. */
export async function postUpload(
  context: UbikContext,
  session: string,
  file: File,
  onProgress: (sent: number, total: number) => void,
  signal: AbortSignal,
): Promise<DocumentInfo> {
  const form = new FormData();
  form.set('file', file);
  const path = encodePath`/agent-sessions/${session}/upload`;
  return toDocument(await context.http.upload({ method: 'POST', path, form, signal }, onProgress));
}

/** Links documents of the account to the session. */
export async function postLinks(
  context: UbikContext,
  session: string,
  documentIds: readonly string[],
): Promise<void> {
  const path = encodePath`/agent-sessions/${session}/documents`;
  const json = { document_ids: documentIds };
  await context.http.json({ method: 'POST', path, json, timeout: timeoutOf(context) });
}

/** Takes a document out of the session; it stays in the account. */
export async function deleteLink(
  context: UbikContext,
  session: string,
  documentId: string,
): Promise<void> {
  const path = encodePath`/agent-sessions/${session}/documents/${documentId}`;
  await context.http.json({ method: 'DELETE', path, timeout: timeoutOf(context) });
}

/** Marks a document of the session, or takes the mark off. */
export async function putStar(
  context: UbikContext,
  session: string,
  documentId: string,
  isStarred: boolean,
): Promise<void> {
  const path = encodePath`/agent-sessions/${session}/documents/${documentId}/star`;
  const json = { is_starred: isStarred };
  await context.http.json({ method: 'PUT', path, json, timeout: timeoutOf(context) });
}

/** What a citation points to: a passage, else the document of that id. */
export async function getPassage(
  context: UbikContext,
  id: string,
  signal: AbortSignal,
): Promise<Passage> {
  try {
    return await getChunk(context, id, signal);
  } catch (error) {
    if (!isUbikError(error) || error.code !== 'not-found') throw error;
  }
  const fields = await getFields(context, encodePath`/documents/${id}`, signal);
  const document = toDocument(fields);
  const text = readText(fields, 'markdown_content') ?? '';
  return { id, documentId: document.id, documentName: document.name, text, page: null };
}

/**
 * Bytes that need the person's rights. Files of tools are fetched below our own base URL, whatever host the service names; any other
 * address of another origin is refused before anything is sent.
 */
export async function getMedia(
  context: UbikContext,
  url: string,
  signal: AbortSignal,
): Promise<Blob> {
  const path = toAssetPath(url);
  const target = path === null ? { url } : { path };
  const response = await context.http.request({ method: 'GET', ...target, accept: '*/*', signal });
  return response.blob();
}

async function getChunk(context: UbikContext, id: string, signal: AbortSignal): Promise<Passage> {
  const fields = await getFields(context, encodePath`/chunks/${id}`, signal);
  const text = readText(fields, 'text');
  if (text === null) throw createShapeError('a passage');
  const documentId = readId(fields, 'document_id') ?? '';
  return {
    id,
    documentId,
    documentName: await getDocumentName(context, id, signal),
    text,
    page: readCount(fields, 'page_number'),
  };
}

/** A passage without the name of its document is still a passage. */
async function getDocumentName(
  context: UbikContext,
  chunkId: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return toDocument(await getFields(context, encodePath`/chunks/${chunkId}/document`, signal))
      .name;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

async function getFields(context: UbikContext, path: string, signal: AbortSignal): Promise<Fields> {
  const timeout = timeoutOf(context);
  const fields = asFields(await context.http.json({ method: 'GET', path, signal, timeout }));
  if (!fields) throw createShapeError('an object');
  return fields;
}

function readDocument(value: unknown): DocumentInfo | null {
  const fields = asFields(value);
  const id = fields && readId(fields, 'id');
  if (!fields || !id) return null;
  const instant = parseInstant(fields['created_at']);
  return {
    id,
    name: readText(fields, 'name') ?? readText(fields, 'file_name') ?? '',
    status: readText(fields, 'status') ?? '',
    fileType: readText(fields, 'file_type'),
    error: readText(fields, 'error_message'),
    starred: readFlag(fields, 'is_starred') ?? false,
    createdAt: instant === null ? null : Math.floor(instant / 1000),
  };
}

function toDocument(value: unknown): DocumentInfo {
  const document = readDocument(value);
  if (!document) throw createShapeError('a document');
  return document;
}

function timeoutOf(context: UbikContext): number {
  return context.limits.timeout ?? 30_000;
}
