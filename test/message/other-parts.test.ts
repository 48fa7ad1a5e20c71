import { expect } from '@open-wc/testing';
import type { ViewActions } from '../../src/message/part-view.js';
import { registerPartRenderer } from '../../src/message/parts/part-renderers.js';
import {
  part,
  set,
  setupStage,
  step,
  stepActivity,
  text,
  tool,
  toolActivity,
} from './message-stage.js';

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
    expect(shownText()).to.equal('Content of an unknown kind: HOLOGRAMwhat it said');
  });
});

describe('message status', () => {
  it('shows what the agent is doing until the message is complete', () => {
    const { run, root, text: shownText } = setupStage();
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
    const { run, clock, query } = setupStage();
    const { classList } = query('.message');
    const isStill = (): boolean => classList.contains('writing');
    expect(isStill()).to.equal(false);
    run(part('t', { kind: 'text' }), text('t', 'One'));
    expect(isStill()).to.equal(true);
    clock.tick();
    run(text('t', ' two', 3));
    clock.tick();
    expect(isStill()).to.equal(true);
    clock.tick();
    expect(isStill()).to.equal(false);
    expect(clock.listeners.size).to.equal(0);
    run(text('t', ' three', 7));
    expect(isStill()).to.equal(true);
  });

  for (const [status, words] of [
    ['stopped', 'Stopped'],
    ['interrupted', 'Incomplete'],
    ['failed', 'The answer couldn’t be completed.'],
  ] as const) {
    it(`shows that the message is ${status}`, () => {
      const { run, text: shownText } = setupStage();
      run(set(null, 'status', status));
      expect(shownText('.message-status')).to.equal(words);
    });
  }

  it('explains the error code of a failed message', () => {
    const { run, text: shownText } = setupStage({
      fields: { status: 'failed', failure: { code: 'network', message: 'x' } },
    });
    run(set(null, 'status', 'failed'));
    expect(shownText('.message-status')).to.contain('cannot be reached');
  });

  it('shows no status when the answer ends with an error part', () => {
    const { run, root } = setupStage({
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
    const { run, query, text: shownText } = setupStage();
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

describe('citation', () => {
  const marks = {
    a: {
      kind: 'citation' as const,
      label: '[1]',
      title: 'Policy',
      url: 'https://docs.example/policy',
      source: 'x',
    },
    b: { kind: 'citation' as const, label: '[2]', id: 'chunk-2', source: 'y' },
  };

  it('is listed once among the sources of a complete answer', () => {
    const { run, root } = setupStage();
    run(part('t', { kind: 'text', marks }), text('t', 'See \uE000a\uE001 and \uE000a\uE001.'));
    expect(root.querySelector('.sources')).to.equal(null);
    run(set(null, 'status', 'complete'));
    const lines = [...root.querySelectorAll('.sources li')].map((line) =>
      line.textContent.replace(/\s+/g, ' ').trim(),
    );
    expect(lines).to.deep.equal(['1 Policy docs.example']);
    const link = root.querySelector<HTMLAnchorElement>('.sources a');
    expect(link?.rel).to.equal('noopener noreferrer nofollow ugc');
  });

  it('links to nothing but http and https URLs', () => {
    const { run, root } = setupStage({ fields: { status: 'complete' } });
    run(part('t', { kind: 'text', marks: { a: { ...marks.a, url: 'javascript:alert(1)' } } }));
    expect(root.querySelector('.sources a')).to.equal(null);
  });

  it('truncates a long title and label, and shows them in full on request', async () => {
    const title = `Policy ${'long '.repeat(200_000)}end of the title`;
    const label = `[${'9'.repeat(3000)}]`;
    const { run, query, root } = setupStage({ fields: { status: 'complete' } });
    run(
      part('t', { kind: 'text', marks: { a: { ...marks.a, title, label } } }),
      text('t', 'See \uE000a\uE001.'),
    );
    expect(root.textContent.length, 'characters in the page').to.be.lessThan(2000);
    expect(query('.cite').ariaLabel?.length).to.be.lessThan(500);
    expect(query('.sources .title').textContent).to.match(/^Policy long.*…$/);
    const [wholeLabel, wholeTitle] = root.querySelectorAll<HTMLDetailsElement>('.sources .whole');
    if (!wholeLabel || !wholeTitle) throw new Error('The rest is not offered.');
    const shown = new Promise((resolve) =>
      wholeTitle.addEventListener('toggle', resolve, { once: true }),
    );
    const shownLabel = new Promise((resolve) =>
      wholeLabel.addEventListener('toggle', resolve, { once: true }),
    );
    wholeTitle.open = true;
    wholeLabel.open = true;
    await Promise.all([shown, shownLabel]);
    expect(wholeLabel.textContent).to.contain('9'.repeat(3000));
    while (wholeTitle.querySelector('button')) wholeTitle.querySelector('button')?.click();
    expect(wholeTitle.querySelector('.raw')?.textContent).to.equal(title);
  });

  it('truncates a title without splitting a surrogate pair', () => {
    const { run, query } = setupStage({ fields: { status: 'complete' } });
    const title = `${'x'.repeat(199)}😀 and more`;
    run(part('t', { kind: 'text', marks: { a: { ...marks.a, title } } }));
    expect(query('.sources .title').textContent).to.equal(`${'x'.repeat(199)}…`);
  });

  it('is text instead of a button after 500 others in one text', () => {
    const { run, root } = setupStage({ fields: { status: 'complete' } });
    const citations = Array.from({ length: 600 }, () => '\uE000a\uE001').join(' ');
    run(part('t', { kind: 'text', marks }), text('t', citations));
    expect(root.querySelectorAll('.cite').length).to.equal(500);
    expect(root.querySelector('.text')?.textContent.match(/1/g)?.length).to.equal(600);
  });

  it('lists three sources before "Show all"', () => {
    const many = Object.fromEntries(
      [1, 2, 3, 4, 5].map((number) => [
        `k${number}`,
        { ...marks.b, id: `c${number}`, title: `T${number}`, label: `[${number}]` },
      ]),
    );
    const { run, root, query } = setupStage({ fields: { status: 'complete' } });
    run(part('t', { kind: 'text', marks: many }));
    expect(root.querySelectorAll('.sources li').length).to.equal(3);
    query('.sources button').click();
    expect(root.querySelectorAll('.sources li').length).to.equal(5);
  });
});

describe('citation card', () => {
  const marks = {
    a: { kind: 'citation' as const, label: '[1]', id: 'chunk-1', source: 'x' },
    b: {
      kind: 'citation' as const,
      label: '[2]',
      title: 'T',
      url: 'https://a.example/',
      source: 'y',
    },
  };

  /** A complete text with two citations. */
  function setupCited(actions: ViewActions = {}) {
    const stage = setupStage({ actions, fields: { status: 'complete' } });
    stage.run(
      part('t', { kind: 'text', marks }),
      text('t', 'One \uE000a\uE001 two \uE000b\uE001.'),
    );
    const [first, second] = [...stage.root.querySelectorAll<HTMLElement>('.cite')];
    if (!first || !second) throw new Error('The citations are not shown.');
    return { ...stage, first, second, card: stage.query('.cite-card') };
  }

  it('follows the focus, and hides when it leaves the citations', () => {
    const { second, card } = setupCited();
    second.focus();
    expect(card.matches(':popover-open')).to.equal(true);
    expect(card.textContent.replace(/\s+/g, ' ')).to.equal('T a.example');
    second.blur();
    expect(card.matches(':popover-open')).to.equal(false);
  });

  it('hides on Escape', () => {
    const { second, card, host } = setupCited();
    const heard: string[] = [];
    host.addEventListener('keydown', ({ key }) => heard.push(key));
    const press = (key: string): void => {
      const options = { key, bubbles: true, composed: true };
      second.dispatchEvent(new KeyboardEvent('keydown', options));
    };
    second.focus();
    press('Tab');
    press('Escape');
    expect(card.matches(':popover-open')).to.equal(false);
    // Without a card, Escape may stop the run.
    press('Escape');
    expect(heard).to.deep.equal(['Tab', 'Escape']);
  });

  it('loads the passage when the card is shown', async () => {
    const asked: string[] = [];
    const { first, card } = setupCited({
      loadPassage: (id) => {
        asked.push(id);
        return Promise.resolve({ documentName: 'policy.md', page: 3, text: '<b>14 days</b>' });
      },
    });
    expect(asked).to.deep.equal([]);
    first.focus();
    await Promise.resolve();
    await Promise.resolve();
    expect(asked).to.deep.equal(['chunk-1']);
    expect(card.textContent).to.contain('policy.md').and.to.contain('Page 3');
    expect(card.querySelector('blockquote')?.textContent).to.equal('<b>14 days</b>');
  });

  it('loads nothing when the citation has no passage', async () => {
    const asked: string[] = [];
    const { second, card } = setupCited({
      loadPassage: (id) => {
        asked.push(id);
        return Promise.reject(new Error('404'));
      },
    });
    second.focus();
    expect(card.textContent.replace(/\s+/g, ' ')).to.equal('T a.example');
    await Promise.resolve();
    await Promise.resolve();
    expect(asked).to.deep.equal([]);
    expect(card.textContent.replace(/\s+/g, ' ')).to.equal('T a.example');
  });

  it('shows only the source when passages cannot be loaded', () => {
    const { first, card } = setupCited();
    first.focus();
    expect(card.matches(':popover-open')).to.equal(true);
    expect(card.textContent).not.to.contain('Loading');
    expect(card.querySelectorAll('.meta').length).to.equal(0);
  });

  it('shows a message when the passage cannot be loaded', async () => {
    const { first, card } = setupCited({ loadPassage: () => Promise.reject(new Error('404')) });
    first.focus();
    await Promise.resolve();
    await Promise.resolve();
    expect(card.textContent).to.contain('The passage cannot be shown.');
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
