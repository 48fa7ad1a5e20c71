import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findAutolink,
  partialStartLength,
  readAutolink,
} from '../../src/markdown/parser/autolinks.js';
import { MAX_MAIL_NAME, MAX_SPAN } from '../../src/markdown/parser/limits.js';

/** The first autolink of a text: its destination, `incomplete`, or null when there is none. */
function destinationIn(text: string, open = false): string | null {
  const found = findAutolink(text, 0);
  const link = found && readAutolink(text, found, open);
  return typeof link === 'string' ? link : (link?.inline?.destination ?? null);
}

test('readAutolink reads an address with a scheme or with www', () => {
  assert.equal(destinationIn('see https://a.test/x now'), 'https://a.test/x');
  assert.equal(destinationIn('http://localhost'), 'http://localhost');
  assert.equal(destinationIn('ftp://a.test'), 'ftp://a.test');
  assert.equal(destinationIn('www.a.test/x'), 'http://www.a.test/x');
  assert.equal(destinationIn('www.a'), 'http://www.a');
  for (const text of ['www.', 'https://', 'https:a.test', 'xhttps://a.test', 'xwww.a.test']) {
    assert.equal(destinationIn(text), null, text);
  }
});

test('readAutolink allows underscores only before the last two labels of a host', () => {
  assert.equal(destinationIn('https://a_b.c.test'), 'https://a_b.c.test');
  for (const text of ['https://a_b.test', 'https://c.a_b', 'https://a_b']) {
    assert.equal(destinationIn(text), null, text);
  }
});

test('readAutolink excludes punctuation at the end and brackets that the address does not open', () => {
  for (const [text, address] of [
    ['https://a.test/x).', 'https://a.test/x'],
    ['https://a.test/(x)', 'https://a.test/(x)'],
    ['https://a.test/(x))', 'https://a.test/(x)'],
    ['https://a.test/x&amp;', 'https://a.test/x'],
    ['https://a.test/x;', 'https://a.test/x'],
    ['https://a.test/x?!"', 'https://a.test/x'],
    ['https://a.test/x]y', 'https://a.test/x'],
    ['https://a.test/%5Bx%5D', 'https://a.test/%5Bx%5D'],
  ] as const) {
    assert.equal(destinationIn(text), address, text);
  }
  // The address opens this bracket, so all of the text belongs to it.
  const found = findAutolink('https://a.test/[x]y', 0);
  const link = found && readAutolink('https://a.test/[x]y', found, false);
  assert.equal(typeof link === 'object' && link?.end, 19);
});

test('readAutolink reads an address up to the limit of a span', () => {
  const address = (length: number): string => 'https://a.test/'.padEnd(length, 'x');
  assert.equal(destinationIn(`${address(MAX_SPAN)} end`), address(MAX_SPAN));
  assert.equal(destinationIn(`${address(MAX_SPAN + 1)} end`), null);
});

test('readAutolink waits for more text where the address may continue', () => {
  for (const text of ['https:', 'https:/', 'https://', 'https://a.te', 'me@', 'me@mail.te']) {
    assert.equal(destinationIn(text, true), 'incomplete', text);
  }
  assert.equal(destinationIn('https:x', true), null);
  assert.equal(destinationIn('https://a.test ', true), 'https://a.test');
  assert.equal(destinationIn('me@mail.test ', true), 'mailto:me@mail.test');
});

test('readAutolink reads mail addresses within the limits of their parts', () => {
  assert.equal(destinationIn('a.b+c_d@mail.test'), 'mailto:a.b+c_d@mail.test');
  for (const text of ['me@mail', 'me@', 'me@mail.test-', 'me@mail.te_st', 'me@ma_il.test']) {
    assert.equal(destinationIn(text), null, text);
  }
  assert.equal(destinationIn('me@m_a.il.test'), 'mailto:me@m_a.il.test');
  const name = 'a'.repeat(MAX_MAIL_NAME);
  assert.equal(destinationIn(`${name}@mail.test`), `mailto:${name}@mail.test`);
  assert.equal(destinationIn(`${name}a@mail.test`), null);
  const domain = `${'a.'.repeat(125)}tests`;
  assert.equal(destinationIn(`me@${domain}`), `mailto:me@${domain}`);
  assert.equal(destinationIn(`me@${domain}x`), null);
});

test('readAutolink waits while the domain of a mail address has fewer than 300 units', () => {
  assert.equal(destinationIn(`me@${'a'.repeat(299)}`, true), 'incomplete');
  assert.equal(destinationIn(`me@${'a'.repeat(300)}`, true), null);
});

test('partialStartLength returns the length of the beginning of an autolink at the end', () => {
  const lengths = ['h', 'see htt', 'https', 'WWW', 'xhttp', 'httpsx', 'end', ''].map(
    partialStartLength,
  );
  assert.deepEqual(lengths, [1, 3, 5, 3, 0, 0, 0, 0]);
});
