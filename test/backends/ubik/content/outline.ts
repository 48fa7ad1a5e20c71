import type { PartTree } from '../../../../src/model/part.js';

/** Parts as lines a person can check: one a part, its key first, what is in it indented. */
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
