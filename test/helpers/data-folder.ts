import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAgent } from '../../demo/agent/agent.js';

const ROOT = new URL('../../', import.meta.url);
const DATABASE = 'agent.sqlite';

const createFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'ubik-agent-'));

/** The database of an agent that has only been started, with its sample documents. */
async function createDatabase(): Promise<Buffer> {
  const folder = await createFolder();
  const errors: unknown[] = [];
  const agent = openAgent({
    dataDir: folder,
    root: ROOT,
    speed: 0,
    apiKey: null,
    model: null,
    onError: (error) => errors.push(error),
  });
  await agent.whenDocumentsIndexed();
  await agent.close();
  const database = await readFile(join(folder, DATABASE));
  await rm(folder, { recursive: true, force: true });
  if (errors.length > 0) throw new AggregateError(errors, 'The samples were not indexed.');
  return database;
}

let shared: Promise<Buffer> | null = null;

/**
 * Creates a data folder for an agent, as its first start has left it. The samples are indexed once for each process, because that is most of
 * the work of a first start.
 */
export async function createDataFolder(): Promise<string> {
  shared ??= createDatabase();
  const database = await shared;
  const folder = await createFolder();
  await writeFile(join(folder, DATABASE), database);
  return folder;
}
