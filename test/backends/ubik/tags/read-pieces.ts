import type { PartTree } from '../../../../src/model/part.js';
import { createContentParser } from '../../../../src/backends/ubik/tags/content-parser.js';
import type {
  ContentMode,
  ContentParser,
} from '../../../../src/backends/ubik/tags/content-parser-types.js';
import type { LiveConstructs } from '../../../../src/backends/ubik/tags/content-sink.js';
import { createKeyMaker, type PartLimits } from '../../../../src/backends/ubik/tags/keys.js';
import { createTreeBuilder } from '../../../../src/backends/ubik/tags/parse-content.js';

/** A parser, and what it has told so far. */
export function setupParser(
  mode: ContentMode,
  constructs?: LiveConstructs,
  limits?: PartLimits,
): { readonly parser: ContentParser; readonly trees: () => PartTree[] } {
  const sink = createTreeBuilder();
  const keys = createKeyMaker(limits);
  const parser = createContentParser({ mode, sink, keys, ...(constructs ? { constructs } : {}) });
  return { parser, trees: () => sink.trees() };
}

/** The parts of a text that comes in these pieces. */
export function readPieces(
  mode: ContentMode,
  pieces: Iterable<string>,
  constructs?: LiveConstructs,
  limits?: PartLimits,
): PartTree[] {
  const { parser, trees } = setupParser(mode, constructs, limits);
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return trees();
}
