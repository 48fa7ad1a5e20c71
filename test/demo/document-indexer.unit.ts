import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DocumentIndexer } from '../../demo/agent/documents/document-indexer.js';
import type { Pace } from '../../demo/agent/run/pace.js';
import type { Database } from '../../demo/agent/store/database.js';
import { findDocument } from '../../demo/agent/store/documents.js';
import { openStore } from '../../demo/agent/store/open-store.js';
import { listPassages } from '../../demo/agent/store/passages.js';

/** A store in a new folder, and an indexer that uses it through `wrap`. */
async function createIndexer(
  context: TestContext,
  pace: Pace,
  wrap: (database: Database) => Database,
): Promise<{ database: Database; indexer: DocumentIndexer; errors: unknown[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'ubik-indexer-'));
  const store = openStore(folder);
  context.after(async () => {
    store.close();
    await rm(folder, { recursive: true });
  });
  const errors: unknown[] = [];
  const indexer = new DocumentIndexer({
    database: wrap(store.database),
    pace,
    now: () => '2026-01-01T00:00:00Z',
    onError: (error) => errors.push(error),
  });
  return { database: store.database, indexer, errors };
}

function addText(indexer: DocumentIndexer, text: string): string {
  const file = {
    owner: null,
    fileName: 'long.txt',
    fileType: null,
    apiMetadata: null,
    sessionId: null,
  };
  return indexer.add({ ...file, bytes: Buffer.from(text) }).id;
}

test('document indexer writes passages in batches, between which requests are answered', async (context) => {
  let [writes, mostWrites] = [0, 0];
  const pace = {
    pause: async () => {
      writes = 0;
      await setImmediate();
    },
    close: () => undefined,
  };
  const { database, indexer, errors } = await createIndexer(context, pace, (stored) => ({
    ...stored,
    run: (sql, values) => {
      writes += 1;
      mostWrites = Math.max(mostWrites, writes);
      return stored.run(sql, values);
    },
  }));
  const text = Array.from({ length: 200 }, (_, index) => `${index} ${'word '.repeat(150)}`);
  const id = addText(indexer, text.join('\n\n'));
  await indexer.whenIdle();
  assert.deepEqual(errors, []);
  assert.equal(findDocument(database, id)?.status, 'completed');
  const positions = listPassages(database, id).map(({ position }) => position);
  assert.deepEqual(positions, [...text.keys()]);
  assert.ok(mostWrites <= 50, `${String(mostWrites)} writes without a pause`);
});

test('document indexer reports an unexpected error and marks the document as failed', async (context) => {
  const diskError = new Error('the disk is full');
  const pace = { pause: () => setImmediate(), close: () => undefined };
  const { database, indexer, errors } = await createIndexer(context, pace, (stored) => ({
    ...stored,
    run: (sql, values) => {
      if (sql.startsWith('INSERT INTO passages')) throw diskError;
      return stored.run(sql, values);
    },
  }));
  const unread = addText(indexer, '\0'.repeat(100));
  const id = addText(indexer, 'The plover nests on open ground.');
  await indexer.whenIdle();
  assert.deepEqual(errors, [diskError]);
  assert.equal(findDocument(database, id)?.error_message, 'The file could not be read.');
  assert.equal(findDocument(database, unread)?.status, 'failed');
});
