import { expect } from '@open-wc/testing';
import { mockClipboard } from '../markdown/setup-page-view.js';
import { part, set, setupMessageView, step, text, tool } from './message-fixture.js';

describe('Copy button', () => {
  it('copies the texts as Markdown, with those in steps and with citations, without thinking and tools', () => {
    const clipboard = mockClipboard();
    const { run, query, root, remove } = setupMessageView();
    const marks = { k: { kind: 'citation', label: '[7]', title: 'A book', source: '' } } as const;
    run(part('s', step(1)), part('st', { kind: 'text' }, 's'), text('st', 'In *step* one.\n'));
    run(part('h', { kind: 'thinking', state: 'closed' }), text('h', 'secret'));
    run(part('x', tool('search')), part('t', { kind: 'text', marks }));
    run(text('t', '\n**So** it is \uE000k\uE001.\n\n| a |\n|---|\n| b |\n'));
    expect(root.querySelectorAll('.copy').length, 'while it grows').to.equal(0);
    run(set(null, 'status', 'complete'));
    query('.copy').click();
    expect(clipboard.written).to.deep.equal([
      'In *step* one.\n\n**So** it is [7].\n\n| a |\n|---|\n| b |',
    ]);
    clipboard.restore();
    remove();
  });

  it('is shown when all text is in a step', () => {
    const { run, root, remove } = setupMessageView();
    run(part('s', step(1)), part('st', { kind: 'text' }, 's'), text('st', 'Ninety-eight.'));
    run(set(null, 'status', 'complete'));
    expect(root.querySelectorAll('.copy').length).to.equal(1);
    remove();
  });

  it('is not shown for an answer without text', () => {
    const { run, root, remove } = setupMessageView();
    run(part('s', step(1)), part('t', { kind: 'text' }), part('x', tool('search'), 's'));
    run(set(null, 'status', 'complete'));
    expect(root.querySelectorAll('.copy').length).to.equal(0);
    remove();
  });
});
