import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Patch } from '../../../../src/backends/data-agent/patched-reply.js';
import { deriveStoredAnswer } from '../../../../src/backends/data-agent/projection/answer-projection.js';
import { canonicalize } from '../../../../src/model/canonicalize.js';
import { createRandom, pickIndex } from '../../../helpers/seeded-random.js';
import { readDataAgentFixtures, withoutKeys, type DataAgentFixture } from '../fixtures.js';
import { ShownAnswer } from './shown-answer.js';

/** How the patches of a stream are divided into batches. */
const BATCHINGS: Readonly<Record<string, (patches: readonly Patch[]) => (readonly Patch[])[]>> = {
  'patch by patch': (patches) => patches.map((patch) => [patch]),
  'in one batch': (patches) => [patches],
  'in batches of two': (patches) => divideBySize(patches, () => 2),
  'in batches of random sizes': (patches) => {
    const random = createRandom(7);
    return divideBySize(patches, () => 1 + pickIndex(random, 5));
  },
};

function divideBySize(patches: readonly Patch[], size: () => number): Patch[][] {
  const batches: Patch[][] = [];
  for (const rest = [...patches]; rest.length > 0;) batches.push(rest.splice(0, size()));
  return batches;
}

function show(batches: readonly (readonly Patch[])[]): ShownAnswer {
  const shown = new ShownAnswer();
  for (const batch of batches) shown.apply(...batch);
  shown.finish();
  return shown;
}

function assertShown(shown: ShownAnswer, { reply, parts, tools }: DataAgentFixture): void {
  assert.deepEqual(shown.reply.root, reply);
  assert.deepEqual(withoutKeys(shown.parts), parts);
  assert.deepEqual(shown.tools, tools);
}

/** The orders in which a service may send the members of its first snapshot. */
function shuffleSnapshot(patches: readonly Patch[]): Patch[][] {
  const end = patches.findIndex(({ path, action }) => path.length !== 1 || action === 'end');
  const first = patches.slice(0, Math.min(4, Math.max(0, end)));
  const rest = patches.slice(first.length);
  return permute(first).map((order) => [...order, ...rest]);
}

function permute<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permute(items.toSpliced(index, 1)).map((others) => [item, ...others]),
  );
}

/** Returns a stored answer in the form of the stream. The service does not store the error outside the message. */
function toStoredReply(root: unknown): unknown {
  const { message } = root as { readonly message: object };
  return { message, error: null };
}

suite('projection of the recorded answers', () => {
  for (const fixture of readDataAgentFixtures()) {
    const { name, patches } = fixture;
    for (const [how, divide] of Object.entries(BATCHINGS)) {
      test(`${name} has its parts ${how}`, () => {
        assertShown(show(divide(patches)), fixture);
      });
    }

    test(`${name} has its parts in every order of the first snapshot`, () => {
      for (const order of shuffleSnapshot(patches)) {
        const shown = show(order.map((patch) => [patch]));
        assert.deepEqual(withoutKeys(shown.parts), fixture.parts);
      }
    });

    test(`${name} has no changes when the same reply is applied again`, () => {
      const shown = show([patches]);
      const { root } = shown.reply;
      shown.replace(root);
      shown.finish();
      assert.deepEqual(shown.replace(structuredClone(root)), []);
    });

    // The service empties the message of this fixture, so its stored answer has fewer parts than the live one.
    if (name === 'e07-blanked-message') continue;

    test(`${name} has the same parts, except errors, and tools stored as live`, () => {
      const shown = show(patches.map((patch) => [patch]));
      const isNoError = ({ kind }: { readonly kind: string }): boolean => kind !== 'error';
      const stored = deriveStoredAnswer(toStoredReply(shown.reply.root));
      assert.deepEqual(
        canonicalize(stored.parts).filter(isNoError),
        canonicalize(shown.parts).filter(isNoError),
      );
      assert.deepEqual(
        stored.activity.map(({ fields }) => fields.name),
        shown.tools.map((tool) => tool.name),
      );
    });
  }
});
