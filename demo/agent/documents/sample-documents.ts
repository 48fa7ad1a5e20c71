import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { DocumentIndexer } from './document-indexer.js';

/** Adds the sample documents that every user has: a text about rivers, a manual, the guides of the demo, and some documents of the project. */
export function addSampleDocuments(indexer: DocumentIndexer, root: URL): void {
  for (const path of listSamples(root)) {
    const bytes = readQuietly(new URL(path, root));
    if (bytes === null) continue;
    indexer.addOrUpdate(idOf(path), {
      owner: null,
      fileName: path.split('/').at(-1) ?? path,
      fileType: 'text/markdown',
      bytes,
      apiMetadata: JSON.stringify({ source: path }),
      sessionId: null,
    });
  }
}

/** The documents that come first: a newcomer can judge answers about their subjects without knowing the project. */
const STARTERS: readonly string[] = [
  'demo/sample/rivers-of-europe.md',
  'demo/sample/kettle-manual.md',
];

function listSamples(root: URL): string[] {
  const guides = listMarkdown(new URL('demo/sample/', root), 'demo/sample/').filter(
    (path) => !STARTERS.includes(path),
  );
  // Ten are enough to search in; which ones they are does not matter.
  const docs = listMarkdown(new URL('docs/', root), 'docs/').slice(0, 10);
  return [...STARTERS, ...guides, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs];
}

function listMarkdown(folder: URL, prefix: string): string[] {
  try {
    const names = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && extname(entry.name) === '.md')
      .map((entry) => `${prefix}${entry.name}`);
    return names.sort();
  } catch {
    return []; // A missing folder has no sample documents.
  }
}

function readQuietly(file: URL): Uint8Array | null {
  try {
    return readFileSync(file);
  } catch {
    return null; // A missing sample document is skipped.
  }
}

/**
 * Derives the id of a document, in the format of a UUID of version 5, from its path, so that each start finds the document that an earlier one
 * has added.
 */
function idOf(path: string): string {
  const hex = createHash('sha256').update(`ubik-elements:${path}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
