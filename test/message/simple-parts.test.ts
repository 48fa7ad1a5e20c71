import { expect } from '@open-wc/testing';
import { findLocale } from '../../src/locales/locale.js';
import { part, set, setupMessageView, step, text, tool } from './message-fixture.js';

describe('text part', () => {
  it('is rendered as plain text in a user message', () => {
    const {
      run,
      text: shownText,
      root,
    } = setupMessageView({ fields: { role: 'user', status: 'complete' } });
    run(part('q', { kind: 'text' }), text('q', '**not bold** <b>x</b>'));
    expect(shownText()).to.equal('**not bold** <b>x</b>');
    expect(root.querySelector('strong, b')).to.equal(null);
    expect(root.querySelector('.plain .meta'), 'no name of a kind').to.equal(null);
  });

  it('shows appended and truncated text', () => {
    const { run, text: shownText } = setupMessageView();
    run(part('t', { kind: 'text' }), text('t', 'One two'), text('t', ' three', 7));
    run(text('t', 'TWO', 4));
    expect(shownText()).to.equal('One TWO');
  });

  it('schedules one render for all chunks of a frame, by at most one call for each chunk', () => {
    const { run, apply, frames, text: shownText } = setupMessageView();
    run(part('t', { kind: 'text' }));
    let calls = 0;
    const { schedule } = frames;
    frames.schedule = (job) => {
      calls += 1;
      schedule(job);
    };
    for (let at = 0; at < 1000; at += 1) apply(text('t', 'x', at));
    expect(calls).to.be.within(1, 1000);
    expect(frames.scheduledCount).to.equal(1);
    frames.frame();
    expect(shownText()).to.equal('x'.repeat(1000));
  });

  it('changes nothing of what is shown before an appended text', () => {
    const { run, query, text: shownText } = setupMessageView();
    run(part('t', { kind: 'text' }), text('t', 'A **bold** word.\n\nThen'));
    const shown = [...query('.text').querySelectorAll('p')];
    const observer = new MutationObserver(() => undefined);
    observer.observe(query('.text'), { childList: true, characterData: true, subtree: true });
    run(text('t', ' more', 'A **bold** word.\n\nThen'.length));
    const changed = observer.takeRecords().map(({ target }) => target);
    expect(shownText()).to.equal('A bold word.Then more');
    expect(shown.map((node) => node.isConnected)).to.deep.equal([true, true]);
    expect(changed).not.to.deep.equal([]);
    expect(changed.filter((node) => !shown[1]?.contains(node))).to.deep.equal([]);
  });

  const question = 'Shall I overwrite it? [y/N';

  it('withholds unfinished syntax at its end only while the agent writes it, not while the agent waits', () => {
    const { run, text: shownText } = setupMessageView();
    run(part('t', { kind: 'text' }), text('t', question));
    expect(shownText('.text')).to.equal('Shall I overwrite it?');
    run(set(null, 'status', 'waiting'));
    expect(shownText('.text')).to.equal(question);
    run(set(null, 'status', 'streaming'), text('t', '](https://example.com)', question.length));
    expect(shownText('.text')).to.equal('Shall I overwrite it? y/N');
  });

  it('is complete in a stored message that waits', () => {
    const stored = setupMessageView({ fields: { status: 'waiting' } });
    stored.run(part('t', { kind: 'text' }), text('t', question));
    expect(stored.text('.text')).to.equal(question);
  });

  it('is complete when a part follows it, also after the end of its step', () => {
    const { run, root } = setupMessageView();
    const shown = (): string[] =>
      [...root.querySelectorAll('.text')].map(({ textContent }) => textContent.trim());
    run(part('a', { kind: 'text' }), text('a', 'a!'), part('s', step(1)));
    run(part('b', { kind: 'text' }, 's'), text('b', 'b!'));
    expect(shown()).to.deep.equal(['a!', 'b']);
    run(part('x', tool('1'), 's'), part('c', { kind: 'text' }, 's'), text('c', 'c!'));
    expect(shown()).to.deep.equal(['a!', 'b!', 'c']);
    run(part('d', { kind: 'text' }));
    run(text('d', 'd!'));
    expect(shown()).to.deep.equal(['a!', 'b!', 'c!', 'd']);
    run(part('p', { kind: 'checkpoint', name: 'p' }));
    expect(shown()).to.deep.equal(['a!', 'b!', 'c!', 'd!']);
  });

  it('is not rendered again with each chunk when it grows before another part', () => {
    const { run, query } = setupMessageView();
    run(part('t', { kind: 'text' }), text('t', 'One!'), part('x', tool('1')));
    run(text('t', ' two', 4));
    const paragraph = query('.text p');
    run(text('t', ' three', 8));
    expect(query('.text p')).to.equal(paragraph);
    expect(paragraph.textContent).to.equal('One! two three');
  });
});

describe('checkpoint part', () => {
  it('is a divider with its name, without a button when it cannot be restored', () => {
    const { run, text: shownText, root } = setupMessageView();
    run(part('c', { kind: 'checkpoint', name: 'step1_completed' }));
    expect(shownText('.checkpoint')).to.equal('Checkpoint step1_completed');
    expect(root.querySelector('button')).to.equal(null);
  });

  it('passes its name, message and key to the restore action', () => {
    const requested: unknown[] = [];
    const { run, query } = setupMessageView({
      actions: { restore: (point) => void requested.push(point) },
    });
    run(part('checkpoint:c1#2', { kind: 'checkpoint', name: 'c1' }));
    query('.divider button').click();
    expect(requested).to.deep.equal([{ name: 'c1', message: 'm', part: 'checkpoint:c1#2' }]);
  });
});

describe('checkpoint after a step', () => {
  it('is a flag at the end of the step, named after it', () => {
    const { run, query } = setupMessageView({
      styled: true,
      actions: { restore: () => undefined },
    });
    run(part('step:1', { ...step(1, 'Search the documents'), state: 'completed' } as never));
    run(part('c', { kind: 'checkpoint', name: 'run-1-step-1' }));
    const button = query('.checkpoint button');
    expect(button.title).to.equal('After step 1: Search the documents');
    expect(button.ariaLabel).to.equal('Restore… After step 1: Search the documents');
    expect(query('.checkpoint bdi').checkVisibility()).to.equal(false);
    expect(query('.checkpoint').getBoundingClientRect().height).to.equal(0);
    const line = query('.step > summary').getBoundingClientRect();
    const flag = button.getBoundingClientRect();
    expect(Math.abs(flag.bottom - line.bottom), 'on the line of the step').to.be.at.most(1);
    expect(flag.right).to.be.at.most(query('.step .icon-chevron').getBoundingClientRect().left);
  });

  it('covers nothing in an open step', () => {
    const { run, query } = setupMessageView({
      styled: true,
      actions: { restore: () => undefined },
    });
    run(part('step:1', step(1)), part('tool:1', tool('1', { state: 'done' }), 'step:1'));
    run(part('c', { kind: 'checkpoint', name: 'run-1-step-1' }));
    // The last step is open while the message is written.
    expect(query<HTMLDetailsElement>('.step').open).to.equal(true);
    const flag = query('.checkpoint button').getBoundingClientRect();
    const line = query('.tool > summary').getBoundingClientRect();
    expect(flag.top).to.be.below(line.bottom);
    expect(query('.tool .icon-chevron').getBoundingClientRect().right).to.be.at.most(flag.left);
  });

  it('keeps a name that was written for people', () => {
    const { run, query } = setupMessageView({ actions: { restore: () => undefined } });
    run(part('step:1', step(1)), part('c', { kind: 'checkpoint', name: 'Before the removal' }));
    expect(query('.checkpoint button').title).to.equal('Before the removal');
  });

  it('has the language of the content only where its name is content', () => {
    const { context, run, root } = setupMessageView({ actions: { restore: () => undefined } });
    context.locale = findLocale('en', 'it');
    run(part('c0', { kind: 'checkpoint', name: 'Prima della ricerca' }));
    run(part('step:2', step(2, '')), part('c1', { kind: 'checkpoint', name: 'c1' }));
    const names = [...root.querySelectorAll('.checkpoint bdi')];
    expect(names.map((name) => [name.textContent, name.getAttribute('lang')])).to.deep.equal([
      ['Prima della ricerca', 'it'],
      ['After step 2', null],
    ]);
  });

  it('is named by the number of a step without a title, and by its own name without a step', () => {
    const { run, root } = setupMessageView({ actions: { restore: () => undefined } });
    run(part('c0', { kind: 'checkpoint', name: 'begin' }));
    run(part('step:2', step(2, '')), part('c1', { kind: 'checkpoint', name: 'c1' }));
    const titles = [...root.querySelectorAll<HTMLElement>('.checkpoint button')].map(
      ({ title }) => title,
    );
    expect(titles).to.deep.equal(['begin', 'After step 2']);
  });
});

describe('checkpoint without a name', () => {
  it('has no button', () => {
    const {
      run,
      root,
      text: shownText,
    } = setupMessageView({ actions: { restore: () => undefined } });
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
    const { run, text: shownText } = setupMessageView();
    run(error);
    expect(shownText('.error')).to.equal('Something went wrong Locked');
  });

  it('shows its details in a disclosure when the host page allows them', () => {
    const { run, query } = setupMessageView({ errorDetails: true });
    run(error);
    expect(query<HTMLDetailsElement>('.error details').open).to.equal(false);
    expect(query('.error details').textContent).to.contain('File x');
  });
});

describe('unknown part', () => {
  it('is rendered as plain text below the name of its kind', () => {
    const { run, text: shownText } = setupMessageView();
    run(part('u', { kind: 'unknown', name: 'HOLOGRAM' }), text('u', 'what it said'));
    expect(shownText()).to.equal('Unsupported content: HOLOGRAMwhat it said');
  });
});
