import type { PartTree } from '../../../../src/model/part.js';
import {
  createContentParser,
  createTreeBuilder,
} from '../../../../src/backends/ubik/content/content-parser.js';
import type {
  ContentMode,
  ContentParser,
  ConstructResolver,
} from '../../../../src/backends/ubik/content/content-parser-types.js';
import { createKeyGenerator, type PartLimits } from '../../../../src/backends/ubik/content/keys.js';

/** A parser and the parts that it has emitted so far. */
export function setupParser(
  mode: ContentMode,
  resolver?: ConstructResolver,
  limits?: PartLimits,
): { readonly parser: ContentParser; readonly trees: () => PartTree[] } {
  const sink = createTreeBuilder();
  const keys = createKeyGenerator(limits);
  const parser = createContentParser({
    mode,
    sink,
    keys,
    ...(resolver ? { resolver } : {}),
  });
  return { parser, trees: () => sink.trees() };
}

/** Parses a text that arrives in these pieces. */
export function readPieces(
  mode: ContentMode,
  pieces: Iterable<string>,
  resolver?: ConstructResolver,
  limits?: PartLimits,
): PartTree[] {
  const { parser, trees } = setupParser(mode, resolver, limits);
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return trees();
}
