import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { resolveToolState } from '../../src/message/tool/tool-state.js';
import type { MessageStatus } from '../../src/model/message.js';
import type { FieldsOf, ToolState } from '../../src/model/part.js';

type ActivityState = FieldsOf<'tool-activity'>['state'];

const TOOL = { kind: 'tool', name: 'x', toolId: '1', input: null, result: null } as const;
const ACTIVITY = {
  kind: 'tool-activity',
  toolId: '1',
  name: 'x',
  part: 'tool:1',
  phase: '',
  status: '',
  message: '',
  data: null,
  startedAt: null,
  endedAt: null,
  subSession: null,
} as const;

/** Resolves the state of a tool part and of its activity. */
function resolve(
  own: ToolState,
  reported: ActivityState | null,
  status: MessageStatus = 'streaming',
  error: string | null = null,
): ToolState {
  const activity = reported === null ? undefined : { ...ACTIVITY, state: reported, reason: '' };
  return resolveToolState({ ...TOOL, state: own }, activity, error, status).state;
}

const STATES: readonly ToolState[] = [
  'running',
  'waiting',
  'done',
  'failed',
  'skipped',
  'cancelled',
  'incomplete',
];

suite('state of a tool call', () => {
  test('is the state of its part without activity in a live message', () => {
    assert.deepEqual(
      STATES.map((state) => resolve(state, null)),
      STATES,
    );
  });

  test('is the end that its activity reports, unless that is done', () => {
    for (const end of ['failed', 'skipped', 'cancelled'] as const) {
      for (const own of STATES) assert.equal(resolve(own, end), end);
    }
    for (const own of STATES) assert.equal(resolve(own, 'done'), own);
  });

  test('is what its activity reports while the part is open', () => {
    assert.equal(resolve('running', 'waiting'), 'waiting');
    assert.equal(resolve('waiting', 'running'), 'running');
    assert.equal(resolve('done', 'waiting'), 'done');
    assert.equal(resolve('incomplete', 'running'), 'incomplete');
  });

  test('is failed when the result reports an error, unless it was skipped or cancelled', () => {
    const failed = STATES.map((state) => resolve(state, null, 'complete', 'No'));
    assert.deepEqual(failed, [
      ...['failed', 'failed', 'failed', 'failed'],
      ...['skipped', 'cancelled', 'failed'],
    ]);
  });

  test('is cancelled when its message was stopped, and incomplete when its message has ended otherwise', () => {
    for (const open of ['running', 'waiting', 'incomplete'] as const) {
      assert.equal(resolve(open, null, 'stopped'), 'cancelled');
      for (const status of ['complete', 'failed', 'interrupted'] as const) {
        assert.equal(resolve(open, null, status), 'incomplete');
      }
      assert.equal(resolve(open, null, 'waiting'), open);
    }
    assert.equal(resolve('done', null, 'stopped'), 'done');
    assert.equal(resolve('skipped', null, 'stopped'), 'skipped');
  });

  test('includes the reason of its activity, else the error of its result', () => {
    const reasonOf = (reported: ActivityState, reason: string, error: string | null): string => {
      const activity = { ...ACTIVITY, state: reported, reason };
      return resolveToolState({ ...TOOL, state: 'done' }, activity, error, 'complete').reason;
    };
    assert.equal(reasonOf('failed', 'No table', 'No'), 'No table');
    assert.equal(reasonOf('failed', '', 'No'), 'No');
    assert.equal(reasonOf('cancelled', 'Too slow', null), 'Too slow');
    assert.equal(reasonOf('done', 'Slow', 'No'), 'No');
    assert.equal(reasonOf('done', 'Slow', null), '');
    assert.equal(reasonOf('skipped', 'Not needed', null), '');
  });
});
