import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DocumentIndexer } from '../../demo/agent/documents/document-indexer.js';
import { ParserProcess } from '../../demo/agent/documents/parser-process.js';
import { readDocument } from '../../demo/agent/documents/read-document.js';
import { UnreadableFileError } from '../../demo/agent/documents/unreadable-file-error.mjs';
import type { Database } from '../../demo/agent/store/database.js';
import { findDocument } from '../../demo/agent/store/documents.js';
import { openStore } from '../../demo/agent/store/open-store.js';
import { listPassages } from '../../demo/agent/store/passages.js';

test('document indexer writes passages in batches, between which requests are answered', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'ubik-ingest-'));
  const store = openStore(folder);
  context.after(async () => {
    store.close();
    await rm(folder, { recursive: true });
  });
  let [writes, mostWrites] = [0, 0];
  const database: Database = {
    ...store.database,
    run: (sql, values) => {
      writes += 1;
      mostWrites = Math.max(mostWrites, writes);
      return store.database.run(sql, values);
    },
  };
  const pace = {
    pause: async () => {
      writes = 0;
      await setImmediate();
    },
    close: () => undefined,
  };
  const errors: unknown[] = [];
  const now = (): string => '2026-01-01T00:00:00Z';
  const indexer = new DocumentIndexer({
    database,
    pace,
    now,
    onError: (error) => errors.push(error),
  });
  const text = Array.from({ length: 200 }, (_, index) => `${index} ${'word '.repeat(150)}`);
  const { id } = indexer.add({
    owner: null,
    fileName: 'long.txt',
    fileType: null,
    bytes: Buffer.from(text.join('\n\n')),
    apiMetadata: null,
    sessionId: null,
  });
  await indexer.whenIdle();
  assert.deepEqual(errors, []);
  assert.equal(findDocument(store.database, id)?.status, 'completed');
  const positions = listPassages(store.database, id).map(({ position }) => position);
  assert.deepEqual(positions, [...text.keys()]);
  assert.ok(mostWrites <= 50, `${String(mostWrites)} writes without a pause`);
});

test('document parser rejects a table whose header exceeds the limit of text', async () => {
  const bytes = Buffer.from(','.repeat(2_600_000));
  await assert.rejects(
    readDocument('columns.csv', bytes, new ParserProcess()),
    UnreadableFileError,
  );
});
