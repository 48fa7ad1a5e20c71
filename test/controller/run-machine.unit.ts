import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import {
  isBusy,
  isLive,
  RUN_TABLE,
  toRunState,
  transition,
  type Effect,
  type EventType,
  type PhaseName,
  type RunEvent,
  type RunPhase,
} from '../../src/controller/run/run-machine.js';

const REFUSED = new UbikError('invalid');
const ABSENT = new UbikError('not-found');
const FAILED = new UbikError('run-failed');
const NETWORK = new UbikError('network');
const UNAUTHORIZED = new UbikError('unauthorized');

const lost = (how: 'ended' | 'stalled' | 'failed', error: UbikError): RunEvent[] =>
  [true, false].map((isFinal) => ({ type: 'lost', how, error, isFinal }));

/** Every kind of event, with every value that a condition of the table reads. */
const EVENTS: { readonly [E in EventType]: readonly RunEvent[] } = {
  start: [{ type: 'start' }],
  join: [{ type: 'join' }],
  'add-waiting': [{ type: 'add-waiting' }],
  ready: [{ type: 'ready' }],
  reject: [{ type: 'reject', error: REFUSED }],
  received: [{ type: 'received', runId: null }],
  proceed: [{ type: 'proceed', runId: null }],
  wait: [{ type: 'wait' }],
  finish: (['complete', 'stopped', 'failed'] as const).map((as) => ({ type: 'finish', as })),
  progress: [{ type: 'progress' }],
  lost: [
    ...lost('ended', NETWORK),
    ...lost('stalled', NETWORK),
    ...[NETWORK, FAILED, REFUSED, ABSENT, UNAUTHORIZED].flatMap((error) => lost('failed', error)),
  ],
  'retry-scheduled': [{ type: 'retry-scheduled', retryAt: 1 }],
  'retries-exhausted': [{ type: 'retries-exhausted', error: NETWORK }],
  'retry-due': [{ type: 'retry-due' }],
  wake: [{ type: 'wake', reason: 'visible' }],
  hide: [{ type: 'hide' }],
  rejoin: [{ type: 'rejoin' }],
  probe: [{ type: 'probe' }],
  stop: [{ type: 'stop' }],
  'stop-accepted': [{ type: 'stop-accepted' }],
  'stop-rejected': [{ type: 'stop-rejected', error: NETWORK }],
  'stop-timeout': [{ type: 'stop-timeout' }],
  detach: ([undefined, 'complete', 'failed'] as const).map((as) => ({
    type: 'detach',
    as,
    error: NETWORK,
  })),
  supersede: [{ type: 'supersede' }],
  'ended-elsewhere': (['complete', 'stopped', 'failed'] as const).map((as) => ({
    type: 'ended-elsewhere',
    as,
  })),
  'thread-deleted': [{ type: 'thread-deleted', error: ABSENT }],
  close: [{ type: 'close' }],
};

interface Step {
  readonly from: RunPhase;
  readonly event: RunEvent;
  readonly to: RunPhase;
  readonly effects: readonly Effect[];
}

/** Every transition from every phase that a new run can reach, with its data. */
function walk(): readonly Step[] {
  const steps: Step[] = [];
  const idle: RunPhase = { name: 'idle' };
  const seen = new Set([keyOf(idle)]);
  const open: RunPhase[] = [idle];
  for (let from = open.pop(); from; from = open.pop()) {
    for (const event of Object.values(EVENTS).flat()) {
      const { phase: to, effects } = transition(from, event);
      steps.push({ from, event, to, effects });
      if (!seen.has(keyOf(to))) open.push(to);
      seen.add(keyOf(to));
    }
  }
  return steps;
}

function keyOf(phase: RunPhase): string {
  return JSON.stringify(Object.entries(phase).sort());
}

function print({ from, event, to, effects }: Step): string {
  return `${keyOf(from)} ${event.type} → ${keyOf(to)} ${effects.join(' ')}`;
}

const STEPS = walk();
const PHASES = [...new Map(STEPS.map(({ from }) => [keyOf(from), from])).values()];
const STREAM_PHASES: readonly PhaseName[] = ['sending', 'joining', 'streaming', 'waiting'];
/** Whether a stream was requested or is open. */
const hasStream = ({ name }: RunPhase): boolean => STREAM_PHASES.includes(name);
/** Whether a stream is open and has reported its run. */
const hasOpenStream = ({ name }: RunPhase): boolean => name === 'streaming' || name === 'waiting';

/** Effects that close the stream. */
const CLOSES_STREAM: readonly Effect[] = ['disconnect', 'settle', 'end', 'revert'];

/** Asserts that no transition is wrong. */
function assertNone(wrong: (step: Step) => boolean): void {
  assert.deepEqual(STEPS.filter(wrong).slice(0, 5).map(print), []);
}

test('every phase of the run table can be reached', () => {
  const reached = new Set(PHASES.map(({ name }) => name));
  assert.deepEqual(
    Object.keys(RUN_TABLE).filter((name) => !reached.has(name as PhaseName)),
    [],
  );
});

test('every row of the run table applies in a phase that can be reached', () => {
  const applied = new Set<string>();
  for (const { from, event } of STEPS) {
    const rows = rowsOf(from.name, event.type);
    const facts = { stage: 'unconfirmed', stop: 'none', showsStop: false, ...from, ...event };
    const index = rows.findIndex(({ when }) => !when || when(facts as never));
    if (index >= 0) applied.add(`${from.name} ${event.type} ${index}`);
  }
  const all = Object.entries(RUN_TABLE).flatMap(([name, events]) =>
    Object.entries(events).flatMap(([type, rows]) =>
      (rows as readonly unknown[]).map((_, index) => `${name} ${type} ${index}`),
    ),
  );
  assert.deepEqual(
    all.filter((row) => !applied.has(row)),
    [],
  );
});

test('an event that a phase ignores changes nothing and has no effects', () => {
  assertNone(({ from, event, to, effects }) => {
    const isIgnored = rowsOf(from.name, event.type).length === 0;
    return isIgnored && (to !== from || effects.length > 0);
  });
});

test('the data of every phase that can be reached is valid', () => {
  const isValid = (phase: RunPhase): boolean => {
    const keys = Object.keys(phase).sort().join();
    if (!isLive(phase)) {
      if (phase.name === 'ended') return keys === 'as,name';
      const isOpen = phase.name === 'suspended' || phase.name === 'interrupted';
      return isOpen ? keys === 'name,stage' && phase.stage !== 'announced' : keys === 'name';
    }
    const { name, stage, stop, showsStop } = phase;
    const own = { disconnected: 'isStalled', 'backing-off': 'retryAt' }[name as string] ?? [];
    const isSent = stop === 'requested' || stop === 'accepted';
    return (
      keys === ['name', 'showsStop', 'stage', 'stop', own].flat().sort().join() &&
      (stage === 'unconfirmed' ? !isSent : stop !== 'deferred') &&
      (isSent || !showsStop) &&
      (!['preparing', 'sending'].includes(name) || stage === 'unconfirmed') &&
      (name !== 'streaming' || (stage === 'announced' && showsStop === isSent)) &&
      (name !== 'waiting' || stage !== 'unconfirmed') &&
      (name !== 'stopping' || (stage === 'confirmed' && stop === 'requested' && showsStop))
    );
  };
  assert.deepEqual(
    PHASES.filter((phase) => !isValid(phase)),
    [],
  );
});

test('the phases idle, rejected and closed have no data', () => {
  const none: readonly PhaseName[] = ['idle', 'rejected', 'closed'];
  const phases = PHASES.filter(({ name }) => none.includes(name));
  assert.deepEqual(
    phases.map((phase) => Object.keys(phase)),
    none.map(() => ['name']),
  );
});

test('a run that was suspended or interrupted is joined again on request', () => {
  for (const name of ['suspended', 'interrupted'] as const) {
    const { phase, effects } = transition({ name, stage: 'confirmed' }, { type: 'rejoin' });
    assert.equal(phase.name, 'joining');
    assert.ok(effects.includes('openStream'));
  }
});

test('a stream is opened exactly when a phase with a stream is entered', () => {
  assertNone(({ from, to, effects }) => {
    const opens = effects.filter(
      (effect) => effect === 'openStream' || effect === 'sendStart',
    ).length;
    const isEntered = hasStream(to) && !hasStream(from);
    return opens !== (isEntered ? 1 : 0);
  });
});

test('a stream that has not ended is closed when its phase is left', () => {
  assertNone(({ from, event, to, effects }) => {
    const isLeft = hasStream(from) && !hasStream(to) && event.type !== 'lost';
    return isLeft && !effects.some((effect) => CLOSES_STREAM.includes(effect));
  });
});

test('calls that wait for a run are settled whenever it is no longer live', () => {
  assertNone(({ from, to, effects }) => {
    const isOver = isLive(from) && !isLive(to);
    const isSettled = effects.some((effect) =>
      ['settle', 'end', 'revert', 'rejectStop'].includes(effect),
    );
    return isOver && !isSettled;
  });
});

test('run-started is announced once whenever the stage becomes announced', () => {
  assertNone(({ from, to, effects }) => {
    const isNew =
      isLive(to) && to.stage === 'announced' && 'stage' in from && from.stage !== 'announced';
    return isNew && effects.filter((effect) => effect === 'announce').length !== 1;
  });
});

test('a run whose stream reports its end is announced first, unless it was announced before', () => {
  assertNone(({ from, event, to, effects }) => {
    const isReported = event.type === 'finish' && from !== to;
    return isReported && effects[0] !== 'announce';
  });
});

test('a stop request is sent once, when the run is confirmed', () => {
  const isSent = (phase: RunPhase) =>
    isLive(phase) && (phase.stop === 'requested' || phase.stop === 'accepted');
  assertNone(({ from, to, effects }) => {
    const isNew = !isSent(from) && isSent(to);
    return effects.filter((effect) => effect === 'sendStop').length !== (isNew ? 1 : 0);
  });
});

test('the timer of a stop starts when it is accepted and restarts with each progress of its stream', () => {
  const isAccepted = (phase: RunPhase) => isLive(phase) && phase.stop === 'accepted';
  assertNone(({ from, event, to, effects }) => {
    const isNew = !isAccepted(from) && isAccepted(to);
    const isRenewed = isAccepted(from) && event.type === 'progress' && hasOpenStream(from);
    return effects.includes('startStopTimer') !== (isNew || isRenewed);
  });
});

test('a run that was stopped ends as stopped, whatever end its stream reports', () => {
  assertNone(({ from, event, to }) => {
    const isSent = isLive(from) && ['requested', 'accepted'].includes(from.stop);
    const isReported = isSent && hasOpenStream(from) && event.type === 'finish';
    return isReported && !(to.name === 'ended' && to.as === 'stopped');
  });
});

test('a run that was started can be closed in every phase, and ignores all events once it is rejected or closed', () => {
  assertNone(({ from, event, to }) => {
    const isFinal = from.name === 'closed' || from.name === 'rejected';
    if (isFinal) return to !== from;
    return event.type === 'close' && from.name !== 'idle' && to.name !== 'closed';
  });
});

test('only a run that waits for the user with an open stream is live without being busy', () => {
  for (const phase of PHASES) {
    const isFree = phase.name === 'waiting' && !phase.showsStop;
    assert.equal(isBusy(phase), isLive(phase) && !isFree, keyOf(phase));
  }
});

for (const [name, states] of Object.entries({
  preparing: ['sending'],
  sending: ['sending'],
  joining: ['rejoining', 'stopping'],
  streaming: ['stopping', 'streaming'],
  waiting: ['stopping', 'waiting'],
  disconnected: ['broken', 'stalled', 'stopping'],
  'backing-off': ['rejoining', 'stopping'],
  stopping: ['stopping'],
  suspended: ['waiting'],
  interrupted: ['interrupted'],
  ended: ['complete', 'failed', 'stopped'],
})) {
  test(`a run that is ${name} is shown as ${states.join(' or ')}`, () => {
    const shown = PHASES.filter((phase) => phase.name === name).map(toRunState);
    assert.deepEqual([...new Set(shown)].sort(), states);
  });
}

function rowsOf(name: PhaseName, type: EventType): readonly { when?: (facts: never) => boolean }[] {
  const events: { readonly [E in EventType]?: readonly { when?: (facts: never) => boolean }[] } =
    RUN_TABLE[name];
  return events[type] ?? [];
}
