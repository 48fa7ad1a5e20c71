import { expect } from '@open-wc/testing';
import { findLocale } from '../../src/locales/locale.js';
import { registerPartRenderer } from '../../src/message/parts/part-renderers.js';
import { part, set, setupStage, step, text, tool } from './message-stage.js';

describe('text part', () => {
  it('is rendered as plain text in a user message', () => {
    const {
      run,
      text: shownText,
      root,
    } = setupStage({ fields: { role: 'user', status: 'complete' } });
    run(part('q', { kind: 'text' }), text('q', '**not bold** <b>x</b>'));
    expect(shownText()).to.equal('**not bold** <b>x</b>');
    expect(root.querySelector('strong, b')).to.equal(null);
    expect(root.querySelector('.plain .meta'), 'no name of a kind').to.equal(null);
  });

  it('appends and truncates without rendering the rest again', () => {
    const { run, text: shownText } = setupStage();
    run(part('t', { kind: 'text' }), text('t', 'One two'), text('t', ' three', 7));
    run(text('t', 'TWO', 4));
    expect(shownText()).to.equal('One TWO');
  });

  it('renders nothing else for 1,000 chunks', () => {
    const { run, frames, view, message } = setupStage();
    run(part('t', { kind: 'text' }));
    let scheduled = 0;
    const { schedule } = frames;
    frames.schedule = (job) => {
      if (!job.name.includes('commit')) scheduled += 1;
      schedule(job);
    };
    for (let at = 0; at < 1000; at++) view.apply(text('t', 'x', at), message());
    expect(scheduled).to.be.at.most(1000);
    expect(frames.scheduledCount, 'one view is dirty at most').to.be.at.most(1);
  });
});

describe('checkpoint part', () => {
  it('is a divider with its name, and without a button when nothing can restore it', () => {
    const { run, text: shownText, root } = setupStage();
    run(part('c', { kind: 'checkpoint', name: 'step1_completed' }));
    expect(shownText('.checkpoint')).to.equal('Checkpoint step1_completed');
    expect(root.querySelector('button')).to.equal(null);
  });

  it('passes its name, message and key to the restore action', () => {
    const asked: unknown[] = [];
    const { run, query } = setupStage({ actions: { restore: (point) => void asked.push(point) } });
    run(part('checkpoint:c1#2', { kind: 'checkpoint', name: 'c1' }));
    query('.divider button').click();
    expect(asked).to.deep.equal([{ name: 'c1', message: 'm', part: 'checkpoint:c1#2' }]);
  });
});

describe('checkpoint without a name', () => {
  it('has no button', () => {
    const { run, root, text: shownText } = setupStage({ actions: { restore: () => undefined } });
    run(part('c', { kind: 'checkpoint', name: '' }));
    expect(root.querySelector('.checkpoint button')).to.equal(null);
    expect(shownText('.checkpoint')).to.equal('Checkpoint');
  });
});

describe('error part', () => {
  const error = part('error', {
    kind: 'error',
    message: 'Locked',
    details: '{"traceback":"File x"}',
  });

  it('shows its message without details by default', () => {
    const { run, text: shownText } = setupStage();
    run(error);
    expect(shownText('.error')).to.equal('Something went wrong Locked');
  });

  it('shows its details in a disclosure when the host page allows them', () => {
    const { run, query } = setupStage({ errorDetails: true });
    run(error);
    expect(query<HTMLDetailsElement>('.error details').open).to.equal(false);
    expect(query('.error details').textContent).to.contain('File x');
  });
});

describe('unknown part', () => {
  it('is rendered as plain text below the name of its kind', () => {
    const { run, text: shownText } = setupStage();
    run(part('u', { kind: 'unknown', name: 'HOLOGRAM' }), text('u', 'what it said'));
    expect(shownText()).to.equal('Unsupported content: HOLOGRAMwhat it said');
  });
});

describe('part renderer of the host page', () => {
  let unregister = (): void => undefined;
  afterEach(() => unregister());

  it('gets a light DOM element that exists as long as the part', () => {
    const calls: string[] = [];
    unregister = registerPartRenderer('tool', {
      mount: (box, first) => {
        calls.push(`mount ${first.toolId}`);
        box.textContent = first.name;
        return {
          update: (changed) => void calls.push(`update ${changed.state}`),
          unmount: () => void calls.push('unmount'),
        };
      },
    });
    const { run, host, query } = setupStage();
    run(part('step:1', step(1)));
    run(part('tool:1', tool('1'), 'step:1'));
    const box = host.children[0] as HTMLElement;
    expect(box.textContent).to.equal('rag_search');
    expect(query<HTMLSlotElement>('.step slot').assignedElements()).to.deep.equal([box]);
    run(set('tool:1', 'state', 'done'), set('step:1', 'state', 'completed'), text('tool:1', ''));
    expect(host.children[0]).to.equal(box);
    run({ type: 'remove', message: 'm', part: 'step:1' });
    expect(calls).to.deep.equal(['mount 1', 'update done', 'unmount']);
    expect(host.childElementCount).to.equal(0);
  });

  it('leaves child parts to their own views', () => {
    unregister = registerPartRenderer('step', { mount: () => undefined });
    const { run, query } = setupStage();
    run(part('step:1', step(1)), part('tool:1', tool('1'), 'step:1'));
    expect(query('.host .tool')).not.to.equal(null);
  });

  for (const [when, renderer] of [
    [
      'mounting',
      {
        mount: () => {
          throw new Error('no');
        },
      },
    ],
    [
      'updating',
      {
        mount: () => ({
          update: () => {
            throw new Error('no');
          },
        }),
      },
    ],
  ] as const) {
    it(`falls back to plain text when it throws while ${when}`, () => {
      unregister = registerPartRenderer('text', renderer);
      const { run, root, errors, host } = setupStage();
      run(
        part('t', { kind: 'text' }),
        text('t', 'still readable'),
        part('c', { kind: 'checkpoint', name: 'c' }),
      );
      expect(root.querySelector('.host')?.textContent).to.equal('still readable');
      expect(root.querySelector('.checkpoint')).not.to.equal(null);
      expect(errors.map(({ code, offender }) => [code, offender])).to.deep.equal([
        ['renderer', 'text'],
      ]);
      expect(host.childElementCount).to.equal(0);
      run(text('t', ', and grows', 14));
      expect(root.querySelector('.host')?.textContent).to.equal('still readable, and grows');
    });
  }

  it('is replaced by the built-in view after it is unregistered', () => {
    unregister = registerPartRenderer('tool', { mount: () => undefined });
    unregister();
    const { run, query } = setupStage();
    run(part('tool:1', tool('1')));
    expect(query('.tool')).not.to.equal(null);
  });

  it('keeps the renderer that was registered last when an earlier one is unregistered', () => {
    const unregisterFirst = registerPartRenderer('tool', { mount: () => undefined });
    unregister = registerPartRenderer('tool', {
      mount: (box) => {
        box.textContent = 'Second';
        return undefined;
      },
    });
    unregisterFirst();
    const { run, host } = setupStage();
    run(part('tool:1', tool('1')));
    expect(host.textContent).to.equal('Second');
  });

  it('has its box in the language of the content', () => {
    unregister = registerPartRenderer('tool', { mount: () => undefined });
    const { run, query, context, view } = setupStage();
    run(part('tool:1', tool('1')));
    expect(query('slot').hasAttribute('lang')).to.equal(false);
    context.locale = findLocale('en', 'fr');
    view.redraw();
    expect(query('slot').lang).to.equal('fr');
  });

  it('reports an error while it is unmounted', () => {
    unregister = registerPartRenderer('tool', {
      mount: () => ({
        unmount: () => {
          throw new Error('no');
        },
      }),
    });
    const { run, errors, host } = setupStage();
    run(part('tool:1', tool('1')));
    run({ type: 'remove', message: 'm', part: 'tool:1' });
    expect(errors.map(({ code, offender }) => [code, offender])).to.deep.equal([
      ['renderer', 'tool'],
    ]);
    expect(host.childElementCount).to.equal(0);
  });

  it('is not updated any more after it was unmounted', () => {
    const calls: string[] = [];
    unregister = registerPartRenderer('tool', {
      mount: () => ({
        update: () => void calls.push('update'),
        unmount: () => void calls.push('unmount'),
      }),
    });
    const { run, apply, frames } = setupStage();
    run(part('tool:1', tool('1')));
    calls.length = 0;
    apply(set('tool:1', 'state', 'done'), { type: 'remove', message: 'm', part: 'tool:1' });
    frames.flush();
    expect(calls).to.deep.equal(['unmount']);
  });

  it('is not called any more after it has thrown', () => {
    let updates = 0;
    unregister = registerPartRenderer('text', {
      mount: () => ({
        update: () => {
          updates += 1;
          throw new Error('no');
        },
        unmount: () => (updates += 100),
      }),
    });
    const { run, view } = setupStage();
    run(part('t', { kind: 'text' }), text('t', 'One'));
    run(text('t', ' two', 3));
    view.redraw();
    view.dispose();
    expect(updates).to.equal(1);
  });
});

describe('incomplete text', () => {
  it('is shown below the answer with a label only while the message is interrupted', () => {
    const { run, root, text: shownText } = setupStage();
    run(
      part('@held:', { kind: 'incomplete-activity', tool: null, payload: null }, '@activity'),
      text('@held:', '<<TOOL_STEP_<b>'),
    );
    expect(root.querySelector('.incomplete-text')).to.equal(null);
    run(set(null, 'status', 'interrupted'));
    expect(shownText('.message-status .incomplete-text')).to.equal('incomplete<<TOOL_STEP_<b>');
    expect(root.querySelector<HTMLElement>('.message-status .activity')?.hidden).to.equal(true);
    run(set(null, 'status', 'streaming'));
    expect(root.querySelector('.incomplete-text')).to.equal(null);
  });

  it('is aligned with its label', () => {
    const { run, query } = setupStage();
    run(
      part('@held:', { kind: 'incomplete-activity', tool: null, payload: null }, '@activity'),
      text('@held:', '<<TOOL'),
      set(null, 'status', 'interrupted'),
    );
    const held = query('.message-status .incomplete-text');
    // White space above the text is preserved, too.
    held.style.whiteSpace = 'pre-wrap';
    const mark = query('.message-status .incomplete-text .meta').getBoundingClientRect();
    expect(mark.left).to.equal(held.getBoundingClientRect().left);
  });
});
