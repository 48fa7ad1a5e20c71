import type { PartTree } from '../../src/model/part.js';
import { pickIndex, pickOne } from './seeded-random.js';

const WORDS = ['rain ', 'in ', 'Paris, ', 'a\n\n', '- b\n', '\u{1F327} ', 'é'];

/** Random content from few keys, so that two results share some keys with other parents and kinds. */
export function createRandomContent(random: () => number, size = 12): PartTree[] {
  const unused = Array.from({ length: size }, (_, index) => `k${String(index)}`);
  return randomTrees(random, unused, 0);
}

function randomTrees(random: () => number, unused: string[], depth: number): PartTree[] {
  const trees: PartTree[] = [];
  const count = pickIndex(random, depth === 0 ? 7 : 4);
  for (let index = 0; index < count && unused.length > 0; index += 1) {
    const [key] = unused.splice(pickIndex(random, unused.length), 1);
    if (key !== undefined) trees.push(randomTree(random, key, unused, depth));
  }
  return trees;
}

function randomTree(random: () => number, key: string, unused: string[], depth: number): PartTree {
  const kind = pickOne(random, ['text', 'text', 'thinking', 'step', 'tool', 'error'] as const);
  if (kind === 'text') return withText({ kind, key }, random);
  if (kind === 'thinking') return withText({ kind, key, state: 'open' }, random);
  if (kind === 'error') return { kind, key, message: pickOne(random, WORDS), details: null };
  const parts = depth < 2 ? randomTrees(random, unused, depth + 1) : [];
  const children = parts.length > 0 ? { parts } : {};
  if (kind === 'step') {
    const state = pickOne(random, ['running', 'completed'] as const);
    return {
      kind,
      key,
      number: pickIndex(random, 3),
      title: 'Look',
      single: false,
      state,
      ...children,
    };
  }
  const result = pickOne(random, [null, '{"a":1}', '{"a":2}']);
  return {
    kind,
    key,
    name: 'find',
    toolId: key,
    state: 'running',
    input: null,
    result,
    ...children,
  };
}

function withText(tree: PartTree, random: () => number): PartTree {
  let text = '';
  for (let count = pickIndex(random, 6); count > 0; count -= 1) text += pickOne(random, WORDS);
  return text === '' ? tree : { ...tree, text };
}
