import { expect } from '@open-wc/testing';

import { formatSql } from '../../src/markdown/extras/format-sql.js';
import { messageMarkdown } from '../../src/message/message-formats.js';
import type { CodeFields } from '../../src/model/part.js';
import { mockClipboard } from '../markdown/setup-page-view.js';
import {
  loadDataView,
  part,
  set,
  setupMessageView,
  type MessageViewOptions,
} from './message-fixture.js';

const CODE: CodeFields = {
  ...{ kind: 'code', language: 'python', code: 'print(1)\n', output: '', error: '' },
};

const LONG_SQL =
  'SELECT river, length_km FROM rivers WHERE length_km > 1000 ORDER BY length_km DESC LIMIT 10';

/** A complete message with code. */
function setupCode(fields: Partial<CodeFields>, options: MessageViewOptions = {}) {
  const fixture = setupMessageView({ fields: { status: 'complete' }, ...options });
  fixture.run(part('d', { ...CODE, ...fields }));
  return { ...fixture, code: () => fixture.query('code').textContent };
}

/** Waits until the formatter is loaded and the result is rendered. */
async function whenRendered({ frames }: { readonly frames: { flush(): void } }): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  frames.flush();
}

const loadExtra = () => Promise.resolve({ formatSql });

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

  it('shows fences and markup in the code unchanged', () => {
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

describe('SQL in a code part', () => {
  before(() => loadDataView('code'));

  const FORMATTED = [
    ...['SELECT', '  river,', '  length_km', 'FROM', '  rivers', 'WHERE', '  length_km > 1000'],
    ...['ORDER BY', '  length_km DESC', 'LIMIT', '  10'],
  ].join('\n');

  it('is formatted automatically when it is one long line, and shown unformatted on request', async () => {
    const fixture = setupCode({ code: LONG_SQL, language: 'sql' }, { loadExtra });
    await whenRendered(fixture);
    const { code, query, remove } = fixture;
    expect(code().trim()).to.equal(FORMATTED);
    const button = query('.data-code > .data-footer button');
    expect([button.textContent, button.ariaPressed]).to.deep.equal(['Format SQL', 'true']);
    button.click();
    await whenRendered(fixture);
    expect(code().trim()).to.equal(LONG_SQL);
    expect(button.ariaPressed).to.equal('false');
    remove();
  });

  it('is formatted on request when it is short', async () => {
    const fixture = setupCode({ code: 'select 1 from dual', language: 'MySQL' }, { loadExtra });
    const { code, query, remove } = fixture;
    await whenRendered(fixture);
    expect(code().trim()).to.equal('select 1 from dual');
    query('.data-code > .data-footer button').click();
    await whenRendered(fixture);
    expect(code().trim()).to.equal('select\n  1\nfrom\n  dual');
    remove();
  });

  it('stays unformatted when it cannot be parsed, with a message on request only', async () => {
    const broken = `${LONG_SQL} AND (('`;
    const fixture = setupCode({ code: broken, language: 'sql' }, { loadExtra });
    const { code, query, remove } = fixture;
    await whenRendered(fixture);
    expect(code().trim()).to.equal(broken);
    expect(query('.data-code [role=status]').textContent).to.equal('');
    query('.data-code > .data-footer button').click();
    await whenRendered(fixture);
    expect(query('.data-code [role=status]').textContent).to.equal(
      'This SQL couldn’t be formatted.',
    );
    remove();
  });

  it('stays unformatted when the formatter cannot be loaded', async () => {
    const fixture = setupCode(
      { code: LONG_SQL, language: 'sql' },
      { loadExtra: () => Promise.reject(new Error('offline')) },
    );
    await whenRendered(fixture);
    expect(fixture.code().trim()).to.equal(LONG_SQL);
    fixture.remove();
  });

  it('has no Format button while it is being written, when it is very long, or in another language', () => {
    for (const [fields, status] of [
      [{ code: LONG_SQL, language: 'sql' }, 'streaming'],
      [{ code: `${LONG_SQL}\n${' '.repeat(10_000)}1`, language: 'sql' }, 'complete'],
      [{ code: LONG_SQL, language: 'python' }, 'complete'],
    ] as const) {
      const { query, remove } = setupCode(fields, { loadExtra, fields: { status } });
      expect(query('.data-code > .data-footer button').hidden, fields.language).to.equal(true);
      remove();
    }
  });
});
