import { readdirSync, readFileSync } from 'node:fs';
import type { Patch, PatchAction } from '../../../src/backends/data-agent/patched-reply.js';
import type { PartTree } from '../../../src/model/part.js';

const FOLDER = new URL('../../fixtures/data-agent/', import.meta.url);

/** A part without its key. */
export type KeylessPart = Omit<PartTree, 'key' | 'parts'> & {
  readonly parts?: readonly KeylessPart[];
};

/** A recorded stream and its expected result. See `test/fixtures/data-agent/README.md`. */
export interface DataAgentFixture {
  readonly name: string;
  /** The body of the stream. */
  readonly stream: string;
  /** The same events as patches, in the form that all dialects share. */
  readonly patches: readonly Patch[];
  /** The reply at the end of the stream. */
  readonly reply: unknown;
  readonly parts: readonly KeylessPart[];
  readonly tools: readonly {
    readonly name: string;
    readonly state: string;
    readonly elapsed: number | null;
  }[];
}

/** All fixtures, by name. */
export function readDataAgentFixtures(): DataAgentFixture[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sse'));
  return names.sort().map((file) => readDataAgentFixture(file.replace('.sse', '')));
}

/** Returns the fixture with this name. */
export function readDataAgentFixture(name: string): DataAgentFixture {
  const stream = readFileSync(new URL(`${name}.sse`, FOLDER), 'utf8');
  const expected = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Omit<
    DataAgentFixture,
    'name' | 'stream' | 'patches'
  >;
  return { name, stream, patches: readPatches(stream), ...expected };
}

/** Reads the patches of a stream with one line for each event, independently of the product. */
export function readPatches(stream: string): Patch[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => toPatch(JSON.parse(line.slice(6)) as Record<string, unknown>));
}

function toPatch(event: Record<string, unknown>): Patch {
  const { action, key, content } = event;
  if (typeof action === 'string') {
    const known = (action === 'update' ? 'upsert' : action) as PatchAction;
    return { path: key as Patch['path'], action: known, value: content };
  }
  return 'message' in event
    ? { path: [], action: 'upsert', value: event }
    : { path: ['error'], action: 'upsert', value: event };
}

/** Parts without their keys. */
export function withoutKeys(trees: readonly PartTree[]): KeylessPart[] {
  return trees.map(({ key: _key, parts, ...fields }) => ({
    ...fields,
    ...(parts && { parts: withoutKeys(parts) }),
  }));
}
