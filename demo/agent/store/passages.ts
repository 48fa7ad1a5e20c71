import { randomUUID } from 'node:crypto';
import { hasChinese, toIndexText } from '../plan/words.js';
import type { Database } from './database.js';

/** A passage of a document, which can be searched and cited. */
export interface PassageRow {
  readonly id: string;
  readonly document_id: string;
  readonly position: number;
  readonly page: number | null;
  readonly heading: string;
  readonly text: string;
}

/** A passage that a search has found. */
export interface FoundPassage extends PassageRow {
  readonly document_name: string;
  /** BM25 score of SQLite: smaller is better. */
  readonly score: number;
}

/** Fields of a new passage. */
export interface NewPassage {
  readonly page: number | null;
  readonly heading: string;
  readonly text: string;
}

/** Removes the passages of a document from the index. */
export function removePassages(database: Database, documentId: string): void {
  database.transaction(() => {
    database.run(
      'DELETE FROM passage_index WHERE rowid IN (SELECT place FROM passages WHERE document_id = ?)',
      [documentId],
    );
    database.run('DELETE FROM passages WHERE document_id = ?', [documentId]);
  });
}

/**
 * Adds passages of a document to the index. Searches find them as soon as the document is completed.
 *
 * @param from Position in the document of the first of these passages.
 */
export function addPassages(
  database: Database,
  documentId: string,
  passages: readonly NewPassage[],
  from: number,
): void {
  database.transaction(() => {
    passages.forEach((passage, index) => {
      const position = from + index;
      const id = randomUUID();
      database.run(
        'INSERT INTO passages (id, document_id, position, page, heading, text) VALUES (?, ?, ?, ?, ?, ?)',
        [id, documentId, position, passage.page, passage.heading, passage.text],
      );
      database.run(
        'INSERT INTO passage_index (rowid, heading, text) SELECT place, ?, ? FROM passages WHERE id = ?',
        [toIndexText(passage.heading), toIndexText(passage.text), id],
      );
    });
  });
}

/** Indexes the passages with Chinese characters again, for an index of schema version 1, which has no pairs of their characters yet. */
export function indexChinesePassages(database: Database): void {
  const passages = database.all<PassageRow & { readonly place: number }>('SELECT * FROM passages');
  for (const { place, heading, text } of passages) {
    if (!hasChinese(heading + text)) continue;
    database.run('UPDATE passage_index SET heading = ?, text = ? WHERE rowid = ?', [
      toIndexText(heading),
      toIndexText(text),
      place,
    ]);
  }
}

/** The passage with this id, or null. */
export function findPassage(database: Database, id: string): PassageRow | null {
  return database.one<PassageRow>('SELECT * FROM passages WHERE id = ?', [id]);
}

/** Lists the passages of a document in order. */
export function listPassages(database: Database, documentId: string): PassageRow[] {
  return database.all<PassageRow>(
    'SELECT * FROM passages WHERE document_id = ? ORDER BY position',
    [documentId],
  );
}

/** Searches indexed documents. Returns up to `limit` passages with at least one of the words, best first. */
export function searchPassages(
  database: Database,
  search: {
    /** Searches the documents of this session; null for those of the account, which are linked to every new session. */
    readonly sessionId: string | null;
    /** Each is quoted, so that it is not parsed as an operator. */
    readonly words: readonly string[];
    /** Searches only these among the documents; null for all of them. */
    readonly documentIds: readonly string[] | null;
    readonly limit: number;
  },
): FoundPassage[] {
  if (search.words.length === 0) return [];
  const match = search.words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
  const only = search.documentIds ?? [];
  const filter =
    search.documentIds === null
      ? ''
      : `AND passages.document_id IN (${only.map(() => '?').join(', ')})`;
  const scope =
    search.sessionId === null
      ? 'documents.owner IS NULL'
      : 'documents.id IN (SELECT document_id FROM session_documents WHERE session_id = ?)';
  return database.all<FoundPassage>(
    `SELECT passages.id, passages.document_id, position, page, passages.heading, passages.text,
            documents.name AS document_name, bm25(passage_index, 2.0, 1.0) AS score
     FROM passage_index
     JOIN passages ON passages.place = passage_index.rowid
     JOIN documents ON documents.id = passages.document_id
     WHERE passage_index MATCH ? AND ${scope} AND documents.status = 'completed' ${filter}
     ORDER BY score LIMIT ?`,
    [match, ...(search.sessionId === null ? [] : [search.sessionId]), ...only, search.limit],
  );
}
