import { expect } from '@open-wc/testing';
import { en } from '../../src/locales/en.js';
import '../helpers/load-lazy-modules.js';
import { findLocale, registerLocale } from '../../src/locales/locale.js';

describe('a locale', () => {
  it('replaces placeholders and selects the plural form of the language', () => {
    const { text } = findLocale('en');
    expect(text('rejoiningIn', { count: 1 })).to.contain('in 1 second.');
    expect(text('rejoiningIn', { count: 2000 })).to.contain('in 2,000 seconds.');
    expect(text('stepNumber', { number: 3 })).to.equal('Step 3');
  });

  it('formats numbers in the language, without a formatter for small English integers', () => {
    const { NumberFormat } = Intl;
    let created = 0;
    const count = (target: typeof NumberFormat, args: never[]): Intl.NumberFormat => {
      created += 1;
      return new target(...args);
    };
    Intl.NumberFormat = new Proxy(NumberFormat, { construct: count });
    try {
      const write = (lang: string, number: number): string =>
        findLocale(lang).text('stepNumber', { number });
      expect([write('en', 3), write('en-GB', 0), write('en-US', 999)].join()).to.equal(
        'Step 3,Step 0,Step 999',
      );
      expect(created).to.equal(0);
      expect([write('en', 1000), write('en', 0.25), write('en', -4)].join(' ')).to.equal(
        'Step 1,000 Step 0.25 Step -4',
      );
      expect([write('ar-EG', 3), write('en-u-nu-arab', 3)].join()).to.equal('Step ٣,Step ٣');
      expect(created).to.equal(5);
    } finally {
      Intl.NumberFormat = NumberFormat;
    }
  });

  it('keeps a placeholder without a value and ignores inherited names', () => {
    const { text } = findLocale('en');
    expect(text('stepNumber')).to.equal('Step {number}');
    expect(text('unknownPart', { name: '{constructor}' })).to.contain('{constructor}');
  });

  it('isolates values in right-to-left text', () => {
    registerLocale('he', { restoredHint: 'תשובה: {hint}', page: 'עמוד {page}' });
    const { text } = findLocale('he');
    expect(text('restoredHint', { hint: 'Which?' })).to.equal('תשובה: \u2068Which?\u2069');
    expect([text('page', { page: 3 }), text('restoredHint', { hint: '' })]).to.deep.equal([
      'עמוד 3',
      'תשובה: ',
    ]);
  });

  it('isolates the items of lists in right-to-left text, where a leading dot would move', () => {
    const options = { type: 'conjunction', style: 'narrow' } as const;
    const [md, pdf] = ['\u2068.md\u2069', '\u2068.pdf\u2069'];
    expect(findLocale('ar').list(['.md', '.pdf'], options)).to.equal(`${md} و${pdf}`);
    expect(findLocale('en').list(['.md', '.pdf'], options)).to.equal('.md, .pdf');
  });

  it('falls back to the nearest language, then to English', () => {
    registerLocale('zz', { send: 'Zend' });
    expect(findLocale('zz-Latn-NL').text('send')).to.equal('Zend');
    expect(findLocale('zz').text('stop')).to.equal('Stop');
  });

  it('is English for an invalid tag', () => {
    expect(findLocale('not a tag!').text('send')).to.equal('Send');
  });

  it('formats durations', () => {
    const written = ['ja', 'zh', 'ar'].map((lang) => findLocale(lang).duration(90_000));
    // Engines differ in the digits of Arabic.
    const arabic = new Intl.NumberFormat('ar');
    expect(written).to.deep.equal([
      '1 分30 秒',
      '1分钟30秒',
      `${arabic.format(1)} د و${arabic.format(30)} ث`,
    ]);
    const locale = findLocale('en');
    expect([800, 12_400, 125_000, -5].map((ms) => locale.duration(ms))).to.deep.equal([
      '0.8s',
      '12s',
      '2m 5s',
      '0s',
    ]);
    const spoken = ['fr', 'es', 'de'].map((lang) => findLocale(lang).duration(125_000));
    expect(spoken.map((time) => time.replace(/\s/g, '_'))).to.deep.equal([
      '2_min_5_s',
      '2_min_5_s',
      '2_Min.,_5_Sek.',
    ]);
  });

  it('has strings with names in camel case, and an optional suffix for codes and tools', () => {
    for (const name of Object.keys(en)) expect(name).to.match(/^[a-z][a-zA-Z]*(_[a-z_-]+)?$/);
  });
});
