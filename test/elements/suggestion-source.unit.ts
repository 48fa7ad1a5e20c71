import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterSuggestions, findTrigger } from '../../src/elements/composer/suggestion-source.js';

/** Returns the trigger with the caret at `|`, as sign, index and query. */
function triggerAt(text: string): string {
  const caret = text.indexOf('|');
  const found = findTrigger(text.replace('|', ''), caret);
  return found ? `${found.sign}${found.start}${found.query}` : '';
}

test('findTrigger finds a command at the beginning of the message only', () => {
  assert.equal(triggerAt('/|'), '/0');
  assert.equal(triggerAt('/sum|mary'), '/0sum');
  for (const text of ['|/sum', '/sum |', 'a /sum|', 'one\n/sum|', 'and/or|']) {
    assert.equal(triggerAt(text), '', text);
  }
});

test('findTrigger finds a name after @, but not in an e-mail address', () => {
  assert.equal(triggerAt('@|'), '@0');
  assert.equal(triggerAt('Ask @Ad|'), '@4Ad');
  assert.equal(triggerAt('(@Ad|'), '@1Ad');
  assert.equal(triggerAt('请问@张|'), '@2张');
  assert.equal(triggerAt('one\n@Ad| two'), '@4Ad');
  for (const text of ['me@example.org|', 'a.b+c@d|', '@Ada |', '@@|'.replace('@@', 'a@')]) {
    assert.equal(triggerAt(text), '', text);
  }
});

test('findTrigger ignores a query that is too long', () => {
  assert.equal(triggerAt(`@${'a'.repeat(100)}|`), '');
  assert.equal(triggerAt(`/${'a'.repeat(100)}|`), '');
});

test('filterSuggestions ranks prefix matches first, then other names, then descriptions', () => {
  const all = [
    { name: 'translate', description: 'Another language' },
    { name: 'language' },
    { name: 'slang' },
    { name: 'clear' },
  ];
  const names = (query: string): string[] => filterSuggestions(all, query).map(({ name }) => name);
  assert.deepEqual(names('LANG'), ['language', 'slang', 'translate']);
  assert.deepEqual(names(''), ['translate', 'language', 'slang', 'clear']);
  assert.deepEqual(names('constructor'), []);
  assert.deepEqual(filterSuggestions('nonsense', ''), []);
});
