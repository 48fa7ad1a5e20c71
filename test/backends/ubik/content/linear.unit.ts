import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  ContentMode,
  ConstructResolver,
} from '../../../../src/backends/ubik/content/content-parser-types.js';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import { isExhaustive } from '../../../helpers/sample.js';
import { setupParser } from './read-pieces.js';

/** Texts of about `length` code units that are expensive to parse. */
const HOSTILE: Readonly<Record<string, (length: number) => string>> = {
  'plain text': (length) => repeat('Some words and more.\n', length),
  brackets: (length) => repeat('<', length),
  'line breaks': (length) => repeat('\n', length),
  spaces: (length) => `a\n${repeat(' ', length)}`,
  'end tags of a result in a string': (length) =>
    `<<TOOL_STEP_RESULT_START>>"${repeat('<<TOOL_STEP_RESULT_END>>', length)}`,
  'undecided raw zones': (length) =>
    repeat('<<TOOL_STEP_RESULT_START>>["<<TOOL_STEP_RESULT_END>>', length),
  'brackets of JSON': (length) => `<<TOOL_STEP_RESULT_START>>${repeat('[', length)}`,
  'unclosed tool tags': (length) => repeat('<<TOOL_STEP_START/a', length),
  'unclosed tools': (length) => repeat('<<TOOL_STEP_START/a:1>>', length),
  'tools and end tags of other tools': (length) =>
    repeat('<<TOOL_STEP_START/a:1>>', length / 2) + repeat('<<TOOL_STEP_END/b:2>>', length / 2),
  'unclosed citations': (length) => repeat('<citation id="', length),
  'citations in citations': (length) => repeat(`<citation a='<citation b="`, length),
  'citations without end': (length) => repeat('<citation id="x">[1]', length),
  'unclosed spans': (length) => repeat('`<<thinking>>``<<thinking>>', length),
  'spans of every length': (length) => repeat(repeatDecreasingTicks(25, '<<thinking>>'), length),
  'backticks of every length': (length) => repeat(repeatDecreasingTicks(31, ' '), length),
  'fences with tags': (length) => repeat('```<<thinking>>\n', length),
  'a tag before spaces in a fence': (length) => `\`\`\`\n<<STEP_START>>${repeat(' ', length)}`,
  'nested steps': (length) => repeat('<<STEP_START>>', length),
  'nested requests': (length) => repeat('<<INPUT_REQUIRED_START>>', length),
  'a long header': (length) => `<<STEP_START>>\nStep 1: ${repeat('x', length)}`,
  'temporary tags': (length) => repeat('<<TOOL_EVENT_START>>', length),
  'long temporary blocks': (length) => repeat(`<<TOOL_EVENT_START>>${repeat('x', 4000)}`, length),
  'brackets in an attribute': (length) => repeat(`<citation a="${repeat('>', 4000)}\n`, length),
  'brackets after a temporary tag': (length) =>
    repeat(`<<TOOL_EVENT_START>>${repeat('>> x', 4000)}\n`, length),
  'tags after a backtick': (length) => repeat(`\`${repeat('<source_1>', 500)}\n`, length),
  'many errors': (length) => repeat('<<ERROR_START>>e<<ERROR_END>>', length),
};

const LITERAL_RESOLVER: ConstructResolver = {
  resolve: () => 'literal',
};

function repeat(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length));
}

function repeatDecreasingTicks(from: number, between: string): string {
  let text = '';
  for (let ticks = from; ticks > 0; ticks -= 1) text += '`'.repeat(ticks) + between;
  return text;
}

function measureWork(mode: ContentMode, pieces: Iterable<string>): number {
  const { parser } = setupParser(mode, LITERAL_RESOLVER);
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return parser.work;
}

/** The shorter of two lengths whose work is compared. Both hold several of the longest pieces. */
const LENGTH = isExhaustive ? 20_000 : 8_000;

for (const [name, make] of Object.entries(HOSTILE)) {
  test(`content parser takes linear work for ${name}, in one piece and in many`, () => {
    const small = make(LENGTH);
    const large = make(2 * LENGTH);
    const size = large.length / small.length;
    for (const mode of ['stored', 'live'] as const) {
      const work = measureWork(mode, [large]);
      assert.ok(work <= measureWork(mode, [small]) * size * 1.1, mode);
      assert.ok(measureWork(mode, large) <= measureWork(mode, small) * size * 1.1, mode);
      // A code unit is scanned again by each run of backticks before it that may open a span. These runs have different lengths and are within
      // the longest span, 512 units (UBIK 7.3), so there are at most 31 of them: 1 + 2 + … + 31 = 496.
      assert.ok(work <= large.length * 32, mode);
    }
  });
}

test('content parser limits the depth of ten thousand nested tags', () => {
  const tags = [
    '<<STEP_START>>',
    '<<thinking>>',
    '<<TOOL_STEP_START/a:1>>',
    '<<CHECKPOINT_START>>',
  ];
  for (const tag of tags) {
    const parts = parseContent(tag.repeat(10_000));
    assert.ok(parts.length > 0);
    assert.ok(depthOf(parts) <= 3);
  }
});

function depthOf(parts: ReturnType<typeof parseContent>): number {
  return parts.reduce(
    (deepest, part) => Math.max(deepest, 1 + depthOf([...(part.parts ?? [])])),
    0,
  );
}
