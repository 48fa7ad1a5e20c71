import { expect } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import { findLocale } from '../../src/locales/locale.js';
import { printStyles } from '../../src/elements/styles/print.js';
import { sharedPartStyles } from '../../src/message/parts/part-styles.js';
import { ToolDetailsView } from '../../src/message/tool/tool-details-view.js';
import type { Change } from '../../src/model/change.js';
import type { ToolFile } from '../../src/model/part.js';
import {
  loadDataView,
  part,
  phaseActivity,
  set,
  setupMessageView,
  step,
  text,
  tool,
  toolActivity,
} from './message-fixture.js';

/** Opens a disclosure and waits for its toggle event. */
async function openDisclosure(details: HTMLDetailsElement): Promise<void> {
  const opened = new Promise((resolve) =>
    details.addEventListener('toggle', resolve, { once: true }),
  );
  details.querySelector('summary')?.click();
  await opened;
}

describe('tool part', () => {
  it('prints its input and result without the disclosure icon', async () => {
    const { run, root, query } = setupMessageView();
    const tree = root.getRootNode() as Document | ShadowRoot;
    const sheet = printStyles.styleSheet as CSSStyleSheet;
    tree.adoptedStyleSheets.push(sheet);
    run(
      part(
        'tool:1',
        tool('1', { state: 'done', input: '{"query":"refund"}', result: 'In 14 days.' }),
      ),
    );
    const details = query<HTMLDetailsElement>('.tool');
    expect(details.textContent).to.not.contain('In 14 days.');
    await emulateMedia({ media: 'print' });
    try {
      window.dispatchEvent(new Event('beforeprint'));
      const result = [...details.querySelectorAll('section')].at(-1);
      expect(result?.textContent).to.contain('In 14 days.');
      expect(result?.getBoundingClientRect().height).to.be.greaterThan(0);
      expect(query('.tool .icon-chevron').getBoundingClientRect().height).to.equal(0);
    } finally {
      await emulateMedia({ media: 'screen' });
      window.dispatchEvent(new Event('afterprint'));
      tree.adoptedStyleSheets = tree.adoptedStyleSheets.filter((one) => one !== sheet);
    }
    expect(details.open).to.equal(false);
    expect(details.textContent).to.not.contain('In 14 days.');
  });

  it('expands nested data for printing, and collapses it afterwards', () => {
    const { run, query } = setupMessageView();
    const deep = { rows: [{ name: 'Danube', places: [['Vienna', 'Budapest']] }] };
    run(part('tool:1', tool('1', { state: 'done', result: JSON.stringify(deep) })));
    const details = query<HTMLDetailsElement>('.tool');
    window.dispatchEvent(new Event('beforeprint'));
    try {
      expect(details.textContent).to.contain('Budapest');
      const branches = [...details.querySelectorAll('details')];
      expect(branches).to.have.length(4);
      expect(branches.filter(({ open }) => !open)).to.deep.equal([]);
    } finally {
      window.dispatchEvent(new Event('afterprint'));
    }
    expect(details.open).to.equal(false);
    expect(details.textContent).to.not.contain('Danube');
  });

  it('collapses a branch of an open result again after printing', async () => {
    const { run, query } = setupMessageView();
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key ${at}`, at]));
    run(part('tool:1', tool('1', { state: 'done', result: JSON.stringify({ many }) })));
    const details = query<HTMLDetailsElement>('.tool');
    await openDisclosure(details);
    const branch = details.querySelector('details');
    expect(branch?.open).to.equal(false);
    window.dispatchEvent(new Event('beforeprint'));
    expect(branch?.open).to.equal(true);
    expect(branch?.textContent).to.contain('key 19');
    window.dispatchEvent(new Event('afterprint'));
    expect(branch?.open).to.equal(false);
    expect(details.open).to.equal(true);
  });

  it('shows its label and a summary of its input', () => {
    const { run, text: shown } = setupMessageView();
    run(part('tool:1', tool('1', { input: '{"top_k":3,"query":"refund policy"}' })));
    expect(shown('.tool > summary')).to.equal('Search documents refund policy running');
    run(part('tool:2', tool('2', { name: 'read_execute_skillFile' }), null, 'tool:1'));
    expect(shown('.tool > summary')).to.equal('Read execute skill file running');
  });

  it('shows the latest status of its activity while it runs', () => {
    const { run, text: shown } = setupMessageView();
    run(
      part('tool:1', tool('1')),
      part('@tool:1', toolActivity('1', 'tool:1', { phase: 'SCRAPING_URLS' }), '@activity'),
    );
    expect(shown('.tool > summary')).to.contain('Reading pages');
    run(set('@tool:1', 'message', 'Reading page 2'));
    expect(shown('.tool > summary')).to.contain('Reading page 2');
    run(set('tool:1', 'state', 'done'));
    expect(shown('.tool > summary')).to.equal('Search documents done');
  });

  it('adopts activity that arrived before its part', () => {
    const { run, root, query } = setupMessageView();
    run(part('@tool:1', toolActivity('1', null, { phase: 'SEARCH' }), '@activity'));
    expect(query('.message-status .tool > summary').textContent).to.contain('Search');
    run(part('tool:1', tool('1')), set('@tool:1', 'part', 'tool:1'));
    expect(root.querySelector('.message-status .tool')).to.equal(null);
    expect(query('.body .tool > summary').textContent).to.contain('Search');
  });

  it('shows activity at the end of the message when its part turns out to belong to other activity', () => {
    const { run, query } = setupMessageView();
    run(
      part('tool:a', tool('a')),
      part('@tool:b', toolActivity('b', 'tool:a', { phase: 'SEARCH' }), '@activity'),
    );
    run(
      part('@tool:a', toolActivity('a', null, { phase: 'SCRAPING_URLS' }), '@activity'),
      set('@tool:b', 'part', null),
      set('@tool:a', 'part', 'tool:a'),
    );
    expect(query('.body .tool > summary').textContent).to.contain('Reading pages');
    expect(query('.message-status .tool > summary').textContent).to.contain('Search');
    run(set('@tool:b', 'state', 'done'));
    expect(query('.message-status .tool').dataset['state']).to.equal('done');
  });

  for (const [name, change] of [
    [
      'an event says so',
      part(
        '@tool:1',
        toolActivity('1', 'tool:1', { state: 'failed', reason: 'No such column' }),
        '@activity',
      ),
    ],
    ['its result says so', set('tool:1', 'result', '{"error":"No such column"}')],
  ] as const) {
    it(`is failed, with the error message, when ${name}`, () => {
      const { run, query } = setupMessageView();
      run(part('tool:1', tool('1', { state: 'done' })), change);
      expect(query('.tool').dataset['state']).to.equal('failed');
      expect(query('.tool > summary').textContent)
        .to.contain('failed')
        .and.to.contain('No such column');
    });
  }

  it('is incomplete when its message ended first, and cancelled when that was stopped', () => {
    const { run, query } = setupMessageView();
    run(part('tool:1', tool('1')), set(null, 'status', 'interrupted'));
    expect(query('.tool').dataset['state']).to.equal('incomplete');
    expect(query('.tool > summary').textContent).to.contain('incomplete');
    run(set(null, 'status', 'streaming'));
    run(set(null, 'status', 'stopped'));
    expect(query('.tool').dataset['state']).to.equal('cancelled');
    expect(query('.tool > summary').textContent).to.contain('cancelled');
  });

  for (const [state, words, icon] of [
    ['waiting', 'waiting for you', 'icon-question'],
    ['skipped', 'skipped', 'icon-ban'],
    ['cancelled', 'cancelled', 'icon-stop'],
    ['failed', 'failed', 'icon-alert'],
  ] as const) {
    it(`shows by an icon and a text that it is ${state}, according to its part or its activity`, () => {
      const { run, query, text: shown } = setupMessageView();
      run(part('tool:1', tool('1', { state })));
      expect(shown('.tool > summary')).to.equal(`Search documents ${words}`);
      expect(query('.tool > summary .glyph .icon').classList.contains(icon)).to.equal(true);
      run(
        part('tool:2', tool('2')),
        part('@tool:2', toolActivity('2', 'tool:2', { state }), '@activity'),
      );
      expect(shown('.call:last-child > .tool > summary')).to.equal(`Search documents ${words}`);
    });
  }

  it('shows why it was cancelled', () => {
    const { run, text: shown } = setupMessageView();
    const reported = toolActivity('1', 'tool:1', { state: 'cancelled', reason: 'Too slow' });
    run(part('tool:1', tool('1')), part('@tool:1', reported, '@activity'));
    expect(shown('.tool > summary')).to.equal('Search documents cancelled Too slow');
  });

  it('shows the title of its type and the title of the call', () => {
    const { run, text: shown } = setupMessageView();
    const call = { name: 'text2sql', toolType: 'sql_query', input: '{"input":"stock?"}' };
    run(part('tool:1', tool('1', call)));
    expect(shown('.tool > summary')).to.equal('Query the database stock? running');
    run(set('tool:1', 'title', 'Stock\nper depot'), set('tool:1', 'state', 'done'));
    expect(shown('.tool > summary')).to.equal('Query the database Stock per depot done');
    run(set('tool:1', 'toolType', 'graph_query'));
    expect(shown('.tool > summary')).to.equal('Query the graph Stock per depot done');
    run(set('tool:1', 'toolType', 'unheard_of'));
    expect(shown('.tool > summary')).to.equal('Text2sql Stock per depot done');
  });

  it('names records in its result by their titles', async () => {
    const { run, root, query } = setupMessageView();
    const result = JSON.stringify({
      sources: [
        { title: 'Stock view', columns: ['a'] },
        { name: 'x'.repeat(100), columns: [] },
        { id: 3, columns: ['a', 'b'] },
      ],
    });
    run(part('tool:1', tool('1', { state: 'done', result })));
    await openDisclosure(query('.tool'));
    // The branch of the sources is open, and filled in the event of its opening.
    await new Promise((resolve) =>
      query('.payload details').addEventListener('toggle', resolve, { once: true }),
    );
    const branches = [...root.querySelectorAll('.payload .tree .tree > li > details > summary')];
    expect(branches.map(({ textContent }) => textContent)).to.deep.equal([
      '0 Stock view 2 entries',
      '1 2 entries',
      '2 2 entries',
    ]);
  });

  it('has a button that names the call and opens its details, if the element supports them', async () => {
    const opened: unknown[] = [];
    const { run, query, root } = setupMessageView({
      actions: { openToolDetails: (...call) => opened.push(call) },
    });
    run(part('tool:1', tool('1', { input: '{"query":"refund"}' })));
    expect(root.querySelector('.open-details')).to.equal(null);
    await openDisclosure(query('.tool'));
    const button = query('.open-details');
    expect(button.textContent.trim()).to.equal('Open details');
    expect(button.ariaLabel).to.equal('Open details of Search documents: refund');
    button.click();
    expect(opened).to.deep.equal([['m', 'tool:1', button]]);
    run(set('tool:1', 'result', 'Found'), set('tool:1', 'state', 'done'));
    expect(query('.open-details')).to.equal(button);
  });

  it('shows in the summary of its step how many tools have failed or wait', () => {
    const { run, text: shown } = setupMessageView();
    run(
      part('step:1', step(1)),
      part('tool:1', tool('1', { state: 'done' }), 'step:1'),
      part('tool:2', tool('2', { state: 'done' }), 'step:1'),
      part('tool:3', tool('3'), 'step:1'),
    );
    expect(shown('.step > summary')).to.equal('Step 1 Title 1 running');
    run(
      set('step:1', 'title', 'Look'),
      set('tool:1', 'result', '{"error":"No"}'),
      set('tool:2', 'state', 'failed'),
      part('@tool:3', toolActivity('3', 'tool:3', { state: 'waiting' }), '@activity'),
    );
    expect(shown('.step > summary')).to.equal('Step 1 Look running waiting for you 2 failed');
    run(set('@tool:3', 'state', 'running'));
    expect(shown('.step > summary')).to.equal('Step 1 Look running 2 failed');
  });

  it('renders input and result only while it is open', async () => {
    const { run, root, query } = setupMessageView();
    run(
      part(
        'tool:1',
        tool('1', { state: 'done', input: '{"query":"x"}', result: '{"rows":[{"a":1},{"a":2}]}' }),
      ),
    );
    expect(root.querySelector('.payload')?.childElementCount).to.equal(0);
    await openDisclosure(query('.tool'));
    const sections = [...root.querySelectorAll('.payload section')];
    expect(sections.map((section) => section.querySelector('h3')?.textContent)).to.deep.equal([
      'Input',
      'Result',
    ]);
    expect(sections[1]?.querySelector('.key')?.textContent).to.equal('rows');
    expect(sections[1]?.querySelector('details')?.open).to.equal(true);
    expect(sections[1]?.textContent).to.contain('2 entries');
  });

  it('lists its phases with state, message, times and data', async () => {
    const { run, root, query } = setupMessageView();
    const at = Date.UTC(2026, 0, 1, 12, 0, 5);
    run(
      part('tool:1', tool('1')),
      part('@tool:1', toolActivity('1', 'tool:1'), '@activity'),
      part(
        '@phase:1#1',
        phaseActivity('WEB_SEARCH', {
          message: '<i>Searching</i>',
          data: { query: 'rain' },
          state: 'done',
          startedAt: at,
          endedAt: at + 1200,
        }),
        '@tool:1',
      ),
      part('@phase:1#2', phaseActivity('READ_pages'), '@tool:1'),
      part('@phase:1#3', phaseActivity('', { state: 'failed', endedAt: at }), '@tool:1'),
    );
    await openDisclosure(query('.tool'));
    const rows = (): string[] =>
      [...root.querySelectorAll('.phases > ol > li')].map((row) =>
        row.textContent.replace(/\s+/g, ' ').trim(),
      );
    const time = findLocale('en').timeOfDay(at);
    const first = `Searching the web done <i>Searching</i> ${time} 1.2s Data`.replace(/\s+/g, ' ');
    expect(rows()).to.deep.equal([
      first,
      'Read pages running',
      `Update failed ${time}`.replace(/\s+/g, ' '),
    ]);
    expect(query('.phases time').getAttribute('datetime')).to.equal('2026-01-01T12:00:05.000Z');
    const states = [...root.querySelectorAll<HTMLElement>('.phases > ol > li')];
    expect(states.map(({ dataset }) => dataset['state'])).to.deep.equal([
      'done',
      'running',
      'failed',
    ]);
    const report = query<HTMLDetailsElement>('.phases .report');
    await openDisclosure(report);
    expect(report.querySelector('.tree')?.textContent).to.equal('query rain');
    run(set('@phase:1#2', 'message', 'Page 2'));
    expect(rows()[1]).to.equal('Read pages running Page 2');
    expect(query<HTMLDetailsElement>('.phases .report').open).to.equal(true);
    run(set(null, 'status', 'interrupted'));
    expect(rows()[1]).to.equal('Read pages incomplete Page 2');
  });

  it('keeps its phases when it has a result', async () => {
    const { run, root, query } = setupMessageView();
    run(
      part('tool:1', tool('1', { state: 'done', result: '{"found":3}' })),
      part('@tool:1', toolActivity('1', 'tool:1', { state: 'done' }), '@activity'),
      part('@phase:1#1', phaseActivity('RERANKING', { state: 'done' }), '@tool:1'),
    );
    await openDisclosure(query('.tool'));
    const titles = [...root.querySelectorAll('.payload h3')].map(({ textContent }) => textContent);
    expect(titles).to.deep.equal(['Phases', 'Result']);
  });

  it('shows an incomplete result with a label only while its message is interrupted', async () => {
    const { run, root, query } = setupMessageView();
    run(
      part('tool:1', tool('1')),
      part('@tool:1', toolActivity('1', 'tool:1'), '@activity'),
      part('@out:1', { kind: 'output-activity', outputKey: '' }, '@tool:1'),
      text('@out:1', 'Page 1'),
      part(
        '@incomplete:',
        { kind: 'incomplete-activity', tool: 'tool:1', payload: 'result' },
        '@activity',
      ),
      text('@incomplete:', '{"found":[1,2'),
    );
    await openDisclosure(query('.tool'));
    const sections = (): string[] =>
      [...root.querySelectorAll('.payload section')].map(({ textContent }) =>
        textContent.replace(/\s+/g, ' ').trim(),
      );
    expect(sections()).to.deep.equal(['Output so far Page 1']);
    run(set(null, 'status', 'interrupted'));
    expect(sections()).to.deep.equal([
      'Output so far incomplete Page 1',
      'Result incomplete {"found":[1,2',
    ]);
    expect(root.querySelector('.message-status .incomplete-text')).to.equal(null);
    run(set('@incomplete:', 'payload', 'input'));
    expect(sections().at(-1)).to.equal('Input incomplete {"found":[1,2');
    run(set(null, 'status', 'streaming'));
    expect(sections()).to.deep.equal(['Output so far Page 1']);
  });

  it('renders a list of flat records as a table', async () => {
    const { run, root, query } = setupMessageView();
    const result = '[{"name":"A","sold":3},{"name":"B","sold":null,"note":"x"}]';
    run(part('tool:1', tool('1', { state: 'done', result })));
    await openDisclosure(query('.tool'));
    const cells = [...root.querySelectorAll('tr')].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
    expect(cells).to.deep.equal([
      ['name', 'sold', 'note'],
      ['A', '3', ''],
      ['B', 'null', 'x'],
    ]);
    expect(query('.rows').tabIndex).to.equal(0);
  });

  it('renders a result that is not JSON as text, not as markup', async () => {
    const { run, query } = setupMessageView();
    run(
      part(
        'tool:1',
        tool('1', { state: 'done', result: '<img src=x onerror=alert(1)> {not json' }),
      ),
    );
    await openDisclosure(query('.tool'));
    expect(query('.payload pre').textContent).to.equal('<img src=x onerror=alert(1)> {not json');
  });

  it('renders 128,000 characters of a text at a time', async () => {
    const { run, query, root } = setupMessageView();
    run(part('tool:1', tool('1', { state: 'done', result: 'x'.repeat(300_000) })));
    await openDisclosure(query('.tool'));
    expect(query('.payload pre').textContent.length).to.equal(128_000);
    query('.payload button').click();
    expect(query('.payload pre').textContent.length).to.equal(256_000);
    query('.payload button').click();
    expect(query('.payload pre').textContent.length).to.equal(300_000);
    expect(root.querySelector('.payload button')).to.equal(null);
  });

  it('has no button when a text fits one page', async () => {
    const { run, query, root } = setupMessageView();
    run(part('tool:1', tool('1', { state: 'done', result: 'x'.repeat(128_000) })));
    await openDisclosure(query('.tool'));
    expect(query('.payload pre').textContent.length).to.equal(128_000);
    expect(root.querySelector('.payload button')).to.equal(null);
  });

  it('renders 100 entries of a level at a time', async () => {
    const { run, query, root } = setupMessageView();
    const list = (length: number): string =>
      JSON.stringify(Array.from({ length }, (_, index) => `Entry ${index}`));
    run(part('tool:1', tool('1', { state: 'done', input: list(100), result: list(101) })));
    await openDisclosure(query('.tool'));
    const [input, result] = [...root.querySelectorAll('.payload .tree')];
    expect([input?.childElementCount, result?.childElementCount]).to.deep.equal([100, 100]);
    const buttons = [...root.querySelectorAll<HTMLElement>('.payload .long > button')];
    expect(buttons.length).to.equal(1);
    buttons[0]?.click();
    expect(result?.childElementCount).to.equal(101);
    expect(result?.lastElementChild?.textContent).to.contain('Entry 100');
  });

  it('renders a result with 50,000 levels', async () => {
    const { run, query, errors } = setupMessageView();
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    run(part('tool:1', tool('1', { state: 'done', result: deep })));
    await openDisclosure(query('.tool'));
    expect(query('.payload').textContent).to.contain('1 entry');
    expect(errors).to.deep.equal([]);
  });

  it('puts the colon after the key in right-to-left text', async () => {
    const { host, run, query } = setupMessageView();
    host.dir = 'rtl';
    const { styleSheet } = sharedPartStyles;
    if (host.shadowRoot && styleSheet) host.shadowRoot.adoptedStyleSheets = [styleSheet];
    run(part('tool:1', tool('1', { input: '{"limit":3}' })));
    await openDisclosure(query<HTMLDetailsElement>('.tool'));
    const key = query('.key');
    const { content } = getComputedStyle(key, '::after');
    const word = document.createRange();
    word.selectNodeContents(key);
    const [box, name] = [key.getBoundingClientRect(), word.getBoundingClientRect()];
    expect(content).to.equal('":"');
    // The rest of the box, on the left, contains the colon.
    expect(name.left - box.left).to.be.above(0);
    expect(name.right - box.right).to.be.closeTo(0, 0.5);
  });

  it('renders prototype names and markup in keys as text', async () => {
    const { run, query } = setupMessageView();
    run(
      part(
        'tool:1',
        tool('1', { state: 'done', result: '{"__proto__":{"polluted":1},"constructor":"c"}' }),
      ),
    );
    await openDisclosure(query('.tool'));
    expect(query('.payload').textContent).to.contain('__proto__').and.to.contain('constructor');
    expect(Reflect.get({}, 'polluted')).to.equal(undefined);
  });

  it('shows its output while it runs, and then the result', async () => {
    const { run, query, root, view, context, frames } = setupMessageView();
    run(
      part('tool:1', tool('1')),
      part('@tool:1', toolActivity('1', 'tool:1'), '@activity'),
      part('@out', { kind: 'output-activity', outputKey: 'response' }, '@tool:1'),
      text('@out', 'Hel'),
    );
    await openDisclosure(query('.tool'));
    run(text('@out', 'lo', 3));
    expect(query('.output h3').textContent).to.equal('Response');
    expect(query('.output pre').textContent).to.equal('Hello');
    run(text('@out', 'p', 3));
    expect(query('.output pre').textContent).to.equal('Help');
    // The language of the content differs from that of the interface now.
    context.locale = findLocale('en', 'it');
    view.redraw();
    frames.flush();
    expect(query('.output pre').lang).to.equal('it');
    run(set('tool:1', 'result', 'Helped'));
    expect(root.querySelector('.output')).to.equal(null);
    expect(query('.payload pre').textContent).to.equal('Helped');
  });

  for (const [kind, result] of [
    ['text', 'Helped'],
    ['a tree', '{"helped":true}'],
    ['empty', ''],
  ] as const) {
    it(`moves the focus from its output to the result (${kind})`, async () => {
      const { root, run, query } = setupMessageView();
      run(
        part('tool:1', tool('1')),
        set('tool:1', 'input', '{"query":"help"}'),
        part('@tool:1', toolActivity('1', 'tool:1'), '@activity'),
        part('@out', { kind: 'output-activity', outputKey: 'response' }, '@tool:1'),
        text('@out', 'Hel'),
      );
      await openDisclosure(query('.tool'));
      query('.output pre').focus();
      run(set('tool:1', 'result', result), set('tool:1', 'state', 'done'));
      const shown = result ? '.payload section:last-child :focus' : '.payload:focus';
      expect(root.querySelectorAll(shown).length).to.equal(1);
    });
  }

  it('shows no internal fields of the service in input, result and the data of a phase', async () => {
    const { run, query } = setupMessageView({
      actions: { isInternalField: (name) => name === 'execution_id' },
    });
    const payload = (name: string): string =>
      JSON.stringify({ [name]: 'shown', execution_id: 'e1' });
    const data = { c: 'shown', execution_id: 'e1' };
    run(
      part('tool:1', tool('1', { state: 'done', input: payload('a'), result: payload('b') })),
      part('@tool:1', toolActivity('1', 'tool:1'), '@activity'),
      part('@phase:1#1', phaseActivity('RERANKING', { data }), '@tool:1'),
    );
    await openDisclosure(query('.tool'));
    await openDisclosure(query('.phases .report'));
    const { textContent } = query('.tool');
    for (const key of ['a', 'b', 'c']) expect(textContent).to.contain(`${key} shown`);
    expect(textContent).not.to.contain('e1');
  });

  it('loads images of the service through its action, and nothing else', async () => {
    const requested: string[] = [];
    const pixel = Uint8Array.from(
      atob(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      ),
      (character) => character.charCodeAt(0),
    );
    const loadToolFile = async (address: string): Promise<Blob> => {
      requested.push(address);
      return new Blob([pixel], { type: 'image/png' });
    };
    const findFiles = (result: string): ToolFile[] => JSON.parse(result) as ToolFile[];
    const { run, root } = setupMessageView({
      actions: { loadToolFile, findToolFiles: findFiles },
    });
    const storedFile = { name: 'a.png', address: 'https://service.test/a', stored: true };
    run(
      part(
        'tool:1',
        tool('1', {
          state: 'done',
          result: JSON.stringify([
            storedFile,
            { ...storedFile, name: 'b.svg' },
            { name: 'c.png', address: '/logout?c.png', stored: false },
            { name: '', address: 'https://elsewhere.test/d.png', stored: false },
          ]),
        }),
      ),
    );
    await new Promise((resolve) =>
      root.addEventListener('load', resolve, { capture: true, once: true }),
    );
    expect(requested).to.deep.equal(['https://service.test/a']);
    const pictures = [...root.querySelectorAll('img')];
    expect(pictures.map(({ alt }) => alt)).to.deep.equal(['a.png']);
    expect(pictures[0]?.src).to.match(/^blob:/);
    const elsewhere = [...root.querySelectorAll('.media > *')].slice(2);
    expect(elsewhere.map(({ textContent }) => textContent)).to.deep.equal([
      'c.png /logout?c.png',
      'https://elsewhere.test/d.png',
    ]);
    const links = [...root.querySelectorAll<HTMLAnchorElement>('.media a')];
    expect(links.map(({ href, rel }) => [href, rel])).to.deep.equal([
      ['https://elsewhere.test/d.png', 'noopener noreferrer nofollow ugc'],
    ]);
  });

  it('ignores an image that is loaded after the view is disposed', async () => {
    let answer: (blob: Blob) => void = () => undefined;
    const loadToolFile = (): Promise<Blob> =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const files = [{ name: 'a.png', address: 'https://service.test/a', stored: true }];
    const { run, root, view } = setupMessageView({
      actions: { loadToolFile, findToolFiles: () => files },
    });
    run(part('tool:1', tool('1', { state: 'done', result: '[]' })));
    view.dispose();
    answer(new Blob(['x'], { type: 'image/png' }));
    await new Promise((resolve) => setTimeout(resolve));
    expect(root.querySelector('img[src]')).to.equal(null);
  });

  it('shows a message when a file cannot be loaded', async () => {
    const { run, root } = setupMessageView({
      actions: {
        findToolFiles: () => [{ name: 'a.png', address: '/x/a.png', stored: true }],
        loadToolFile: () => Promise.reject(new Error('403')),
      },
    });
    run(part('tool:1', tool('1', { state: 'done', result: '{}' })));
    await Promise.resolve();
    await Promise.resolve();
    expect(root.textContent).to.contain('The file a.png couldn’t be loaded.');
  });

  it('shows how long its activity took', () => {
    const { run, text: shown } = setupMessageView();
    run(
      part('tool:1', tool('1', { state: 'done' })),
      part('@tool:1', toolActivity('1', 'tool:1', { startedAt: 1000 }), '@activity'),
    );
    expect(shown('.tool > summary')).to.equal('Search documents done');
    run(set('@tool:1', 'endedAt', 3500));
    expect(shown('.tool > summary')).to.equal('Search documents done 2.5s');
  });

  it('is failed without an error message when its result has none', () => {
    const { run, query, text: shown } = setupMessageView();
    run(part('tool:1', tool('1', { state: 'done', result: '{"status":"failed"}' })));
    expect(query('.tool').dataset['state']).to.equal('failed');
    expect(shown('.tool > summary')).to.equal('Search documents failed');
  });

  it('is not failed by the reason of activity that has not failed', () => {
    const { run, query } = setupMessageView();
    run(
      part('tool:1', tool('1', { state: 'done' })),
      part('@tool:1', toolActivity('1', 'tool:1', { reason: 'Slow' }), '@activity'),
    );
    expect(query('.tool').dataset['state']).to.equal('done');
  });

  it('shows that nothing was returned, unless it is still running', async () => {
    const { run, query, text: shown } = setupMessageView();
    run(part('tool:1', tool('1')));
    await openDisclosure(query('.tool'));
    expect(shown('.payload')).to.equal('');
    run(set('tool:1', 'state', 'done'));
    expect(shown('.payload')).to.equal('Nothing was returned.');
    run(set('tool:1', 'input', '{"query":"x"}'));
    expect(shown('.payload')).to.equal('Input query x');
  });

  it('does not render a chunk of output while it is closed', () => {
    const { run, apply, frames } = setupMessageView();
    run(
      part('tool:1', tool('1')),
      part('@tool:1', toolActivity('1', 'tool:1'), '@activity'),
      part('@out', { kind: 'output-activity', outputKey: 'response' }, '@tool:1'),
    );
    apply(text('@out', 'Hello'));
    expect(frames.scheduledCount).to.equal(0);
  });

  it('shows 128,000 characters of its output, with a button for all of it', async () => {
    const { run, query } = setupMessageView();
    run(
      part('tool:1', tool('1')),
      part('@tool:1', toolActivity('1', 'tool:1'), '@activity'),
      part('@out', { kind: 'output-activity', outputKey: 'response' }, '@tool:1'),
      text('@out', 'x'.repeat(130_000)),
    );
    await openDisclosure(query('.tool'));
    const button = query('.output button');
    const state = (): unknown[] => [query('.output pre').textContent.length, button.isConnected];
    expect(state()).to.deep.equal([128_000, true]);
    expect(button.textContent).to.equal('Show more (2 kB left)');
    run(text('@out', 'y'.repeat(1000), 130_000));
    expect(button.textContent).to.equal('Show more (3 kB left)');
    button.focus();
    button.click();
    expect(state()).to.deep.equal([131_000, false]);
    expect(query('.output pre').matches(':focus')).to.equal(true);
    run(text('@out', 'z', 131_000));
    expect(state()).to.deep.equal([131_001, false]);
    expect(query('.output pre').textContent.slice(129_999, 130_001)).to.equal('xy');
  });

  it('keeps a branch of its input collapsed by the user when its result arrives', async () => {
    const { run, query } = setupMessageView();
    run(part('tool:1', tool('1', { input: '{"deep":{"a":1}}' })));
    await openDisclosure(query('.tool'));
    const branch = query<HTMLDetailsElement>('.payload details');
    branch.open = false;
    run(set('tool:1', 'result', 'Done'), set('tool:1', 'state', 'done'));
    expect(query('.payload details')).to.equal(branch);
    expect(branch.open).to.equal(false);
  });

  it('shows activity without a part at the end of the message, with its phases', async () => {
    const { run, query, text: shown } = setupMessageView();
    run(
      part('@tool:1', toolActivity('1', null), '@activity'),
      part('@phase:1#1', phaseActivity('RERANKING', { state: 'done' }), '@tool:1'),
    );
    await openDisclosure(query('.message-status .tool'));
    expect(shown('.message-status .phases h3')).to.equal('Phases');
  });
});

describe('details view of a tool call', () => {
  before(() => loadDataView('metric'));

  /** The details of call 1 of a message, in the page. */
  function setupDetails(...changes: readonly Change[]) {
    const fixture = setupMessageView();
    fixture.run(...changes);
    const details = new ToolDetailsView(fixture.message(), 'tool:1', fixture.context);
    fixture.root.replaceChildren(details.node);
    details.adoptStyles();
    return {
      ...fixture,
      details,
      /** Applies changes; returns whether the message contains the call after each of them. */
      update: (...more: readonly Change[]): boolean[] => {
        const contained = more.map((change) => {
          fixture.run(change);
          return details.apply(change, fixture.message());
        });
        fixture.frames.flush();
        return contained;
      },
      facts: () =>
        [...fixture.root.querySelectorAll('.call-facts > *')].map(({ textContent }) => textContent),
    };
  }

  it('shows the name, the start and the duration of the call as far as they are known', () => {
    const { details, facts, update, query, message } = setupDetails(part('tool:1', tool('1')));
    expect(facts()).to.deep.equal(['Tool', 'rag_search']);
    const startedAt = Date.UTC(2026, 0, 1, 12);
    update(part('@tool:1', toolActivity('1', 'tool:1', { startedAt }), '@activity'));
    const time = findLocale('en').timeOfDay(startedAt);
    expect(facts()).to.deep.equal(['Tool', 'rag_search', 'Started', time]);
    update(set('@tool:1', 'endedAt', startedAt + 2500));
    expect(facts().slice(-2)).to.deep.equal(['Duration', '2.5s']);
    expect(query('.call-state').role).to.equal('status');
    update(set('tool:1', 'name', ''));
    expect(facts()[0]).to.equal('Started');
    expect(details.live).to.equal(true);
    expect(message().status).to.equal('streaming');
    update(set(null, 'status', 'complete'));
    expect(details.live).to.equal(false);
  });

  it('shows the state of the call, with its reason', () => {
    const { details, update, query, text: shown } = setupDetails(part('tool:1', tool('1')));
    expect([shown('.call-state'), query('.call-state').dataset['state']]).to.deep.equal([
      'running',
      'running',
    ]);
    expect(query('.call-state').querySelector('bdi')).to.equal(null);
    update(
      part(
        '@tool:1',
        toolActivity('1', 'tool:1', { state: 'failed', reason: 'No index' }),
        '@activity',
      ),
    );
    expect(shown('.call-state')).to.equal('failed No index');
    expect(details.label).to.equal('Search documents');
    expect(shown('.subject')).to.equal('');
    update(set('tool:1', 'input', '{"query":"rain"}'));
    expect(shown('.subject')).to.equal('rain');
    update(set('tool:1', 'title', 'Rain in\nMay'));
    expect(shown('.subject')).to.equal('Rain in May');
  });

  it('shows a call that only its activity reports, and its part as soon as it has one', () => {
    const fixture = setupMessageView();
    fixture.run(part('@tool:1', toolActivity('1', null), '@activity'));
    const details = new ToolDetailsView(fixture.message(), '@tool:1', fixture.context);
    expect(details.label).to.equal('Search documents');
    const changes = [
      part('tool:1', tool('1', { input: '{"query":"rain"}' })),
      set('@tool:1', 'part', 'tool:1'),
    ];
    for (const change of changes) {
      fixture.run(change);
      expect(details.apply(change, fixture.message())).to.equal(true);
    }
    fixture.frames.flush();
    expect(details.node.querySelector('.subject')?.textContent).to.equal('rain');
    details.dispose();
  });

  it('updates the parts of the call in their order, and reports when the call is gone', () => {
    const { details, update, query, frames, apply, message } = setupDetails(
      part('tool:1', tool('1', { state: 'done' })),
      part('b', { kind: 'text' }, 'tool:1'),
      text('b', 'B'),
    );
    const body = query('.call-details > .body');
    const words = (): string[] => [...body.children].map(({ textContent }) => textContent.trim());
    const first = body.firstElementChild;
    expect(update(part('a', { kind: 'text' }, 'tool:1', 'b'), text('a', 'A'))).to.deep.equal([
      true,
      true,
    ]);
    expect(words()).to.deep.equal(['A', 'B']);
    expect(body.lastElementChild).to.equal(first);
    const chunk = text('b', ' more', 1);
    apply(chunk);
    frames.flush();
    expect(details.apply(chunk, message())).to.equal(true);
    // Only the view of the text renders, not the details.
    expect(frames.scheduledCount).to.be.at.most(1);
    frames.flush();
    expect(words()).to.deep.equal(['A', 'B more']);
    update({ type: 'remove', message: 'm', part: 'a' });
    expect(words()).to.deep.equal(['B more']);
    const metric = (key: string, of: string): Change =>
      part(key, {
        ...{ kind: 'metric', tool: of, title: key, unit: '', query: '' },
        ...{ columns: [{ name: 'n', type: 'number' }], rows: [[7]] },
      });
    update(metric('Beside', 'tool:1'), metric('Other', 'tool:2'), part('t', { kind: 'text' }));
    expect(words()[1]).to.contain('Beside');
    expect(body.textContent).to.not.contain('Other');
    const call = { type: 'remove', message: 'm', part: 'tool:1' } as const;
    expect(update(call)).to.deep.equal([false]);
    expect(details.label).to.equal('');
  });

  it('shows the end of a text when another part follows it or the agent waits', () => {
    const { update, query } = setupDetails(
      part('tool:1', tool('1')),
      part('a', { kind: 'text' }, 'tool:1'),
      text('a', 'a!'),
    );
    const words = (): string => query('.call-details > .body').textContent.replaceAll(/\s/g, '');
    update();
    expect(words()).to.equal('a');
    update(part('b', { kind: 'text' }, 'tool:1'), text('b', 'b!'));
    expect(words()).to.equal('a!b');
    update(set(null, 'status', 'waiting'));
    expect(words()).to.equal('a!b!');
  });

  it('is rendered again in another language, and not after it was disposed', () => {
    const { details, context, frames, query, message, run } = setupDetails(
      part('tool:1', tool('1', { title: 'Stock' })),
      part('b', { kind: 'text' }, 'tool:1'),
      text('b', 'B'),
    );
    context.locale = findLocale('en', 'it');
    details.redraw();
    frames.flush();
    expect(query('.subject > bdi').lang).to.equal('it');
    expect(query('.call-details > .body .text').lang).to.equal('it');
    const change = set('tool:1', 'title', 'Other');
    run(change);
    details.apply(change, message());
    details.dispose();
    frames.flush();
    expect(query('.subject').textContent).to.equal('Stock');
  });
});
