import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageStrings } from '../../src/locales/en-messages.js';
import { toolStrings } from '../../src/locales/en-tools.js';
import { addDefaultStrings, findLocale } from '../../src/locales/locale.js';
import {
  findToolError,
  humanizeName,
  phaseLabel,
  summarizeInput,
  toolLabel,
  toSingleLine,
} from '../../src/message/tool/tool-text.js';

addDefaultStrings({ ...messageStrings, ...toolStrings });

const LOCALE = findLocale('en');

test('humanizeName converts an identifier to words', () => {
  const names: readonly (readonly [name: string, words: string])[] = [
    ['read_execute_skill_file', 'Read execute skill file'],
    ['searchWeb2Pages', 'Search web2 pages'],
    ['mcp::files/read.all-now', 'Mcp files read all now'],
    ['_private_', 'Private'],
    ['_', ''],
  ];
  for (const [name, words] of names) assert.equal(humanizeName(name), words);
});

test('summarizeInput prefers a plain text, then a known field, then the first text', () => {
  assert.equal(summarizeInput('plain'), 'plain');
  assert.equal(summarizeInput('"quoted"'), 'quoted');
  assert.equal(summarizeInput('{"path":"p","query":"q","other":"o"}'), 'q');
  assert.equal(summarizeInput('{"other":"o","path":"p"}'), 'p');
  assert.equal(summarizeInput('{"number":1,"blank":" ","other":"o","last":"l"}'), 'o');
  assert.equal(summarizeInput('{"query":"  ","path":"p"}'), 'p');
  assert.equal(summarizeInput('7'), '7');
  for (const raw of [null, '', '{}', '[]', '{"query":1}']) {
    assert.equal(summarizeInput(raw), '', String(raw));
  }
});

test('summarizeInput returns one line of at most 120 characters', () => {
  const longest = 'a'.repeat(120);
  assert.equal(summarizeInput('  one\n\ttwo  '), 'one two');
  assert.equal(summarizeInput(longest), longest);
  assert.equal(summarizeInput(`${longest}b`), `${longest}…`);
  assert.equal(summarizeInput(`${' '.repeat(100)}${longest}`), longest);
});

test('summarizeInput does not parse more than 256,000 characters', () => {
  const inputOf = (length: number): string => {
    const rest = '{"query":"q","rest":""}'.length;
    return `{"query":"q","rest":"${'r'.repeat(length - rest)}"}`;
  };
  assert.equal(summarizeInput(inputOf(256_000)), 'q');
  assert.match(summarizeInput(inputOf(256_001)), /^\{"query":"q","rest":"r+…$/);
});

test('findToolError returns the message of a failure, empty when it has none', () => {
  assert.equal(findToolError('{"error":"No such file"}'), 'No such file');
  assert.equal(findToolError('{"error":{"message":"Inner"},"message":"outer"}'), 'Inner');
  assert.equal(findToolError('{"status":"failed","message":"Timed  out"}'), 'Timed out');
  assert.equal(findToolError('{"status":"error","error":null}'), '');
  assert.equal(findToolError('{"error":true}'), '');
});

test('findToolError returns null for a result without a failure', () => {
  for (const raw of [null, '', 'error', '"error"', '{}', '{"error":""}', '{"error":null}', '[]']) {
    assert.equal(findToolError(raw), null, String(raw));
  }
  assert.equal(findToolError('{"status":"done","message":"failed"}'), null);
});

test('toolLabel is the string of the language, else the name in words, else a general name', () => {
  assert.equal(toolLabel('rag_search', LOCALE), 'Search documents');
  assert.equal(toolLabel('read_pages', LOCALE), 'Read pages');
  assert.equal(toolLabel('', LOCALE), 'Tool');
  assert.equal(toolLabel('__', LOCALE), 'Tool');
});

test('toolLabel prefers the string of the name over that of the type', () => {
  assert.equal(toolLabel('text2sql', LOCALE, 'sql_query'), 'Query the database');
  assert.equal(toolLabel('read_file', LOCALE, 'sql_query'), 'Read a file');
  assert.equal(toolLabel('text2sql', LOCALE, 'unheard_of'), 'Text2sql');
  assert.equal(toolLabel('', LOCALE, 'chart'), 'Draw a chart');
});

test('toSingleLine joins lines and truncates to 120 characters', () => {
  assert.equal(toSingleLine(' a\n\n b '), 'a b');
  assert.equal(toSingleLine('x'.repeat(120)), 'x'.repeat(120));
  assert.equal(toSingleLine('x'.repeat(121)), `${'x'.repeat(120)}…`);
  assert.equal(toSingleLine(`${'x'.repeat(119)}😀`), `${'x'.repeat(119)}…`);
  // Only the first 480 units are read, and no half of a character.
  assert.equal(toSingleLine(`x${' '.repeat(478)}😀`), 'x');
  assert.equal(toSingleLine(), '');
});

test('phaseLabel is the string of the language, else the name in words, and empty without a name', () => {
  assert.equal(phaseLabel('WEB_SEARCH', LOCALE), 'Searching the web');
  assert.equal(phaseLabel('READ_pages', LOCALE), 'Read pages');
  assert.equal(phaseLabel('', LOCALE), '');
});

test('findToolError reads the message of the result when its error has none', () => {
  assert.equal(findToolError('{"error":{"code":1},"message":"outer"}'), 'outer');
  assert.equal(findToolError('{"status":"error","message":"x"}'), 'x');
});
