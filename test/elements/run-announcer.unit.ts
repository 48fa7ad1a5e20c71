import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ControllerNotice } from '../../src/controller/controller-types.js';
import { createManualFrameScheduler } from '../../src/dom/manual-frames.js';
import type { Announcement, LiveRegions } from '../../src/elements/announcements/lazy-announcer.js';
import { RunAnnouncer } from '../../src/elements/announcements/run-announcer.js';
import type { ConnectedHost } from '../../src/elements/base/connected-host.js';
import { UbikError } from '../../src/errors.js';
import { setDataFormats, type DataFormats } from '../../src/message/message-formats.js';
import { findLocale } from '../../src/locales/locale.js';
import type { Change } from '../../src/model/change.js';
import { ACTIVITY, type PartFields, type PartTree } from '../../src/model/part.js';
import { reconcile } from '../../src/model/reconcile.js';
import type { Run } from '../../src/model/thread.js';
import { ANSWER, setupMessage } from '../helpers/model-message.js';

/** An announcer of a run with the empty answer `m`. The test runs the frames. */
function setup({ level = 'all', isHandled = false } = {}) {
  const { store, run: apply, message } = setupMessage();
  const frames = createManualFrameScheduler();
  const announced: string[] = [];
  const regions = {
    announce: (text: Announcement, urgent = false) => {
      const words = [text]
        .flat()
        .map((each) => (typeof each === 'string' ? each : each.textContent))
        .join('');
      if (words) announced.push(`${urgent ? '!' : ''}${words}`);
    },
  };
  const host = {
    context: { locale: findLocale('en'), frames },
    controller: { thread: store.threads.get('t') as unknown },
    isHandledByPage: () => isHandled,
  };
  const announcer = new RunAnnouncer(
    host as unknown as ConnectedHost,
    regions as unknown as LiveRegions,
    () => level,
  );
  const change = (...changes: Change[]): void => {
    apply(...changes);
    for (const each of changes) announcer.handleChange(each);
  };
  /** What was announced since the last call. */
  const heard = (): string[] => announced.splice(0);
  const setRun = (run: Partial<Run>): void => change({ type: 'thread', set: { run } });
  setRun({ state: 'streaming', answer: 'm' });
  const lengths = new Map<string, number>();
  return {
    announcer,
    host,
    apply,
    message,
    change,
    setRun,
    heard,
    frame: () => frames.frame(),
    /** Runs two frames, after which nothing waits any more. */
    flush: (): string[] => {
      frames.frame();
      frames.frame();
      return heard();
    },
    put: (part: string, value: PartFields, message = 'm'): void =>
      change({ type: 'part', message, part, parent: null, before: null, value }),
    /** Appends to the text of a part. */
    append: (text: string, part = 'text'): void => {
      const at = lengths.get(part) ?? 0;
      lengths.set(part, at + text.length);
      if (at === 0) apply(textPart(part));
      change({ type: 'text', message: 'm', part, at, text });
    },
    notify: (notice: object): string[] => {
      announcer.handleNotice(notice as ControllerNotice);
      return heard();
    },
  };
}

const textPart = (part: string): Change => ({
  ...{ type: 'part', message: 'm', part, parent: null, before: null },
  value: { kind: 'text' },
});

const step = (number: number, title = 'Read'): PartFields =>
  ({ kind: 'step', number, title, state: 'running' }) as unknown as PartFields;

describe('announcements of another conversation', () => {
  it('include steps whose keys are those of the conversation before', () => {
    const { put, flush, host, announcer } = setup();
    put('/0', step(1));
    assert.deepEqual(flush(), ['Step 1: Read']);
    const { store, run } = setupMessage();
    const change = { type: 'part', message: 'm', part: '/0', parent: null, before: null } as const;
    run({ type: 'thread', set: { run: { answer: 'm' } } }, { ...change, value: step(1) });
    host.controller = { thread: store.threads.get('t') };
    announcer.handleChange({ ...change, value: step(1) });
    assert.deepEqual(flush(), ['Step 1: Read']);
  });
});

describe('announcements of a growing text', () => {
  it('contain nothing twice when the whole content comes with another structure', () => {
    const { append, change, flush, message, notify } = setup();
    append('One. Two. ');
    assert.deepEqual(flush(), ['One. Two.']);
    const first: PartTree = { kind: 'text', key: 'a', text: 'One.' };
    const thought: PartTree = { kind: 'thinking', key: 't', state: 'closed', text: 'Hm' };
    const second: PartTree = { kind: 'text', key: 'b', text: 'Two. Three. Four' };
    change(...reconcile(message(), [first, thought, second]));
    assert.deepEqual(flush(), ['Three.']);
    assert.deepEqual(notify({ type: 'run-completed' }), ['Four', 'The answer is complete.']);
  });

  it('contain nothing twice when the end of a text becomes another part', () => {
    const { append, change, flush, message, notify } = setup();
    append('One. Two. ');
    flush();
    const first: PartTree = { kind: 'text', key: 'text', text: 'One.' };
    const thought: PartTree = { kind: 'thinking', key: 't', state: 'closed', text: 'Hm' };
    const second: PartTree = { kind: 'text', key: 'b', text: 'Two.' };
    change(...reconcile(message(), [first, thought, second]));
    assert.deepEqual(flush(), []);
    assert.deepEqual(notify({ type: 'run-completed' }), ['The answer is complete.']);
  });

  it('contain a text that replaces another one', () => {
    const { append, change, flush, message } = setup();
    append('One. Two. ');
    flush();
    const thought: PartTree = { kind: 'thinking', key: 't', state: 'closed', text: 'Hm' };
    const other: PartTree = { kind: 'text', key: 'b', text: 'One thing. ' };
    change(...reconcile(message(), [thought, other]));
    assert.deepEqual(flush(), ['One thing.']);
  });

  it('contain the beginning of a text that replaces another one with the same first word', () => {
    const { append, change, flush, message } = setup();
    append('I will look it up. ');
    flush();
    const thought: PartTree = { kind: 'thinking', key: 't', state: 'closed', text: 'Hm' };
    change(...reconcile(message(), [thought, { kind: 'text', key: 'b', text: 'I' }]));
    assert.deepEqual(flush(), []);
    const part = message().parts.children(null).at(-1) ?? '';
    change({ type: 'text', message: 'm', part, at: 1, text: ' cannot do that. ' });
    assert.deepEqual(flush(), ['I cannot do that.']);
  });

  it('wait for the first frame without new text', () => {
    const { append, frame, heard } = setup();
    append('One. ');
    frame();
    assert.deepEqual(heard(), []);
    append('Two. ');
    frame();
    assert.deepEqual(heard(), []);
    frame();
    assert.deepEqual(heard(), ['One. Two.']);
    frame();
    assert.deepEqual(heard(), []);
  });

  it('come after fifteen frames when the text grows in each, and again after fifteen more', () => {
    const { append, frame, heard } = setup();
    for (let turn = 0; turn < 2; turn += 1) {
      const frames = Array.from({ length: 15 }, () => {
        append('A. ');
        frame();
        return heard().length;
      });
      assert.deepEqual(frames, [...Array.from({ length: 14 }, () => 0), 1]);
    }
  });

  it('come at once after 500 UTF-16 units of new text', () => {
    const { append, frame, heard } = setup();
    for (const turn of ['first', 'second']) {
      append(`${'a'.repeat(497)}. `);
      frame();
      assert.deepEqual(heard().length, 0, turn);
      append('\n');
      frame();
      assert.deepEqual(heard().length, 1, turn);
    }
  });

  it('come at once with another change, except one of the message itself', () => {
    const { append, change, frame, heard, put } = setup();
    append('One. ');
    change({ type: 'set', message: 'm', part: null, path: ['status'], value: 'streaming' });
    frame();
    assert.deepEqual(heard(), []);
    append('Two. ');
    put('s', step(1));
    frame();
    assert.deepEqual(heard(), ['One. Two.', 'Step 1: Read']);
  });

  it('begin where the announcer has joined a text, whatever else changes in the same frame', () => {
    const { apply, change, flush } = setup();
    const part = textPart('joined');
    apply(part, { type: 'text', message: 'm', part: 'joined', at: 0, text: 'Said. ' });
    change({ type: 'text', message: 'm', part: 'joined', at: 6, text: 'New. ' }, part);
    change({ type: 'text', message: 'm', part: 'joined', at: 11, text: 'Newer. ' });
    assert.deepEqual(flush(), ['New. Newer.']);
    change(part);
    assert.deepEqual(flush(), []);
  });

  it('keep an unfinished sentence together while other texts exist', () => {
    const { append, apply, change, flush } = setup();
    apply(textPart('other'), { type: 'text', message: 'm', part: 'other', at: 0, text: 'Old' });
    append('Half a');
    assert.deepEqual(flush(), []);
    change(textPart('other'));
    assert.deepEqual(flush(), []);
    append(' sentence. Rest');
    assert.deepEqual(flush(), ['Half a sentence.']);
    append('Next. ', 'next');
    assert.deepEqual(flush(), ['Rest', 'Next.']);
    append(' is said. ');
    assert.deepEqual(flush(), ['is said.']);
  });

  it('keep an unfinished sentence together when an earlier text has ended', () => {
    const { append, flush } = setup();
    append('One. ');
    assert.deepEqual(flush(), ['One.']);
    append('Two. Half', 'next');
    assert.deepEqual(flush(), ['Two.']);
    append(' of it', 'next');
    assert.deepEqual(flush(), []);
  });

  it('come without the end of a sentence when more than 1000 UTF-16 units would be searched for it', () => {
    for (const [length, expected] of [
      [1000, 0],
      [1001, 1],
    ] as const) {
      const { append, flush } = setup();
      append('x'.repeat(length));
      assert.equal(flush().length, expected);
    }
  });

  it('do not repeat a text that was truncated', () => {
    const { append, change, flush } = setup();
    append('One. Two. ');
    assert.deepEqual(flush(), ['One. Two.']);
    change({ type: 'text', message: 'm', part: 'text', at: 5, text: '' });
    assert.deepEqual(flush(), []);
    change({ type: 'text', message: 'm', part: 'text', at: 5, text: 'Ten. ' });
    assert.deepEqual(flush(), ['Ten.']);
  });
});

describe('announcements of parts', () => {
  it('are made once, also when the same part is added again in the next frame', () => {
    const { put, frame, heard, flush } = setup();
    put('s', step(1));
    frame();
    assert.deepEqual(heard(), ['Step 1: Read']);
    put('s', step(1));
    put('t', step(2, ''));
    assert.deepEqual(flush(), ['Step 2:']);
  });

  it('are made once for a call whose execution has another id, whichever comes first', () => {
    const call = { kind: 'tool', name: 'web_search', state: 'running', input: null, result: null };
    const execution = { kind: 'tool-activity', toolId: 'exec', name: 'web_search', part: null };
    const tool = { ...call, toolId: 'call' } as unknown as PartFields;
    const activity = { ...execution, state: 'running', reason: '' } as unknown as PartFields;
    const bound = { ...activity, part: 'tool:call' } as unknown as PartFields;
    const failed = { ...bound, state: 'failed', reason: 'Too slow' } as unknown as PartFields;
    const addActivity = (value: PartFields): Change => ({
      ...{ type: 'part', message: 'm', part: '@tool:exec', parent: ACTIVITY, before: null },
      value,
    });
    for (const first of ['part', 'activity'] as const) {
      const { put, change, flush } = setup();
      if (first === 'part') put('tool:call', tool);
      else change(addActivity(activity));
      assert.deepEqual(flush(), ['Using Web search'], first);
      if (first === 'activity') put('tool:call', tool);
      change(addActivity(bound));
      assert.deepEqual(flush(), [], first);
      change(addActivity(failed));
      put('tool:call', { ...tool, result: '{"error":"Too slow"}' } as PartFields);
      assert.deepEqual(flush(), ['Web search failed. Too slow'], first);
    }
  });

  it('omit a single step, also when an event reports its state', () => {
    const { put, change, flush } = setup();
    put('step:1', { ...step(1), single: true } as PartFields);
    const value = { kind: 'step-activity', number: 1, title: 'Read', state: 'running' };
    const place = { part: '@step:1', parent: ACTIVITY, before: null } as const;
    change({ type: 'part', message: 'm', ...place, value: value as unknown as PartFields });
    assert.deepEqual(flush(), []);
  });

  it('end the sentence before them', () => {
    const { append, put, flush } = setup();
    append('Half');
    put('s', step(1));
    assert.deepEqual(flush(), ['Half', 'Step 1: Read']);
    append('Whole. ', 'after');
    put('s2', step(2));
    assert.deepEqual(flush(), ['Whole.', 'Step 2: Read']);
  });

  it('are omitted for an answer that is not the current one any more', () => {
    const { apply, put, setRun, flush } = setup();
    put('s', step(1));
    apply({ type: 'message', message: 'n', value: ANSWER });
    const part = { ...textPart('s'), message: 'n', value: step(9, 'Other') } as Change;
    apply(part);
    setRun({ answer: 'n' });
    assert.deepEqual(flush(), []);
    put('s', step(9, 'Other'), 'n');
    assert.deepEqual(flush(), ['Step 9: Other']);
  });

  it('are repeated in the next answer, without the rest of the one before', () => {
    const { apply, append, put, setRun, flush } = setup();
    put('s', step(1));
    append('Unfinished');
    assert.deepEqual(flush(), ['Step 1: Read']);
    apply({ type: 'message', message: 'n', value: ANSWER });
    apply({ ...textPart('text'), message: 'n' } as Change);
    apply({ type: 'text', message: 'n', part: 'text', at: 0, text: 'Not new' });
    setRun({ answer: 'n' });
    put('s', step(1), 'n');
    assert.deepEqual(flush(), ['Step 1: Read']);
  });

  it('of the answer before are dropped when the next one begins', () => {
    const { apply, put, setRun, flush } = setup();
    put('s', step(1));
    apply({ type: 'message', message: 'n', value: ANSWER });
    apply({ ...textPart('s'), message: 'n', value: step(7, 'Old') } as Change);
    setRun({ answer: 'n' });
    put('t', step(2), 'n');
    assert.deepEqual(flush(), ['Step 2: Read']);
  });

  it('of data wait until their formats are loaded', () => {
    const { append, put, frame, heard, notify } = setup();
    put('d', { kind: 'table', title: 'Stock', columns: [], rows: [] } as unknown as PartFields);
    frame();
    assert.deepEqual(notify({ type: 'run-stopped' }), ['Stopped']);
    setDataFormats({ label: () => 'Table: Stock' } as unknown as DataFormats);
    append('One. ');
    frame();
    frame();
    assert.deepEqual(heard(), ['Table: Stock', 'One.']);
    assert.deepEqual(notify({ type: 'run-completed' }), ['The answer is complete.']);
  });

  it('are made once for a step without a number and for data that the whole content has under other keys', () => {
    setDataFormats({ label: () => 'Table: Stock' } as unknown as DataFormats);
    const { change, flush, message } = setup();
    const search = { kind: 'step', number: null, title: 'Search', state: 'running' };
    const table = { kind: 'table', title: 'Stock', columns: [], rows: [] };
    const content = (keys: readonly string[]): PartTree[] =>
      keys.map(
        (key) => ({ ...(key.startsWith('s') ? search : table), key }) as unknown as PartTree,
      );
    change(...reconcile(message(), content(['s1', 't1'])));
    assert.deepEqual(flush(), ['Search', 'Table: Stock']);
    const thought: PartTree = { kind: 'thinking', key: 'h', state: 'closed', text: 'Hm' };
    change(...reconcile(message(), [thought, ...content(['s2', 't2', 's3', 't3'])]));
    assert.deepEqual([...message().parts.children(null)], ['h', 's2', 't2', 's3', 't3']);
    assert.deepEqual(flush(), ['Search', 'Table: Stock']);
  });

  it('are omitted with the level brief, unlike the state of the run', () => {
    const { append, put, setRun, flush, notify } = setup({ level: 'brief' });
    append('One. ');
    put('s', step(1));
    assert.deepEqual(flush(), []);
    setRun({ state: 'stalled' });
    assert.equal(flush().length, 1);
    assert.deepEqual(notify({ type: 'run-completed' }), ['The answer is complete.']);
  });
});

describe('announcements of a run', () => {
  const locale = findLocale('en');

  it('contain each state of the connection when it begins', () => {
    const { host, setRun, heard } = setup();
    const seen = (['stalled', 'broken', 'rejoining', 'streaming', 'rejoining'] as const).map(
      (state) => {
        setRun({ state });
        return heard();
      },
    );
    const rejoining = locale.text('rejoining');
    assert.deepEqual(seen, [[locale.text('stalled')], [rejoining], [], [], [rejoining]]);
    setRun({ state: 'stopping' });
    assert.deepEqual(heard(), [locale.text('stopping')]);
    host.controller.thread = undefined;
    setRun({ state: 'broken' });
    assert.deepEqual(heard(), [], 'without a thread');
  });

  it('contain the start and each end, after the rest of the text', () => {
    for (const [type, expected] of [
      ['run-completed', locale.text('answerComplete')],
      ['run-stopped', locale.text('stopped')],
    ] as const) {
      const { append, notify } = setup();
      assert.deepEqual(notify({ type: 'run-started' }), [locale.text('working')]);
      append('Done. Half');
      assert.deepEqual(notify({ type }), ['Done.', 'Half', expected]);
      assert.deepEqual(notify({ type }), [expected]);
    }
  });

  it('are urgent for a failure and a required sign-in, and omitted without an answer', () => {
    const { append, notify, setRun } = setup();
    append('Half');
    const error = new UbikError('server', 'Broken');
    const [rest, failure = '', ...more] = notify({ type: 'run-failed', error });
    assert.deepEqual([rest, failure[0], more], ['Half', '!', []]);
    assert.deepEqual(notify({ type: 'run-interrupted', error }), [failure]);
    assert.deepEqual(notify({ type: 'auth-required' }), [`!${locale.text('signIn')}`]);
    assert.deepEqual(notify({ type: 'thread-opened' }), []);
    setRun({ answer: null });
    assert.deepEqual(notify({ type: 'run-failed', error }), []);
  });

  it('contain a request unless the page answers it or it is gone', () => {
    for (const isHandled of [false, true]) {
      const { append, host, notify, put } = setup({ isHandled });
      put('r', { kind: 'request-activity', prompt: 'Which year?' } as PartFields);
      append('Half');
      const ask = (request: string, message = 'm'): string[] =>
        notify({ type: 'input-required', message, request });
      assert.deepEqual(
        ask('r'),
        isHandled ? [] : ['Half', `${locale.text('needsAnswer')} Which year?`],
      );
      assert.deepEqual([ask('text'), ask('gone'), ask('r', 'gone')], [[], [], []]);
      host.controller.thread = undefined;
      assert.deepEqual(ask('r'), []);
    }
  });
});
