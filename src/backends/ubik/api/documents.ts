import type { Backend, DocumentInfo } from '../../backend.js';
import { isUbikError, UbikError } from '../../../errors.js';
import { encodePath } from '../../../transport/http.js';
import { isInternalField } from './executions.js';
import { findToolFiles, parseToolFilePath } from './tool-files.js';
import {
  asFields,
  readCount,
  readFlag,
  readId,
  readString,
  type Fields,
  requireValue,
  createRecordReader,
} from '../../fields.js';
import { requestPage, readTime } from './read-response.js';
import type { UbikClient } from './client.js';

const readName = (fields: Fields) => readString(fields, 'name') ?? readString(fields, 'file_name');

const readDocument = createRecordReader((fields, id): DocumentInfo => ({
  id,
  name: readName(fields) ?? '',
  status: readString(fields, 'status') ?? '',
  fileType: readString(fields, 'file_type'),
  error: readString(fields, 'error_message'),
  starred: readFlag(fields, 'is_starred') ?? false,
  createdAt: readTime(fields, 'created_at'),
}));

const toDocument = (value: unknown) => requireValue(readDocument(value), 'document');

/**
 * Creates the document, citation and tool file methods of {@link Backend}. Each call sends one request; `loadPassage` sends another one for
 * the document; `findToolFiles` and `isInternalField` send none.
 */
export function createDocumentMethods(client: UbikClient) {
  const { requestJson, request, requestFile, http } = client;
  return {
    listDocuments: (session, page, signal) => {
      const path = encodePath`/agent-sessions/${session}/documents`;
      return requestPage(client, path, page, readDocument, signal);
    },
    loadDocument: async (id, signal) =>
      toDocument(await requestJson('GET', encodePath`/documents/${id}`, { signal })),
    uploadDocument: async (session, file, onProgress, signal) => {
      const form = new FormData();
      form.set('file', file);
      const path = encodePath`/agent-sessions/${session}/upload`;
      return toDocument(await http.upload({ method: 'POST', path, form, signal }, onProgress));
    },
    linkDocuments: (session, ids) => {
      const json = { document_ids: ids };
      return request('POST', encodePath`/agent-sessions/${session}/documents`, { json });
    },
    unlinkDocument: (session, id, keepalive = false) =>
      request('DELETE', encodePath`/agent-sessions/${session}/documents/${id}`, { keepalive }),
    starDocument: (session, id, starred) => {
      const json = { is_starred: starred };
      return request('PUT', encodePath`/agent-sessions/${session}/documents/${id}/star`, { json });
    },
    loadPassage: (id, signal) => loadPassage(client, id, signal),
    findToolFiles: (result) => findToolFiles(result, http.baseUrl),
    isInternalField,
    loadToolFile: async (address, signal) => {
      const path = parseToolFilePath(address, http.baseUrl);
      if (path === null) throw new UbikError('foreign-origin');
      return requestFile(path, signal);
    },
  } satisfies Partial<Backend>;
}

/**
 * Loads the passage of a citation. The id is that of a passage (`/chunks/{id}`) or, if there is no such passage, of a document. The passage
 * is returned even if its document cannot be loaded.
 */
async function loadPassage({ requestJson }: UbikClient, id: string, signal: AbortSignal) {
  const read = async (path: string) =>
    requireValue(asFields(await requestJson('GET', path, { signal })), 'object');
  const passage = await read(encodePath`/chunks/${id}`).catch((error: unknown) => {
    if (!isUbikError(error) || error.code !== 'not-found') throw error;
    return null;
  });
  const path = passage ? encodePath`/chunks/${id}/document` : encodePath`/documents/${id}`;
  const document = await read(path).catch((error: unknown) => {
    if (!passage || signal.aborted) throw error;
    return {};
  });
  return {
    id,
    documentId: (passage && readId(passage, 'document_id')) ?? readId(document, 'id') ?? '',
    documentName: readName(document),
    text: passage
      ? requireValue(readString(passage, 'text'), 'passage')
      : (readString(document, 'markdown_content') ?? ''),
    page: passage && readCount(passage, 'page_number'),
  };
}
