import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../../src/backends/ubik/run/task-state.js';
import type { WireEvent } from '../../../src/backends/ubik/events/wire-event.js';
import type { UbikErrorCode } from '../../../src/errors.js';
import type { Change } from '../../../src/model/change.js';
import type { Message } from '../../../src/model/message.js';
import { ACTIVITY } from '../../../src/model/part.js';
import { canonicalize } from '../../../src/model/canonicalize.js';
import { setupMessage } from '../../helpers/model-message.js';
import { createRandom, pickIndex, type Random } from '../../helpers/seeded-random.js';
import { seedsUpTo } from '../../helpers/sample.js';
import { reduceNaively, showMessage } from './support/naive-reducer.js';
import { addFullContents, createRandomRun, delaySome } from './support/random-run.js';

const END: WireEvent = { type: 'agent_processing_complete', fields: { content: '' } };

interface Watched {
  readonly memory: TaskState;
  readonly codes: UbikErrorCode[];
  readonly changes: Change[];
  readonly message: () => Message;
  /** Takes events one by one, telling after each. */
  readonly bring: (events: readonly WireEvent[]) => void;
}

function setupReplay(maxText?: number): Watched {
  const { message, run } = setupMessage();
  const codes: UbikErrorCode[] = [];
  const changes: Change[] = [];
  const memory = new TaskState({
    message: 'm',
    maxText,
    onDiagnostic: ({ code }) => codes.push(code),
  });
  const bring = (events: readonly WireEvent[]): void => {
    memory.connect();
    for (const event of events) {
      memory.apply(event);
      const applied = run(...memory.drainChanges(true));
      assert.deepEqual(applied.rejected, []);
      changes.push(...applied.applied);
    }
  };
  return { memory, codes, changes, message, bring };
}

function chunk(content: string, second = 1): WireEvent {
  const timestamp = `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
  return { type: 'response_chunk', fields: { content, timestamp } };
}

const HELLO: WireEvent = { type: 'connection_established', fields: { task_id: 't1' } };

function textOf(message: Message): string {
  return canonicalize(message)
    .map((part) => ('text' in part ? part.text : ''))
    .join('');
}

test('an exact replay changes nothing and what is new goes on behind it', () => {
  const { bring, changes, message } = setupReplay();
  bring([HELLO, chunk('ha '), chunk('ha ')]);
  const before = changes.length;
  bring([HELLO, chunk('ha '), chunk('ha ')]);
  const moved = changes
    .slice(before)
    .filter((change) => change.type !== 'set' && change.type !== 'thread');
  assert.deepEqual(moved, []);
  bring([HELLO, chunk('ha '), chunk('ha '), chunk('ha!')]);
  assert.equal(textOf(message()), 'ha ha ha!');
});

test('random replays, broken anywhere, show what one unbroken connection shows', () => {
  for (const seed of seedsUpTo(300)) {
    const random = createRandom(seed);
    const run = createRandomRun(random, 30);
    const events = [...(seed % 3 === 0 ? addFullContents(random, run) : run), END];
    const { bring, message } = setupReplay();
    for (let tries = pickIndex(random, 4); tries > 0; tries -= 1) {
      bring(events.slice(0, pickIndex(random, events.length)));
    }
    bring(events);
    assert.deepEqual(showMessage(message()), showMessage(reduceNaively(events)), `seed ${seed}`);
  }
});

test('a replay in other pieces is swapped in when its text is as long as what is shown', () => {
  const { bring, codes, changes, message } = setupReplay();
  bring([HELLO, chunk('Hello, '), chunk('wor', 2)]);
  const before = changes.length;
  bring([HELLO, chunk('Hel'), chunk('lo, w')]);
  assert.equal(textOf(message()), 'Hello, wor');
  assert.deepEqual(codes, ['foreign-replay']);
  bring([HELLO, chunk('Hel'), chunk('lo, world', 2)]);
  assert.equal(textOf(message()), 'Hello, world');
  const shown = changes.slice(before).filter((change) => change.type === 'text');
  assert.deepEqual(
    shown.map((change) => change.at),
    ['Hello, wor'.length],
  );
});

test('a replay in other pieces takes away the activity that it does not bring', () => {
  const { bring, message } = setupReplay();
  const fields = { tool_execution_id: 'c1', tool_name: 'find', data: { phase: 'A' } };
  bring([HELLO, { type: 'tool_update', fields }, chunk('Hel'), chunk('lo', 2)]);
  const activity = () => message().parts.children(ACTIVITY);
  assert.ok(activity().length > 0);
  bring([HELLO, chunk('Hello, wor'), chunk('ld', 2)]);
  assert.equal(textOf(message()), 'Hello, world');
  assert.deepEqual(activity(), []);
});

test('a replay in other pieces is swapped in at the end, though it is shorter', () => {
  const { bring, message } = setupReplay();
  bring([HELLO, chunk('Hello, world, and more')]);
  bring([HELLO, chunk('Hello'), { ...END, fields: { content: 'Hello.' } }]);
  assert.equal(textOf(message()), 'Hello.');
  assert.equal(message().status, 'complete');
});

test('a replay in other pieces is swapped in for a full content that was missed', () => {
  const { bring, message } = setupReplay();
  bring([HELLO, chunk('Hello, world, and more', 1)]);
  const timestamp = '2026-01-01T00:00:02Z';
  const full: WireEvent = {
    type: 'agent_response_update',
    fields: { content: 'Short.', timestamp },
  };
  bring([HELLO, chunk('Hello, ', 1), chunk('world', 1)]);
  assert.equal(textOf(message()), 'Hello, world, and more');
  bring([HELLO, chunk('Hello, ', 1), full]);
  assert.equal(textOf(message()), 'Short.');
});

const full = (content: string, second: number): WireEvent => ({
  type: 'agent_response_update',
  fields: { content, timestamp: `2026-01-01T00:00:0${String(second)}Z` },
});

test('a replay in other pieces goes on from a full content that was let go', () => {
  // So little may be held that only the newest content is.
  const { bring, codes, message } = setupReplay(60);
  const events = [HELLO, full('One.', 2), full('Two, and more than that.', 3)];
  bring([...events, full('Three.', 4), full('Four, and more than that.', 5)]);
  bring([...events, chunk(' Else.', 4), END]);
  assert.equal(textOf(message()), 'Two, and more than that. Else.');
  assert.deepEqual(codes, ['foreign-replay']);
});

test('a late full content does not make the newest go', () => {
  const { bring, message } = setupReplay(60);
  const late = full('Two, which comes after three.', 3);
  bring([HELLO, full('One.', 2), full('Three, and more than that.', 4), late, END]);
  assert.equal(textOf(message()), 'Three, and more than that.');
});

test('a late event changes nothing that full contents which were let go have replaced', () => {
  for (const seed of seedsUpTo(200)) {
    const random = createRandom(seed);
    const run = addFullContents(random, createRandomRun(random, 40));
    const events = delaySome(random, run, 0.2);
    const { bring, codes, message } = setupReplay(1500);
    bring([...events, END]);
    const truth = reduceNaively([...events, END]);
    assert.deepEqual(canonicalize(message()), canonicalize(truth), `seed ${seed}`);
    assert.ok(!codes.includes('message-too-large'), `seed ${seed}`);
  }
});

test('a gap of the first connection is closed by the second', () => {
  const { bring, message } = setupReplay();
  bring([HELLO, chunk('one '), chunk('three', 3)]);
  bring([HELLO, chunk('one '), chunk('two ', 2), chunk('three', 3)]);
  assert.equal(textOf(message()), 'one two three');
});

test('what is shown never shrinks and is never cut while replays are cut differently', () => {
  for (const seed of seedsUpTo(200)) {
    const random = createRandom(seed);
    const text = Array.from({ length: 40 }, (_, index) => `word${String(index)} `).join('');
    const { bring, changes, message } = setupReplay();
    for (let tries = 1 + pickIndex(random, 4); tries > 0; tries -= 1) {
      const pieces = cutText(random, text);
      const before = textOf(message());
      bring([HELLO, ...pieces.slice(0, pickIndex(random, pieces.length))]);
      assert.ok(textOf(message()).startsWith(before), `seed ${seed}`);
    }
    bring([HELLO, ...cutText(random, text), END]);
    assert.equal(textOf(message()), text.trim(), `seed ${seed}`);
    assert.equal(message().parts.get('/0:text')?.text?.revision, 0, `seed ${seed}: cut`);
    assert.ok(!changes.some((change) => change.type === 'remove'));
  }
});

function cutText(random: Random, text: string): WireEvent[] {
  const pieces: WireEvent[] = [];
  for (let at = 0; at < text.length;) {
    const length = 1 + pickIndex(random, 30);
    pieces.push(chunk(text.slice(at, at + length), 1));
    at += length;
  }
  return pieces;
}

test('after the end a replay in other pieces changes nothing', () => {
  const { bring, changes, message } = setupReplay();
  bring([HELLO, chunk('Done.'), END]);
  const before = changes.length;
  bring([HELLO, chunk('Do'), chunk('ne. And a lot more than that.'), END]);
  assert.equal(textOf(message()), 'Done.');
  assert.ok(!changes.slice(before).some((change) => change.type === 'text'));
});

test('after the end nothing changes, tools and replays included', () => {
  const { bring, changes, memory } = setupReplay();
  bring([HELLO, chunk('Done.'), END]);
  const before = changes.length;
  const tool = { tool_execution_id: 'c1', tool_name: 'find', data: { phase: 'A' } };
  bring([HELLO, chunk('Done.'), END, chunk('More'), { type: 'tool_update', fields: tool }]);
  const moved = changes
    .slice(before)
    .filter((change) => change.type !== 'set' && change.type !== 'thread');
  assert.deepEqual(moved, []);
  assert.equal(memory.status.state, 'complete');
});
