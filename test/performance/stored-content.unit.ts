import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../src/backends/ubik/content/content-parser.js';
import { measureCostRatio } from './cost-ratio.js';

/** Number of rounds of which the fastest are compared. The engine optimizes both only after some of them. */
const ROUNDS = 5;
/**
 * Maximum number of such comparisons, of which the lowest decides: on a machine whose speed changes, the fastest moment of a longer series may
 * come once, for one of the two. What each parsing costs in addition is in all of them.
 */
const COMPARISONS = 6;
const LENGTH = 4_000_000;

const repeat = (text: string): string => text.repeat(Math.ceil(LENGTH / text.length));
const LINE = 'A line of an answer, with some **words** and a [link](https://example.org/path).\n';
const TEXT = repeat(LINE);
const CODE = `\`\`\`\n${repeat(`    ${LINE}`)}\n\`\`\`\n`;
const JSON_TEXT = `[${repeat(`{"text": "${LINE.trim()}", "n": 12},`)}0]`;
/**
 * Texts, each with the permitted cost of its parsing relative to other work, and that work: stepping through the characters once, and for the
 * result of a tool also parsing it as JSON, as the parser does. A parser that steps through the characters in addition exceeds it.
 */
const TEXTS: readonly (readonly [string, string, number, () => unknown])[] = [
  ['text without tags', TEXT, 1.3, () => stepThrough(TEXT)],
  ['code in a fence', CODE, 1.3, () => stepThrough(CODE)],
  [
    'the result of a tool',
    `<<TOOL_STEP_RESULT_START>>${JSON_TEXT}<<TOOL_STEP_RESULT_END>>`,
    1,
    (): unknown[] => [stepThrough(JSON_TEXT), JSON.parse(JSON_TEXT) as unknown],
  ],
];

/** User time only: the kernel's time for the memory of the result depends on the machine, not on how the text is read. */
function cpuOf(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  return process.cpuUsage(start).user;
}

/** Steps through a text like a parser that examines each character. */
function stepThrough(text: string): number {
  const state = { last: '', column: 0, lines: 0 };
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charAt(at);
    if (unit === '\n') state.lines += 1;
    else if (unit === '`' || unit === '~' || unit === '\\') state.column = 0;
    else if (unit !== state.last) state.column += 1;
    state.last = unit;
  }
  return state.lines + state.column;
}

for (const [name, text, limit, compared] of TEXTS) {
  test(`parsing stored content costs about as much as stepping through its characters: ${name}`, async () => {
    let ratio = Infinity;
    for (let count = 0; count < COMPARISONS && ratio >= limit; count += 1) {
      const found = await measureCostRatio(
        () => cpuOf(compared),
        () => cpuOf(() => parseContent(text)),
        { limit, minRounds: ROUNDS, rounds: ROUNDS, floor: 5000 },
      );
      ratio = Math.min(ratio, found);
    }
    assert.ok(ratio < limit, `${name}: ${ratio.toFixed(2)}`);
  });
}
