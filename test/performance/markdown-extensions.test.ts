import { expect } from '@open-wc/testing';
import markedAlert from 'marked-alert';
import { markedEmoji } from 'marked-emoji';
import * as marked from '../../src/markdown/extras/marked.js';
import * as sanitize from '../../src/markdown/extras/sanitize.js';
import { setupViewInPage } from '../markdown/setup-page-view.js';
import { isExhaustive } from '../helpers/sample.js';
import { measureCostRatio } from './cost-ratio.js';
import { readCpuSeconds } from './cpu-seconds.js';

const SECTION = `## A section :wave:

A paragraph with *some* emphasis, **strong** words, \`code\` and a [link](https://a.test/page), long enough to be typical of an answer :wave:

> [!NOTE]
> Mind the gap.

- one item of a list
- another one, with **strong** text

| a | b |
|---|---|
| 1 | 2 |

\`\`\`
let code = 1;
\`\`\`

`;
const TEXT = SECTION.repeat(Math.ceil(100_000 / SECTION.length));

const modules = new Map<string, unknown>(Object.entries({ marked, sanitize }));
const extensions = [
  markedAlert(),
  markedEmoji({ emojis: { wave: '👋' }, renderer: (token) => token.emoji }),
];

/** CPU seconds of rendering a text of 100 kB with its layout, in pieces of 4 kB. */
async function costOf(list: readonly object[]): Promise<number> {
  const loadExtra = (name: string): Promise<unknown> => Promise.resolve(modules.get(name));
  const { view, box, frames, remove } = setupViewInPage('', { extensions: list, loadExtra });
  const start = await readCpuSeconds();
  for (let at = 0; at < TEXT.length; at += 4096) {
    view.append(TEXT.slice(at, at + 4096));
    frames.flush();
    await new Promise((resolve) => setTimeout(resolve));
    box.getBoundingClientRect();
  }
  await view.end();
  await new Promise((resolve) => setTimeout(resolve));
  box.getBoundingClientRect();
  const cost = (await readCpuSeconds()) - start;
  const drawn = box.querySelectorAll('.ubik-extension').length;
  expect(drawn > 0).to.equal(list.length > 0);
  remove();
  return cost;
}

/** The cost of a text with an alert and two emoji in each section, relative to the text without extensions. Without the cache of the sanitizer it was 3. */
const LIMIT = 2.5;

/** Blocks for which marked takes more than linear time. */
const HOSTILE = [
  `${'*'.repeat(8192)}${'☃'.repeat(8192)}`,
  '*_a'.repeat(2730),
  `${'*_a'.repeat(170)}${'a'.repeat(7000)}`,
  '- a\n'.repeat(2048),
  '- a long item\n'.repeat(500),
  '!'.repeat(16_000),
  '!'.repeat(500),
  '[a]('.repeat(2000),
  '`a'.repeat(4000),
  'www.'.repeat(2000),
];
/** An ordinary block of 8 kB. */
const ORDINARY =
  'A paragraph with *some* emphasis and `code`, as long as a line of an answer.\n'.repeat(100);

/** CPU seconds of giving blocks to the extensions. */
async function drawingCostOf(blocks: readonly string[]): Promise<number> {
  const nothing = (): null => null;
  const host = { document, sanitize: nothing, draw: () => document.body, mark: nothing };
  const start = await readCpuSeconds();
  for (const block of blocks) {
    await marked.drawBlock(extensions, block, host);
    await marked.findRanges(extensions, `:wave: ${block}`, host);
  }
  return (await readCpuSeconds()) - start;
}

/** The cost of the hostile blocks relative to as many ordinary ones, which is about 1. Without limits it was over 15. */
const HOSTILE_LIMIT = 5;

describe('hostile blocks with Markdown extensions', function () {
  this.timeout(300_000);

  it(`cost less than ${HOSTILE_LIMIT} times as much as ordinary ones`, async () => {
    const ratio = await measureCostRatio(
      () => drawingCostOf(HOSTILE.map(() => ORDINARY)),
      () => drawingCostOf(HOSTILE),
      { limit: HOSTILE_LIMIT, floor: 0.01 },
    );
    expect(ratio).to.be.lessThan(HOSTILE_LIMIT);
  });
});

describe('text with two Markdown extensions', function () {
  this.timeout(300_000);

  it(`costs less than ${LIMIT} times as much as without the extensions`, async () => {
    const ratio = await measureCostRatio(
      () => costOf([]),
      () => costOf(extensions),
      { limit: LIMIT, minRounds: 3, floor: 0.01 },
    );
    expect(ratio).to.be.lessThan(LIMIT);
  });

  (isExhaustive ? it : it.skip)(
    `costs at least ${LIMIT} times as much if the HTML of each emoji has to be sanitized`,
    async () => {
      let count = 0;
      const renderer = (): string => `<b title="${(count += 1)}">${'<i>'.repeat(60)}👋</b>`;
      const uncached = [markedAlert(), markedEmoji({ emojis: { wave: '👋' }, renderer })];
      const ratio = await measureCostRatio(
        () => costOf([]),
        () => costOf(uncached),
        { limit: 0, rounds: 3, floor: 0.01 },
      );
      expect(ratio).to.be.greaterThan(LIMIT);
    },
  );
});
