import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CITATION_MARK_END, CITATION_MARK_START, type PartTree } from '../../src/model/part.js';
import { canonicalize } from '../../src/model/canonicalize.js';
import { setupMessage } from '../helpers/model-message.js';
import { createRandomContent } from '../helpers/random-content.js';
import { createRandom } from '../helpers/seeded-random.js';

test('canonicalize ignores keys', () => {
  const rename = (trees: readonly PartTree[]): PartTree[] =>
    trees.map((tree) => ({
      ...tree,
      key: `other ${tree.key}`,
      ...(tree.parts ? { parts: rename(tree.parts) } : {}),
    }));
  for (let seed = 1; seed <= 200; seed += 1) {
    const content = createRandomContent(createRandom(seed));
    assert.deepEqual(canonicalize(rename(content)), canonicalize(content));
  }
});

test('canonicalize returns the same for a message and for its part trees', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const parts = createRandomContent(createRandom(seed));
    const { message, run } = setupMessage();
    run({ type: 'content', message: 'm', parts });
    assert.deepEqual(canonicalize(message()), canonicalize(parts));
  }
});

test('canonicalize joins adjacent texts and drops blank ones', () => {
  const parts: PartTree[] = [
    { kind: 'text', key: 'a', text: '\n\n    code' },
    { kind: 'text', key: 'b', text: ' and more \n' },
    { kind: 'checkpoint', key: 'c', name: 'one' },
    { kind: 'text', key: 'd', text: ' \n ' },
  ];
  assert.deepEqual(canonicalize(parts), [
    { kind: 'text', text: '    code and more' },
    { kind: 'checkpoint', name: 'one', text: '' },
  ]);
});

test('canonicalize reduces the state of open steps to open-ended, and that of open tools to incomplete', () => {
  const step = { kind: 'step', number: 1, title: 'Look', single: false } as const;
  const tool = { kind: 'tool', name: 'find', toolId: 'x', input: null, result: null } as const;
  const parts: PartTree[] = [
    { ...step, key: 'a', state: 'running' },
    { ...step, key: 'b', state: 'completed' },
    { ...tool, key: 'c', state: 'running' },
    { ...tool, key: 'd', state: 'done' },
  ];
  const states = canonicalize(parts).map((part) => ('state' in part ? part.state : null));
  assert.deepEqual(states, ['open-ended', 'completed', 'incomplete', 'done']);
});

test('canonicalize preserves how a tool has ended, and its title', () => {
  const tool = { kind: 'tool', name: 'find', toolId: 'x', input: null, result: null } as const;
  const ends = ['waiting', 'incomplete', 'failed', 'skipped', 'cancelled'] as const;
  const parts: PartTree[] = ends.map((state) => ({ ...tool, key: state, state, title: state }));
  const found = canonicalize(parts).map((part) =>
    part.kind === 'tool' ? [part.title, part.state] : null,
  );
  assert.deepEqual(found, [
    ['waiting', 'incomplete'],
    ['incomplete', 'incomplete'],
    ['failed', 'failed'],
    ['skipped', 'skipped'],
    ['cancelled', 'cancelled'],
  ]);
});

test('canonicalize expands inline marks', () => {
  const text = (key: string): PartTree => ({
    kind: 'text',
    key: 'a',
    text: `See ${CITATION_MARK_START}${key}${CITATION_MARK_END}.`,
    marks: { [key]: { kind: 'citation', label: '[1]', source: '<source_1>' } },
  });
  assert.deepEqual(canonicalize([text('1')]), [{ kind: 'text', text: 'See <source_1>.' }]);
  assert.deepEqual(canonicalize([text('1')]), canonicalize([text('7')]));
});

test('canonicalize trims the texts of checkpoints and of unknown parts', () => {
  const parts: PartTree[] = [
    { kind: 'checkpoint', key: 'a', name: 'one', text: '\n  Saved \n' },
    { kind: 'unknown', key: 'b', name: 'widget', text: '\n  Later \n' },
  ];
  assert.deepEqual(canonicalize(parts), [
    { kind: 'checkpoint', name: 'one', text: 'Saved' },
    { kind: 'unknown', name: 'widget', text: 'Later' },
  ]);
});
