import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../src/backends/ubik/content/content-parser.js';
import { measurePairedRatio } from './cost-ratio.js';

/**
 * Permitted cost of parsing a text relative to stepping through its characters once, and for the result of a tool also parsing it as JSON. A
 * parser that steps through the characters in addition to its present work exceeds it.
 */
const LIMIT = 1.3;
const LENGTH = 4_000_000;

const repeat = (text: string): string => text.repeat(Math.ceil(LENGTH / text.length));
const LINE = 'A line of an answer, with some **words** and a [link](https://example.org/path).\n';
const TEXT = repeat(LINE);
const CODE = `\`\`\`\n${repeat(`    ${LINE}`)}\n\`\`\`\n`;
const JSON_TEXT = `[${repeat(`{"text": "${LINE.trim()}", "n": 12},`)}0]`;
/** Texts, each with the work that its parsing is compared with. The parser reads the result of a tool as JSON. */
const TEXTS: readonly (readonly [string, string, () => unknown])[] = [
  ['text without tags', TEXT, () => stepThrough(TEXT)],
  ['code in a fence', CODE, () => stepThrough(CODE)],
  [
    'the result of a tool',
    `<<TOOL_STEP_RESULT_START>>${JSON_TEXT}<<TOOL_STEP_RESULT_END>>`,
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

for (const [name, text, compared] of TEXTS) {
  test(`parsing stored content costs about as much as stepping through its characters: ${name}`, async () => {
    const ratio = await measurePairedRatio(
      () => cpuOf(compared),
      () => cpuOf(() => parseContent(text)),
      LIMIT,
    );
    assert.ok(ratio < LIMIT, `${name}: ${ratio.toFixed(2)}`);
  });
}
