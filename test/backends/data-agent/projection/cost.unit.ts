import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Patch, ChangedPath } from '../../../../src/backends/data-agent/patched-reply.js';
import { PatchedReply } from '../../../../src/backends/data-agent/patched-reply.js';
import { AnswerProjection } from '../../../../src/backends/data-agent/projection/answer-projection.js';
import { append, createReply, modelStep, skillStep, stepPath, upsert } from './shown-answer.js';

/** Chunks of an answer of 20,000 characters. */
const CHUNKS = 400;
const CHUNK = 'The river is long, and its basin is wide, too. A b'.padEnd(50);
/** Longest text that may be read: a chunk with the text that a citation withholds. */
const MAX_READ = CHUNK.length + 400;

/** Most reads of the reply for a chunk: fewer than one for each of the 300 earlier steps. */
const MAX_READS = 200;

/** String methods that read characters. */
const METHODS = [
  'at',
  'charAt',
  'charCodeAt',
  'codePointAt',
  'endsWith',
  'includes',
  'indexOf',
  'lastIndexOf',
  'match',
  'matchAll',
  'replace',
  'replaceAll',
  'search',
  'slice',
  'split',
  'startsWith',
  'substring',
  'trim',
  'trimEnd',
  'trimStart',
] as const;

/** Runs `act` and returns the length of the longest string that a method or a regular expression has read. */
function findLongestRead(act: () => void): number {
  let longest = 0;
  const restore: (() => void)[] = [];
  const watch = (
    owner: object,
    name: string,
    lengthOf: (self: unknown, first: unknown) => number,
  ) => {
    const original = Reflect.get(owner, name) as (...values: unknown[]) => unknown;
    const watched = function (this: unknown, ...values: unknown[]): unknown {
      longest = Math.max(longest, lengthOf(this, values[0]));
      return original.apply(this, values);
    };
    Object.defineProperty(owner, name, { value: watched, configurable: true, writable: true });
    restore.push(() => {
      Object.defineProperty(owner, name, { value: original, configurable: true, writable: true });
    });
  };
  for (const name of METHODS) watch(String.prototype, name, (self) => String(self).length);
  for (const name of ['exec', 'test']) {
    watch(RegExp.prototype, name, (_self, first) => String(first).length);
  }
  try {
    act();
  } finally {
    restore.forEach((undo) => {
      undo();
    });
  }
  return longest;
}

/** Copies values so that their property reads are counted. The copies of one object are the same object. */
class ReadCounter {
  count = 0;
  readonly #copies = new WeakMap<object, object>();

  copy<T>(value: T): T {
    if (typeof value !== 'object' || value === null) return value;
    const known = this.#copies.get(value) ?? this.#create(value);
    this.#copies.set(value, known);
    return known as T;
  }

  #create(value: object): object {
    return new Proxy(value, {
      get: (target, name) => {
        this.count += 1;
        return this.copy(Reflect.get(target, name) as unknown);
      },
      getOwnPropertyDescriptor: (target, name) => {
        this.count += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
      ownKeys: (target) => {
        const keys = Reflect.ownKeys(target);
        this.count += keys.length;
        return keys;
      },
    });
  }
}

interface Cost {
  /** Reads of the reply per chunk. */
  readonly reads: readonly number[];
  /** Changes and UTF-16 units of text that were emitted, per chunk. */
  readonly changes: readonly number[];
  readonly units: readonly number[];
  readonly longestRead: number;
}

function measure(
  start: unknown,
  createChunk: (index: number) => readonly Patch[],
  chunks = CHUNKS,
): Cost {
  const reply = new PatchedReply();
  reply.replace(start);
  const view = new AnswerProjection({ message: 'm' });
  const counter = new ReadCounter();
  view.update(counter.copy(reply.root), 'all');
  const cost = { reads: [] as number[], changes: [] as number[], units: [] as number[] };
  let longestRead = 0;
  for (let index = 0; index < chunks; index += 1) {
    const changedPaths = createChunk(index).flatMap((patch): ChangedPath[] => {
      const changedPath = reply.apply(patch);
      return changedPath ? [changedPath] : [];
    });
    const root = counter.copy(reply.root);
    counter.count = 0;
    longestRead = Math.max(
      longestRead,
      findLongestRead(() => {
        const changes = view.update(root, changedPaths);
        cost.changes.push(changes.length);
        const texts = changes.flatMap((change) => (change.type === 'text' ? [change.text] : []));
        cost.units.push(texts.reduce((sum, { length }) => sum + length, 0));
      }),
    );
    cost.reads.push(counter.count);
  }
  return { ...cost, longestRead };
}

function assertConstant({ reads, changes, units, longestRead }: Cost): void {
  assert.ok(longestRead <= MAX_READ, `a string of ${String(longestRead)} units was read`);
  // The first chunk creates the part.
  assert.deepEqual(new Set(reads.slice(1)).size, 1, `reads: ${reads.join(' ')}`);
  assert.ok((reads[1] ?? Infinity) <= MAX_READS, `reads: ${String(reads[1])}`);
  assert.deepEqual(new Set(changes.slice(1)).size, 1, `changes: ${changes.join(' ')}`);
  assert.ok(Math.max(...units.slice(1)) <= 2 * CHUNK.length, `units: ${units.join(' ')}`);
}

const FINAL_TEXT = ['message', 'content', 'final_answer', 'answer', 'text'];

/** Completed steps before the one that is written. */
const EARLIER_STEPS = Array.from({ length: 300 }, (_, index) =>
  index % 2 === 0
    ? modelStep(`Step ${String(index)}.`, { status: 'completed' })
    : skillStep('other', { rows: [index] }),
);

suite('cost of a chunk in the projection of an answer', () => {
  for (const steps of [[], EARLIER_STEPS]) {
    const index = steps.length;
    const after = `after ${String(index)} steps`;

    test(`each chunk of a model step costs the same ${after}`, () => {
      const start = createReply([...steps, modelStep('')], { answer: { text: '' }, thinking: '' });
      assertConstant(measure(start, () => [append(stepPath(index, 'answer'), CHUNK)]));
    });

    test(`each chunk of both a step and the final text costs the same ${after}`, () => {
      const start = createReply([...steps, modelStep('')], { answer: { text: '' }, thinking: '' });
      const chunk = [append(FINAL_TEXT, CHUNK), append(stepPath(index, 'answer'), CHUNK)];
      assertConstant(measure(start, () => chunk));
    });

    test(`each chunk of the final text alone costs the same ${after}`, () => {
      const start = createReply(steps, { answer: { text: '' } });
      assertConstant(measure(start, () => [append(FINAL_TEXT, CHUNK)]));
    });

    test(`each chunk of thinking costs the same ${after}`, () => {
      const start = createReply([...steps, modelStep('')], { answer: { text: '' } });
      assertConstant(measure(start, () => [append(stepPath(index, 'think'), CHUNK)]));
    });

    test(`each chunk of a sub-agent costs the same ${after}`, () => {
      const info = { type: 'AGENT', name: 'reader', args: [] };
      const agent = skillStep('reader', { answer: '' }, { status: 'processing', skill_info: info });
      const start = createReply([...steps, agent], { answer: { text: '' } });
      assertConstant(measure(start, () => [append(stepPath(index, 'answer', 'answer'), CHUNK)]));
    });

    test(`each chunk of a streamed tool result costs the same ${after}`, () => {
      const tool = skillStep('other', { log: { lines: '' } }, { status: 'processing' });
      const start = createReply([...steps, tool], { answer: { text: '' } });
      const path = stepPath(index, 'answer', 'log', 'lines');
      assertConstant(measure(start, () => [append(path, CHUNK)]));
    });
  }

  test('a token count in each chunk causes no work', () => {
    const start = createReply([modelStep('', { token_usage: { total_tokens: 0 } })]);
    const chunk = append(stepPath(0, 'answer'), CHUNK);
    const count = (index: number): Patch =>
      upsert(stepPath(0, 'token_usage', 'total_tokens'), index + 1);
    const cost = measure(start, (index) => [chunk, count(index)]);
    assertConstant(cost);
    assert.deepEqual(
      cost,
      measure(start, () => [chunk]),
    );
  });

  test('a change of the state of a step does not read its text', () => {
    const start = createReply([modelStep(CHUNK.repeat(200), { status: 'completed' })]);
    const states = ['processing', 'completed'];
    const createPatches = (index: number) => [upsert(stepPath(0, 'status'), states[index % 2])];
    const { longestRead } = measure(start, createPatches, 5);
    assert.ok(longestRead <= MAX_READ, `a string of ${String(longestRead)} units was read`);
  });

  test('a change of the state of a tool does not read its result', () => {
    const rows = Array.from({ length: 5000 }, (_, index) => ({ index }));
    const start = createReply([skillStep('other', { rows }, { start_time: 1, end_time: 2 })]);
    const createPatches = (index: number) => [upsert(stepPath(0, 'end_time'), 3 + index)];
    const { reads } = measure(start, createPatches, 5);
    assert.ok(Math.max(...reads) <= MAX_READS, `reads: ${reads.join(' ')}`);
  });
});
