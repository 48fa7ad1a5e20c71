import { expect } from '@open-wc/testing';

import { formatSql } from '../../src/markdown/extras/format-sql.js';
import { findLocale } from '../../src/locales/locale.js';
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
    const regions = [...root.querySelectorAll('.raw')];
    const names = regions.map((region) => {
      const heading = root.querySelector(`#${region.getAttribute('aria-labelledby') ?? ''}`);
      return [region.role, heading?.textContent.trim()];
    });
    expect(names).to.deep.equal([
      ['region', 'Output'],
      ['region', 'Errors'],
    ]);
    run(set('d', 'output', ' \n'), set('d', 'error', '\n'));
    expect(titles()).to.deep.equal([]);
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
    fixture.run(set('d', 'output', '3 rows'));
    expect(code().trim(), 'the code has not changed').to.equal(FORMATTED);
    button.click();
    await whenRendered(fixture);
    expect(code().trim()).to.equal(LONG_SQL);
    expect(button.ariaPressed).to.equal('false');
    fixture.run(set('d', 'language', 'python'));
    expect([button.hidden, query('.ubik-code-language').textContent]).to.deep.equal([
      true,
      'python',
    ]);
    fixture.context.locale = findLocale('en', 'it');
    fixture.view.redraw();
    fixture.frames.flush();
    expect(button.lang).to.equal('en');
    remove();
  });

  it('is formatted automatically from 81 characters on, if it has one line', async () => {
    const sqlOf = (length: number): string => `SELECT ${'a'.repeat(length - 14)} FROM b`;
    for (const [source, lines] of [
      [sqlOf(80), 1],
      [sqlOf(81), 4],
      [`${sqlOf(81)}\n`, 4],
      [`${sqlOf(40)}\n;${sqlOf(40)}`, 2],
    ] as const) {
      const fixture = setupCode({ code: source, language: 'sql' }, { loadExtra });
      await whenRendered(fixture);
      expect(fixture.code().trim().split('\n'), source).to.have.length(lines);
      fixture.remove();
    }
  });

  it('shows the newest code when it changes while the formatter is loading', async () => {
    let load: (formatter: unknown) => void = () => undefined;
    const loading = new Promise((resolve) => (load = resolve));
    const fixture = setupCode({ code: LONG_SQL, language: 'sql' }, { loadExtra: () => loading });
    fixture.run(set('d', 'code', 'SELECT 1'));
    load({ formatSql });
    await whenRendered(fixture);
    expect(fixture.code().trim()).to.equal('SELECT 1');
    fixture.remove();
  });

  it('is formatted once its message is complete', async () => {
    const fixture = setupCode(
      { code: LONG_SQL, language: 'sql' },
      { loadExtra, fields: { status: 'streaming' } },
    );
    await whenRendered(fixture);
    expect(fixture.code().trim()).to.equal(LONG_SQL);
    fixture.run(set(null, 'status', 'complete'));
    await whenRendered(fixture);
    expect(fixture.code().trim()).to.equal(FORMATTED);
    fixture.remove();
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

  it('has no Format button while it is being written, when it is very long, or in another language', async () => {
    const sized = (length: number): string =>
      `SELECT 1\n${'\n'.repeat(length - 10)}`.padEnd(length, ';');
    for (const [fields, status, isHidden] of [
      [{ code: LONG_SQL, language: 'sql' }, 'streaming', true],
      [{ code: sized(10_000), language: 'sql' }, 'complete', false],
      [{ code: sized(10_001), language: 'sql' }, 'complete', true],
      [{ code: LONG_SQL, language: 'python' }, 'complete', true],
    ] as const) {
      const fixture = setupCode(fields, { loadExtra, fields: { status } });
      const { query, code, remove } = fixture;
      await whenRendered(fixture);
      expect(query('.data-code > .data-footer button').hidden, fields.language).to.equal(isHidden);
      expect(code().trim()).to.equal(fields.code.trim());
      remove();
    }
    const { query, remove } = setupCode({ code: LONG_SQL, language: 'sql' });
    expect(query('.data-code > .data-footer button').hidden, 'no formatter available').to.equal(
      true,
    );
    remove();
  });
});
