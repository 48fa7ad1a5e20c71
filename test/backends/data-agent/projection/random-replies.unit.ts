import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createRandomOrder, diffJson } from '../../../../demo/data-agent/json-diff.js';
import type { Json } from '../../../../demo/agent/json.js';
import type { Patch } from '../../../../src/backends/data-agent/patched-reply.js';
import { deriveStoredAnswer } from '../../../../src/backends/data-agent/projection/answer-projection.js';
import { seedsUpTo } from '../../../helpers/sample.js';
import { createRandom, pickIndex, type Random } from '../../../helpers/seeded-random.js';
import { RandomReplies } from './random-replies.js';
import { createReply, modelStep, showReply, ShownAnswer, skillStep } from './shown-answer.js';

/** The patches by which the service converts one snapshot to the next. */
function diff(before: unknown, after: unknown, random: Random): Patch[] {
  const order = createRandomOrder(random);
  return diffJson(before as Json, after as Json, order).map(({ key, content, action }) => ({
    path: key,
    action,
    value: content,
  }));
}

function splitRandomly(patches: readonly Patch[], random: Random): Patch[][] {
  const batches: Patch[][] = [];
  for (const rest = [...patches]; rest.length > 0;) {
    batches.push(rest.splice(0, 1 + pickIndex(random, 4)));
  }
  return batches;
}

suite('parts of random replies', () => {
  test('patches lead to the same parts as the whole reply', () => {
    for (const seed of seedsUpTo(2000)) {
      const random = createRandom(seed);
      const replies = new RandomReplies(random);
      const shown = new ShownAnswer();
      let snapshot: unknown = {};
      for (let count = 0; count < 6; count += 1) {
        const next = count === 0 ? replies.reply() : replies.next(snapshot);
        for (const batch of splitRandomly(diff(snapshot, next, random), random)) {
          shown.apply(...batch);
          const { parts } = showReply(shown.reply.root);
          assert.deepEqual(shown.parts, parts, `seed ${String(seed)}`);
        }
        snapshot = next;
      }
      shown.finish();
      const stored = deriveStoredAnswer(snapshot);
      assert.deepEqual(shown.view.parts, stored.parts, `seed ${String(seed)} at the end`);
      assert.deepEqual(shown.view.activity, stored.activity, `seed ${String(seed)} at the end`);
    }
  });

  test('any JSON in place of a reply, a message, content or a step can be derived', () => {
    for (const seed of seedsUpTo(2000)) {
      const replies = new RandomReplies(createRandom(seed));
      for (const root of [
        replies.json(),
        { message: replies.json(), error: replies.json() },
        { message: { content: replies.json(), ext: replies.json() } },
        createReply(replies.json(), { answer: replies.json(), thinking: replies.json() }),
        createReply([replies.json(), modelStep(replies.json(), { think: replies.json() })]),
      ]) {
        showReply(root).finish();
      }
    }
  });

  test('texts of steps, of tools and of the final answer are all shown', () => {
    for (const seed of seedsUpTo(2000)) {
      const replies = new RandomReplies(createRandom(seed));
      const answers = ['json2plot', 'text2sql', 'doc_qa', 'zhipu_search_tool', 'other', 'AGENT'];
      const root = createReply(
        [
          modelStep(replies.json(), { think: replies.json() }),
          ...answers.map((name) => skillStep(name, withoutEnvelope(replies.json()))),
          ...answers.map((name) => skillStep(name, { result: withoutEnvelope(replies.json()) })),
        ],
        {
          answer: { text: replies.json(), ask: replies.json() },
          thinking: replies.json(),
          skill_process: [{ type: '', text: replies.json(), thinking: replies.json() }],
          answer_type_other: replies.json(),
        },
      );
      const shown = showReply(root);
      shown.finish();
      const text = JSON.stringify(shown.parts);
      // Each text of `RandomReplies` begins with such a word.
      for (const word of new Set(JSON.stringify(root).match(/w\d+q/g))) {
        assert.ok(text.includes(word), `seed ${String(seed)}: ${word} is lost`);
      }
    }
  });

  test('a value that is nested ten thousand levels deep can be derived', () => {
    const depth = 10_000;
    const deep = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as unknown;
    const root = createReply([modelStep(deep), skillStep('other', deep)], {
      answer: { text: deep },
      answer_type_other: deep,
    });
    assert.equal(showReply(root).parts.at(1)?.kind, 'tool');
  });
});

/** Removes the envelope of a result, in which the complete result replaces a sample. */
function withoutEnvelope(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { full_result: _full, result: _sample, ...others } = value as Record<string, unknown>;
  return others;
}
