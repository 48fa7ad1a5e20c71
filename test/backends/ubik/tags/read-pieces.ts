import type { PartTree } from '../../../../src/model/part.js';
import { createContentParser } from '../../../../src/backends/ubik/tags/content-parser.js';
import type {
  ContentMode,
  ContentParser,
} from '../../../../src/backends/ubik/tags/content-parser-types.js';
import type { LiveConstructs } from '../../../../src/backends/ubik/tags/content-sink.js';
import { createKeyMaker } from '../../../../src/backends/ubik/tags/keys.js';
import { createTreeBuilder } from '../../../../src/backends/ubik/tags/parse-content.js';

/** A parser, and what it has told so far. */
export function setupParser(
  mode: ContentMode,
  constructs?: LiveConstructs,
): { readonly parser: ContentParser; readonly trees: () => PartTree[] } {
  const sink = createTreeBuilder();
  const keys = createKeyMaker();
  const parser = createContentParser({ mode, sink, keys, ...(constructs ? { constructs } : {}) });
  return { parser, trees: () => sink.trees() };
}

/** The parts of a text that comes in these pieces. */
export function readPieces(
  mode: ContentMode,
  pieces: Iterable<string>,
  constructs?: LiveConstructs,
): PartTree[] {
  const { parser, trees } = setupParser(mode, constructs);
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return trees();
}
