import { expect } from '@open-wc/testing';
import type { PartFields } from '../../src/model/part.js';
import {
  part,
  set,
  setupMessageView,
  step,
  stepActivity,
  text,
  tool,
  toolActivity,
} from './message-fixture.js';

describe('status of an answer', () => {
  it('shows what the agent is doing until the message is complete', () => {
    const { run, root, text: shownText } = setupMessageView();
    expect(shownText('.working')).to.equal('Working…');
    run(
      part(
        '@run',
        {
          kind: 'run-activity',
          step: 2,
          totalSteps: 5,
          progress: 40,
          description: 'Reading',
          result: null,
        },
        '@activity',
      ),
    );
    expect(shownText('.working')).to.equal('Step 2 of 5 Reading');
    const bar = root.querySelector('progress');
    expect([bar?.value, bar?.max, bar?.ariaLabel]).to.deep.equal([40, 100, 'Progress']);
    run(set('@run', 'progress', 0));
    expect(root.querySelector('progress')?.value).to.equal(0);
    run(set('@run', 'progress', null));
    expect(root.querySelector('progress')).to.equal(null);
    run(set(null, 'status', 'complete'));
    expect(root.querySelector('.working')).to.equal(null);
  });

  it('pauses animations until a second has passed without text', () => {
    const { run, clock, query } = setupMessageView();
    const { classList } = query('.message');
    const arePaused = (): boolean => classList.contains('writing');
    expect(arePaused()).to.equal(false);
    run(part('t', { kind: 'text' }), text('t', 'One'));
    expect(arePaused()).to.equal(true);
    clock.tick();
    run(text('t', ' two', 3));
    clock.tick();
    expect(arePaused()).to.equal(true);
    clock.tick();
    expect(arePaused()).to.equal(false);
    expect(clock.listeners.size).to.equal(0);
    run(text('t', ' three', 7));
    expect(arePaused()).to.equal(true);
  });

  for (const [status, words] of [
    ['stopped', 'Stopped'],
    ['interrupted', 'Incomplete'],
    ['failed', 'The answer couldn’t be completed.'],
  ] as const) {
    it(`shows that the message is ${status}`, () => {
      const { run, text: shownText } = setupMessageView();
      run(part('t', { kind: 'text' }), set(null, 'status', status));
      expect(shownText('.message-status')).to.equal(words);
    });
  }

  it('explains the error code of a failed message', () => {
    const { run, text: shownText } = setupMessageView({
      fields: { status: 'failed', failure: { code: 'network', message: 'x' } },
    });
    run(set(null, 'status', 'failed'));
    expect(shownText('.message-status')).to.contain('cannot be reached');
  });

  it('shows no status when the answer ends with an error part', () => {
    const { run, root } = setupMessageView({
      fields: { status: 'failed', failure: { code: 'run-failed', message: 'x' } },
    });
    run(
      part('t', { kind: 'text' }),
      part('e', { kind: 'error', message: 'Locked', details: null }),
    );
    run(set(null, 'status', 'failed'));
    expect(root.querySelector('.note')).to.equal(null);
  });

  it('lists activity without a part in a disclosure after the content was replaced', () => {
    const { run, query, text: shownText } = setupMessageView();
    run(
      part('@step:1', stepActivity(1), '@activity'),
      part('@tool:1', toolActivity('1', 'tool:1'), '@activity'),
      part('step:1', step(1)),
      part('tool:1', tool('1'), 'step:1'),
    );
    expect(query('.activity').hidden).to.equal(true);
    run(
      { type: 'content', message: 'm', parts: [{ kind: 'text', key: 't', text: 'All of it.' }] },
      set(null, 'status', 'complete'),
    );
    expect(query('.activity').hidden).to.equal(false);
    expect(shownText('.activity > summary')).to.equal('Other activity (2)');
    expect(query<HTMLDetailsElement>('.activity').open).to.equal(false);
  });
});

describe('progress of a run', () => {
  const progressOf = (fields: object): string => {
    const { run, text: shownText } = setupMessageView();
    const value: PartFields = {
      kind: 'run-activity',
      ...{ step: null, totalSteps: null, progress: null, description: '', result: null },
      ...fields,
    };
    run(part('@run', value, '@activity'));
    return shownText('.working');
  };

  it('shows the step number only when there are several steps', () => {
    expect(progressOf({ step: 1, totalSteps: 2 })).to.equal('Step 1 of 2');
    expect(progressOf({ step: 1, totalSteps: 1 })).to.equal('Working…');
    expect(progressOf({ step: 1 })).to.equal('Working…');
    expect(progressOf({ totalSteps: 2 })).to.equal('Working…');
  });
});

describe('end of a message', () => {
  it('shows no status when the message is complete or waits', () => {
    for (const status of ['complete', 'waiting'] as const) {
      expect(setupMessageView({ fields: { status } }).text('.status-line'), status).to.equal('');
    }
  });

  it('does not show the reason of an interrupted message', () => {
    const failure = { code: 'network', message: 'x' };
    const { text: shownText } = setupMessageView({ fields: { status: 'interrupted', failure } });
    expect(shownText('.status-line')).to.equal('Incomplete');
  });

  it('shows that a message with an error part was stopped', () => {
    const { run, text: shownText } = setupMessageView();
    run(part('e', { kind: 'error', message: 'Locked', details: null }));
    run(set(null, 'status', 'stopped'));
    expect(shownText('.status-line')).to.equal('Stopped');
  });

  it('lists sources only once the message is complete', () => {
    const marks = { a: { kind: 'citation', label: '[1]', title: 'Policy', source: '' } } as const;
    const { run, root } = setupMessageView();
    run(part('u', { kind: 'text' }), part('s', step(1)));
    run(part('t', { kind: 'text', marks }, 's'), part('v', { kind: 'text' }));
    expect(root.querySelector('.sources')).to.equal(null);
    run(set(null, 'status', 'waiting'));
    expect(root.querySelector('.sources')).to.equal(null);
    run(set(null, 'status', 'complete'));
    // Sources are listed although the text of the answer is inside a step.
    expect(root.querySelectorAll('.sources li')).to.have.length(1);
  });

  it('has an open disclosure of other activity while the message is live', () => {
    const { run, query, text: shownText } = setupMessageView();
    run(part('@step:1', stepActivity(1), '@activity'));
    expect(query<HTMLDetailsElement>('.activity').open).to.equal(true);
    expect(query('.activity').hidden).to.equal(false);
    expect(shownText('.activity > summary')).to.equal('Other activity (1)');
    run(set(null, 'status', 'complete'));
    expect(query<HTMLDetailsElement>('.activity').open).to.equal(false);
  });

  it('has no area for activity, progress and sources in a message of the user', () => {
    expect(
      setupMessageView({ fields: { role: 'user' } }).root.querySelector('.message-status'),
    ).to.equal(null);
  });
});
