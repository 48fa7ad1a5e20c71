import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Ingest } from './ingest.js';

/** Takes in the documents that every newcomer finds: the guides of the demo and the project's own. */
export function takeSampleDocuments(ingest: Ingest, root: URL): void {
  for (const path of listSamples(root)) {
    const bytes = readQuietly(new URL(path, root));
    if (bytes === null) continue;
    ingest.keep(idOf(path), {
      owner: null,
      fileName: path.split('/').at(-1) ?? path,
      fileType: 'text/markdown',
      bytes,
      apiMetadata: JSON.stringify({ source: path }),
      sessionId: null,
    });
  }
}

function listSamples(root: URL): string[] {
  const guides = listMarkdown(new URL('demo/sample/', root), 'demo/sample/');
  const docs = listMarkdown(new URL('docs/', root), 'docs/').slice(0, 12);
  return [...guides, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs];
}

function listMarkdown(folder: URL, prefix: string): string[] {
  try {
    const names = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && extname(entry.name) === '.md')
      .map((entry) => `${prefix}${entry.name}`);
    return names.sort();
  } catch {
    return []; // An installed copy may come without its docs.
  }
}

function readQuietly(file: URL): Uint8Array | null {
  try {
    return readFileSync(file);
  } catch {
    return null; // Not every copy has every document.
  }
}

/** The same document has the same id in every data folder, so a stored citation stays good. */
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
