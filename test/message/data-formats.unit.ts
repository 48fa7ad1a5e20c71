import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageStrings } from '../../src/locales/en-messages.js';
import { addDefaultStrings, findLocale } from '../../src/locales/locale.js';
import '../../src/message/data/data-kinds.js';
import {
  announcementsOf,
  messageMarkdown,
  messagePlainText,
} from '../../src/message/message-formats.js';
import type { DataFields } from '../../src/model/part.js';
import { setupMessage } from '../helpers/model-message.js';

addDefaultStrings(messageStrings);

/** A message with one part. */
function messageOf(fields: DataFields) {
  const { message, run } = setupMessage();
  run({ type: 'content', message: 'm', parts: [{ ...fields, key: 'd' }] });
  return message();
}

/** What is announced about a part. */
function announce(fields: DataFields): unknown {
  const message = messageOf(fields);
  const part = message.parts.get('d');
  assert.ok(part);
  return announcementsOf(part, findLocale('en'), message);
}

const SEARCH: DataFields = {
  kind: 'web-search',
  query: 'rivers *of* Europe',
  state: 'done',
  results: [
    { title: 'Rivers [A]', url: 'https://a.example/x y', snippet: 'Long', site: 'A', icon: '' },
    { title: '', url: 'https://b.example/', snippet: '', site: '', icon: '' },
    { title: 'Script', url: 'javascript:alert(1)', snippet: '', site: '', icon: '' },
  ],
};

const PASSAGES: DataFields = {
  kind: 'passages',
  title: 'Handbook',
  passages: [
    { title: 'Ports', text: 'One.\n\n# Two', source: 'a.pdf', score: 1, url: '' },
    { title: '', text: '', source: 'b.pdf', score: null, url: 'https://b.example/' },
  ],
};

const CHART: DataFields = {
  ...{ kind: 'chart', title: 'Levels', chartType: 'line', dimension: 'day', measures: ['cm'] },
  groupBy: null,
  columns: [
    { name: 'day', type: 'text' },
    { name: 'cm', type: 'number' },
  ],
  rows: [['Monday', 120]],
};

test('Markdown of a web search is its query and a list of links', () => {
  assert.equal(
    messageMarkdown(messageOf(SEARCH)),
    [
      'rivers \\*of\\* Europe\n',
      '- [Rivers \\[A\\]](<https://a.example/x%20y>)',
      '- [https://b.example/](<https://b.example/>)',
      '- Script',
    ].join('\n'),
  );
});

test('Markdown of passages is their titles, quotations and linked sources', () => {
  assert.equal(
    messageMarkdown(messageOf(PASSAGES)),
    'Handbook\n\nPorts\n\n> One.\n>\n> \\# Two\n\n[b.pdf](<https://b.example/>)',
  );
});

test('Markdown of a page is a link', () => {
  const page: DataFields = { kind: 'page', title: 'Report', url: 'https://a.example/<1>' };
  assert.equal(messageMarkdown(messageOf(page)), '[Report](<https://a.example/%3C1%3E>)');
});

test('Markdown of a chart is its title and a table', () => {
  assert.equal(
    messageMarkdown(messageOf(CHART)),
    'Levels\n\n| day | cm |\n| --- | --: |\n| Monday | 120 |',
  );
});

test('a web search is announced by kind and query; passages, pages and charts by kind and title', () => {
  assert.deepEqual(announce(SEARCH), [{ ids: [], text: 'Search the web: rivers *of* Europe' }]);
  assert.deepEqual(announce({ ...PASSAGES, title: '' }), [{ ids: [], text: 'Passages' }]);
  assert.deepEqual(announce({ kind: 'page', title: 'Report', url: '' }), [
    { ids: [], text: 'Web page: Report' },
  ]);
  assert.deepEqual(announce(CHART), [{ ids: [], text: 'Chart: Levels' }]);
});

test('plain text of a web search is its query', () => {
  assert.equal(messagePlainText(messageOf(SEARCH)), 'rivers *of* Europe');
});
