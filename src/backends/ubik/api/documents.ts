import type { Backend, DocumentInfo } from '../../backend.js';
import { isUbikError, UbikError } from '../../../errors.js';
import { encodePath } from '../../../transport/http.js';
import { findToolFiles, readFilePath } from './tool-files.js';
import { asFields, readCount, readFlag, readId, readText, type Fields } from '../events/fields.js';
import { askPage, need, readTime, record } from './read-response.js';
import type { Service } from './service.js';

const readName = (fields: Fields) => readText(fields, 'name') ?? readText(fields, 'file_name');

const readDocument = record((fields, id): DocumentInfo => ({
  id,
  name: readName(fields) ?? '',
  status: readText(fields, 'status') ?? '',
  fileType: readText(fields, 'file_type'),
  error: readText(fields, 'error_message'),
  starred: readFlag(fields, 'is_starred') ?? false,
  createdAt: readTime(fields, 'created_at'),
}));

const toDocument = (value: unknown) => need(readDocument(value), 'document');

/** Documents of a session, citations and files of tools: what the contract asks for, one request each. */
export function createDocumentMethods(service: Service) {
  const { ask, tell, http } = service;
  return {
    listDocuments: (session, page, signal) => {
      const path = encodePath`/agent-sessions/${session}/documents`;
      return askPage(service, path, page, readDocument, signal);
    },
    loadDocument: async (id, signal) =>
      toDocument(await ask('GET', encodePath`/documents/${id}`, { signal })),
    uploadDocument: async (session, file, onProgress, signal) => {
      const form = new FormData();
      form.set('file', file);
      const path = encodePath`/agent-sessions/${session}/upload`;
      return toDocument(await http.upload({ method: 'POST', path, form, signal }, onProgress));
    },
    linkDocuments: (session, ids) => {
      const json = { document_ids: ids };
      return tell('POST', encodePath`/agent-sessions/${session}/documents`, { json });
    },
    unlinkDocument: (session, id) =>
      tell('DELETE', encodePath`/agent-sessions/${session}/documents/${id}`),
    starDocument: (session, id, starred) => {
      const json = { is_starred: starred };
      return tell('PUT', encodePath`/agent-sessions/${session}/documents/${id}/star`, { json });
    },
    loadPassage: (id, signal) => getPassage(service, id, signal),
    findToolFiles: (result) => findToolFiles(result, http.baseUrl),
    loadToolFile: async (address, signal) => {
      const path = readFilePath(address, http.baseUrl);
      if (path === null) throw new UbikError('foreign-origin');
      const response = await http.request({ method: 'GET', path, accept: '*/*', signal });
      return response.blob();
    },
  } satisfies Partial<Backend>;
}

/** What a citation points to: a passage, else the document of that id. A passage without its document's name is still one. */
async function getPassage({ ask }: Service, id: string, signal: AbortSignal) {
  const read = async (path: string) => need(asFields(await ask('GET', path, { signal })), 'object');
  const chunk = await read(encodePath`/chunks/${id}`).catch((error: unknown) => {
    if (!isUbikError(error) || error.code !== 'not-found') throw error;
    return null;
  });
  const path = chunk ? encodePath`/chunks/${id}/document` : encodePath`/documents/${id}`;
  const document = await read(path).catch((error: unknown) => {
    if (!chunk || signal.aborted) throw error;
    return {};
  });
  return {
    id,
    documentId: (chunk && readId(chunk, 'document_id')) ?? readId(document, 'id') ?? '',
    documentName: readName(document),
    text: chunk
      ? need(readText(chunk, 'text'), 'passage')
      : (readText(document, 'markdown_content') ?? ''),
    page: chunk && readCount(chunk, 'page_number'),
  };
}
