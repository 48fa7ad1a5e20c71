import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import { serializeContent } from '../../../../src/backends/ubik/content/serialize-content.js';
import { parseCitation } from '../../../../src/backends/ubik/content/citation.js';
import { setupParser } from './read-pieces.js';

test('content parser reads the three kinds of citations', () => {
  const passage = '<citation id="0b6e">[1]</citation>';
  const document = '<citation id="77a0" name="Report &amp; annex">[2]</citation>';
  const page =
    '<web_citation url="https://example.com/a?b=1&amp;c=2" title="A &quot;page&quot;">[3]</web_citation>';
  assert.deepEqual(parseContent(`a ${passage}${document}, ${page} <source_4>.`), [
    {
      kind: 'text',
      key: '/0:text',
      text: 'a \uE0001\uE001\uE0002\uE001, \uE0003\uE001 \uE0004\uE001.',
      marks: {
        1: { kind: 'citation', label: '[1]', id: '0b6e', source: passage },
        2: {
          kind: 'citation',
          label: '[2]',
          id: '77a0',
          title: 'Report & annex',
          source: document,
        },
        3: {
          kind: 'citation',
          label: '[3]',
          title: 'A "page"',
          url: 'https://example.com/a?b=1&c=2',
          source: page,
        },
        4: { kind: 'citation', label: '[4]', source: '<source_4>' },
      },
    },
  ]);
});

test('serializeContent serializes citations unchanged', () => {
  const text =
    "a <citation id='x' odd  name=y/>b <web_citation  url=http://a.example>[2]</web_citation>";
  assert.equal(serializeContent(parseContent(text)), text);
});

test('content parser numbers the marks of each part from 1', () => {
  const text = '<source_7><<thinking>><source_8><</thinking>>';
  assert.deepEqual(
    parseContent(text).map((part) => part.text),
    ['\uE0001\uE001', '\uE0001\uE001'],
  );
});

test('parseCitation accepts only absolute http and https URLs without credentials', () => {
  const hostile = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java&#115;cript:alert(1)',
    '&#x6a;avascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'https://user:secret@example.com/',
    '//example.com/',
    '/relative',
    'mailto:a@example.com',
    '',
  ];
  for (const url of hostile) {
    const mark = parseCitation(`<web_citation url="${url}" title="t">[1]</web_citation>`);
    assert.equal(mark.url, undefined, url);
    assert.equal(mark.title, 't');
  }
  assert.equal(
    parseCitation('<web_citation url="HTTP://Example.com">x</web_citation>').url,
    'http://example.com/',
  );
});

test('parseCitation reads no attribute inside a value and uses the first of equal names', () => {
  const mark = parseCitation(
    `<citation id="a' url='https://evil.example" id="b" name='c" d'>x</citation>`,
  );
  assert.deepEqual(
    [mark.id, mark.title, mark.url],
    ["a' url='https://evil.example", 'c" d', undefined],
  );
});

test('parseCitation replaces character references that would forge a mark', () => {
  const mark = parseCitation(
    '<citation id="&#xE000;1&#57345;">&#xE000;&#0;&#x110000;&bogus;</citation>',
  );
  assert.deepEqual([mark.id, mark.label], ['\uFFFD1\uFFFD', '\uFFFD\uFFFD\uFFFD&bogus;']);
});

test('parseCitation decodes the first and the last code point', () => {
  const { label } = parseCitation('<citation id="a">&#1;&#x10ffff;</citation>');
  assert.equal(label, '\u0001\u{10ffff}');
});

test('content parser treats malformed and unknown elements as text', () => {
  const malformed = [
    '<citation id="a">[1]',
    '<citation id="a>[1]</citation>',
    '<citation id="a">[1]</web_citation>',
    '<citation id="a">[1]\n</citation>',
    '<citation id="a"\n>[1]</citation>',
    '<citations>[1]</citations>',
    '<source_>',
    '<source_1234567890>',
    '<source_x>',
    '<Citation id="a">[1]</Citation>',
    '<b>bold</b>',
  ];
  for (const text of malformed) {
    const [part] = parseContent(text);
    assert.equal(part?.text, text);
    assert.ok(part.kind === 'text' && part.marks === undefined);
  }
});

test('content parser accepts a citation of 4,096 code units and treats a longer one as text', () => {
  const make = (length: number): string => {
    const rest = '<citation id=""></citation>'.length;
    return `<citation id="${'a'.repeat(length - rest)}"></citation>`;
  };
  assert.equal(parseContent(make(4096))[0]?.text, '\uE0001\uE001');
  assert.equal(parseContent(make(4097))[0]?.text, make(4097));
});

test('content parser parses a tag inside a malformed element', () => {
  assert.deepEqual(
    parseContent('a <citation id="b">[1<<thinking>>c').map((part) => part.text),
    ['a <citation id="b">[1', 'c'],
  );
});

test('content parser withholds a citation until it is complete', () => {
  const { parser, trees } = setupParser('live');
  for (const unit of 'a <citation id="b">[1]</citation') parser.push(unit);
  assert.equal(trees()[0]?.text, 'a ');
  parser.push('>');
  assert.equal(trees()[0]?.text, 'a \uE0001\uE001');
});

test('content parser emits complete citations, tools and code at once, even when they are long', () => {
  const address = `https://example.com/${'a'.repeat(3000)}`;
  const { parser, trees } = setupParser('live');
  for (const unit of `<web_citation url="${address}">[1]</web_citation>`) parser.push(unit);
  assert.equal(trees()[0]?.text, '\uE0001\uE001');
  const label = `${'n'.repeat(400)}:1`;
  for (const unit of `<<TOOL_STEP_START/${label}>>`) parser.push(unit);
  assert.equal(trees()[1]?.kind, 'tool');
  for (const unit of `\`<<thinking>> ${'a'.repeat(400)}\`.`) parser.push(unit);
  assert.equal(trees()[1]?.parts?.[0]?.text?.length, 416);
});
