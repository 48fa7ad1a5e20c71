import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../../src/backends/ubik/run/task-state.js';
import type { WireEvent } from '../../../src/backends/ubik/events/wire-event.js';
import type { UbikErrorCode } from '../../../src/errors.js';
import type { Change } from '../../../src/model/change.js';
import type { Key } from '../../../src/model/json.js';
import type { Message } from '../../../src/model/message.js';
import { ACTIVITY } from '../../../src/model/part.js';
import { canonicalize } from '../../../src/model/canonicalize.js';
import { setupMessage } from '../../helpers/model-message.js';
import { createRandom, pickIndex, type Random } from '../../helpers/seeded-random.js';
import { seedsUpTo } from '../../helpers/sample.js';
import { reduceNaively, showMessage } from './support/naive-reducer.js';
import { addFullContents, createRandomRun, delaySome } from './support/random-run.js';

const END: WireEvent = { type: 'agent_processing_complete', fields: { content: '' } };

interface ReplaySetup {
  readonly task: TaskState;
  readonly codes: UbikErrorCode[];
  readonly changes: Change[];
  readonly message: () => Message;
  /** Receives events on a new connection and drains the changes after each. */
  readonly receive: (events: readonly WireEvent[]) => void;
}

function setupReplay(maxText?: number, shownSize?: number): ReplaySetup {
  const { message, run } = setupMessage();
  const codes: UbikErrorCode[] = [];
  const changes: Change[] = [];
  const task = new TaskState({
    message: 'm',
    maxText,
    shownSize,
    onDiagnostic: ({ code }) => codes.push(code),
  });
  const receive = (events: readonly WireEvent[]): void => {
    task.connect();
    for (const event of events) {
      task.apply(event);
      const applied = run(...task.drainChanges(true));
      assert.deepEqual(applied.rejected, []);
      changes.push(...applied.applied);
    }
  };
  return { task, codes, changes, message, receive };
}

function chunk(content: string, second = 1): WireEvent {
  const timestamp = `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
  return { type: 'response_chunk', fields: { content, timestamp } };
}

const full = (content: string, second: number): WireEvent => ({
  type: 'agent_response_update',
  fields: { content, timestamp: `2026-01-01T00:00:0${String(second)}Z` },
});

const HELLO: WireEvent = { type: 'connection_established', fields: { task_id: 't1' } };

function textOf(message: Message): string {
  return canonicalize(message)
    .map((part) => ('text' in part ? part.text : ''))
    .join('');
}

function listRequests({ parts }: Message): Key[] {
  return parts.children(ACTIVITY).filter((key) => parts.get(key)?.kind === 'request-activity');
}

test('replay of equal chunks changes nothing, and new chunks are appended', () => {
  const { receive, changes, message } = setupReplay();
  receive([HELLO, chunk('ha '), chunk('ha ')]);
  const before = changes.length;
  receive([HELLO, chunk('ha '), chunk('ha ')]);
  const contentChanges = changes
    .slice(before)
    .filter((change) => change.type !== 'set' && change.type !== 'thread');
  assert.deepEqual(contentChanges, []);
  receive([HELLO, chunk('ha '), chunk('ha '), chunk('ha!')]);
  assert.equal(textOf(message()), 'ha ha ha!');
});

test('replay after disconnects anywhere shows the same as one unbroken connection', () => {
  for (const seed of seedsUpTo(300)) {
    const random = createRandom(seed);
    const run = createRandomRun(random, 30);
    const events = [...(seed % 3 === 0 ? addFullContents(random, run) : run), END];
    const { receive, message } = setupReplay();
    for (let attempts = pickIndex(random, 4); attempts > 0; attempts -= 1) {
      receive(events.slice(0, pickIndex(random, events.length)));
    }
    receive(events);
    assert.deepEqual(showMessage(message()), showMessage(reduceNaively(events)), `seed ${seed}`);
  }
});

test('replay with other chunk boundaries replaces the content once its text is as long as the shown one', () => {
  const { receive, codes, changes, message } = setupReplay();
  receive([HELLO, chunk('Hello, '), chunk('wor', 2)]);
  const before = changes.length;
  receive([HELLO, chunk('Hel'), chunk('lo, w')]);
  assert.equal(textOf(message()), 'Hello, wor');
  assert.deepEqual(codes, ['rechunked-replay']);
  receive([HELLO, chunk('Hel'), chunk('lo, world', 2)]);
  assert.equal(textOf(message()), 'Hello, world');
  const shown = changes.slice(before).filter((change) => change.type === 'text');
  assert.deepEqual(
    shown.map((change) => change.at),
    ['Hello, wor'.length],
  );
});

test('replay is recognized by the event of its connection, also if the first connection had none or another one', () => {
  const other: WireEvent = { ...HELLO, fields: { task_id: 't1', session_id: 's1' } };
  for (const first of [[], [other]]) {
    const { receive, codes, message } = setupReplay();
    receive([...first, chunk('Hello, '), chunk('wor', 2)]);
    receive([HELLO, chunk('Hel'), chunk('lo, world', 2)]);
    assert.equal(textOf(message()), 'Hello, world');
    assert.deepEqual(codes, ['rechunked-replay']);
  }
});

test('replay without `connection_established` is recognized by the first event of the run', () => {
  const { receive, codes, message } = setupReplay();
  const started: WireEvent = { type: 'agent_processing_started', fields: { task_id: 't1' } };
  receive([HELLO, started, chunk('Hello, '), chunk('wor', 2)]);
  receive([started, chunk('Hel'), chunk('lo, world', 2)]);
  assert.equal(textOf(message()), 'Hello, world');
  assert.deepEqual(codes, ['rechunked-replay']);
});

test('event of a connection that comes after other events neither repeats nor hides those', () => {
  const { receive, codes, message } = setupReplay();
  receive([chunk('Hello, '), HELLO, chunk('wor', 2)]);
  receive([chunk('Hello, '), HELLO, chunk('wor', 2), chunk('ld', 3)]);
  assert.equal(textOf(message()), 'Hello, world');
  assert.deepEqual(codes, []);
});

test('id of the task that only a connection reports is kept when late events and other chunk boundaries rebuild the message', () => {
  const { receive, task, message } = setupReplay();
  const tool = { tool_execution_id: 'c1', tool_name: 'find', timestamp: '2026-01-01T00:00:01Z' };
  receive([HELLO, chunk('Hello, ', 2), { type: 'tool_input_required', fields: tool }]);
  receive([chunk('late', 1)]);
  assert.deepEqual([task.status.taskId, message().runId], ['t1', 't1']);
  receive([{ ...HELLO, fields: {} }, chunk('Hello', 1), chunk(', world, and more', 2)]);
  assert.deepEqual([task.status.taskId, message().runId], ['t1', 't1']);
});

test('replay with other chunk boundaries than a broken one replaces a stored message once it is as large', () => {
  const { receive, codes, changes } = setupReplay(undefined, 100);
  const fields = { tool_execution_id: 'x1', tool_name: 'find', phase: 'searching' };
  const search: WireEvent = { type: 'tool_update', fields };
  receive([HELLO, search, chunk('Hel'), chunk('lo')]);
  receive([HELLO, search, chunk('Hello, wor')]);
  assert.deepEqual(codes, ['rechunked-replay']);
  assert.deepEqual(changes, []);
  receive([HELLO, search, chunk('Hello, wor'), chunk('l'.repeat(90))]);
  const isTool = (change: Change): boolean =>
    change.type === 'part' && change.value.kind === 'tool-activity';
  assert.ok(changes.some(isTool));
});

test('replay with other chunk boundaries removes activity that it lacks', () => {
  const { receive, message } = setupReplay();
  const fields = { tool_execution_id: 'c1', tool_name: 'find', data: { phase: 'A' } };
  receive([HELLO, { type: 'tool_update', fields }, chunk('Hel'), chunk('lo', 2)]);
  const activity = () => message().parts.children(ACTIVITY);
  assert.ok(activity().length > 0);
  receive([HELLO, chunk('Hello, wor'), chunk('ld', 2)]);
  assert.equal(textOf(message()), 'Hello, world');
  assert.deepEqual(activity(), []);
});

test('replay with other chunk boundaries shows its request although it lacks the activity of tools', () => {
  const { receive, task, message } = setupReplay();
  const updates = ['A', 'B', 'C', 'D', 'E'].map((phase): WireEvent => {
    const fields = { tool_execution_id: 'c1', tool_name: 'find', data: { phase } };
    return { type: 'tool_update', fields };
  });
  receive([HELLO, ...updates, chunk('Hello')]);
  const fields = { checkpoint_name: 'year', prompt: 'Which year?', input_types: ['text'] };
  receive([HELLO, chunk('Hello'), { type: 'input_required', fields }]);
  assert.deepEqual([task.status.state, message().status], ['waiting', 'waiting']);
  assert.equal(listRequests(message()).length, 1);
});

test('replay with other chunk boundaries keeps the request until it has come again', () => {
  const { receive, message } = setupReplay();
  const fields = { tool_execution_id: 'c1', tool_name: 'find' };
  const asked: WireEvent = { type: 'tool_input_required', fields };
  receive([HELLO, chunk('Hel'), chunk('lo', 2), asked]);
  receive([HELLO, chunk('Hello')]);
  assert.equal(listRequests(message()).length, 1);
});

test('replay with other chunk boundaries replaces the content at its end, even if it is shorter', () => {
  const { receive, message } = setupReplay();
  receive([HELLO, chunk('Hello, world, and more')]);
  receive([HELLO, chunk('Hello'), { ...END, fields: { content: 'Hello.' } }]);
  assert.equal(textOf(message()), 'Hello.');
  assert.equal(message().status, 'complete');
});

test('replay with other chunk boundaries replaces the content when it has a full content that was missed', () => {
  const { receive, message } = setupReplay();
  receive([HELLO, chunk('Hello, world, and more', 1)]);
  receive([HELLO, chunk('Hello, ', 1), chunk('world', 1)]);
  assert.equal(textOf(message()), 'Hello, world, and more');
  receive([HELLO, chunk('Hello, ', 1), full('Short.', 2)]);
  assert.equal(textOf(message()), 'Short.');
});

test('replay with other chunk boundaries continues from a full content that was dropped', () => {
  // The limit keeps only the newest full content.
  const { receive, codes, message } = setupReplay(60);
  const events = [HELLO, full('One.', 2), full('Two, and more than that.', 3)];
  receive([...events, full('Three.', 4), full('Four, and more than that.', 5)]);
  receive([...events, chunk(' Else.', 4), END]);
  assert.equal(textOf(message()), 'Two, and more than that. Else.');
  assert.deepEqual(codes, ['rechunked-replay']);
});

test('late full content does not drop the newest one', () => {
  const { receive, message } = setupReplay(60);
  const late = full('Two, which comes after three.', 3);
  receive([HELLO, full('One.', 2), full('Three, and more than that.', 4), late, END]);
  assert.equal(textOf(message()), 'Three, and more than that.');
});

test('late event changes nothing before full contents that were dropped', () => {
  for (const seed of seedsUpTo(200)) {
    const random = createRandom(seed);
    const run = addFullContents(random, createRandomRun(random, 40));
    const events = delaySome(random, run, 0.2);
    const { receive, codes, message } = setupReplay(1500);
    receive([...events, END]);
    const expected = reduceNaively([...events, END]);
    assert.deepEqual(canonicalize(message()), canonicalize(expected), `seed ${seed}`);
    assert.ok(!codes.includes('message-too-large'), `seed ${seed}`);
  }
});

test('replay fills a gap of the first connection', () => {
  const { receive, message } = setupReplay();
  receive([HELLO, chunk('one '), chunk('three', 3)]);
  receive([HELLO, chunk('one '), chunk('two ', 2), chunk('three', 3)]);
  assert.equal(textOf(message()), 'one two three');
});

test('replays with different chunk boundaries never shorten the shown text', () => {
  for (const seed of seedsUpTo(200)) {
    const random = createRandom(seed);
    const text = Array.from({ length: 40 }, (_, index) => `word${String(index)} `).join('');
    const { receive, changes, message } = setupReplay();
    for (let attempts = 1 + pickIndex(random, 4); attempts > 0; attempts -= 1) {
      const pieces = cutText(random, text);
      const before = textOf(message());
      receive([HELLO, ...pieces.slice(0, pickIndex(random, pieces.length))]);
      assert.ok(textOf(message()).startsWith(before), `seed ${seed}`);
    }
    receive([HELLO, ...cutText(random, text), END]);
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

test('replay with other chunk boundaries after the end changes nothing', () => {
  const { receive, changes, message } = setupReplay();
  receive([HELLO, chunk('Done.'), END]);
  const before = changes.length;
  receive([HELLO, chunk('Do'), chunk('ne. And a lot more than that.'), END]);
  assert.equal(textOf(message()), 'Done.');
  assert.ok(!changes.slice(before).some((change) => change.type === 'text'));
});

test('events after the end change nothing, neither chunks nor tools', () => {
  const { receive, changes, task } = setupReplay();
  receive([HELLO, chunk('Done.'), END]);
  const before = changes.length;
  const tool = { tool_execution_id: 'c1', tool_name: 'find', data: { phase: 'A' } };
  receive([HELLO, chunk('Done.'), END, chunk('More'), { type: 'tool_update', fields: tool }]);
  const contentChanges = changes
    .slice(before)
    .filter((change) => change.type !== 'set' && change.type !== 'thread');
  assert.deepEqual(contentChanges, []);
  assert.equal(task.status.state, 'complete');
});
