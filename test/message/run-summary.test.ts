import { expect } from '@open-wc/testing';
import type { Change } from '../../src/model/change.js';
import { MessageView } from '../../src/message/message-view.js';
import { registerToolRenderer } from '../../src/message/parts/part-renderers.js';
import { part, set, setupMessageView, step, stepActivity, text, tool } from './message-fixture.js';

/** A finished run: two steps with three tools, checkpoints, and the answer. */
const RUN: readonly Change[] = [
  part('step:1', { ...step(1), state: 'completed' } as never),
  part('tool:1', tool('1', { state: 'done' }), 'step:1'),
  part('tool:2', tool('2', { state: 'done' }), 'step:1'),
  part('c1', { kind: 'checkpoint', name: 'c1' }),
  part('step:2', { ...step(2), state: 'completed' } as never),
  part('tool:3', tool('3', { state: 'done' }), 'step:2'),
  part('c2', { kind: 'checkpoint', name: 'c2' }),
  part('answer', { kind: 'text' }),
  text('answer', 'Ten countries.'),
];

type Fixture = ReturnType<typeof setupMessageView>;

/** Whether a step or a checkpoint of the run is visible. */
const isWorkVisible = ({ root }: Pick<Fixture, 'root'>): boolean =>
  [...root.querySelectorAll('.step > summary, .checkpoint')].some((node) => node.checkVisibility());

const isSummarized = (fixture: Fixture): boolean =>
  fixture.root.querySelector('.run') !== null && !isWorkVisible(fixture);

/** Clicks the summary line, and waits until it has opened or closed. */
async function clickLine({ query, frames }: Fixture): Promise<void> {
  const toggled = new Promise((resolve) =>
    query('.run').addEventListener('toggle', resolve, { once: true }),
  );
  query('.run > summary').click();
  await toggled;
  frames.flush();
}

describe('run summary', () => {
  it('replaces the steps of a finished run by one line above its answer', () => {
    const fixture = setupMessageView({ styled: true });
    fixture.run(...RUN);
    expect(isWorkVisible(fixture), 'while it runs').to.equal(true);
    fixture.run(set(null, 'status', 'complete'));
    expect(isSummarized(fixture)).to.equal(true);
    expect(fixture.text('.run > summary')).to.equal('2 steps, 3 tools');
    expect(fixture.query('.body > .text').checkVisibility()).to.equal(true);
    const loaded = new MessageView(fixture.message(), fixture.context);
    expect(loaded.node.querySelector('.run > summary')?.textContent.trim()).to.contain('2 steps');
    loaded.dispose();
  });

  it('shows the time of the run if the service stores it, and the number of failed tools', () => {
    for (const [storesTimes, time] of [
      [true, ' 1.9s'],
      [false, ''],
    ] as const) {
      const fixture = setupMessageView({ styled: true, actions: { storesTimes } });
      fixture.run(
        ...RUN,
        part('@step:1', stepActivity(1, { startedAt: 1000, endedAt: 2000 }), '@activity'),
        part('@step:2', stepActivity(2, { startedAt: 2000, endedAt: 2900 }), '@activity'),
        set('tool:2', 'state', 'failed'),
      );
      fixture.run(set(null, 'status', 'complete'));
      expect(fixture.text('.run > summary')).to.equal(`2 steps, 3 tools 1 failed${time}`);
    }
  });

  it('counts only what there is', () => {
    const thoughts = ['a', 'b'].map((key) => part(key, { kind: 'thinking', state: 'closed' }));
    for (const [changes, words] of [
      [RUN.filter((change) => !('part' in change && change.part?.startsWith('tool'))), '2 steps'],
      [[...thoughts, ...RUN.slice(-2)], 'Thought'],
    ] as const) {
      const fixture = setupMessageView({ styled: true, fields: { status: 'complete' } });
      fixture.run(...changes);
      expect(fixture.text('.run > summary')).to.equal(words);
    }
  });

  it('opens by a click, and stays open', async () => {
    const fixture = setupMessageView({ styled: true, fields: { status: 'complete' } });
    fixture.run(...RUN);
    await clickLine(fixture);
    expect(isWorkVisible(fixture)).to.equal(true);
    fixture.run(set('step:1', 'title', 'Other'));
    fixture.view.redraw();
    fixture.frames.flush();
    expect(isWorkVisible(fixture)).to.equal(true);
    await clickLine(fixture);
    expect(isSummarized(fixture)).to.equal(true);
  });

  it('is open when the user has opened a part of the work, or has the focus in it', async () => {
    for (const selector of ['.step', '.step .tool']) {
      const fixture = setupMessageView({ styled: true });
      fixture.run(...RUN);
      const details = fixture.query<HTMLDetailsElement>(selector);
      const toggled = new Promise((resolve) => details.addEventListener('toggle', resolve));
      // The test opens the step, so that its tool can be clicked. The user closes and opens the step itself.
      fixture.query('.step').setAttribute('open', '');
      fixture.query(`${selector} > summary`).click();
      if (selector === '.step') fixture.query(`${selector} > summary`).click();
      await toggled;
      fixture.frames.flush();
      fixture.run(set(null, 'status', 'complete'));
      expect(isWorkVisible(fixture), selector).to.equal(true);
    }
    const focused = setupMessageView({ styled: true });
    focused.run(...RUN);
    focused.query('.step > summary').focus();
    focused.run(set(null, 'status', 'complete'));
    expect(isWorkVisible(focused), 'focus').to.equal(true);
  });

  it('is open when the details of a control in the work are open', () => {
    const fixture = setupMessageView({ styled: true });
    fixture.run(...RUN);
    fixture.query('.step .tool').setAttribute('aria-expanded', 'true');
    fixture.run(set(null, 'status', 'complete'));
    expect(isWorkVisible(fixture)).to.equal(true);
  });

  it('keeps the files visible that a tool has created', () => {
    const result = '{"images":["a.png"]}';
    const file = { name: 'a.png', address: '/x/a.png', stored: true };
    const fixture = setupMessageView({
      styled: true,
      actions: {
        findToolFiles: (found) => (found === result ? [file] : []),
        loadToolFile: () => new Promise<Blob>(() => undefined),
      },
    });
    fixture.run(...RUN, set('tool:3', 'result', result), set(null, 'status', 'complete'));
    const visible = [...fixture.root.querySelectorAll('.step > summary')].map((node) =>
      node.checkVisibility(),
    );
    expect(visible).to.deep.equal([false, true]);
  });

  it('hides no call that the page shows, and keeps its box while it is opened and closed', async () => {
    const calls: string[] = [];
    const unregister = registerToolRenderer('page_tool', {
      mount: (box, { tool: call }) => {
        calls.push(`mount ${call.id ?? ''}`);
        box.textContent = 'Card of the page';
        return { unmount: () => void calls.push('unmount') };
      },
    });
    try {
      const fixture = setupMessageView({ styled: true, fields: { status: 'complete' } });
      const page = { name: 'page_tool', state: 'done' };
      fixture.run(
        ...RUN.slice(0, -2),
        part('tool:4', tool('4', page), 'step:2'),
        part('tool:5', tool('5', page)),
        ...RUN.slice(-2),
      );
      const boxes = [...fixture.host.children];
      const check = (visible: readonly boolean[], when: string): void => {
        const summaries = [...fixture.root.querySelectorAll('.step > summary')];
        expect(
          summaries.map((node) => node.checkVisibility()),
          when,
        ).to.deep.equal(visible);
        expect([...fixture.host.children], when).to.deep.equal(boxes);
        expect(
          boxes.map((box) => box.checkVisibility()),
          when,
        ).to.deep.equal([true, true]);
      };
      check([false, true], 'closed');
      await clickLine(fixture);
      check([true, true], 'open');
      await clickLine(fixture);
      check([false, true], 'closed again');
      expect(calls).to.deep.equal(['mount 4', 'mount 5']);
    } finally {
      unregister();
    }
  });

  it('hides everything but the texts of a step that contains the answer', () => {
    const fixture = setupMessageView({ styled: true, fields: { status: 'complete' } });
    fixture.run(
      ...RUN.slice(0, -2),
      part('answer', { kind: 'text' }, 'step:2'),
      text('answer', 'Ten countries.'),
    );
    expect(isSummarized(fixture)).to.equal(true);
    expect(fixture.text('.run > summary')).to.equal('2 steps, 3 tools');
    const answer = fixture.query('.with-answer .text');
    expect(answer.checkVisibility()).to.equal(true);
    expect(fixture.query('.with-answer .tool > summary').checkVisibility()).to.equal(false);
    const { left } = fixture.query('.body').getBoundingClientRect();
    expect(answer.getBoundingClientRect().left, 'without a line beside it').to.equal(left);
  });

  it('is absent for work of one line, for work without an answer, for an unfinished run, and when steps are shown as a list', () => {
    const one = setupMessageView({ styled: true, fields: { status: 'complete' } });
    one.run(...RUN.slice(0, 4), ...RUN.slice(-2));
    const unanswered = setupMessageView({ styled: true, fields: { status: 'complete' } });
    unanswered.run(...RUN.slice(0, -2));
    const failed = setupMessageView({ styled: true, fields: { status: 'failed' } });
    failed.run(...RUN);
    const list = setupMessageView({ styled: true, fields: { status: 'complete' } });
    Object.assign(list.context, { steps: 'list' });
    list.run(...RUN);
    for (const fixture of [one, unanswered, failed, list]) {
      expect(fixture.root.querySelector('.run')).to.equal(null);
      expect(isWorkVisible(fixture)).to.equal(true);
    }
  });

  it('does not hide the work for assistive technology', () => {
    const fixture = setupMessageView({ styled: true });
    Object.assign(fixture.host, { assistive: true });
    fixture.run(...RUN, set(null, 'status', 'complete'));
    expect(isWorkVisible(fixture)).to.equal(true);
  });
});
