import { readCsvTable, type CsvTable } from '../query/csv-schema.js';
import type { Schema } from '../query/schema.js';
import type { Database } from '../store/database.js';
import { listSessionDocuments, readDocumentBytes } from '../store/documents.js';
import { decodeText } from './read-document.js';

/** A document with separated values, about which questions can be asked as about the sample database. */
export interface DocumentTable extends CsvTable {
  readonly id: string;
  readonly name: string;
}

/** Tables are read once for each content, because reading takes long for a large file. */
const KNOWN = new Map<string, CsvTable | null>();

/** Number of tables that are kept; the oldest is dropped first. */
const MOST_KNOWN = 20;

/** Returns the tables among the readable documents of a session, the newest first. */
export function listDocumentTables(database: Database, sessionId: string): DocumentTable[] {
  return listSessionDocuments(database, sessionId)
    .filter((document) => document.status === 'completed' && /\.[ct]sv$/iu.test(document.file_name))
    .reverse()
    .flatMap(({ id, name, digest }) => {
      const table = readTable(database, { id, name, digest });
      return table === null ? [] : [{ id, name, ...table }];
    });
}

/** Returns the ids and schemas of these tables, for reading a question. */
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
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  const bytes = readDocumentBytes(database, document.id);
  const table = bytes === null ? null : readCsvTable(document.name, decodeText(bytes));
  const [oldest] = KNOWN.keys();
  if (KNOWN.size >= MOST_KNOWN && oldest !== undefined) KNOWN.delete(oldest);
  KNOWN.set(key, table);
  return table;
}
