import { expect } from '@open-wc/testing';

import { messageMarkdown } from '../../src/message/message-formats.js';
import type { CodeFields } from '../../src/model/part.js';
import { mockClipboard } from '../markdown/setup-page-view.js';
import { loadDataView, part, set, setupStage, type StageOptions } from './message-stage.js';

const CODE: CodeFields = {
  ...{ kind: 'code', language: 'python', code: 'print(1)\n', output: '', error: '' },
};

/** A complete message with code. */
function setupCode(fields: Partial<CodeFields>, options: StageOptions = {}) {
  const stage = setupStage({ fields: { status: 'complete' }, ...options });
  stage.run(part('d', { ...CODE, ...fields }));
  return { ...stage, code: () => stage.query('code').textContent };
}

describe('code part', () => {
  before(() => loadDataView('code'));

  it('shows code in a block with its language and a button that copies it', () => {
    const clipboard = mockClipboard();
    const { query, code, remove } = setupCode({});
    expect(code()).to.equal('print(1)\n');
    expect(query('.ubik-code-language').textContent).to.equal('python');
    query('.ubik-code-copy').click();
    expect(clipboard.written).to.deep.equal(['print(1)\n']);
    clipboard.restore();
    remove();
  });

  it('shows fences and markup in the code as they are', () => {
    const source = '```\n</code><b>x</b>\n````\n';
    const { code, root, remove } = setupCode({ code: source, language: 'a`b\nc' });
    expect(code()).to.equal(source);
    expect(root.querySelector('.ubik-code-language')?.textContent).to.equal('abc');
    expect(root.querySelectorAll('.ubik-code').length).to.equal(1);
    remove();
  });

  it('appends code that grows, and starts again for other code', () => {
    const { run, query, code, remove } = setupCode(
      { code: 'a = 1\n' },
      { fields: { status: 'streaming' } },
    );
    const block = query('.ubik-code');
    run(set('d', 'code', 'a = 1\nb = 2\n'));
    expect(code()).to.equal('a = 1\nb = 2\n');
    expect(query('.ubik-code')).to.equal(block);
    run(set('d', 'code', 'c = 3\n'));
    expect(code()).to.equal('c = 3\n');
    run(set('d', 'code', 'c = 3\n```\n'));
    expect(code()).to.equal('c = 3\n```\n');
    remove();
  });

  it('shows output and errors only when there are some', () => {
    const { run, root, query, remove } = setupCode({});
    const titles = (): string[] =>
      [...root.querySelectorAll('h3')].map(({ textContent }) => textContent.trim());
    expect(titles()).to.deep.equal([]);
    run(set('d', 'output', '1\n2\n'), set('d', 'error', 'Traceback'));
    expect(titles()).to.deep.equal(['Output', 'Errors']);
    expect(query('.raw').textContent).to.equal('1\n2\n');
    remove();
  });

  it('is exported as fenced blocks', () => {
    const { message, remove } = setupCode({ output: '1\n' });
    expect(messageMarkdown(message())).to.equal('```python\nprint(1)\n```\n\n```\n1\n```');
    remove();
  });
});
