import type { PartTree } from '../../../../src/model/part.js';
import { readdirSync, readFileSync } from 'node:fs';

/** Stored content of the service, and its parts as {@link printParts} prints them. */
export interface ContentFixture {
  readonly name: string;
  readonly text: string;
  readonly parts: string;
}

const FOLDER = new URL('../../../fixtures/ubik/content/', import.meta.url);

/** Reads all fixtures in `test/fixtures/ubik/content`. */
export function readContentFixtures(): ContentFixture[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.txt'))
    .map((file) => {
      const name = file.slice(0, -'.txt'.length);
      return {
        name,
        text: readFileSync(new URL(file, FOLDER), 'utf8'),
        parts: readFileSync(new URL(`${name}.parts`, FOLDER), 'utf8'),
      };
    });
}

/** Prints parts for review: one per line, key first, children indented. */
export function printParts(parts: readonly PartTree[], indent = ''): string {
  return parts.map((part) => linesOf(part, indent)).join('');
}

function linesOf(part: PartTree, indent: string): string {
  const { key, kind: _kind, text, parts, ...fields } = part;
  const shown = Object.entries({ ...fields, ...(text === undefined ? {} : { text }) })
    .map(([name, value]) => `${indent}    ${name}: ${JSON.stringify(value)}\n`)
    .join('');
  return `${indent}${key} (${part.kind})\n${shown}${printParts(parts ?? [], `${indent}  `)}`;
}
