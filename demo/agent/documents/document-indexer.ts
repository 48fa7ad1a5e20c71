import { createHash } from 'node:crypto';
import type { Database } from '../store/database.js';
import {
  findDocument,
  insertDocument,
  linkDocument,
  listUnprocessedDocuments,
  readDocumentBytes,
  replaceDocument,
  setDocumentStatus,
  type DocumentRow,
} from '../store/documents.js';
import { addPassages, removePassages, type NewPassage } from '../store/passages.js';
import type { Pace } from '../run/pace.js';
import { ServerClosedError } from '../run/run-errors.js';
import { splitIntoPassages } from './split-into-passages.js';
import { ParserProcess } from './parser-process.js';
import { readDocument } from './read-document.js';
import { UnreadableFileError } from './unreadable-file-error.mjs';

/** An uploaded file. */
export interface UploadedFile {
  /** The user who owns it; null for the account. */
  readonly owner: string | null;
  readonly fileName: string;
  readonly fileType: string | null;
  readonly bytes: Uint8Array;
  readonly apiMetadata: string | null;
  /** The session to link it to; null for none. */
  readonly sessionId: string | null;
}

/** Stores documents, parses them one at a time, and indexes their passages. */
export class DocumentIndexer {
  readonly #database: Database;
  readonly #pace: Pace;
  readonly #now: () => string;
  readonly #onError: (error: unknown) => void;
  readonly #parser = new ParserProcess();
  #queue: Promise<void> = Promise.resolve();

  /**
   * @param dependencies `onError` is called with unexpected errors. An error of reading or indexing a file also gives the document the status
   *   `failed`; that a file cannot be read is not unexpected.
   */
  constructor(dependencies: {
    database: Database;
    pace: Pace;
    now: () => string;
    onError: (error: unknown) => void;
  }) {
    this.#database = dependencies.database;
    this.#pace = dependencies.pace;
    this.#now = dependencies.now;
    this.#onError = dependencies.onError;
  }

  /** Stores a file and schedules its indexing. Returns the document, whose status is pending. */
  add(file: UploadedFile): DocumentRow {
    const id = this.#store(file);
    this.#enqueue(id);
    const document = findDocument(this.#database, id);
    if (document === null) throw new Error('The document that was just stored is missing.');
    return document;
  }

  /** Adds a document with this id, or replaces its bytes. A known document is indexed again only if its content has changed. */
  addOrUpdate(id: string, file: UploadedFile): void {
    const known = findDocument(this.#database, id);
    if (known?.digest === digestOf(file.bytes)) return;
    if (known === null) this.#store(file, id);
    else
      replaceDocument(
        this.#database,
        id,
        { digest: digestOf(file.bytes), bytes: file.bytes },
        this.#now(),
      );
    this.#enqueue(id);
  }

  /** Indexes the documents that were not indexed when the server was last stopped. */
  recover(): void {
    for (const document of listUnprocessedDocuments(this.#database)) this.#enqueue(document.id);
  }

  /** Resolves when all documents added so far are indexed. */
  async whenIdle(): Promise<void> {
    await this.#queue;
  }

  /**
   * Aborts indexing, which the next start repeats. Resolves when all work has stopped. Close the pace before, because only the parsing of
   * files is aborted here.
   */
  async close(): Promise<void> {
    this.#parser.close();
    await this.whenIdle();
  }

  #store(file: UploadedFile, id?: string): string {
    return this.#database.transaction(() => {
      const stored = insertDocument(
        this.#database,
        {
          ...(id === undefined ? {} : { id }),
          owner: file.owner,
          name: file.fileName,
          fileName: file.fileName,
          fileType: file.fileType,
          apiMetadata: file.apiMetadata,
          digest: digestOf(file.bytes),
          bytes: file.bytes,
        },
        this.#now(),
      );
      if (file.sessionId !== null) linkDocument(this.#database, file.sessionId, stored);
      return stored;
    });
  }

  #enqueue(id: string): void {
    this.#queue = this.#queue
      .then(() => this.#process(id))
      .catch((error: unknown) => {
        if (!(error instanceof ServerClosedError)) this.#onError(error);
      });
  }

  /** Indexes passages in batches, so that requests are handled in between: a long text takes many seconds. */
  async #index(id: string, passages: readonly NewPassage[]): Promise<void> {
    removePassages(this.#database, id);
    for (let from = 0; from < passages.length; from += BATCH_SIZE) {
      await this.#pace.pause(1);
      addPassages(this.#database, id, passages.slice(from, from + BATCH_SIZE), from);
    }
  }

  async #process(id: string): Promise<void> {
    await this.#pace.pause(150);
    const document = findDocument(this.#database, id);
    const bytes = readDocumentBytes(this.#database, id);
    if (document === null || bytes === null) return;
    setDocumentStatus(this.#database, id, { status: 'processing' }, this.#now());
    await this.#pace.pause(300);
    try {
      const pages = await readDocument(document.file_name, bytes, this.#parser);
      await this.#index(id, splitIntoPassages(pages));
      const markdown = pages.map((page) => page.text).join('\n\n');
      setDocumentStatus(this.#database, id, { status: 'completed', markdown }, this.#now());
    } catch (error) {
      if (error instanceof ServerClosedError) throw error;
      const isUnreadable = error instanceof UnreadableFileError;
      if (!isUnreadable) this.#onError(error);
      const reason = isUnreadable ? error.message : 'The file could not be read.';
      setDocumentStatus(this.#database, id, { status: 'failed', error: reason }, this.#now());
    }
  }
}

/** Number of passages that are indexed in one transaction. */
const BATCH_SIZE = 20;

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
