import { expect } from '@open-wc/testing';
import { element } from '../../src/dom/element.js';
import { messageStrings } from '../../src/locales/en-messages.js';
import { addDefaultStrings, findLocale } from '../../src/locales/locale.js';
import {
  createDataDisclosure,
  createJsonView,
  createLazyDetails,
  createPayloadView,
} from '../../src/message/json-view.js';
import { parseJson } from '../../src/message/parse-json.js';
import { expandForPrint } from '../../src/message/parts/expand-for-print.js';
import type { Json } from '../../src/model/json.js';

addDefaultStrings(messageStrings);

const LOCALE = findLocale('en');
/** A page in French with an English interface. */
const MIXED = findLocale('en', 'fr');

const viewOf = (value: Json): HTMLElement => createJsonView(value, LOCALE);

const isTable = (value: Json): boolean => viewOf(value).matches('.rows');

/** An object with this number of entries. */
const objectOf = (count: number, value: Json = 1): Record<string, Json> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

const rowsOf = (view: HTMLElement): Element[] => [...view.querySelectorAll('.tree > li')];

describe('parseJson', () => {
  it('parses an object, an array and a string, with white space before it', () => {
    expect(parseJson(' {"a":1}')).to.deep.equal({ a: 1 });
    expect(parseJson('\n[1]')).to.deep.equal([1]);
    expect(parseJson('"a"')).to.equal('a');
  });

  it('keeps the digits of integers that a number cannot represent, in browsers whose JSON.parse provides them', () => {
    const isSupported = 'rawJSON' in JSON;
    for (const digits of ['1541815603606036481', '-9007199254740993', '9007199254740992']) {
      const id = isSupported ? digits : Number(digits);
      expect(parseJson(`{"id": ${digits}, "in": [[${digits}]]}`)).to.deep.equal({
        id,
        in: [[id]],
      });
    }
    for (const text of [
      ...['{"id": 9007199254740991}', '[1.5, -0, 0.12345678901234567, true, null]'],
      ...['"12345678901234567"', '{"a": "1541815603606036481"}'],
    ]) {
      expect(parseJson(text)).to.deep.equal(JSON.parse(text));
    }
  });

  it('returns undefined for any other text', () => {
    for (const raw of ['', '7', 'true', 'null', 'a {}', '{a', '[1', '"a']) {
      expect(parseJson(raw), raw).to.equal(undefined);
    }
  });
});

describe('payload view', () => {
  it('shows the content of a JSON string, and any other text unchanged', () => {
    expect(createPayloadView('"a\\nb"', LOCALE).textContent).to.equal('a\nb');
    for (const raw of ['7', 'null', '[1', 'plain']) {
      expect(createPayloadView(raw, LOCALE).textContent, raw).to.equal(raw);
    }
  });

  it('shows an array and an object as a tree', () => {
    expect(createPayloadView('[7]', LOCALE).querySelector('.tree')?.textContent).to.equal('0 7');
    expect(createPayloadView('{"a":null}', LOCALE).querySelector('.tree')?.textContent).to.equal(
      'a null',
    );
  });

  it('hides fields at any depth, in a tree and in a table', () => {
    const isHidden = (name: string): boolean => name === 'id' || name === '0';
    const hiding = (value: Json): HTMLElement =>
      createPayloadView(JSON.stringify(value), LOCALE, isHidden);
    const tree = hiding({ id: 'x', rows: { id: 'y', name: 'Rhine' }, list: ['one'] });
    const text = tree.querySelector('.tree')?.textContent ?? '';
    expect(text).to.contain('rows').and.contain('Rhine').and.contain('1 entry');
    for (const details of tree.querySelectorAll('details')) details.open = true;
    expect(rowsOf(tree).length).to.equal(2);
    const table = hiding([
      { id: { nested: true }, name: 'Rhine' },
      { id: 'z', name: 'Loire' },
    ]);
    expect([...table.querySelectorAll('th')].map((cell) => cell.textContent)).to.deep.equal([
      'name',
    ]);
    const list = hiding(['one', 'two']);
    expect(rowsOf(list).length, 'entries of a list have no names').to.equal(2);
    const disclosure = createDataDisclosure({ id: 'x', name: 'Rhine' }, LOCALE, isHidden);
    disclosure.dispatchEvent(new Event('toggle'));
    expect(rowsOf(disclosure).map((row) => row.textContent)).to.deep.equal(['name Rhine']);
  });

  it('can be scrolled with the keyboard', () => {
    expect(createPayloadView('plain', LOCALE).querySelector('pre')?.tabIndex).to.equal(0);
  });

  it('shows the size of the remaining text on its button', () => {
    const view = createPayloadView('x'.repeat(300_000), LOCALE);
    expect(view.querySelector('button')?.textContent).to.equal('Show more (172 kB left)');
  });

  it('gets the focus when its “Show more” button, which had the focus, is removed', () => {
    for (const view of [createPayloadView('x'.repeat(128_001), LOCALE), viewOf(objectOf(101))]) {
      document.body.append(view);
      const button = view.querySelector('button');
      button?.focus();
      button?.click();
      expect(view.querySelector('button')).to.equal(null);
      expect(document.activeElement).to.equal(view.firstElementChild);
      view.remove();
    }
  });

  it('marks the text with the language of the content and its button with that of the interface', () => {
    const view = createPayloadView('x'.repeat(128_001), MIXED);
    expect(view.querySelector('pre')?.lang).to.equal('fr');
    expect(view.querySelector('button')?.lang).to.equal('en');
  });
});

describe('JSON table', () => {
  it('is rendered for flat records with at most twelve columns', () => {
    expect(isTable([objectOf(12)])).to.equal(true);
    expect(isTable([objectOf(13)])).to.equal(false);
    expect(isTable([objectOf(1), objectOf(13)])).to.equal(false);
  });

  it('is rendered for at most a hundred records', () => {
    expect(isTable(Array.from({ length: 100 }, () => ({ a: 1 })))).to.equal(true);
    expect(isTable(Array.from({ length: 101 }, () => ({ a: 1 })))).to.equal(false);
  });

  it('is rendered for cells of at most 160 characters', () => {
    expect(isTable([{ a: 'x'.repeat(160) }])).to.equal(true);
    expect(isTable([{ a: 'x'.repeat(161) }])).to.equal(false);
  });

  it('is not rendered for anything but a list of flat records', () => {
    const others: readonly Json[] = [
      ...[[], [{}], [1], [[1]], [null], [{ a: 1 }, 2], [{ a: 1 }, null]],
      ...[[{ a: [] }], [{ a: {} }], [{ a: 1 }, { a: { b: 1 } }], { a: { b: 1 } }],
    ];
    for (const value of others) expect(isTable(value), JSON.stringify(value)).to.equal(false);
  });

  it('has a cell for each column of each record, empty where the record has no value', () => {
    const view = viewOf([
      { name: 'A', sold: 3 },
      { sold: null, ok: true },
    ]);
    const rows = [...view.querySelectorAll('tr')].map((row) =>
      [...row.children].map(({ localName, textContent }) => `${localName} ${textContent}`),
    );
    expect(rows).to.deep.equal([
      ['th name', 'th sold', 'th ok'],
      ['td A', 'td 3', 'td '],
      ['td ', 'td null', 'td true'],
    ]);
    expect([...view.querySelectorAll('.value')].map(({ className }) => className)).to.deep.equal([
      'value string',
      'value number',
      'value null',
      'value boolean',
    ]);
  });

  it('can be focused, and is named by its number of columns', () => {
    const view = viewOf([{ a: 1, b: 2 }]);
    expect([view.role, view.ariaLabel, view.tabIndex]).to.deep.equal([
      'group',
      'Table with 2 columns',
      0,
    ]);
  });

  it('has the language of the content in a box with that of the interface', () => {
    const view = createJsonView([{ a: 1 }], MIXED);
    expect([view.lang, view.querySelector('table')?.lang]).to.deep.equal(['en', 'fr']);
  });

  it('has a column for a name of Object.prototype', () => {
    const view = viewOf([JSON.parse('{"__proto__":1,"constructor":2}') as Json]);
    expect([...view.querySelectorAll('td')].map(({ textContent }) => textContent)).to.deep.equal([
      '1',
      '2',
    ]);
  });
});

describe('JSON tree', () => {
  it('opens the branches of its first level with at most eight entries', () => {
    const rows = rowsOf(viewOf({ small: objectOf(8), large: objectOf(9), none: {}, list: [] }));
    expect(rows.map((row) => row.querySelector('details')?.open)).to.deep.equal([
      true,
      false,
      undefined,
      undefined,
    ]);
    expect(rows.map(({ textContent }) => textContent)).to.deep.equal([
      'small 8 entries',
      'large 9 entries',
      'none 0 entries',
      'list 0 entries',
    ]);
  });

  it('creates the content of a branch once, with its own branches closed', () => {
    const details = viewOf({ large: objectOf(9, { a: 1 }) }).querySelector('details');
    expect(details?.querySelector('.tree')).to.equal(null);
    details?.dispatchEvent(new Event('toggle'));
    details?.dispatchEvent(new Event('toggle'));
    expect(details?.querySelectorAll('.tree')).to.have.length(1);
    const inner = [...(details?.querySelectorAll('details') ?? [])];
    expect(inner).to.have.length(9);
    expect(inner.some(({ open }) => open)).to.equal(false);
  });

  it('shows a text of at most 80 characters beside its key, and a longer one in a box', () => {
    const texts = { short: 'x'.repeat(80), long: 'x'.repeat(81), lines: 'a\nb' };
    const rows = rowsOf(viewOf(texts));
    expect(rows.map((row) => row.querySelector('pre') !== null)).to.deep.equal([false, true, true]);
    expect(rows[0]?.querySelector('.value')?.textContent).to.equal(texts.short);
    expect(rows[1]?.querySelector('pre')?.textContent).to.equal(texts.long);
  });

  it('shows the number of the remaining entries on its button', () => {
    const view = viewOf(objectOf(203));
    const button = view.querySelector('button');
    expect(button?.textContent).to.equal('Show 103 more');
    button?.click();
    expect(button?.textContent).to.equal('Show 3 more');
    button?.click();
    expect(rowsOf(view)).to.have.length(203);
    expect(view.querySelector('button')).to.equal(null);
  });

  it('marks counts of entries with the language of the interface', () => {
    const view = createJsonView({ a: {} }, MIXED);
    expect(view.querySelector('.tree')?.getAttribute('lang')).to.equal('fr');
    expect(view.querySelector<HTMLElement>('.meta')?.lang).to.equal('en');
  });
});

describe('data disclosure', () => {
  it('creates its content when it is opened', () => {
    const details = createDataDisclosure({ a: 1 }, MIXED);
    expect(details.textContent).to.equal('Data');
    expect(details.querySelector('summary')?.lang).to.equal('en');
    details.dispatchEvent(new Event('toggle'));
    expect(details.querySelector('.tree')?.textContent).to.equal('a 1');
  });
});

describe('expandForPrint', () => {
  it('opens every level, and closes only what it has opened', () => {
    const data = { open: { a: 1 }, closed: objectOf(9, { deep: { b: 2 } }) };
    const root = element('div', '', viewOf(data));
    const [open, closed] = root.querySelectorAll('details');
    const collapse = expandForPrint(root);
    expect(root.querySelectorAll('details:not([open])')).to.have.length(0);
    expect(root.querySelectorAll('details')).to.have.length(2 + 9 + 9);
    expect(root.textContent).to.contain('b 2');
    collapse();
    expect([open?.open, closed?.open]).to.deep.equal([true, false]);
  });

  it('does not open the disclosures of parts', () => {
    const details = element('details', 'disclosure');
    expandForPrint(element('div', '', details));
    expect(details.open).to.equal(false);
  });

  it('opens at most a thousand branches, over all levels', () => {
    const root = element('div');
    for (let index = 0; index < 600; index += 1) {
      root.append(createLazyDetails('', element('summary'), () => element('details')));
    }
    const collapse = expandForPrint(root);
    expect(root.querySelectorAll('details')).to.have.length(1200);
    expect(root.querySelectorAll('details[open]')).to.have.length(1000);
    collapse();
    expect(root.querySelectorAll('details[open]')).to.have.length(0);
  });
});
