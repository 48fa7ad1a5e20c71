import { readCsvTable, type CsvTable } from '../query/csv-schema.js';
import type { Schema } from '../query/schema.js';
import type { Database } from '../store/database.js';
import { listSessionDocuments, readDocumentBytes } from '../store/documents.js';
import { decodeText } from './read-document.js';

/** A CSV or TSV document, about which questions can be asked in the same way as about the sample database. */
export interface DocumentTable extends CsvTable {
  readonly id: string;
  readonly name: string;
}

/**
 * The tables of the documents that were read last, by digest and name, because reading a large file takes long; null for a document without a
 * table.
 */
const CACHE = new Map<string, CsvTable | null>();

/** Maximum number of tables in the cache; the oldest is removed first. */
const MAX_CACHED = 20;

/** Returns the tables among the indexed documents of a session, starting with the document that was linked last. */
export function listDocumentTables(database: Database, sessionId: string): DocumentTable[] {
  return listSessionDocuments(database, sessionId)
    .filter((document) => document.status === 'completed' && /\.[ct]sv$/iu.test(document.file_name))
    .reverse()
    .flatMap(({ id, name, digest }) => {
      const table = readTable(database, { id, name, digest });
      return table === null ? [] : [{ id, name, ...table }];
    });
}

/** Returns the document ids and schemas of the tables of a session, for reading a question. */
export function listTableSchemas(
  database: Database,
  sessionId: string,
): { readonly id: string; readonly schema: Schema }[] {
  return listDocumentTables(database, sessionId).map(({ id, schema }) => ({ id, schema }));
}

function readTable(
  database: Database,
  document: { readonly id: string; readonly name: string; readonly digest: string | null },
): CsvTable | null {
  const key = `${document.digest ?? ''} ${document.name}`;
  const known = CACHE.get(key);
  if (known !== undefined) return known;
  const bytes = readDocumentBytes(database, document.id);
  const table = bytes === null ? null : readCsvTable(document.name, decodeText(bytes));
  const [oldest] = CACHE.keys();
  if (CACHE.size >= MAX_CACHED && oldest !== undefined) CACHE.delete(oldest);
  CACHE.set(key, table);
  return table;
}
