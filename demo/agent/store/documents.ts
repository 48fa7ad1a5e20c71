import { randomUUID } from 'node:crypto';
import type { Database } from './database.js';

/** A document without its content. */
export interface DocumentRow {
  readonly id: string;
  /** The owner; null for a document of the account, which every user may read. */
  readonly owner: string | null;
  readonly name: string;
  readonly file_name: string;
  readonly file_type: string | null;
  readonly status: string;
  readonly error_message: string | null;
  readonly api_metadata: string | null;
  readonly digest: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A document that is linked to a session. */
export interface LinkedDocumentRow extends DocumentRow {
  readonly is_starred: number;
}

const COLUMNS =
  'id, owner, name, file_name, file_type, status, error_message, api_metadata, digest, documents.created_at, documents.updated_at';

/** Fields of a new document. */
export interface NewDocument {
  readonly id?: string;
  readonly owner: string | null;
  readonly name: string;
  readonly fileName: string;
  readonly fileType: string | null;
  readonly apiMetadata: string | null;
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** Stores a document that is not indexed yet and returns its id. */
export function insertDocument(database: Database, document: NewDocument, now: string): string {
  const id = document.id ?? randomUUID();
  database.run(
    `INSERT INTO documents (id, owner, name, file_name, file_type, status, api_metadata, digest, bytes, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?)`,
    [
      id,
      document.owner,
      document.name,
      document.fileName,
      document.fileType,
      document.apiMetadata,
      document.digest,
      document.bytes,
      now,
      now,
    ],
  );
  return id;
}

/** The document with this id, or null. */
export function findDocument(database: Database, id: string): DocumentRow | null {
  return database.one<DocumentRow>(`SELECT ${COLUMNS} FROM documents WHERE id = ?`, [id]);
}

/** Returns the extracted text of a document, or null. */
export function readDocumentText(database: Database, id: string): string | null {
  return (
    database.one<{ markdown: string | null }>('SELECT markdown FROM documents WHERE id = ?', [id])
      ?.markdown ?? null
  );
}

/** Returns the bytes of a document, or null. */
export function readDocumentBytes(database: Database, id: string): Uint8Array | null {
  return (
    database.one<{ bytes: Uint8Array | null }>('SELECT bytes FROM documents WHERE id = ?', [id])
      ?.bytes ?? null
  );
}

/** Updates the processing status of a document, its error and its extracted text; what is omitted is removed. */
export function setDocumentStatus(
  database: Database,
  id: string,
  update: { readonly status: string; readonly error?: string; readonly markdown?: string },
  now: string,
): void {
  database.run(
    'UPDATE documents SET status = ?, error_message = ?, markdown = ?, updated_at = ? WHERE id = ?',
    [update.status, update.error ?? null, update.markdown ?? null, now, id],
  );
}

/** Lists the documents that are not processed yet. */
export function listUnprocessedDocuments(database: Database): DocumentRow[] {
  return database.all<DocumentRow>(
    `SELECT ${COLUMNS} FROM documents WHERE status IN ('pending', 'processing')`,
  );
}

/** Lists the documents of the account, which are linked to every new session. */
export function listGlobalDocuments(database: Database): DocumentRow[] {
  return database.all<DocumentRow>(
    `SELECT ${COLUMNS} FROM documents WHERE owner IS NULL ORDER BY created_at`,
  );
}

/** Replaces the bytes of a document and marks it as pending. Its links are unchanged. */
export function replaceDocument(
  database: Database,
  id: string,
  contents: { readonly digest: string; readonly bytes: Uint8Array },
  now: string,
): void {
  database.run(
    "UPDATE documents SET digest = ?, bytes = ?, status = 'pending', updated_at = ? WHERE id = ?",
    [contents.digest, contents.bytes, now, id],
  );
}

/** Lists one page of the documents of a session, by default all of them, in the order in which they were linked. */
export function listSessionDocuments(
  database: Database,
  sessionId: string,
  page: { readonly offset: number; readonly limit: number } = { offset: 0, limit: -1 },
): LinkedDocumentRow[] {
  return database.all<LinkedDocumentRow>(
    `SELECT ${COLUMNS}, is_starred FROM session_documents JOIN documents ON documents.id = document_id
     WHERE session_id = ? ORDER BY session_documents.place LIMIT ? OFFSET ?`,
    [sessionId, page.limit, page.offset],
  );
}

/** Counts the documents of a session. */
export function countSessionDocuments(database: Database, sessionId: string): number {
  return (
    database.one<{ count: number }>(
      'SELECT count(*) AS count FROM session_documents WHERE session_id = ?',
      [sessionId],
    )?.count ?? 0
  );
}

/** Links a document to a session. Idempotent. */
export function linkDocument(database: Database, sessionId: string, documentId: string): void {
  database.run('INSERT OR IGNORE INTO session_documents (session_id, document_id) VALUES (?, ?)', [
    sessionId,
    documentId,
  ]);
}

/** Unlinks a document; returns whether it was linked. */
export function unlinkDocument(database: Database, sessionId: string, documentId: string): boolean {
  const changes = database.run(
    'DELETE FROM session_documents WHERE session_id = ? AND document_id = ?',
    [sessionId, documentId],
  );
  return changes > 0;
}

/** Stars or unstars a linked document; returns whether it was linked. */
export function starDocument(
  database: Database,
  sessionId: string,
  documentId: string,
  starred: boolean,
): boolean {
  const changes = database.run(
    'UPDATE session_documents SET is_starred = ? WHERE session_id = ? AND document_id = ?',
    [starred ? 1 : 0, sessionId, documentId],
  );
  return changes > 0;
}
