import { expect } from '@open-wc/testing';
import { waitFor } from '../helpers/wait-for.js';
import { MessageView } from '../../src/message/message-view.js';
import { registerToolRenderer } from '../../src/message/parts/part-renderers.js';
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

describe('step part', () => {
  it('shows that a tool in it waits for the user, and how many have failed', () => {
    const { run, text: shown } = setupMessageView();
    run(part('step:1', step(1)), part('tool:1', tool('1', { state: 'waiting' }), 'step:1'));
    expect(shown('.step > summary')).to.contain('waiting for you');
    run(set('tool:1', 'state', 'failed'));
    expect(shown('.step > summary')).to.contain('1 failed').and.not.to.contain('waiting');
    run(set('tool:1', 'state', 'done'));
    expect(shown('.step > summary')).to.not.contain('failed');
  });

  it('is open while it runs and collapsed when it is complete', () => {
    const { run, query } = setupMessageView();
    run(part('step:1', step(1)), part('x', { kind: 'text' }, 'step:1'), text('x', 'inside'));
    expect(query<HTMLDetailsElement>('.step').open).to.equal(true);
    run(set('step:1', 'state', 'completed'), part('y', { kind: 'text' }), text('y', 'after'));
    expect(query<HTMLDetailsElement>('.step').open).to.equal(false);
  });

  it('stays open while the message ends with its text', () => {
    const { run, query } = setupMessageView();
    run(part('step:1', step(1)), part('x', { kind: 'text' }, 'step:1'), text('x', 'The answer.'));
    run(set('step:1', 'state', 'completed'), part('c', { kind: 'checkpoint', name: 'c1' }));
    expect(query<HTMLDetailsElement>('.step').open, 'before').to.equal(true);
    run(part('step:2', step(2)));
    expect(query<HTMLDetailsElement>('.step').open, 'after').to.equal(false);
  });

  it('stays as the user toggled it when its state changes', async () => {
    const { run, query } = setupMessageView();
    run(part('step:1', step(1)), part('y', { kind: 'text' }), text('y', 'after'));
    query('.step > summary').click();
    expect(query<HTMLDetailsElement>('.step').open).to.equal(false);
    run(part('@step:1', stepActivity(1, { status: 'Working' }), '@activity'));
    expect(query<HTMLDetailsElement>('.step').open).to.equal(false);
    query('.step > summary').click();
    run(set('step:1', 'state', 'completed'));
    expect(query<HTMLDetailsElement>('.step').open).to.equal(true);
  });

  it('stays open when the page shows a call in it, whose box stays while the user closes and opens the step', () => {
    const calls: string[] = [];
    const unregister = registerToolRenderer('rag_search', {
      mount: (box) => {
        calls.push('mount');
        box.textContent = 'Card of the page';
        return { unmount: () => void calls.push('unmount') };
      },
    });
    try {
      const { run, query, host } = setupMessageView({ styled: true });
      run(part('step:1', step(1)), part('tool:1', tool('1', { state: 'done' }), 'step:1'));
      run(set('step:1', 'state', 'completed'), part('y', { kind: 'text' }), text('y', 'after'));
      const [box] = host.children;
      const check = (isOpen: boolean): void => {
        expect(query<HTMLDetailsElement>('.step').open).to.equal(isOpen);
        expect([...host.children]).to.deep.equal([box]);
        expect(box?.checkVisibility()).to.equal(isOpen);
      };
      check(true);
      for (const isOpen of [false, true]) {
        query('.step > summary').click();
        run(set('step:1', 'title', `Open: ${String(isOpen)}`));
        check(isOpen);
      }
      expect(calls).to.deep.equal(['mount']);
    } finally {
      unregister();
    }
  });

  it('shows number, title, status, progress and, when done, its time', () => {
    const { run, text: shown } = setupMessageView();
    run(
      part('step:1', step(1, 'Search')),
      part(
        '@step:1',
        stepActivity(1, { status: 'Reading', progress: 40, startedAt: 1000 }),
        '@activity',
      ),
    );
    expect(shown('.step > summary')).to.equal('Step 1 Search running Reading 40%');
    run(set('step:1', 'state', 'completed'), set('@step:1', 'endedAt', 4200));
    expect(shown('.step > summary')).to.equal('Step 1 Search done 3.2s');
  });

  it('shows its time after the end of the run only if the service stores it, so that a reload changes nothing', () => {
    for (const [storesTimes, time] of [
      [true, ' 3.2s'],
      [false, ''],
    ] as const) {
      const { run, text: shown } = setupMessageView({ actions: { storesTimes } });
      run(
        part('step:1', step(1, 'Search')),
        part('@step:1', stepActivity(1, { startedAt: 1000, endedAt: 4200 }), '@activity'),
        part('tool:1', tool('1', { state: 'done' }), 'step:1'),
        part(
          '@tool:1',
          toolActivity('1', 'tool:1', { startedAt: 1000, endedAt: 4200 }),
          '@activity',
        ),
        set('step:1', 'state', 'completed'),
      );
      expect(shown('.tool > summary')).to.equal('Search documents done 3.2s');
      run(set(null, 'status', 'complete'));
      expect(shown('.step > summary')).to.equal(`Step 1 Search done${time}`);
      expect(shown('.tool > summary')).to.equal(`Search documents done${time}`);
    }
  });

  it('finds its activity by the number of the step, for any key and order of arrival', () => {
    const { run, text: shown } = setupMessageView();
    run(
      part('@of-the-first', stepActivity(1, { status: 'Reading' }), '@activity'),
      part('first', step(1, 'Search')),
      part('second', step(2, 'Write')),
      part('@of-the-second', stepActivity(2, { status: 'Writing' }), '@activity'),
    );
    expect(shown('.step > summary')).to.equal('Step 1 Search running Reading');
    expect(shown('.step ~ .step > summary')).to.equal('Step 2 Write running Writing');
  });

  it('shows its results in a disclosure', async () => {
    const { frames, run, query, root } = setupMessageView();
    run(
      part('step:1', step(1)),
      part('@step:1', stepActivity(1, { startedAt: 1, endedAt: 2 }), '@activity'),
    );
    expect(root.querySelector('.report')).to.equal(null);
    run(
      set('step:1', 'state', 'completed'),
      part(
        '@step:1',
        stepActivity(1, { results: { found: '<b>Volga</b>' }, startedAt: 1, endedAt: 2 }),
        '@activity',
      ),
    );
    await waitFor(() => {
      frames.flush();
      return root.querySelector('.step .report');
    });
    const report = query<HTMLDetailsElement>('.step .report');
    expect(report.textContent).to.equal('Data');
    const opened = new Promise((resolve) => report.addEventListener('toggle', resolve));
    query('.step > summary').click();
    query('.report > summary').click();
    await opened;
    expect(report.querySelector('.tree')?.textContent).to.equal('found <b>Volga</b>');
    run(set('step:1', 'title', 'Another'));
    expect(query('.step .report')).to.equal(report);
    expect(report.querySelectorAll('.tree').length).to.equal(1);
    run(set('@step:1', 'results', null));
    expect(root.querySelector('.report')).to.equal(null);
  });

  it('is not shown as running after its message has ended', () => {
    const { run, query } = setupMessageView();
    run(part('step:1', step(1)), set(null, 'status', 'interrupted'));
    expect(query('.step').dataset['state']).to.equal('open-ended');
  });

  for (const [name, end] of [
    ['the run fails', [set(null, 'status', 'failed')]],
    [
      'the content ends with an error',
      [
        part('e', { kind: 'error', message: 'No disk', details: null }),
        set(null, 'status', 'complete'),
      ],
    ],
  ] as const) {
    it(`is failed when it is the last one and ${name} before it is complete`, () => {
      const { run, root, text: shown } = setupMessageView();
      run(part('step:1', step(1)), part('step:2', step(2)), part('step:3', step(3)));
      run(set('step:1', 'state', 'completed'), set('step:3', 'state', 'open-ended'), ...end);
      const steps = [...root.querySelectorAll<HTMLElement>('.step')];
      expect(steps.map(({ dataset }) => dataset['state'])).to.deep.equal([
        'completed',
        'open-ended',
        'failed',
      ]);
      expect(steps[2]?.querySelector('.glyph .icon-alert')).to.not.equal(null);
      expect(shown('.step:last-of-type > summary')).to.equal('Step 3 Title 3 failed');
    });
  }

  it('is not failed when it was complete before the run failed', () => {
    const { run, query } = setupMessageView();
    run(part('step:1', step(1)), set('step:1', 'state', 'completed'));
    run(set(null, 'status', 'failed'));
    expect(query('.step').dataset['state']).to.equal('completed');
  });

  it('stays open when a tool in it shows media, live and reloaded', () => {
    const result = '{"images":["a.png"]}';
    const file = { name: 'a.png', address: '/x/a.png', stored: true };
    const actions = {
      findToolFiles: (text: string) => (text === result ? [file] : []),
      loadToolFile: () => new Promise<Blob>(() => undefined),
    };
    const { run, query, root, context, message, frames } = setupMessageView({ actions });
    run(part('step:1', step(1)), part('tool:1', tool('1'), 'step:1'));
    run(part('step:2', step(2)), part('tool:2', tool('2'), 'step:2'));
    run(part('y', { kind: 'text' }), text('y', 'after'));
    run(set('tool:1', 'result', result), set('tool:2', 'result', '{"images":[]}'));
    run(set('step:1', 'state', 'completed'), set('step:2', 'state', 'completed'));
    run(set(null, 'status', 'complete'));
    const loaded = new MessageView(message(), context);
    frames.flush();
    for (const view of [root, loaded.node]) {
      const steps = [...view.querySelectorAll<HTMLDetailsElement>('.step')];
      expect(steps.map(({ open }) => open)).to.deep.equal([true, false]);
    }
    const media = query('.media > *');
    expect(media.closest('details')).to.equal(query('.step'));
    expect(query<HTMLDetailsElement>('.tool').open).to.equal(false);
    loaded.dispose();
  });

  it('has no summary when it is the only step', () => {
    const { run, query } = setupMessageView();
    run(part('step:1', { ...step(1), single: true } as never));
    expect(query('.step').classList.contains('single')).to.equal(true);
    expect(query<HTMLDetailsElement>('.step').open).to.equal(true);
  });

  it('inserts parts in order without moving others', () => {
    const { run, query } = setupMessageView();
    run(part('step:1', step(1)), part('tool:b', tool('b'), 'step:1'));
    const later = query('.call');
    run(
      part('tool:a', tool('a'), 'step:1', 'tool:b'),
      part('x', { kind: 'text' }, 'step:1', 'tool:b'),
      text('x', 'mid'),
    );
    const content = query('.step > .content');
    expect([...content.children].map(({ className }) => className)).to.deep.equal([
      'call',
      'text',
      'call',
    ]);
    expect(content.lastElementChild).to.equal(later);
  });

  it('is titled by its activity when its part has no title', () => {
    const { run, text: shown } = setupMessageView();
    run(
      part('step:1', step(1, '')),
      part('@step:1', stepActivity(1, { title: 'Told' }), '@activity'),
    );
    expect(shown('.step > summary')).to.equal('Step 1 Told running');
    run(set('step:1', 'title', 'Own'));
    expect(shown('.step > summary')).to.equal('Step 1 Own running');
  });

  it('has no number when it is unknown', () => {
    const { run, text: shown } = setupMessageView();
    run(part('step:1', { ...step(1, 'Read'), number: null } as never));
    expect(shown('.step > summary')).to.equal('Read running');
  });

  it('has a summary again when it is no longer the only step', () => {
    const { run, query } = setupMessageView();
    run(part('step:1', { ...step(1), single: true, state: 'completed' } as never));
    expect(query<HTMLDetailsElement>('.step').open).to.equal(true);
    run({ type: 'set', message: 'm', part: 'step:1', path: ['single'], value: false });
    expect(query('.step').classList.contains('single')).to.equal(false);
    expect(query<HTMLDetailsElement>('.step').open).to.equal(false);
  });

  it('is not failed when another step follows at its level', () => {
    const { run, query } = setupMessageView();
    run(part('step:1', step(1)), part('step:2', step(2)), set(null, 'status', 'failed'));
    expect(query('.step').dataset['state']).to.equal('open-ended');
  });

  it('is failed when only other kinds of parts follow it', () => {
    const { run, query } = setupMessageView();
    run(part('step:1', step(1)), part('t', { kind: 'text' }), text('t', 'After'));
    run(set(null, 'status', 'failed'));
    expect(query('.step').dataset['state']).to.equal('failed');
  });

  it('shows a progress of zero', () => {
    const { run, text: shown } = setupMessageView();
    run(
      part('step:1', step(1, 'Search')),
      part('@step:1', stepActivity(1, { progress: 0 }), '@activity'),
    );
    expect(shown('.step > summary')).to.equal('Step 1 Search running 0%');
  });

  it('stays open while it contains the focus', () => {
    const { run, query, host } = setupMessageView();
    run(part('step:1', step(1)), part('tool:1', tool('1'), 'step:1'));
    query('.tool > summary').focus();
    run(set('step:1', 'state', 'completed'), part('step:2', step(2)));
    expect(query<HTMLDetailsElement>('.step').open).to.equal(true);
    (host.shadowRoot?.activeElement as HTMLElement).blur();
    run(set('step:1', 'title', 'Other'));
    expect(query<HTMLDetailsElement>('.step').open).to.equal(false);
  });

  it('does not close automatically for assistive technology', () => {
    const { run, query, host } = setupMessageView();
    Object.assign(host, { assistive: true });
    run(part('step:1', step(1)));
    run(set('step:1', 'state', 'completed'), part('step:2', step(2)));
    expect(query<HTMLDetailsElement>('.step').open).to.equal(true);
    query('.step > summary').click();
    run(set('step:1', 'title', 'Other'));
    expect(query<HTMLDetailsElement>('.step').open).to.equal(false);
  });
});

describe('thinking part', () => {
  it('withholds an unfinished character of Markdown at its end until it is closed', () => {
    const { run, text: shownText } = setupMessageView();
    // The exclamation mark may begin an image.
    run(part('t', { kind: 'thinking', state: 'open' }), text('t', 'Done!'));
    expect(shownText('.thinking > .content')).to.equal('Done');
    run(set('t', 'state', 'closed'));
    expect(shownText('.thinking > .content')).to.equal('Done!');
  });

  it('shows its last sentence and the elapsed time while it is being written', () => {
    const { run, text: shown, clock, frames } = setupMessageView();
    run(part('t', { kind: 'thinking', state: 'open' }), text('t', 'First this. Then *that*'));
    expect(shown('.thinking > summary')).to.equal('Thinking… Then that');
    clock.tick(12);
    frames.flush();
    expect(shown('.thinking > summary')).to.equal('Thinking… Then that 12s');
  });

  it('shows the last sentence of a Chinese text, which has no spaces', () => {
    const { run, text: shown } = setupMessageView();
    run(
      part('t', { kind: 'thinking', state: 'open' }),
      text('t', '先看这个？！“好。”然后看那个。'),
    );
    expect(shown('.thinking > summary')).to.equal('Thinking… 然后看那个。');
  });

  it('is collapsed to its beginning when it is complete', () => {
    const { run, text: shown, query, clock } = setupMessageView();
    run(
      part('t', { kind: 'thinking', state: 'open' }),
      text('t', 'First this. Then that'),
      set('t', 'state', 'closed'),
    );
    expect(shown('.thinking > summary')).to.equal('Thought First this. Then that');
    expect(query<HTMLDetailsElement>('.thinking').open).to.equal(false);
    // The timer that ends the pause of animations is a listener, too; it ends after a second without text.
    for (let second = 0; second < 2; second += 1) clock.tick();
    expect(clock.listeners.size, 'no timer left').to.equal(0);
  });

  it('is collapsed to its beginning without a time after a reload', () => {
    for (const state of ['closed', 'open'] as const) {
      const { run, clock, context, message } = setupMessageView();
      run(part('t', { kind: 'thinking', state }), text('t', 'First this. Then that'));
      clock.tick(12);
      run(set(null, 'status', 'complete'));
      const loaded = new MessageView(message(), context);
      const thinking = loaded.node.querySelector<HTMLDetailsElement>('.thinking');
      const summary = thinking?.querySelector('summary')?.textContent.replace(/\s+/g, ' ').trim();
      expect(summary, state).to.equal('Thought First this. Then that');
      expect(thinking?.open).to.equal(false);
      loaded.dispose();
    }
  });

  it('keeps the nodes of its summary when a chunk changes the text in it', () => {
    const { run, text: shown, query } = setupMessageView();
    run(part('t', { kind: 'thinking', state: 'open' }));
    const nodes = [...query('.thinking > summary').childNodes];
    run(text('t', 'First this.'));
    expect(shown('.thinking > summary')).to.equal('Thinking… First this.');
    run(text('t', ' Then that', 11));
    expect(shown('.thinking > summary')).to.equal('Thinking… Then that');
    expect([...query('.thinking > summary').childNodes]).to.deep.equal(nodes);
  });

  it('updates its summary for a chunk of text without rendering the summary again', () => {
    const { run, apply, clock, frames, text: shownText } = setupMessageView();
    run(part('x', { kind: 'thinking', state: 'open' }));
    let reads = 0;
    clock.now = () => (reads += 1);
    apply(text('x', 'First.'));
    frames.flush();
    expect(shownText('.thinking .status')).to.equal('First.');
    expect(reads).to.equal(0);
  });

  it('stops its timer when the view is disposed', () => {
    const { run, clock, view } = setupMessageView();
    run(part('t', { kind: 'thinking', state: 'open' }));
    expect(clock.listeners.size).to.equal(1);
    view.dispose();
    expect(clock.listeners.size).to.equal(0);
  });

  it('shows the elapsed time from the first second on', () => {
    const { run, text: shown, clock, frames } = setupMessageView();
    run(part('t', { kind: 'thinking', state: 'open' }));
    const shownAfter = (ms: number): string => {
      clock.time += ms;
      for (const listener of [...clock.listeners]) listener();
      frames.flush();
      return shown('.thinking > summary');
    };
    expect(shownAfter(999)).to.equal('Thinking…');
    expect(shownAfter(1)).to.equal('Thinking… 1s');
  });

  it('is no longer running when its message has ended', () => {
    const { run, query, text: shown } = setupMessageView();
    run(part('t', { kind: 'thinking', state: 'open' }), text('t', 'One. Two'));
    expect(query('.thinking').dataset['state']).to.equal('running');
    run(set(null, 'status', 'stopped'));
    expect(query('.thinking').dataset['state']).to.equal('closed');
    expect(shown('.thinking > summary')).to.equal('Thought One. Two');
  });

  it('shows the last 160 characters while it is being written, else the first 160', () => {
    const { run, text: shown } = setupMessageView();
    const [start, end] = ['a'.repeat(400), 'b'.repeat(100)];
    run(part('t', { kind: 'thinking', state: 'open' }), text('t', start + end));
    expect(shown('.thinking .status')).to.equal('a'.repeat(60) + end);
    run(set('t', 'state', 'closed'));
    expect(shown('.thinking .status')).to.equal('a'.repeat(160));
  });

  it('reads only the last 320 characters while it is being written', () => {
    const { run, text: shown } = setupMessageView();
    run(part('t', { kind: 'thinking', state: 'open' }));
    // Markdown characters are read, but not shown.
    const last320 = `read ${'*'.repeat(312)}end`;
    run(text('t', `unread ${last320}`));
    expect(shown('.thinking .status')).to.equal('read end');
  });

  it('shows no Markdown syntax and no inline marks in its summary', () => {
    const { run, text: shown } = setupMessageView();
    run(
      part('t', { kind: 'thinking', state: 'closed' }),
      text('t', '# Plan\n\n- *read* \uE000a\uE001\n> and `write`'),
    );
    expect(shown('.thinking .status')).to.equal('Plan read and write');
  });

  it('renders its content as Markdown', () => {
    const { run, query } = setupMessageView();
    run(part('t', { kind: 'thinking', state: 'closed' }), text('t', 'So **that**'));
    run(set(null, 'status', 'complete'));
    expect(query('.thinking strong').textContent).to.equal('that');
  });
});
